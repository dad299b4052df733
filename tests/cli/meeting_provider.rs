//! A provider whose remote system is a folder: an object is a file named after its `zone`, or its `name` if
//! it has none. Every process of a run sees the same folder.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use bytes::Bytes;
use tfconform::calls::Rpc;
use tfconform::provider::handler::Handler;
use tfconform::provider::status::Status;
use tfconform::schema::{Attribute, Block, ProviderSchema, Schema};
use tfconform::transcript::{AnyCall, Diagnostic, Encoded};
use tfconform::value::{Type, Value, state_json};

use super::misbehaving_provider::{answer, conform, serve};

/// The argument that makes this program the provider; what it does wrong follows, and a port.
pub const WORD: &str = "be-the-meeting-provider";

pub fn play_if_asked() -> Option<ExitCode> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [word, mode, more @ ..] = words.as_slice() else { return None };
    if word != WORD {
        return None;
    }
    let folder = PathBuf::from(env::var_os("HOME").unwrap()).join("remote");
    fs::create_dir_all(&folder).unwrap();
    let port = more.first().map(|port| port.parse().unwrap());
    Some(serve(Meeting { mode: mode.clone(), port, folder, schema: declared() }))
}

fn declared() -> ProviderSchema {
    let attributes = vec![
        Attribute::typed("id", Type::String).computed(),
        Attribute::typed("level", Type::Number).optional(),
        Attribute::typed("name", Type::String).required(),
        Attribute::typed("tags", Type::list(Type::String)).optional(),
        Attribute::typed("zone", Type::String).optional(),
    ];
    let thing = Arc::new(Schema { version: 0, block: Block::new(attributes, vec![]) });
    ProviderSchema {
        provider: Some(Arc::default()),
        resources: [("meeting_thing".to_owned(), thing)].into(),
        ..ProviderSchema::default()
    }
}

/// Applies that are being answered.
static IN_FLIGHT: AtomicUsize = AtomicUsize::new(0);

/// Whether the provider was told to stop.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

struct Meeting {
    mode: String,
    port: Option<u16>,
    folder: PathBuf,
    schema: ProviderSchema,
}

impl Handler for Meeting {
    fn call(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, Status> {
        if rpc == Rpc::StopProvider {
            if self.is("exits-when-stopped") {
                process::exit(3);
            }
            IS_STOPPED.store(true, Ordering::SeqCst);
            return Ok(Bytes::new());
        }
        answer(&self.schema, rpc, request, |asked| {
            let thing = &self.schema.resources["meeting_thing"];
            conform(asked, thing, &|_| Value::string("made-up"));
            match asked {
                AnyCall::PlanResourceChange(call) => self.plan(call.request.config.value().unwrap()),
                AnyCall::ApplyResourceChange(call) => {
                    let others = IN_FLIGHT.fetch_add(1, Ordering::SeqCst);
                    let (request, response) = (&call.request, call.outcome.as_mut().unwrap());
                    let prior = request.prior_state.value().unwrap();
                    let is_mixed_up = self.waits_for_others(prior.is_null());
                    IN_FLIGHT.fetch_sub(1, Ordering::SeqCst);
                    let new = response.new_state.value().unwrap().clone();
                    let is_stopped = prior.is_set() && new.is_set() && self.waits_for_a_stop();
                    let stored = match is_mixed_up {
                        true => new
                            .with_attribute("tags", Value::list(Type::String, vec![Value::string("mixed")])),
                        false => new,
                    };
                    let applied = match self.is("busy") && prior.is_null() && others > 2 {
                        true => Err("too many requests".to_owned()),
                        false if is_stopped => Err("interrupted".to_owned()),
                        false => self.apply(prior, &stored, thing),
                    };
                    if let Err(why) = applied {
                        response.diagnostics.push(Diagnostic::error(&why, ""));
                        if !self.is("claims-when-stopped") {
                            response.new_state = request.prior_state.clone();
                        }
                    }
                }
                AnyCall::ReadResource(call) => {
                    let (state, response) = (call.request.current_state.value(), call.outcome.as_mut());
                    response.unwrap().new_state =
                        Encoded::of(self.read(state.unwrap(), thing), thing.implied_type());
                }
                _ => {}
            }
            Ok(())
        })
    }
}

impl Meeting {
    fn is(&self, mode: &str) -> bool {
        self.mode == mode
    }

    /// Waits, for at most 40 ms, until as many creates are in flight as the mode needs, and returns whether this one
    /// is mixed up with another.
    fn waits_for_others(&self, is_create: bool) -> bool {
        let enough = match &*self.mode {
            "mixes-up" if is_create => 2,
            "busy" if is_create => 4,
            _ => 0,
        };
        let end = Instant::now() + Duration::from_millis(40);
        let are_enough = loop {
            if IN_FLIGHT.load(Ordering::SeqCst) >= enough {
                break true;
            }
            if Instant::now() > end {
                break false;
            }
            thread::sleep(Duration::from_millis(1));
        };
        // Long enough that the others see this one.
        thread::sleep(Duration::from_millis(10));
        self.is("mixes-up") && is_create && are_enough
    }

    /// Whether the provider is told to stop while it updates something, which takes a while then.
    fn waits_for_a_stop(&self) -> bool {
        if !self.mode.ends_with("when-stopped") {
            return false;
        }
        let end = Instant::now() + Duration::from_millis(100);
        while Instant::now() < end && !IS_STOPPED.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
        IS_STOPPED.swap(false, Ordering::SeqCst)
    }

    fn plan(&self, config: &Value) {
        if self.is("panics") && config.is_set() {
            if !config.member("tags").is_null() {
                panics(57);
            }
            if !config.member("level").is_null() {
                panics(41);
            }
        }
        if self.is("hangs") && config.is_set() && !config.member("level").is_null() {
            loop {
                thread::park();
            }
        }
    }

    fn apply(&self, prior: &Value, new: &Value, thing: &Schema) -> Result<(), String> {
        if let Some(port) = self.port {
            TcpStream::connect(("127.0.0.1", port)).map_err(|error| error.to_string())?;
        }
        if !new.is_set() {
            let _ = fs::remove_file(self.file(prior));
            return Ok(());
        }
        if prior.is_null() && self.is("panics-after-create") && self.file(new).exists() {
            return Err("it exists already".to_owned());
        }
        if prior.is_null() && self.is("allows-one") && self.has_objects() {
            return Err("there is one already".to_owned());
        }
        if prior.is_set() && self.file(prior) != self.file(new) {
            let _ = fs::remove_file(self.file(prior));
        }
        fs::write(self.file(new), state_json::encode(new, thing.implied_type()).unwrap()).unwrap();
        if prior.is_null() {
            fs::write(self.counter(), (self.n_created() + 1).to_string()).unwrap();
            if self.is("panics-after-create") && !new.member("level").is_null() {
                panics(83);
            }
        }
        Ok(())
    }

    fn has_objects(&self) -> bool {
        let entries = fs::read_dir(&self.folder).unwrap();
        entries.flatten().any(|entry| entry.path() != self.counter())
    }

    /// How many objects were created; only exact if they are created one after the other.
    fn n_created(&self) -> u32 {
        fs::read_to_string(self.counter()).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    fn read(&self, state: &Value, thing: &Schema) -> Value {
        let Ok(json) = fs::read(self.file(state)) else { return thing.null() };
        let found = state_json::decode(&json, thing.implied_type()).unwrap();
        let is_wrong = match self.mode.as_str() {
            "wrong" => true,
            // In the second object, and in every third one after it: the first shows what is accepted.
            "wrong-at-times" => self.n_created() % 3 == 2,
            "wrong-once" => self.n_created() == 2,
            _ => false,
        };
        if is_wrong { found.with_attribute("name", Value::string("Wrong")) } else { found }
    }

    fn file(&self, state: &Value) -> PathBuf {
        let key = [state.member("zone"), state.member("name")].into_iter().find(Value::is_set).unwrap();
        self.folder.join(hex(key.as_str().unwrap()))
    }

    fn counter(&self) -> PathBuf {
        Path::join(&self.folder, "counter")
    }
}

/// A name for a file, whatever the text.
fn hex(text: &str) -> String {
    let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("o{}", &hex[..hex.len().min(200)])
}

/// Ends as a Go program does that panics at a line of one function.
fn panics(line: u32) -> ! {
    eprintln!(
        "panic: runtime error: invalid memory address or nil pointer dereference\n\n\
         goroutine 7 [running]:\nmain.(*thing).Plan(0x0)\n\t/src/thing.go:{line} +0x1d"
    );
    process::exit(2)
}

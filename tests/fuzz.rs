//! The bodies of the fuzz targets, on variations of realistic bytes: none of them panics, and none
//! takes much more memory than the size of its input justifies.
//!
//! Seeded, so the same on every run. `$TFCONFORM_FUZZ_ROUNDS` multiplies the number of tries, and
//! `cargo fuzz` goes further.

#[path = "../fuzz/bodies.rs"]
mod bodies;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use siphasher::sip::SipHasher13;
use tfconform::calls::{GetProviderSchemaResponse, Message as _, Protocol};
use tfconform::judge::Judgement;
use tfconform::process::Address;
use tfconform::provider::handshake::announce;
use tfconform::record::{self, MaskedJudgement, Masker, RunSettings};
use tfconform::rule::example;

/// Counts the memory that the thread holds, and its peak, in bytes.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // A thread that is about to exit is no longer counted.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// SAFETY: every request is passed unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The peak memory while something was done, beyond what was held before.
fn most_held(what: impl FnOnce()) -> usize {
    let before = HELD.get();
    MOST.set(before);
    what();
    usize::try_from(MOST.get() - before).unwrap_or(0)
}

/// What a body needs regardless of input (including judging an example), and for each byte of input.
const BASE: usize = 4 << 20;
const PER_BYTE: usize = 2_000;

/// A source of choices.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        let mut hasher = SipHasher13::new();
        self.0.hash(&mut hasher);
        self.0 = hasher.finish();
        (self.0 >> 8) as usize % bound.max(1)
    }
}

/// Bytes with a meaning in one of the formats.
const TELLING: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\xc0",
    b"\xc7",
    b"\xdd\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x0c",
    b"\xcb\x7f\xf8\0\0\0\0\0\0",
    b"[",
    b"]",
    b"{",
    b"\"",
    b"\n",
    b"|",
    b"1e999999999",
    b"-",
    b"\xed\xa0\x80",
    b"\xe2\x80\xa8",
    b"\\ud800",
    b"[[[[[[[[[[[[[[[[",
];

/// A seed with a few changes.
fn mutated(seeds: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut data = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        let at = dice.below(data.len() + 1);
        let end = (at + dice.below(16)).min(data.len());
        match dice.below(6) {
            0 => drop(data.drain(at..end)),
            1 => data.truncate(at),
            2 if at < data.len() => data[at] ^= 1 << dice.below(8),
            3 => {
                let telling = TELLING[dice.below(TELLING.len())];
                data.splice(at..end, telling.iter().copied());
            }
            4 => {
                let piece = data[at..end].repeat(dice.below(40));
                data.splice(at..at, piece);
            }
            _ => {
                let other = &seeds[dice.below(seeds.len())];
                let from = dice.below(other.len() + 1);
                data.splice(at..end, other[from..].iter().copied());
            }
        }
    }
    data
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The vectors: type, MessagePack and JSON.
fn vectors() -> Vec<(String, Vec<u8>, String)> {
    let text = fs::read_to_string(repository("tests/vectors/wire.tsv")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let mut cells = line.split('\t').skip(1).map(str::to_owned);
            let (ty, hex, json) = (cells.next()?, cells.next()?, cells.next()?);
            let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
            Some((ty, hex.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?, json))
        })
        .collect()
}

fn typed(ty: &str, value: &[u8]) -> Vec<u8> {
    [ty.as_bytes(), b"\n", value].concat()
}

/// Realistic input for each body.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    match name {
        "msgpack" => vectors().iter().map(|(ty, bytes, _)| typed(ty, bytes)).collect(),
        "state_json" => vectors().iter().map(|(ty, _, json)| typed(ty, json.as_bytes())).collect(),
        "round_trip" => {
            let mut dice = Dice(7);
            (0..32).map(|_| (0..200).map(|_| dice.below(256) as u8).collect()).collect()
        }
        "handshake" => {
            let unix = Address::Unix("/tmp/plugin".into());
            let tcp = Address::Tcp("127.0.0.1".to_owned(), 1234);
            [(unix, None), (tcp, Some(&[48_u8; 400][..]))]
                .map(|(address, der)| announce(Protocol::V6, &address, der).into_bytes())
                .to_vec()
        }
        "schema" => {
            let schema = Arc::new(example::schema());
            let response =
                GetProviderSchemaResponse { schema, size: 0, digest: String::new(), diagnostics: Vec::new() };
            let majors = Protocol::ALL.iter().enumerate();
            majors.map(|(idx, major)| [&[idx as u8], &response.encode(*major)[..]].concat()).collect()
        }
        "response" => {
            let exchanges = example::lifecycle().exchanges;
            let answers = exchanges.iter().map(|exchange| exchange.call.encode_response(Protocol::V6));
            let answers = answers.enumerate().filter_map(|(idx, answer)| Some((idx, answer.ok()?)));
            answers.map(|(idx, answer)| [&[idx as u8], &answer.concat()[..]].concat()).collect()
        }
        "suite" => {
            let suites = fs::read_dir(repository("suites")).unwrap();
            suites.map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect()
        }
        "record" => {
            let mut file = Vec::new();
            let (transcript, masker) = (example::lifecycle(), Masker::new(Vec::new()));
            let (judgement, settings) = (Judgement::default(), RunSettings::default());
            let judged = MaskedJudgement::new(&masker, &transcript, &judgement, &settings);
            record::write(&mut file, &judged, None).unwrap();
            vec![file]
        }
        other => panic!("no seeds for {other}"),
    }
}

/// How often a body is tried: those that judge a whole transcript take longest.
fn tries(name: &str) -> usize {
    match name {
        "response" | "record" | "schema" => 150,
        _ => 4_000,
    }
}

fn rounds() -> usize {
    std::env::var("TFCONFORM_FUZZ_ROUNDS").map_or(1, |rounds| rounds.parse().unwrap())
}

#[test]
fn no_body_panics_or_takes_more_than_its_input_allows() {
    for (name, body) in bodies::BODIES {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name}");
        let mut dice = Dice(0x5eed);
        for _ in 0..rounds() * tries(name) {
            let data = mutated(&seeds, &mut dice);
            let outcome = std::panic::catch_unwind(|| most_held(|| body(&data)));
            let held = outcome.unwrap_or_else(|_| panic!("{name} panics on {}", STANDARD.encode(&data)));
            let allowed = BASE + PER_BYTE * data.len();
            assert!(held <= allowed, "{name} took {held} bytes for {}", STANDARD.encode(&data));
        }
    }
}

fn any_bytes(dice: &mut Dice) -> Vec<u8> {
    (0..dice.below(300)).map(|_| dice.below(256) as u8).collect()
}

#[test]
fn nothing_is_found_in_the_reference_provider_whatever_is_played() {
    let mut dice = Dice(0x5eed);
    let mut before = any_bytes(&mut dice);
    for round in 0..rounds() * 400 {
        let other = any_bytes(&mut dice);
        let mutated = match round % 3 {
            0 => bodies::mutated(&before, None, round as u64),
            1 => bodies::mutated(&before, Some(&other), round as u64),
            _ => None,
        };
        let data = mutated.unwrap_or(other);
        let outcome = std::panic::catch_unwind(|| bodies::scenario(&data));
        outcome.unwrap_or_else(|_| panic!("see above; the scenario is {}", STANDARD.encode(&data)));
        before = data;
    }
}

/// Otherwise the last test would hold whatever was played.
#[test]
fn a_fault_of_the_reference_provider_is_found_by_some_bytes() {
    for (fault, rule) in [
        ("plan/rewrites-configured-values", "plan/keeps-configured-values"),
        ("plan/empties-unknown-blocks", "plan/unknown-blocks-stay-unknown"),
        ("read/loses-the-object", "read/finds-the-object"),
    ] {
        let (stage, mut dice) = (bodies::Stage::new(6, &[fault]), Dice(0x5eed));
        let found = (0..200).any(|_| {
            let judged = stage.judged(&any_bytes(&mut dice));
            judged.is_some_and(|(_, judged)| judged.findings.iter().any(|found| found.rule.id == rule))
        });
        assert!(found, "{fault}");
    }
}

#[test]
fn the_seeds_themselves_are_read_to_their_end() {
    for (ty, bytes, _) in vectors() {
        bodies::msgpack(&typed(&ty, &bytes));
    }
    let (schemas, responses) = (seeds("schema"), seeds("response"));
    assert!(schemas.iter().all(|seed| {
        GetProviderSchemaResponse::decode(Protocol::ALL[usize::from(seed[0])], seed[1..].to_vec().into())
            .is_ok()
    }));
    assert!(responses.len() > 10);
}

/// A length that is announced but not delivered costs no memory.
#[test]
fn a_short_text_cannot_make_a_decoder_allocate() {
    for promise in [&b"\xdd\xff\xff\xff\xff"[..], b"\xdf\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff"] {
        for ty in [r#"["list","string"]"#, r#"["map","bool"]"#, r#""string""#, r#""dynamic""#] {
            let data = typed(ty, promise);
            let held = most_held(|| bodies::msgpack(&data));
            assert!(held < 64 << 10, "{held} bytes for {ty}");
        }
    }
}

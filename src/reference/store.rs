//! The remote system: what exists, whichever process created it.
//!
//! One small file for each object, replaced by renaming. Several processes share
//! the folder as several clients share a cloud; there is no lock that one could
//! hold for long, and nothing that a killed one could leave half done.

mod relations;

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::computed_values::hash;
use crate::value::{Type, Value, state_json};

pub use relations::Named;

/// An open store: the part of it for one protocol's objects.
pub struct Store {
    root: PathBuf,
    objects: PathBuf,
    /// `None` for readers and drift, which serve no requests.
    log: Option<File>,
}

/// A remote object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Its `id` attribute; usually the handle, but a plan may have said otherwise.
    pub id: String,
    /// How often it was written by a provider, counted from 1.
    pub revision: u64,
    /// The state as the remote system would report it, as JSON.
    pub state: Box<RawValue>,
    /// What only the remote system knows.
    #[serde(default)]
    pub facts: BTreeMap<String, String>,
}

static N_WRITES: AtomicU64 = AtomicU64::new(0);

impl Store {
    /// Opens a store, or creates one.
    pub fn open(root: &Path, protocol: u8) -> io::Result<Store> {
        let logs = root.join("requests");
        fs::create_dir_all(&logs)?;
        let nth = N_WRITES.fetch_add(1, Ordering::Relaxed);
        let log = OpenOptions::new()
            .append(true)
            .create(true)
            .open(logs.join(format!("{}-{nth}", std::process::id())))?;
        Ok(Store { log: Some(log), ..Store::open_quietly(root, protocol)? })
    }

    /// As [`Store::open`], for a user that serves no requests.
    pub fn open_quietly(root: &Path, protocol: u8) -> io::Result<Store> {
        let objects = root.join(format!("v{protocol}"));
        fs::create_dir_all(&objects)?;
        Ok(Store { root: root.to_owned(), objects, log: None })
    }

    /// The folder for objects of a type. Only type names of the schema occur here, never user input.
    fn folder(&self, type_name: &str) -> PathBuf {
        self.objects.join(type_name)
    }

    /// A handle that no other object of this store has or had.
    ///
    /// Derived from the object's content and how many like it were created before, so that
    /// it repeats even while other objects come and go.
    pub fn new_handle(&self, type_name: &str, seed: u64, fingerprint: &str) -> io::Result<String> {
        let wanted = hash(&[&seed.to_string(), type_name, fingerprint]);
        let counters = self.objects.join("counters");
        let path = counters.join(format!("{type_name}-{wanted:016x}"));
        let open = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(&counters)?;
                open()?
            }
            other => other?,
        };
        file.lock()?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let n_before: u64 = text.trim().parse().unwrap_or(0);
        file.rewind()?;
        file.write_all((n_before + 1).to_string().as_bytes())?;
        drop(file);
        let name = type_name.strip_prefix("reference_").unwrap_or(type_name);
        let mine = hash(&[&wanted.to_string(), &n_before.to_string()]);
        Ok(format!("{name}-{mine:016x}"))
    }

    pub fn put(&self, type_name: &str, handle: &str, record: &Record) -> io::Result<()> {
        let folder = self.folder(type_name);
        let nth = N_WRITES.fetch_add(1, Ordering::Relaxed);
        let draft = self.objects.join(format!(".{}-{nth}", std::process::id()));
        fs::write(&draft, serde_json::to_vec(record)?)?;
        let target = folder.join(handle);
        match fs::rename(&draft, &target) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(&folder)?;
                fs::rename(&draft, &target)
            }
            other => other,
        }
    }

    /// Changes only an object's content, as drift does.
    pub fn replace_state(
        &self,
        type_name: &str,
        handle: &str,
        record: Record,
        state: &Value,
        ty: &Type,
    ) -> io::Result<()> {
        let json = state_json::encode(state, ty).map_err(io::Error::other)?;
        self.put(type_name, handle, &Record { state: RawValue::from_string(json)?, ..record })
    }

    pub fn get(&self, type_name: &str, handle: &str) -> io::Result<Option<Record>> {
        if !is_handle(handle) {
            return Ok(None);
        }
        match fs::read(self.folder(type_name).join(handle)) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes an object; succeeds if it is already gone.
    pub fn remove(&self, type_name: &str, handle: &str) -> io::Result<()> {
        match fs::remove_file(self.folder(type_name).join(handle)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// An object by its handle if there is one, else by its id, with its handle.
    ///
    /// An id that is not a handle means searching every object of the type: only faults produce such ids.
    pub fn find(
        &self,
        type_name: &str,
        handle: Option<&str>,
        id: Option<&str>,
    ) -> io::Result<Option<(String, Record)>> {
        if let Some(handle) = handle {
            return Ok(self.get(type_name, handle)?.map(|record| (handle.to_owned(), record)));
        }
        let Some(id) = id else { return Ok(None) };
        if let Some(record) = self.get(type_name, id)? {
            return Ok(Some((id.to_owned(), record)));
        }
        let found =
            self.handles(type_name)?.into_iter().find_map(|handle| match self.get(type_name, &handle) {
                Ok(Some(record)) if record.id == id => Some((handle, record)),
                _ => None,
            });
        Ok(found)
    }

    /// The handles of every object of a type, sorted.
    pub fn handles(&self, type_name: &str) -> io::Result<Vec<String>> {
        let mut handles = Vec::new();
        match fs::read_dir(self.folder(type_name)) {
            Ok(entries) => {
                for entry in entries {
                    handles.push(entry?.file_name().to_string_lossy().into_owned());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        handles.sort();
        Ok(handles)
    }

    /// Logs a request. Failures to write the log are ignored.
    pub fn log(&self, rpc: &str) {
        if let Some(mut log) = self.log.as_ref() {
            let _ = log.write_all(format!("{rpc}\n").as_bytes());
        }
    }

    /// How often each RPC was called, by process, over the life of the store.
    pub fn requests(&self) -> io::Result<BTreeMap<String, BTreeMap<String, u64>>> {
        requests(&self.root)
    }
}

/// Whether a text can be a handle: the name of a file, and of nothing else.
fn is_handle(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '\0']) && !text.starts_with('.') && text.len() <= 200
}

/// How often each RPC was called, by process, over the life of a store that need not be open here.
pub fn requests(root: &Path) -> io::Result<BTreeMap<String, BTreeMap<String, u64>>> {
    let mut processes: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for entry in fs::read_dir(root.join("requests"))? {
        let entry = entry?;
        let counts = processes.entry(entry.file_name().to_string_lossy().into_owned()).or_default();
        for rpc in fs::read_to_string(entry.path())?.lines() {
            *counts.entry(rpc.to_owned()).or_default() += 1;
        }
    }
    Ok(processes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn record(revision: u64) -> Record {
        Record {
            id: "i".to_owned(),
            revision,
            state: RawValue::from_string("{\"n\":1.50}".to_owned()).unwrap(),
            facts: BTreeMap::new(),
        }
    }

    #[test]
    fn objects_come_back_as_stored_in_every_process() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 6).unwrap();
        store.put("reference_plain", "h", &record(3)).unwrap();
        let other = Store::open(folder.path(), 6).unwrap();
        let (handle, found) = other.find("reference_plain", None, Some("i")).unwrap().unwrap();
        assert_eq!((handle.as_str(), found.revision, found.state.get()), ("h", 3, "{\"n\":1.50}"));
        assert!(
            Store::open(folder.path(), 5)
                .unwrap()
                .find("reference_plain", None, Some("i"))
                .unwrap()
                .is_none()
        );
        other.remove("reference_plain", "h").unwrap();
        other.remove("reference_plain", "h").unwrap();
        assert!(store.get("reference_plain", "h").unwrap().is_none());
        assert!(store.get("reference_plain", "../../etc/passwd").unwrap().is_none());
    }

    #[test]
    fn handles_repeat_across_stores_and_never_within_one() {
        let of = |n: usize| {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path(), 6).unwrap();
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..n)
                    .map(|_| {
                        let own = Store::open(folder.path(), 6).unwrap();
                        scope.spawn(move || {
                            (0..20)
                                .map(|_| own.new_handle("reference_plain", 1, "x").unwrap())
                                .collect::<Vec<_>>()
                        })
                    })
                    .collect();
                let handles: BTreeSet<String> =
                    threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
                assert_eq!(handles.len(), n * 20);
                drop(store);
                handles
            })
        };
        assert_eq!(of(2), of(2));
    }
}

//! What objects of the small world owe each other: an object that is used stays, and some names are unique.
//!
//! An object that others may use has a folder with a file for each of its users. A folder is only removed
//! when it is empty, and a file is only created where there is a folder, so that no process needs a lock.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;

use super::{Store, is_handle};
use crate::reference::computed_values::hash;

/// An object by its type and its handle.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    pub type_name: &'a str,
    pub handle: &'a str,
}

impl Store {
    fn users(&self, of: Named<'_>) -> PathBuf {
        self.objects.join("users").join(of.type_name).join(of.handle)
    }

    fn name(&self, type_name: &str, name: &str) -> PathBuf {
        // A name may have characters that a file name may not.
        self.objects.join("names").join(type_name).join(format!("{:016x}", hash(&[name])))
    }

    /// From now on, other objects can use this one.
    pub fn admit(&self, object: Named<'_>) -> io::Result<()> {
        fs::create_dir_all(self.users(object))
    }

    /// From now on, no object can use this one. Returns those that do, one of which is enough to prevent that.
    pub fn dismiss(&self, object: Named<'_>) -> io::Result<Vec<String>> {
        let folder = self.users(object);
        match fs::remove_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                let names = fs::read_dir(&folder)?
                    .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                    .collect::<io::Result<Vec<String>>>();
                names.map(|mut names| {
                    names.sort();
                    names
                })
            }
            other => other.map(|()| Vec::new()),
        }
    }

    /// Makes an object a user of another one; false if that does not exist.
    pub fn hold(&self, used: Named<'_>, user: &str) -> io::Result<bool> {
        if !is_handle(used.handle) {
            return Ok(false);
        }
        match fs::write(self.users(used).join(user), "") {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            other => other.map(|()| true),
        }
    }

    /// Ends what [`Store::hold`] began.
    pub fn let_go(&self, used: Named<'_>, user: &str) -> io::Result<()> {
        if !is_handle(used.handle) {
            return Ok(());
        }
        unless_gone(fs::remove_file(self.users(used).join(user)))
    }

    /// Gives a name to an object; false if another one of its type has it.
    pub fn claim(&self, object: Named<'_>, name: &str) -> io::Result<bool> {
        let path = self.name(object.type_name, name);
        let create = || OpenOptions::new().write(true).create_new(true).open(&path);
        let file = match create() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::create_dir_all(path.parent().unwrap_or(&self.objects))?;
                create()
            }
            other => other,
        };
        match file {
            Ok(mut file) => file.write_all(object.handle.as_bytes()).map(|()| true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Ends what [`Store::claim`] began.
    pub fn release(&self, type_name: &str, name: &str) -> io::Result<()> {
        unless_gone(fs::remove_file(self.name(type_name, name)))
    }

    /// The handle of the object with a unique name.
    pub fn named(&self, type_name: &str, name: &str) -> io::Result<Option<String>> {
        match fs::read_to_string(self.name(type_name, name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        }
    }
}

fn unless_gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

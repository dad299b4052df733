//! The coverage data of Go programs: written in the sandbox, kept where the user wants it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::{fs, io};

use crate::sandbox::Sandbox;

/// Names the folder that a Go program writes its coverage data to when it ends.
const VARIABLE: &str = "GOCOVERDIR";

/// A folder in the sandbox, and the one that the user named. Dropping it moves the files there.
#[derive(Debug)]
pub(super) struct Coverage {
    inside: PathBuf,
    wanted: PathBuf,
}

impl Coverage {
    /// Has a program write into the scratch folder; `None` if its environment names no folder.
    pub fn redirect(
        env: &mut BTreeMap<OsString, OsString>,
        sandbox: &Sandbox,
    ) -> io::Result<Option<Coverage>> {
        let Some(wanted) = env.get_mut(OsStr::new(VARIABLE)).filter(|folder| !folder.is_empty()) else {
            return Ok(None);
        };
        let inside = sandbox.make_folder("coverage")?;
        let wanted = std::mem::replace(wanted, inside.clone().into_os_string());
        Ok(Some(Coverage { inside, wanted: std::path::absolute(wanted)? }))
    }

    /// Moves what was written so far; fails with a message.
    pub fn bring_back(&self) -> Result<(), String> {
        let moved = self.move_files();
        moved.map_err(|error| {
            format!("{VARIABLE}: coverage data could not be kept in {}: {error}", self.wanted.display())
        })
    }

    fn move_files(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.inside)? {
            let entry = entry?;
            // Whatever else a program leaves there is none of ours to follow.
            if entry.file_type()?.is_file() {
                fs::create_dir_all(&self.wanted)?;
                fs::copy(entry.path(), self.wanted.join(entry.file_name()))?;
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

impl Drop for Coverage {
    fn drop(&mut self) {
        // A run reports a failure before.
        let _ = self.bring_back();
    }
}

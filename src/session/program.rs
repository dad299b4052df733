//! Somebody's program as the provider under test.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Provider, SessionError, own_program};
use crate::provider::sandbox::Enclosure;
use crate::record::Origin;
use crate::run::Program;

/// What a program is given beside its arguments.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Added to its environment.
    pub env: BTreeMap<OsString, OsString>,
    /// Left in its sight.
    pub files: Vec<PathBuf>,
}

/// Somebody's program, closed off as far as the system allows.
///
/// A path of one word is looked for as a shell does; arguments that are files are named from the root
/// on, for it runs in the scratch folder.
pub fn program(
    path: &Path,
    args: Vec<OsString>,
    scratch: &Path,
    beside: &Beside,
) -> Result<Provider, SessionError> {
    program_in(Enclosure::new(scratch), path, args, beside)
}

/// As [`program`], closed off as `enclosure` says, which needs not name programs.
pub fn program_in(
    enclosure: Enclosure,
    path: &Path,
    args: Vec<OsString>,
    beside: &Beside,
) -> Result<Provider, SessionError> {
    let mut words = placed(&[&[OsString::from(path)], &args[..]].concat(), Path::new("")).into_iter();
    let path = PathBuf::from(words.next().unwrap_or_default());
    let args: Vec<OsString> = words.collect();
    let enclosure = Enclosure {
        program_dirs: [readable(&path, &args), beside.files.clone()].concat(),
        supervisor: Some(own_program()?),
        ..enclosure
    };
    let sandbox = Arc::new(enclosure.start().map_err(|error| SessionError::Unusable(error.to_string()))?);
    let origin = Origin {
        program: Some(path.clone()),
        args: args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        open: !sandbox.is_closed(),
        ..Origin::default()
    };
    let mut program = Program::new(path);
    program.args = args;
    program.env = sandbox.environment(&beside.env);
    program.spawner = Arc::clone(&sandbox) as _;
    Ok(Provider { program, remote: None, is_ours: false, origin, sandbox: Some(sandbox), _service: None })
}

/// What of a command must stay in sight: the program, and every argument that is a file or folder.
fn readable(path: &Path, args: &[OsString]) -> Vec<PathBuf> {
    let words = std::iter::once(path.as_os_str()).chain(args.iter().map(OsString::as_os_str));
    words
        .map(PathBuf::from)
        .filter(|word| word.exists())
        .filter_map(|word| word.canonicalize().ok())
        .collect()
}

/// The words of a command, those that name a file below `base` from the root on: it will run elsewhere.
///
/// A first word without a slash is left for `PATH`.
pub(super) fn placed(words: &[OsString], base: &Path) -> Vec<OsString> {
    let place = |(idx, word): (usize, &OsString)| {
        let path = base.join(word);
        let is_looked_for = idx == 0 && Path::new(word).components().count() == 1;
        match std::path::absolute(&path) {
            Ok(path) if !is_looked_for && path.is_file() => path.into(),
            _ => word.clone(),
        }
    };
    words.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_root_on_and_programs_are_left_to_be_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["sh", "provider.py", "run"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("folder")).unwrap();
        let words = ["sh", "provider.py", "folder", "-c"].map(OsString::from);
        let file = |name: &str| folder.path().join(name).into_os_string();
        let [sh, _, kept, option] = words.clone();
        assert_eq!(placed(&words, folder.path()), [sh, file("provider.py"), kept, option]);
        assert_eq!(placed(&["./run".into()], folder.path()), [file("run")]);
    }
}

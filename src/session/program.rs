//! A program or command as the provider under test.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::coverage::Coverage;
use super::installation::{installations, looked_for};
use super::reference::own_program;
use super::scratch::write_existing_files;
use super::{OpenedProvider, SessionError};
use crate::record::Origin;
use crate::run::Program;
use crate::sandbox::{Limits, Openness, SandboxConfig, can_be_shown};

/// What a program is given alongside its arguments.
#[derive(Clone, Debug, Default)]
pub struct Alongside {
    /// Added to its environment.
    pub env: BTreeMap<OsString, OsString>,
    /// Visible to it.
    pub files: Vec<PathBuf>,
    /// Its host name, if the sandbox can set one.
    pub host: Option<String>,
    /// What the sandbox leaves open.
    pub open: Openness,
    /// How much it may use, with everything that it starts.
    pub limits: Limits,
}

/// A program, sandboxed as far as the system allows. It runs in the scratch folder.
pub fn program(path: &Path, scratch: &Path, alongside: &Alongside) -> Result<OpenedProvider, SessionError> {
    enclosed(Program::new(path), vec![path.to_owned()], scratch, alongside)
}

/// The absolute path of a provider's program; one that does not exist cannot be used.
pub fn existing(path: &Path) -> Result<PathBuf, SessionError> {
    let path = path
        .canonicalize()
        .map_err(|error| SessionError::Unusable(format!("{}: {error}", path.display())))?;
    if path.is_dir() {
        let inside =
            within(&path).map(|file| format!("\nhint: did you mean {}?", file.display())).unwrap_or_default();
        let message = format!("{} is a folder, not a program{inside}", path.display());
        return Err(SessionError::Unusable(message));
    }
    Ok(path)
}

/// The first file in a folder that has a provider's name.
fn within(folder: &Path) -> Option<PathBuf> {
    let names =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let first = names.filter(|name| name.starts_with("terraform-provider-")).min()?;
    Some(folder.join(first)).filter(|file| file.is_file())
}

/// A command, such as an interpreter and its script, sandboxed as far as the system allows.
///
/// The first word is looked up as a shell does, relative to `folder`, where the command runs. That folder,
/// the installation of the interpreter and the folder of its script stay visible, except homes: if
/// `folder` is one, the command runs in the scratch folder. Fails if there is no such folder.
pub fn command(
    words: &[OsString],
    folder: &Path,
    scratch: &Path,
    alongside: &Alongside,
) -> Result<OpenedProvider, SessionError> {
    let no_folder = |error| SessionError::Unusable(format!("{}: {error}", folder.display()));
    let folder = folder.canonicalize().map_err(no_folder)?;
    if let Some(word) = words.first() {
        startable(word, &folder, &search_path(alongside)).map_err(SessionError::Unusable)?;
    }
    let mut words = placed(words, &folder).into_iter();
    let mut program = Program::new(PathBuf::from(words.next().unwrap_or_default()));
    program.args = words.collect();
    program.cwd = Some(folder.clone()).filter(|folder| can_be_shown(folder));
    let mut sight = readable(&program, alongside);
    sight.extend(program.cwd.clone());
    let mut provider = enclosed(program, sight, scratch, alongside)?;
    provider.origin.folder = Some(folder);
    if let (Some(_), Some(sandbox)) = (&provider.program.cwd, &provider.sandbox) {
        provider.files = Some(sandbox.temporary().to_owned());
    }
    Ok(provider)
}

/// A program as the provider under test; `sight` is what must stay visible to it.
fn enclosed(
    mut program: Program,
    sight: Vec<PathBuf>,
    scratch: &Path,
    alongside: &Alongside,
) -> Result<OpenedProvider, SessionError> {
    let sight = sight.into_iter().chain(alongside.files.clone()).filter(|path| path.exists());
    let config = SandboxConfig {
        program_dirs: sight.collect(),
        supervisor: Some(own_program()?),
        open: alongside.open,
        limits: alongside.limits,
        ..match &alongside.host {
            Some(host) => SandboxConfig { hostname: host.clone(), ..SandboxConfig::new(scratch) },
            None => SandboxConfig::new(scratch),
        }
    };
    write_existing_files(scratch).map_err(SessionError::Prepare)?;
    let sandbox = Arc::new(config.start().map_err(|error| SessionError::Unusable(error.to_string()))?);
    let origin = Origin {
        program: Some(program.path.clone()),
        args: program.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        opened: alongside.open,
        open: !sandbox.is_closed(),
        ..Origin::default()
    };
    program.env = sandbox.environment(&alongside.env);
    let coverage = Coverage::redirect(&mut program.env, &sandbox)?;
    program.spawner = Arc::clone(&sandbox) as _;
    Ok(OpenedProvider { sandbox: Some(sandbox), coverage, ..OpenedProvider::of(program, origin) })
}

/// Where programs without a slash are looked up.
fn search_path(alongside: &Alongside) -> OsString {
    let path = alongside.env.get(OsStr::new("PATH")).cloned().or_else(|| std::env::var_os("PATH"));
    path.unwrap_or_default()
}

/// Fails with a message if the first word of a command cannot be a program.
fn startable(word: &OsStr, folder: &Path, path: &OsStr) -> Result<(), String> {
    let shown = Path::new(word).display();
    let Some(found) = looked_for(word, path) else {
        return Err(format!("no such program on PATH: {shown}"));
    };
    let found = folder.join(found);
    if found.is_dir() {
        Err(format!("{shown} is a folder, not a program"))
    } else if !found.exists() {
        Err(format!("no such program: {shown}"))
    } else {
        Ok(())
    }
}

/// What a command needs to see: the program and its installation, every argument that is an absolute path
/// of a file or folder, and the folder of the first such file, where a script's modules are.
fn readable(program: &Program, alongside: &Alongside) -> Vec<PathBuf> {
    let path = search_path(alongside);
    let found = looked_for(program.path.as_os_str(), &path);
    let mut sight = found.as_deref().map_or_else(Vec::new, |found| installations(found, &path));
    let named: Vec<PathBuf> =
        program.args.iter().map(PathBuf::from).filter(|arg| arg.is_absolute()).collect();
    let script = named.iter().find(|arg| arg.is_file()).and_then(|script| script.canonicalize().ok());
    let siblings = script.as_deref().and_then(Path::parent).filter(|folder| can_be_shown(folder));
    sight.extend(siblings.map(Path::to_owned));
    sight.extend(found);
    sight.extend(named);
    sight
}

/// The words of a command; those that name a file below `base` become absolute: it will run elsewhere.
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

//! Finds and reads the examples of a provider's documentation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{OpenedProvider, SessionError};
use crate::examples::{Page, Source, Sources, code_blocks, configurations, with_files};
use crate::files;
use crate::reference;
use crate::suite::{Suite, Where};

/// The folders of the documentation generator, and the one before it, in the order in which they are read.
const FOLDERS: [&str; 4] = ["examples", "docs", "website/docs", "templates"];

/// The folders of pages about types, in today's layout and in the one before.
const PAGES: [&str; 4] = ["resources", "data-sources", "r", "d"];

/// How deep folders are searched, and how many files are read at most.
const DEEPEST: usize = 8;
const MOST: usize = 20_000;

/// How many Go files are read at most, and how many bytes of them.
const MOST_GO: usize = 10_000;
const MOST_BYTES: usize = 64 << 20;

/// The longest of them, in bytes: a longer one was written by a program.
const LONGEST: usize = 1 << 20;

/// What there is to read about a suite's provider. Fails if a folder that it names does not exist.
pub(super) fn sources(suite: &Suite, provider: &OpenedProvider) -> Result<Sources, SessionError> {
    let (examples, sources) = (&suite.provider.examples, &suite.provider.sources);
    for (key, place) in [("examples", examples), ("sources", sources)] {
        if let Where::Folder(folder) = place
            && !folder.is_dir()
        {
            let problem = format!("`provider.{key}`: {} is not a folder", folder.display());
            return Err(SessionError::Usage(suite.wrong(&["provider", key], problem)));
        }
    }
    let mut reader = Reader::default();
    match examples {
        Where::Auto if provider.is_ours => return Ok(reference_examples()),
        Where::Auto => {
            let program = provider.origin.folder.clone().or_else(|| folder_of(&provider.program.path));
            for base in program.into_iter().chain([suite.base()]) {
                reader.root = repository_of(&base);
                reader.layout(&base);
                if *sources == Where::Auto {
                    reader.repository();
                }
            }
        }
        Where::Folder(folder) => {
            if !reader.layout(folder) {
                reader.folder(folder, true, 0);
            }
            reader.found.asked = Some(folder.display().to_string());
        }
        Where::None => {}
    }
    if let Where::Folder(folder) = sources {
        reader.root = folder.canonicalize().ok();
        match examples {
            Where::Auto => reader.repository(),
            Where::Folder(_) | Where::None => reader.go_files(),
        }
    }
    Ok(reader.found)
}

/// Those of the reference provider.
pub fn reference_examples() -> Sources {
    let texts = reference::examples().into_iter().map(|(file, text)| source(file, text.to_owned()));
    Sources { texts: texts.collect(), ..Sources::default() }
}

fn folder_of(program: &Path) -> Option<PathBuf> {
    program.is_absolute().then(|| program.parent().map(Path::to_owned)).flatten()
}

/// The module of Go that a folder is in.
fn repository_of(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().take(DEEPEST).find(|folder| folder.join("go.mod").is_file()).map(Path::to_owned)
}

fn source(file: &str, text: String) -> Source {
    let module = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    Source { file: file.to_owned(), line: 1, text, module: module.to_owned() }
}

/// Reads folders, each once.
#[derive(Default)]
struct Reader {
    found: Sources,
    known: BTreeSet<PathBuf>,
    n_files: usize,
    n_go: usize,
    n_bytes: usize,
    is_go_cut_short: bool,
    /// The repository that the folder is in.
    root: Option<PathBuf>,
}

impl Reader {
    /// Reads the folders of the documentation generator below `base`; whether there is one.
    fn layout(&mut self, base: &Path) -> bool {
        let folders = FOLDERS.map(|name| base.join(name)).into_iter().filter(|folder| folder.is_dir());
        let folders: Vec<PathBuf> = folders.collect();
        for folder in &folders {
            match folder.ends_with(FOLDERS[0]) {
                true => self.folder(folder, true, 0),
                // Other pages are not about types.
                false => PAGES.iter().for_each(|name| self.folder(&folder.join(name), false, 0)),
            }
        }
        !folders.is_empty()
    }

    /// Reads the documentation and the Go files of a repository.
    fn repository(&mut self) {
        if let Some(root) = self.root.clone() {
            self.layout(&root);
            self.go_files();
        }
    }

    /// Reads the Go files of a repository alone.
    fn go_files(&mut self) {
        let Some(root) = self.root.clone() else { return };
        if self.known.insert(root.join("*.go")) {
            self.go_folder(&root, 0);
        }
    }

    /// Reads the Go files below a folder of a repository. Links are not followed, and what belongs to others is left alone.
    fn go_folder(&mut self, folder: &Path, depth: usize) {
        let Ok(entries) = folder.read_dir() else { return };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let (Ok(kind), name) = (entry.file_type(), entry.file_name().to_string_lossy().into_owned())
            else {
                continue;
            };
            let is_others =
                name.starts_with(['.', '_']) || matches!(name.as_str(), "vendor" | "node_modules");
            if kind.is_dir() && !is_others && depth < DEEPEST {
                self.go_folder(&entry.path(), depth + 1);
            } else if kind.is_file() && name.ends_with(".go") {
                self.go(&entry.path());
            }
        }
    }

    fn go(&mut self, path: &Path) {
        let shown = self.shown(path);
        if self.n_go == MOST_GO || self.n_bytes > MOST_BYTES {
            if !std::mem::replace(&mut self.is_go_cut_short, true) {
                let note = format!("{shown}: it and the Go files after it are left out: there are too many");
                self.found.notes.push(note);
            }
            return;
        }
        self.n_go += 1;
        match files::read_text(path) {
            Ok(text) if text.len() > LONGEST => {
                let longest = LONGEST >> 20;
                self.found.notes.push(format!("{shown}: longer than {longest} MiB: it is left out"));
            }
            Ok(text) => {
                self.n_bytes += text.len();
                if shown.ends_with("_test.go") {
                    self.found.tests.extend(configurations(&shown, &text));
                } else {
                    self.found.go.push(source(&shown, text));
                }
            }
            Err(error) => self.found.notes.push(format!("{shown}: {error}")),
        }
    }

    /// A file as messages name it.
    fn shown(&self, path: &Path) -> String {
        let inside = self.root.as_deref().and_then(|root| path.strip_prefix(root).ok());
        inside.or(path.strip_prefix(".").ok()).unwrap_or(path).display().to_string()
    }

    fn folder(&mut self, folder: &Path, is_config: bool, depth: usize) {
        let Ok(real) = folder.canonicalize() else { return };
        if depth > DEEPEST || !self.known.insert(real) {
            return;
        }
        let Ok(entries) = folder.read_dir() else { return };
        let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_of_pages = PAGES.contains(&name(folder).as_str());
        for path in entries.iter().filter(|path| !name(path).starts_with('.')) {
            let name = name(path);
            if path.is_dir() {
                self.folder(path, is_config, depth + 1);
            } else if is_config && name.ends_with(".tf") {
                self.file(path, false);
            } else if is_of_pages && name.split('.').any(|part| matches!(part, "md" | "markdown")) {
                self.file(path, true);
            }
        }
    }

    fn file(&mut self, path: &Path, is_page: bool) {
        self.n_files += 1;
        if self.n_files > MOST {
            return;
        }
        let shown = self.shown(path);
        match files::read_text(path) {
            Ok(text) if is_page => {
                self.found.texts.extend(code_blocks(&shown, &text));
                self.found.pages.push(Page { file: shown, text });
            }
            Ok(text) => {
                let text = with_files(&text, |beside| self.beside(path, beside));
                self.found.texts.push(source(&shown, text));
            }
            Err(error) => self.found.notes.push(format!("{shown}: {error}")),
        }
    }

    /// What a file holds that an example names, if it is no longer than others and no link leads out of the repository,
    /// or out of the example's folder where there is none.
    fn beside(&self, example: &Path, named: &str) -> Option<Vec<u8>> {
        let folder = example.parent()?.canonicalize().ok()?;
        let file = folder.join(named).canonicalize().ok()?;
        let is_inside = file.starts_with(self.root.as_deref().unwrap_or(&folder));
        let is_short = file.metadata().is_ok_and(|found| found.is_file() && found.len() <= LONGEST as u64);
        (is_inside && is_short).then(|| std::fs::read(file).ok()).flatten()
    }
}

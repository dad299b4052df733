//! Where cases are kept, and their IDs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where `check` keeps cases, in the folder it runs in.
pub const CASES_DIR: &str = ".tfconform/cases";

/// The ID of a case in [`CASES_DIR`]: the eight hexadecimal digits at the end of its name.
pub fn id(file: &Path) -> Option<String> {
    let is_usual = file.parent() == Some(Path::new(CASES_DIR)) && file.extension()? == "jsonl";
    id_of(file).filter(|_| is_usual)
}

/// The file of a case that is named by its ID, by its name in the usual folder, or by the folder of its reproduction;
/// any other name as it is.
pub fn file_of(case: &Path) -> PathBuf {
    file_in(Path::new(CASES_DIR), case)
}

fn file_in(usual: &Path, case: &Path) -> PathBuf {
    let next_to = case.with_extension("jsonl");
    if case.is_dir() && next_to.is_file() {
        return next_to;
    }
    let Some(name) = case.to_str().filter(|_| !case.exists()) else { return case.to_owned() };
    let is_named = |file: &PathBuf| {
        let names = [file.file_name(), file.file_stem()];
        names.contains(&Some(OsStr::new(name))) || (is_id(name) && id_of(file).as_deref() == Some(name))
    };
    cases_in(usual).into_iter().find(is_named).unwrap_or_else(|| case.to_owned())
}

/// The files of the cases in a folder, by name; none if there is no such folder.
pub fn cases_in(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_case = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "jsonl");
    let mut cases: Vec<PathBuf> = files.filter(is_case).collect();
    cases.sort();
    cases
}

/// Cases that are named where one is missing.
const NAMED: usize = 20;

/// What to say of a case that does not exist: which ones do.
pub fn missing(case: &Path) -> String {
    let cases = cases_in(Path::new(CASES_DIR));
    let missing = format!("there is no case `{}`, and no file of that name", case.display());
    if cases.is_empty() {
        return format!("{missing}; `tfconform check` keeps cases in {CASES_DIR}, where there is none");
    }
    let stem = |file: &PathBuf| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut lines: Vec<String> = cases.iter().take(NAMED).map(stem).collect();
    lines.extend((cases.len() > NAMED).then(|| format!("… and {} more", cases.len() - NAMED)));
    format!("{missing}; in {CASES_DIR} there are\n  {}", lines.join("\n  "))
}

/// The ID at the end of a file's name.
fn id_of(file: &Path) -> Option<String> {
    let (_, id) = file.file_stem()?.to_str()?.rsplit_once('-')?;
    is_id(id).then(|| id.to_owned())
}

fn is_id(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_in_the_usual_folder_has_an_id() {
        let id = |file: &str| super::id(Path::new(file));
        assert_eq!(id(".tfconform/cases/plan-conforms-1b717882.jsonl").as_deref(), Some("1b717882"));
        for other in ["kept/plan-conforms-1b717882.jsonl", ".tfconform/cases/plan-conforms.jsonl", "1b717882"]
        {
            assert_eq!(id(other), None, "{other}");
        }
        assert_eq!(file_of(Path::new("no/such/file")), Path::new("no/such/file"));
    }

    #[test]
    fn a_case_goes_by_its_id_its_name_and_its_folder() {
        let usual = tempfile::tempdir().unwrap();
        let file = usual.path().join("plan-conforms-1b717882.jsonl");
        std::fs::write(&file, "").unwrap();
        std::fs::create_dir(file.with_extension("")).unwrap();
        for name in ["1b717882", "plan-conforms-1b717882", "plan-conforms-1b717882.jsonl"] {
            assert_eq!(file_in(usual.path(), Path::new(name)), file, "{name}");
        }
        assert_eq!(file_in(usual.path(), &file.with_extension("")), file);
        for other in ["1b717883", "plan-conforms"] {
            assert_eq!(file_in(usual.path(), Path::new(other)), Path::new(other));
        }
    }
}

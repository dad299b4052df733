//! Where cases are kept, and their IDs.

use std::path::{Path, PathBuf};

/// Where `check` keeps cases, in the folder it runs in.
pub const CASES_DIR: &str = ".tfconform/cases";

/// The ID of a case in [`CASES_DIR`]: the eight hexadecimal digits at the end of its name.
pub fn id(file: &Path) -> Option<String> {
    let is_usual = file.parent() == Some(Path::new(CASES_DIR)) && file.extension()? == "jsonl";
    let (_, id) = file.file_stem()?.to_str()?.rsplit_once('-')?;
    (is_usual && is_id(id)).then(|| id.to_owned())
}

/// The file of a case that is named by its ID; any other name as it is.
pub fn file_of(case: &Path) -> PathBuf {
    let Some(id) = case.to_str().filter(|name| is_id(name) && !case.exists()) else { return case.to_owned() };
    let files = std::fs::read_dir(CASES_DIR).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter(|file| self::id(file).as_deref() == Some(id)).min().unwrap_or_else(|| case.to_owned())
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
}

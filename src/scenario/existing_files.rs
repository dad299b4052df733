//! Files that exist in the folder where a provider runs, for arguments that name a file to be read.

/// Texts, JSON and folders: three names of each kind.
pub const TEXTS: [&str; 3] = ["example1.txt", "example2.txt", "example3.txt"];
pub const DOCUMENTS: [&str; 3] = ["example1.json", "example2.json", "example3.json"];
pub const FOLDERS: [&str; 3] = ["example1.d", "example2.d", "example3.d"];

/// A file and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExistingFile {
    /// Its path below the folder where the provider runs.
    pub path: String,
    pub content: String,
}

/// All of them, those in the folders too, that a text mentions.
pub fn mentioned_in(text: &str) -> Vec<ExistingFile> {
    all().into_iter().filter(|file| text.contains(first(&file.path))).collect()
}

/// All of them, those in the folders too: there the texts are.
pub fn all() -> Vec<ExistingFile> {
    let text = |number: usize| format!("example {number}\n");
    let document = |number: usize| format!("{{\"example\": {number}}}\n");
    let file = |path: String, content: String| ExistingFile { path, content };
    let texts = TEXTS.into_iter().zip(1..).map(|(name, number)| file(name.to_owned(), text(number)));
    let documents =
        DOCUMENTS.into_iter().zip(1..).map(|(name, number)| file(name.to_owned(), document(number)));
    let inside = FOLDERS.into_iter().flat_map(|folder| {
        TEXTS.into_iter().zip(1..).map(move |(name, number)| file(format!("{folder}/{name}"), text(number)))
    });
    texts.chain(documents).chain(inside).collect()
}

/// The file's own name, or that of its folder.
fn first(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_mentioned_brings_all_that_is_in_it() {
        let mentioned =
            |text: &str| -> Vec<String> { mentioned_in(text).into_iter().map(|file| file.path).collect() };
        assert_eq!(mentioned("source = \"example2.json\""), ["example2.json"]);
        let inside = ["example1.d/example1.txt", "example1.d/example2.txt", "example1.d/example3.txt"];
        assert_eq!(mentioned("source = \"example1.d\""), inside);
        assert_eq!(mentioned("example"), Vec::<String>::new());
    }
}

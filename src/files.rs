//! Reading and writing the files that a user names.
//!
//! A device or a pipe may have no end, and a pipe without a writer blocks: neither is read.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The longest text, in bytes: more than anybody writes by hand.
const LONGEST_TEXT: u64 = 64 << 20;

/// The longest text of others that is used as a file name, in letters.
const LONGEST_NAME: usize = 128;

/// A file name made of a text that others wrote. Whatever means something in a path is replaced, and then a digest tells
/// such texts apart.
pub fn name_of(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut name: String =
        text.chars().take(LONGEST_NAME).map(|c| if is_plain(c) { c } else { '_' }).collect();
    if name != text || name.is_empty() {
        let digest = Sha256::digest(text);
        name.extend(digest[..4].iter().map(|byte| format!("{byte:02x}")));
    }
    name
}

/// Fails if a document of the repository is not what the code says; with `UPDATE_GENERATED` in the environment it is
/// written.
#[cfg(test)]
pub fn assert_current(document: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        replace(&file, text).expect("the repository can be written to");
    }
    let is_current = fs::read_to_string(&file).is_ok_and(|kept| kept == text);
    assert!(is_current, "{document} is stale: run the test again with UPDATE_GENERATED=1");
}

/// Opens a file; fails if it is a device, a pipe or a socket.
pub fn open(file: &Path) -> io::Result<File> {
    let kind = fs::metadata(file)?.file_type();
    let special = [
        (kind.is_fifo(), "a pipe"),
        (kind.is_char_device() || kind.is_block_device(), "a device"),
        (kind.is_socket(), "a socket"),
    ];
    match special.into_iter().find(|(is_it, _)| *is_it) {
        Some((_, what)) => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, format!("this is {what}, not a file")))
        }
        None => File::open(file),
    }
}

/// Reads a text; fails like [`open`], and if it is longer than 64 MiB or not UTF-8.
pub fn read_text(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    let length = open(file)?.take(LONGEST_TEXT + 1).read_to_string(&mut text)?;
    if length as u64 > LONGEST_TEXT {
        let problem = format!("longer than {} MiB", LONGEST_TEXT >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(text)
}

/// Writes a file in one piece: who reads it finds what it held before, or all of the text. Creates its folder.
///
/// What is there and no file (a device, a pipe) stays, and the text is written to it.
pub fn replace(file: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    // A link stays one.
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    if fs::metadata(&file).is_ok_and(|found| !found.is_file()) {
        return File::options().write(true).open(&file)?.write_all(text.as_ref());
    }
    let mut temporary = temporary_next_to(&file)?;
    temporary.write_all(text.as_ref()).map_err(bare)?;
    temporary.persist(&file).map_err(|error| bare(error.error))?;
    Ok(())
}

/// Fails if a file could not be [replaced](replace), as far as that can be told before. Creates its folder.
pub fn can_be_replaced(file: &Path) -> io::Result<()> {
    match fs::metadata(file) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // Opening a pipe and closing it again would be its end for whoever reads it.
        Ok(found) if !found.is_file() => Ok(()),
        _ => temporary_next_to(file).map(drop),
    }
}

fn temporary_next_to(file: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    fs::create_dir_all(&folder)?;
    // Temporary files are readable by their owner only; what is written for others by everyone.
    let readable = fs::Permissions::from_mode(0o644);
    tempfile::Builder::new().prefix(".tfconform-").permissions(readable).tempfile_in(folder).map_err(bare)
}

/// Without the temporary file's name, which tells a user nothing.
fn bare(error: io::Error) -> io::Error {
    io::Error::from(error.kind())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_have_no_end_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let problem = |file: &Path| read_text(file).unwrap_err().to_string();
        assert_eq!(problem(&pipe), "this is a pipe, not a file");
        assert_eq!(problem(Path::new("/dev/zero")), "this is a device, not a file");
        let text = folder.path().join("text");
        std::fs::write(&text, "as it is").unwrap();
        assert_eq!(read_text(&text).unwrap(), "as it is");
    }

    #[test]
    fn a_file_is_replaced_in_one_piece_and_what_is_no_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/report");
        can_be_replaced(&file).unwrap();
        assert!(!file.exists());
        for text in ["one", "two"] {
            replace(&file, text).unwrap();
            assert_eq!(read_text(&file).unwrap(), text);
        }
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o644);
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, "three").unwrap();
        assert_eq!((read_text(&file).unwrap().as_str(), link.is_symlink()), ("three", true));
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "nothing temporary is left");
        let full = Path::new("/dev/full");
        assert_eq!(replace(full, "x").unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert!(replace(&file.join("below"), "x").is_err() && can_be_replaced(&file.join("below")).is_err());
        assert!(replace(folder.path(), "x").is_err() && can_be_replaced(folder.path()).is_err());
    }
}

//! Reading the files that a user names.
//!
//! A device or a pipe may have no end, and a pipe without a writer blocks: neither is read.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

/// The longest text, in bytes: more than anybody writes by hand.
const LONGEST_TEXT: u64 = 64 << 20;

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
}

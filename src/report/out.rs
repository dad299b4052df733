//! The stream a report is written to.

use std::cell::RefCell;
use std::io::{self, ErrorKind, Write};

use super::events::Consumer;

/// A consumer that writes the report to a stream.
pub trait Printer: Consumer {
    /// Whether all of it was written so far; fails with the first error.
    fn written(&self) -> io::Result<()>;
}

/// A stream that keeps its first error, after which nothing more is written.
///
/// A pipe whose reader has closed it is no error: that reader has what it wanted.
#[derive(Debug)]
pub(super) struct Out<W>(RefCell<State<W>>);

#[derive(Debug)]
struct State<W> {
    stream: W,
    error: Option<io::Error>,
}

impl<W: Write> Out<W> {
    pub fn new(stream: W) -> Out<W> {
        Out(RefCell::new(State { stream, error: None }))
    }

    /// Writes a text and flushes it, so that nothing of it is lost if we are killed.
    pub fn write(&self, text: &str) {
        let State { stream, error } = &mut *self.0.borrow_mut();
        if error.is_none() {
            *error = write(stream, text).err();
        }
    }

    /// Fails with the first error. Every later call fails with an error of the same kind.
    pub fn written(&self) -> io::Result<()> {
        match &self.0.borrow().error {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(io::Error::new(error.kind(), error.to_string()))
            }
            _ => Ok(()),
        }
    }
}

/// Writes a text to a stream and flushes it.
fn write(stream: &mut impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Writes a text in one piece; fails as [`Printer::written`] does.
pub fn print(stream: impl Write, text: &str) -> io::Result<()> {
    let out = Out::new(stream);
    out.write(text);
    out.written()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accepts so many writes, then fails.
    struct Full(usize, ErrorKind);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let Some(left) = self.0.checked_sub(1) else { return Err(self.1.into()) };
            self.0 = left;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_first_error_is_kept() {
        let out = Out::new(Full(1, ErrorKind::StorageFull));
        out.write("a");
        assert!(out.written().is_ok());
        out.write("b");
        out.write("c");
        assert_eq!(out.written().unwrap_err().kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn a_reader_that_has_closed_is_no_error() {
        let out = Out::new(Full(0, ErrorKind::BrokenPipe));
        out.write("a");
        assert!(out.written().is_ok());
    }
}

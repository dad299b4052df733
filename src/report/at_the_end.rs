//! Printing a report in one piece.

use std::cell::RefCell;
use std::io::Write;

use super::events::{Consumer, Event};
use super::{Exit, Report};

/// Prints a report once all of it is known.
pub struct AtTheEnd<W, P> {
    out: RefCell<W>,
    print: P,
}

impl<W: Write, P: Fn(&Report, Exit) -> String> AtTheEnd<W, P> {
    pub fn new(out: W, print: P) -> AtTheEnd<W, P> {
        AtTheEnd { out: RefCell::new(out), print }
    }
}

impl<W: Write, P: Fn(&Report, Exit) -> String> Consumer for AtTheEnd<W, P> {
    fn consume(&self, event: Event<'_>) {
        let Event::Concluded { report, exit } = event else { return };
        let mut out = self.out.borrow_mut();
        // Write errors are ignored: the reader has closed.
        let _ = out.write_all((self.print)(report, exit).as_bytes()).and_then(|()| out.flush());
    }
}

//! Printing a report in one piece.

use std::io::{self, Write};

use super::events::{Consumer, Event};
use super::out::{Out, Printer};
use super::{Exit, Report};

/// Prints a report once all of it is known.
pub struct AtTheEnd<W, P> {
    out: Out<W>,
    print: P,
}

impl<W: Write, P: Fn(&Report, Exit) -> String> AtTheEnd<W, P> {
    pub fn new(stream: W, print: P) -> AtTheEnd<W, P> {
        AtTheEnd { out: Out::new(stream), print }
    }
}

impl<W: Write, P: Fn(&Report, Exit) -> String> Consumer for AtTheEnd<W, P> {
    fn consume(&self, event: Event<'_>) {
        let Event::Concluded { report, exit } = event else { return };
        self.out.write(&(self.print)(report, exit));
    }
}

impl<W: Write, P: Fn(&Report, Exit) -> String> Printer for AtTheEnd<W, P> {
    fn written(&self) -> io::Result<()> {
        self.out.written()
    }
}

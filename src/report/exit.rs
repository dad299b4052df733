//! The one table of exit codes.

/// What a script can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    Conforms,
    Violates,
    Usage,
    Unusable,
    TooLittle,
    SnapshotChanged,
    /// The report could not be written, so it may be missing or incomplete.
    NotWritten,
    /// Ended early by SIGHUP: what was found so far is reported.
    HungUp,
    /// Ended early by SIGINT: what was found so far is reported.
    Interrupted,
    /// Ended early by SIGTERM: what was found so far is reported.
    Terminated,
    /// The machine has no room for a run: its disk is full, or a limit on threads or files is too low.
    NoRoom,
    /// A defect of tfconform itself.
    OurBug,
}

impl Exit {
    pub const ALL: [Exit; 12] = [
        Exit::Conforms,
        Exit::Violates,
        Exit::Usage,
        Exit::Unusable,
        Exit::TooLittle,
        Exit::SnapshotChanged,
        Exit::NotWritten,
        Exit::NoRoom,
        Exit::HungUp,
        Exit::Interrupted,
        Exit::Terminated,
        Exit::OurBug,
    ];

    pub fn code(self) -> u8 {
        match self {
            Exit::Conforms => 0,
            Exit::Violates => 1,
            Exit::Usage => 2,
            Exit::Unusable => 3,
            Exit::TooLittle => 4,
            Exit::SnapshotChanged => 5,
            Exit::NotWritten => 6,
            Exit::NoRoom => 7,
            Exit::OurBug => 101,
            // As a shell reports a program that a signal ended: 128 and the signal's number.
            Exit::HungUp => 129,
            Exit::Interrupted => 130,
            Exit::Terminated => 143,
        }
    }

    /// The exit of a code.
    pub fn of(code: u8) -> Option<Exit> {
        Exit::ALL.into_iter().find(|exit| exit.code() == code)
    }

    /// Whether a signal ended the run early.
    pub fn is_early(self) -> bool {
        matches!(self, Exit::HungUp | Exit::Interrupted | Exit::Terminated)
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Conforms => "the provider conforms: no finding at a level that fails the run",
            Exit::Violates => "findings at `must`, or at the level set by --strict or --fail-on",
            Exit::Usage => "the command line or a suite is wrong",
            Exit::Unusable => "the provider did not start, could not be configured or did not answer",
            Exit::TooLittle => {
                "too little was judged: no type was planned, no obligation was judged, nothing was applied although nobody asked for that, every scenario of a type was refused, less than is required, the provider or its mock was lost, or every apply hung"
            }
            Exit::SnapshotChanged => "what the provider shows differs from its snapshots",
            Exit::NotWritten => "the report could not be written: it is missing or incomplete",
            Exit::NoRoom => {
                "the machine has no room for a run: a full disk, or too low a limit on threads or files"
            }
            Exit::HungUp => "the terminal was closed (SIGHUP); what was found so far is reported",
            Exit::Interrupted => "interrupted; what was found so far is reported",
            Exit::Terminated => "terminated (SIGTERM); what was found so far is reported",
            Exit::OurBug => "a bug in tfconform itself",
        }
    }
}

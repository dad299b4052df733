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
    /// Interrupted: what was found so far is printed.
    Interrupted,
    /// A defect of tfconform itself.
    OurBug,
}

impl Exit {
    pub const ALL: [Exit; 8] = [
        Exit::Conforms,
        Exit::Violates,
        Exit::Usage,
        Exit::Unusable,
        Exit::TooLittle,
        Exit::SnapshotChanged,
        Exit::Interrupted,
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
            Exit::OurBug => 101,
            Exit::Interrupted => 130,
        }
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Conforms => "the provider conforms: no finding at a level that fails the run",
            Exit::Violates => "findings at `must`, or at the level set by --strict or --fail-on",
            Exit::Usage => "the command line or a suite is wrong",
            Exit::Unusable => "the provider did not start, could not be configured or did not answer",
            Exit::TooLittle => {
                "too little was judged: no type was planned, nothing was applied although it was allowed, less than is required, the provider or its mock was lost, or every apply hung"
            }
            Exit::SnapshotChanged => "what the provider shows differs from its snapshots",
            Exit::Interrupted => "interrupted; what was found so far is printed",
            Exit::OurBug => "a bug in tfconform itself",
        }
    }
}

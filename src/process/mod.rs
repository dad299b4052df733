//! Processes: started so that they die with us, watched, measured, and ended along with everything
//! they left behind.
//!
//! Knows nothing about calls. A sandbox starts processes in its own way, behind [`Spawner`].

mod address;
mod child;
mod confinement;
mod direct;
pub(crate) mod fork;
mod go_panic;
mod note;
mod shell;
mod socket_dir;
mod spawn;
mod stderr;
mod usage;

pub use address::{Address, AddressError};
pub(crate) use child::Child;
pub(crate) use confinement::{Confinement, User};
pub use direct::DirectSpawner;
pub(crate) use go_panic::{parse_go_panic, parse_panic};
pub use note::Note;
pub use shell::shell_word;
pub use socket_dir::SocketDir;
pub use spawn::{Exit, SpawnSpec, Spawned, Spawner};
pub(crate) use stderr::{KEPT, Level, parse_line, quote};
pub use usage::Usage;

//! What a sandbox leaves open because the user wants it to.

use serde::{Deserialize, Serialize};

/// What a sandbox leaves open because the user wants it to. The rest stays closed, and is tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openness {
    #[default]
    Nothing,
    /// The network of the machine, its loopback and its abstract sockets included.
    Network,
    /// No namespaces are entered at all.
    Everything,
}

impl Openness {
    pub fn is_nothing(&self) -> bool {
        *self == Openness::Nothing
    }

    pub fn opens_network(self) -> bool {
        self != Openness::Nothing
    }

    /// Why something is open; `None` if nothing is.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Openness::Nothing => None,
            Openness::Network => {
                Some("the network is open because `--network` or `run.network = true` is set")
            }
            Openness::Everything => Some("`--no-sandbox` or `run.sandbox = false` is set"),
        }
    }
}

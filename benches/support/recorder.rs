//! A transport that records its calls.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use tfconform::calls::{Protocol, Rpc};
use tfconform::provider::plugin::PluginProcess;
use tfconform::provider::transport::{Answers, BoxFuture, Transport};
use tfconform::transcript::RpcFailure;

/// A call as it can be made again.
#[derive(Clone)]
pub struct Sent {
    /// Which of the processes it went to, counted from 0.
    pub process: usize,
    pub path: &'static str,
    pub request: Bytes,
    /// Bytes of the answer.
    pub answered: usize,
}

/// What all processes of a run were asked, in order.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<Sent>>>);

impl Log {
    pub fn drain(&self) -> Vec<Sent> {
        std::mem::take(&mut *self.0.lock().expect("nothing panics under the lock"))
    }
}

/// Passes calls on to a process and records them.
pub struct Recorder {
    pub process: Arc<PluginProcess>,
    pub number: usize,
    pub log: Log,
    /// The folder of the provider's object files, and the one where deleted ones are kept:
    /// replayed calls must find the same files.
    pub objects: Option<(PathBuf, PathBuf)>,
}

impl Transport for Recorder {
    fn protocol(&self) -> Protocol {
        self.process.protocol()
    }

    fn call(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move {
            let answer = self.process.call(rpc, request.clone()).await;
            let path = rpc.path(self.protocol()).expect("the call was made");
            let answered = answer.as_ref().map_or(0, Bytes::len);
            let sent = Sent { process: self.number, path, request, answered };
            self.log.0.lock().expect("nothing panics under the lock").push(sent);
            if let (Rpc::ApplyResourceChange, Some((from, to))) = (rpc, &self.objects) {
                keep(from, to).expect("objects can be copied");
            }
            answer
        })
    }

    fn server_stream(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Answers, RpcFailure>> {
        self.process.server_stream(rpc, request)
    }

    fn client_stream(&self, rpc: Rpc, requests: Vec<Bytes>) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        self.process.client_stream(rpc, requests)
    }
}

/// Copies a tree of files over another one.
pub fn keep(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            keep(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

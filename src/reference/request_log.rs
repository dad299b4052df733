//! The requests that the provider got, in a file: for tests that compare what engines ask.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::calls::{AnyCall, Protocol, Rpc};
use crate::schema::ProviderSchema;

/// A file that all processes of a provider append to: a line when a call begins, and one when it is answered.
pub(super) struct RequestLog {
    file: File,
    n_calls: AtomicU64,
}

/// A request that was logged.
#[derive(Debug)]
pub struct Logged {
    /// The system's number of the process.
    pub process: u32,
    /// Without an outcome; its values are decoded.
    pub call: AnyCall,
    /// The line of the file in which the call began, counted from 0.
    pub began: usize,
    /// The line in which it was answered; `None` if it never was.
    pub ended: Option<usize>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    process: u32,
    /// Counted from 0 in each process.
    call: u64,
    /// `None` when the call is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked: Option<Asked>,
}

#[derive(Serialize, Deserialize)]
struct Asked {
    rpc: Rpc,
    /// The encoded messages, in base64.
    messages: Vec<String>,
}

impl RequestLog {
    /// Opens a log, or creates one.
    pub fn open(file: &Path) -> io::Result<RequestLog> {
        let file = OpenOptions::new().append(true).create(true).open(file)?;
        Ok(RequestLog { file, n_calls: AtomicU64::new(0) })
    }

    /// Logs that a call began; returns its number. Failures to write the log are ignored.
    pub fn begin(&self, rpc: Rpc, messages: &[Bytes]) -> u64 {
        let call = self.n_calls.fetch_add(1, Ordering::Relaxed);
        let messages = messages.iter().map(|message| STANDARD.encode(message)).collect();
        self.write(call, Some(Asked { rpc, messages }));
        call
    }

    /// Logs that a call was answered.
    pub fn end(&self, call: u64) {
        self.write(call, None);
    }

    /// One write for each line, so that lines of several processes do not mix.
    fn write(&self, call: u64, asked: Option<Asked>) {
        let line = Line { process: std::process::id(), call, asked };
        if let Ok(mut text) = serde_json::to_string(&line) {
            text.push('\n');
            let _ = (&self.file).write_all(text.as_bytes());
        }
    }
}

/// The requests of a log, in the order in which they began; none if there is no such file.
///
/// Fails if it cannot be read. RPCs without a typed call are left out.
pub fn logged(file: &Path, protocol: Protocol, schema: &ProviderSchema) -> io::Result<Vec<Logged>> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    let mut found: Vec<(u64, Logged)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Line { process, call, asked } = serde_json::from_str(line)?;
        let Some(Asked { rpc, messages }) = asked else {
            let is_it = |(of, logged): &&mut (u64, Logged)| *of == call && logged.process == process;
            if let Some((_, logged)) = found.iter_mut().rev().find(is_it) {
                logged.ended = Some(number);
            }
            continue;
        };
        let messages: Result<_, _> =
            messages.iter().map(|message| STANDARD.decode(message).map(Bytes::from)).collect();
        let decoded = AnyCall::decode_request(rpc, protocol, messages.map_err(io::Error::other)?);
        if let Some(mut asked) = decoded.map_err(io::Error::other)? {
            asked.decode(schema);
            found.push((call, Logged { process, call: asked, began: number, ended: None }));
        }
    }
    Ok(found.into_iter().map(|(_, logged)| logged).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::schema::{definitions, provider};

    #[test]
    fn requests_come_back_in_the_order_in_which_they_began() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("log");
        let schema = provider(6, &definitions(6));
        assert!(logged(&file, Protocol::V6, &schema).unwrap().is_empty());
        let log = RequestLog::open(&file).unwrap();
        let first = log.begin(Rpc::GetMetadata, &[Bytes::new()]);
        let second = log.begin(Rpc::GetProviderSchema, &[Bytes::new()]);
        log.end(second);
        log.begin(Rpc::StopProvider, &[Bytes::new()]);
        log.end(first);
        let told: Vec<(Rpc, usize, Option<usize>)> = logged(&file, Protocol::V6, &schema)
            .unwrap()
            .iter()
            .map(|logged| (logged.call.rpc(), logged.began, logged.ended))
            .collect();
        assert_eq!(told, [(Rpc::GetMetadata, 0, Some(4)), (Rpc::GetProviderSchema, 1, Some(2))]);
    }
}

//! A mock of a remote system: logs its requests.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;

/// The arguments that make this program the mock, and those that tell it something: a port, and a word, or
/// after how many connections the mock ends.
pub const BE: &str = "be-the-mock";
pub const TELL: &str = "tell-the-mock";

/// The file in its working folder.
pub const LOG: &str = "mock.log";

pub fn play_if_asked() -> Option<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [BE, port] => serve(port.parse().unwrap()),
        [BE, port, n] => serve_few(port.parse().unwrap(), n.parse().unwrap()),
        [TELL, port, word] => {
            TcpStream::connect(format!("127.0.0.1:{port}")).unwrap().write_all(word.as_bytes()).unwrap();
        }
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}

/// Accepts so many connections, and ends.
fn serve_few(port: u16, n: usize) {
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    println!("ready");
    drop(listener.incoming().take(n).collect::<Vec<_>>());
    println!("out of memory");
    std::process::exit(3);
}

fn serve(port: u16) {
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    for mut stream in listener.incoming().flatten() {
        let mut word = String::new();
        stream.read_to_string(&mut word).unwrap();
        let mut log = OpenOptions::new().create(true).append(true).open(LOG).unwrap();
        log.write_all(format!("{word}\n").as_bytes()).unwrap();
    }
}

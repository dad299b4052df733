//! How a process ended, and what the Go runtime prints when it dies.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ExitKind {
    /// It returned this code; 0 is success, 2 is what a Go panic leaves.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
    /// It is gone, and nobody can say how.
    Unknown,
}

impl fmt::Display for ExitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {name}"),
                None => write!(f, "signal {signal}"),
            },
            Self::Unknown => f.write_str("exit status unknown"),
        }
    }
}

#[cfg(unix)]
fn signal_name(signal: i32) -> Option<&'static str> {
    nix::sys::signal::Signal::try_from(signal).ok().map(nix::sys::signal::Signal::as_str)
}

#[cfg(not(unix))]
fn signal_name(_signal: i32) -> Option<&'static str> {
    None
}

/// The end of a Go program, as its runtime told it on stderr.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoPanic {
    /// The text behind `panic: `, or the whole `fatal error: …` line.
    pub message: String,
    /// The first frame that is the provider's own, as `function at file:line`.
    pub frame: Option<String>,
    /// The goroutine that failed, as `12 [running]`.
    pub goroutine: Option<String>,
}

impl fmt::Display for GoPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(frame) = &self.frame {
            write!(f, " in {frame}")?;
        }
        Ok(())
    }
}

/// Whether a line of stderr begins the Go runtime's last words.
pub fn begins_go_panic(line: &str) -> bool {
    line.starts_with("panic: ") || line.starts_with("fatal error: ")
}

/// Finds the last words of a Go program in what it wrote to stderr.
///
/// None where no line begins as the runtime begins them. A trace that is cut
/// off, or hidden by `GOTRACEBACK=none`, still gives the message.
pub fn parse_go_panic(stderr: &str) -> Option<GoPanic> {
    let mut lines = stderr.lines().skip_while(|line| !begins_go_panic(line));
    let first = lines.next()?;
    let mut message = first.strip_prefix("panic: ").unwrap_or(first).to_owned();
    let mut goroutine = None;
    for line in lines.by_ref() {
        if let Some(header) = goroutine_header(line) {
            goroutine = Some(header);
            break;
        }
        // A panic value of several lines, or a second panic while the first
        // was handled; the runtime indents what belongs to the first line.
        if let Some(more) = line.strip_prefix('\t') {
            message.push(' ');
            message.push_str(more.trim());
        }
    }
    let frames = frames(lines.take_while(|line| !line.is_empty()));
    Some(GoPanic { message, frame: provider_frame(&frames), goroutine })
}

/// `goroutine 12 gp=0x… m=3 [running]:` → `12 [running]`.
fn goroutine_header(line: &str) -> Option<String> {
    let rest = line.strip_prefix("goroutine ")?.strip_suffix(':')?;
    let number = rest.split(' ').next()?;
    number.parse::<u64>().ok()?;
    let state = &rest[rest.find('[')?..];
    Some(format!("{number} {state}"))
}

struct Frame<'a> {
    function: &'a str,
    location: &'a str,
}

fn frames<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Frame<'a>> {
    let mut frames = Vec::new();
    let mut function = None;
    for line in lines {
        match line.strip_prefix('\t') {
            None => function = Some(line.strip_prefix("created by ").unwrap_or(line)),
            Some(location) => frames.extend(function.take().map(|function| Frame {
                function,
                location: location.split_once(" +0x").map_or(location, |(place, _)| place),
            })),
        }
    }
    frames
}

fn provider_frame(frames: &[Frame<'_>]) -> Option<String> {
    // Deferred functions run on top of the frame that panicked.
    let panicked =
        frames.iter().rposition(|frame| frame.function.starts_with("panic(")).map_or(0, |idx| idx + 1);
    let below = frames.get(panicked..)?;
    let frame = below
        .iter()
        .find(|frame| !is_library(frame.function))
        .or_else(|| below.iter().find(|f| !f.function.starts_with("runtime.")))?;
    let function = without_arguments(frame.function);
    Some(format!("{function} at {}", frame.location))
}

/// `pkg.(*T).Method(0x1, {0x2, 0x3})` → `pkg.(*T).Method`.
fn without_arguments(function: &str) -> &str {
    let Some(body) = function.strip_suffix(')') else {
        return function;
    };
    // Arguments are printed without parentheses, so the last one opens them.
    body.rfind('(').map_or(function, |open| &body[..open])
}

/// Whether a function is the standard library's or the plugin machinery's.
fn is_library(function: &str) -> bool {
    const LIBRARIES: [&str; 6] = [
        "github.com/hashicorp/terraform-plugin-",
        "github.com/hashicorp/go-plugin",
        "github.com/hashicorp/go-cty/",
        "github.com/zclconf/go-cty",
        "google.golang.org/",
        "golang.org/x/",
    ];
    let first = function.split('/').next().unwrap_or(function);
    // Import paths of the standard library have no dot before the first slash;
    // without a slash the dot is the one before the function's name.
    let standard = match function.contains('/') {
        true => !first.contains('.'),
        false => !function.starts_with("main."),
    };
    standard || LIBRARIES.iter().any(|path| function.starts_with(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "2024/01/01 00:00:00 starting
panic: runtime error: invalid memory address or nil pointer dereference
\tpanic: again
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x6f1c2a]

goroutine 52 [running]:
main.recovering.func1()
\t/src/main.go:9 +0x20
panic({0x7a1c20?, 0xc7f2a0?})
\t/usr/local/go/src/runtime/panic.go:770 +0x132
github.com/zclconf/go-cty/cty.Value.AsString({{{0x0, 0x0}}, {0x0, 0x0}})
\t/go/pkg/mod/github.com/zclconf/go-cty@v1.16.0/cty/value_ops.go:11 +0x1d
github.com/acme/terraform-provider-acme/internal.(*bucket).Create(0x0, {0x8f3c38, 0xc000})
\t/src/internal/bucket.go:42 +0x1d
created by google.golang.org/grpc.(*Server).serveStreams.func1.1
\t/go/pkg/mod/google.golang.org/grpc@v1.59.0/server.go:1020 +0x115

goroutine 1 [chan receive]:
main.main()
";

    #[test]
    fn a_panic_is_traced_to_the_providers_own_frame() {
        let go_panic = parse_go_panic(TRACE).unwrap();
        assert_eq!(
            go_panic,
            GoPanic {
                message: "runtime error: invalid memory address or nil pointer dereference \
                          panic: again"
                    .into(),
                frame: Some(
                    "github.com/acme/terraform-provider-acme/internal.(*bucket).Create \
                     at /src/internal/bucket.go:42"
                        .into()
                ),
                goroutine: Some("52 [running]".into()),
            }
        );
    }

    #[test]
    fn a_fatal_error_without_a_trace_keeps_its_message() {
        let go_panic = parse_go_panic("fatal error: all goroutines are asleep\n").unwrap();
        assert_eq!(go_panic.message, "fatal error: all goroutines are asleep");
        assert_eq!((go_panic.frame, go_panic.goroutine), (None, None));
        assert_eq!(parse_go_panic("don't panic: all is well\n"), None);
    }

    #[test]
    fn exits_are_named() {
        assert_eq!(ExitKind::Code(2).to_string(), "exit code 2");
        assert_eq!(ExitKind::Signal(9).to_string(), "signal SIGKILL");
    }
}

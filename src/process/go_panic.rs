//! What the Go runtime prints when a program panics.

use crate::transcript::GoPanic;

/// Whether a line of stderr is the first of a Go panic.
pub fn begins_go_panic(line: &str) -> bool {
    line.starts_with("panic: ") || line.starts_with("fatal error: ")
}

/// Finds the panic of a Go program in what it wrote to stderr.
///
/// `None` if no line starts a panic. A trace that is cut off, or hidden by `GOTRACEBACK=none`,
/// still yields the message.
pub fn parse_go_panic(stderr: &str) -> Option<GoPanic> {
    let mut lines = stderr.lines().skip_while(|line| !begins_go_panic(line));
    let first = lines.next()?;
    let mut message = first.strip_prefix("panic: ").unwrap_or(first).to_owned();
    let mut is_of_runtime = false;
    for line in lines.by_ref() {
        if is_goroutine_header(line) {
            break;
        }
        // A fatal error has the frames of the runtime itself before those of the goroutine.
        is_of_runtime |= line == "runtime stack:";
        if is_of_runtime {
            continue;
        }
        // A panic value of several lines, or a second panic while the first
        // was handled; the runtime indents what belongs to the first line.
        if let Some(more) = line.strip_prefix('\t') {
            message.push(' ');
            message.push_str(more.trim());
        }
    }
    let frames = frames(lines.take_while(|line| !line.is_empty()));
    let frame = provider_frame(&frames);
    Some(GoPanic {
        message,
        frame: frame.map(|frame| without_arguments(frame.function).to_owned()),
        location: frame.map(|frame| frame.location.to_owned()),
    })
}

/// A panic, and the frames of the provider's own code, the innermost first.
pub struct Panic {
    pub message: String,
    pub own: Vec<OwnFrame>,
}

/// A function without its arguments, and where in it.
pub struct OwnFrame {
    pub function: String,
    /// `file:line`.
    pub location: String,
}

/// As [`parse_go_panic`], with every frame of the provider.
pub fn parse_panic(stderr: &str) -> Option<Panic> {
    let GoPanic { message, frame, location } = parse_go_panic(stderr)?;
    let trace = stderr.lines().skip_while(|line| !begins_go_panic(line));
    let trace = trace.skip_while(|line| !is_goroutine_header(line)).skip(1);
    let frames = frames(trace.take_while(|line| !line.is_empty()));
    let own = below_panic(&frames).iter().filter(|frame| !is_library(frame.function));
    let own = own.map(|frame| OwnFrame {
        function: without_arguments(frame.function).to_owned(),
        location: frame.location.to_owned(),
    });
    let mut own: Vec<OwnFrame> = own.collect();
    if let (true, Some(function)) = (own.is_empty(), frame) {
        own.push(OwnFrame { function, location: location.unwrap_or_default() });
    }
    Some(Panic { message, own })
}

/// Whether a line is one like `goroutine 12 gp=0x… m=3 [running]:`.
fn is_goroutine_header(line: &str) -> bool {
    let header = line.strip_prefix("goroutine ").and_then(|rest| rest.strip_suffix(':'));
    let parts = header.and_then(|header| header.split_once(' '));
    parts.is_some_and(|(number, state)| number.parse::<u64>().is_ok() && state.contains('['))
}

struct Frame<'a> {
    function: &'a str,
    location: &'a str,
}

fn frames<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Frame<'a>> {
    let mut frames = Vec::new();
    let mut function = None;
    for line in lines {
        // Text that was made legible has blanks for a tab.
        match line.strip_prefix('\t').or_else(|| line.strip_prefix("  ")) {
            None => function = Some(line.strip_prefix("created by ").unwrap_or(line)),
            Some(location) => frames.extend(function.take().map(|function| Frame {
                function,
                location: in_module(location.split_once(" +0x").map_or(location, |(place, _)| place)),
            })),
        }
    }
    frames
}

/// The place in a module, if the file is one of the module cache: where that is tells nothing.
fn in_module(location: &str) -> &str {
    let module = location.split_once("/pkg/mod/").map_or("", |(_, module)| module);
    let file = module.split_once('@').and_then(|(_, versioned)| versioned.split_once('/'));
    file.map_or(location, |(_, file)| file)
}

/// The frames from the one that panicked on: deferred functions run on top of it.
fn below_panic<'a, 'f>(frames: &'f [Frame<'a>]) -> &'f [Frame<'a>] {
    let panicked =
        frames.iter().rposition(|frame| frame.function.starts_with("panic(")).map_or(0, |idx| idx + 1);
    frames.get(panicked..).unwrap_or_default()
}

fn provider_frame<'a, 'f>(frames: &'f [Frame<'a>]) -> Option<&'f Frame<'a>> {
    let below = below_panic(frames);
    below
        .iter()
        .find(|frame| !is_library(frame.function))
        .or_else(|| below.iter().find(|frame| !frame.function.starts_with("runtime.")))
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
                frame: Some("github.com/acme/terraform-provider-acme/internal.(*bucket).Create".into()),
                location: Some("/src/internal/bucket.go:42".into()),
            }
        );
    }

    #[test]
    fn a_fatal_error_has_no_frames_of_the_runtime_in_its_message() {
        let trace = "fatal error: runtime: out of memory

runtime stack:
runtime.throw({0x16, 0x0})
\t/usr/local/go/src/runtime/panic.go:1229 +0x48 fp=0x7f sp=0x7f pc=0x48

goroutine 52 gp=0xc0 m=3 [running]:
github.com/acme/terraform-provider-acme/internal.(*bucket).Create(0x0)
\t/home/me/go/pkg/mod/github.com/acme/terraform-provider-acme@v1.2.0/internal/bucket.go:42 +0x1d
";
        let go_panic = parse_go_panic(trace).unwrap();
        assert_eq!(go_panic.message, "fatal error: runtime: out of memory");
        assert_eq!(go_panic.location.as_deref(), Some("internal/bucket.go:42"));
    }

    #[test]
    fn a_fatal_error_without_a_trace_keeps_its_message() {
        let go_panic = parse_go_panic("fatal error: all goroutines are asleep\n").unwrap();
        assert_eq!(go_panic.message, "fatal error: all goroutines are asleep");
        assert_eq!((go_panic.frame, go_panic.location), (None, None));
        assert_eq!(parse_go_panic("don't panic: all is well\n"), None);
    }
}

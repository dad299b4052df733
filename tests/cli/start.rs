//! Programs that are not providers: exit code 3, and a message that names program and cause.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use super::{Folder, PROGRAM, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("start/programs_that_are_not_plugins_are_named_with_the_cause", no_plugin),
        trial("start/what_a_program_prints_is_made_harmless", colours),
        trial("start/files_without_an_end_are_not_read", endless),
        trial("start/a_provider_block_must_be_the_provider_s_and_resolved", blocks),
        trial("start/a_silent_program_times_out", sleeps),
        trial("start/a_command_that_is_not_a_program_is_named", no_command),
        trial("start/a_scratch_folder_that_cannot_be_made_is_named_with_its_variable", no_scratch),
        trial("start/an_interpreter_without_its_script_is_named", interpreter),
        trial("start/a_provider_without_tls_is_refused", in_clear),
    ]
}

fn no_plugin() {
    let folder = Folder::new();
    folder.script("prints-help", "#!/bin/sh\necho 'Usage: thing [options]'\n");
    folder.script("exits", "#!/bin/sh\necho 'no licence' >&2\nexit 7\n");
    folder.script("no-interpreter", "#!/no/such/interpreter\n");
    folder.file("text", "not a program\n");
    folder.script("empty", "");
    folder.script("terraform-provider-acme", "");
    for (path, words) in [
        ("/bin/true", &["true: ended before the handshake (exit code 0)"][..]),
        ("/bin/cat", &["cat: ended before the handshake"]),
        (
            "prints-help",
            &["prints-help: the first line on stdout is not a handshake: \"Usage: thing [options]\""],
        ),
        ("exits", &["exits: ended before the handshake (exit code 7)", "no licence"]),
        ("no-interpreter", &["no-interpreter: failed to start"]),
        ("text", &["text: failed to start"]),
        ("empty", &["empty: "]),
        ("missing", &["missing: No such file or directory"]),
        (".", &[" is a folder, not a program\nhint: did you mean ", "/terraform-provider-acme?"]),
    ] {
        for command in ["check", "schema"] {
            folder.tfconform(&format!("{command} {path}")).fails(3, words);
        }
    }
}

fn colours() {
    let folder = Folder::new();
    let words = r"\033[31mred\033]0;title\007 \342\200\256x\342\200\213";
    folder.script("colours", &format!("#!/bin/sh\nprintf '{words}' >&2\nexit 7\n"));
    for command in ["check colours", "schema colours"] {
        let ran = folder.tfconform(command);
        ran.fails(3, &["(exit code 7)", "red <U+202E>x<U+200B>"]);
        let raw = ['\u{1b}', '\u{7}', '\u{202e}', '\u{200b}'];
        assert!(!ran.err.contains(raw) && !ran.err.contains("title"), "{:?}", ran.err);
    }
}

fn endless() {
    let folder = Folder::new();
    nix::unistd::mkfifo(&folder.path("pipe.toml"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    folder.tfconform("check --suite pipe.toml").fails(2, &["pipe.toml: this is a pipe, not a file"]);
    for line in ["check --config /dev/zero", "check --suite /dev/zero", "judge /dev/zero", "replay /dev/zero"]
    {
        folder.tfconform(line).fails(2, &["/dev/zero: this is a device, not a file"]);
    }
}

fn blocks() {
    let folder = Folder::new();
    let refused = |text: &str, words: &str| {
        folder.file("block.hcl", text);
        folder.tfconform("check --config block.hcl --cases 1").fails(2, &[words]);
    };
    let token = |value: &str| format!("provider \"reference\" {{\n  token = {value}\n}}\n");
    refused(&token("var.token"), "block.hcl:2: `var.token`: references and calls are not resolved here");
    refused(&token("\"${file(\"x\")}\""), "block.hcl:2: `file(…)`: references and calls");
    let twice = format!("{}{}", token("\"a\""), token("\"b\""));
    refused(&twice, "block.hcl:4: this is a second provider block");
    let other = token("\"a\"").replace("reference", "aws");
    refused(&other, "block.hcl: the block is of provider `aws`, and this one has types such as `reference_");
    folder.file("block.hcl", &token("\"a\""));
    folder.tfconform("check --config block.hcl --cases 1 --resource reference_plain --quiet").says(0, &[]);
}

fn sleeps() {
    let folder = Folder::new();
    folder.script("sleeps", "#!/bin/sh\nexec sleep 100\n");
    let began = Instant::now();
    let ran = folder.tfconform("check sleeps --start-timeout 1");
    ran.fails(3, &["sleeps: ", "handshake"]);
    assert!(began.elapsed() < Duration::from_secs(20));
}

fn no_command() {
    let folder = Folder::new();
    folder.tfconform("check -- nosuchprog").fails(3, &["no such program on PATH: nosuchprog"]);
    folder.tfconform("check -- ./nosuchprog").fails(3, &["no such program: ./nosuchprog"]);
    folder.file("a/folder/file", "");
    folder.tfconform("check -- a/folder").fails(3, &["a/folder is a folder, not a program"]);
    folder.tfconform("check --").fails(2, &["`--` must be followed by the command that starts the provider"]);
}

fn no_scratch() {
    let folder = Folder::new();
    for (variable, path) in [("TFCONFORM_SCRATCH", "/proc/nope"), ("TMPDIR", "/no/such/folder")] {
        let said = format!("error: {variable}: {path}: ");
        for line in ["check", "schema /bin/true"] {
            folder.run(folder.command(PROGRAM).args(line.split(' ')).env(variable, path)).fails(2, &[&said]);
        }
    }
}

fn interpreter() {
    let ran = Folder::new().tfconform("check --start-timeout 10 -- sh no-such-script.sh");
    ran.fails(3, &["sh: ended before the handshake", "no-such-script.sh"]);
}

fn in_clear() {
    let folder = Folder::new();
    folder.script(
        "in-clear",
        &format!("#!/bin/sh\nunset PLUGIN_CLIENT_CERT\nexec '{PROGRAM}' reference --store \"$PWD/store\"\n"),
    );
    let words =
        ["in-clear: announced no certificate, and Core speaks only TLS", "Failed to load plugin schemas"];
    folder.tfconform("check in-clear").fails(3, &words);
    folder.tfconform("schema in-clear").fails(3, &words);
}

//! Providers that need an interpreter.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use libtest_mimic::Trial;

use super::{Folder, PROGRAM, Ran, ignored, printed, trial, typed};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("command/a_script_in_the_working_folder_is_played", script),
        trial("command/a_rerun_command_works_with_an_interpreter", again),
        trial("command/a_case_is_played_again_where_it_was_found", again_elsewhere),
        trial("command/an_interpreter_and_a_project_below_a_home_are_seen", below_a_home),
        trial("command/files_are_named_where_they_can_be_made_and_the_same_each_time", files),
        trial("command/coverage_data_comes_back_from_the_sandbox", coverage),
        trial("command/the_network_is_open_if_asked_for", network),
        trial("command/no_sandbox_is_none", no_sandbox),
        python("command/a_module_of_python_is_played", module),
        python("command/a_virtual_environment_of_python_is_seen", virtual_environment),
    ]
}

/// A trial that needs Python.
fn python(name: &'static str, body: fn()) -> Trial {
    let is_there = Command::new("python3").args(["-c", ""]).output().is_ok_and(|ran| ran.status.success());
    match is_there {
        true => trial(name, body),
        false => ignored(name, "needs python3".to_owned()),
    }
}

/// A script that is the reference provider.
pub fn script_of(faults: &str) -> String {
    format!("exec {PROGRAM} reference --store \"$HOME/store\" {faults}\n")
}

const CHECK: &str = "check --resource reference_plain --cases 3 --quiet";

fn script() {
    let folder = Folder::new();
    folder.file("the provider.sh", &script_of(""));
    let mut command = folder.command(PROGRAM);
    command.args(CHECK.split(' ')).args(["--", "sh", "the provider.sh"]);
    folder.run(&mut command).says(0, &["played        3 scenarios (0 refused", "conforms (exit 0)"]);
}

fn again() {
    let folder = Folder::new();
    let script = folder.file("the provider.sh", &script_of("--fault plan/rewrites-configured-values"));
    folder.file("its block.hcl", "provider \"reference\" {\n  token = \"t\"\n}\n");
    let run = |more: &[&str]| {
        let mut command = folder.command(PROGRAM);
        command.args(CHECK.split(' ')).args(["--config", "its block.hcl"]).args(more);
        let ran = folder.run(command.args(["--", "sh", "the provider.sh"]));
        ran.says(1, &["MUST  plan/keeps-configured-values"]).out.clone()
    };
    let case = printed(&run(&[]), "plan/keeps-configured-values");
    assert!(case.starts_with("tfconform replay "), "{case}");
    let line = printed(&run(&["--no-cases"]), "plan/keeps-configured-values");
    assert!(line.ends_with(&format!("-- sh '{}'", script.canonicalize().unwrap().display())), "{line}");
    for (line, words) in
        [(case, "plan/keeps-configured-values: still there"), (line, "MUST  plan/keeps-configured-values")]
    {
        folder.run(&mut typed(&folder, &line)).says(1, &[words]);
    }
}

/// Runs the check on a command in a folder below the trial's own.
fn check(folder: &Folder, below: &str, words: &[&str]) -> Command {
    let mut command = folder.command(PROGRAM);
    command.current_dir(folder.path(below)).args(CHECK.split(' ')).arg("--").args(words);
    command.env("TFCONFORM_SCRATCH", folder.path("scratch"));
    command
}

/// Whether the kernel allows the sandbox here.
fn is_closed(ran: &Ran) -> bool {
    !ran.out.contains("nothing applied")
}

fn again_elsewhere() {
    let folder = Folder::new();
    folder.file("project/parts.sh", &script_of("--fault plan/rewrites-configured-values"));
    folder.file("project/main.sh", "test -f parts.sh || exit 7\n. ./parts.sh\n");
    folder
        .run(&mut check(&folder, "project", &["sh", "main.sh"]))
        .says(1, &["MUST  plan/keeps-configured-values"]);
    let case = folder.files("project/.tfconform/cases", "jsonl").remove(0);
    folder.tfconform(&format!("replay {}", case.display())).says(1, &[": still there"]);
    fs::rename(folder.path("project"), folder.path("moved")).unwrap();
    let case = case.display().to_string().replace("project", "moved");
    folder.tfconform(&format!("replay {case}")).fails(3, &["project: No such file"]);
}

/// A project and an interpreter below a home folder, which also holds files that must stay hidden.
fn home() -> (Folder, PathBuf) {
    let folder = Folder::new();
    let home = folder.0.path().canonicalize().unwrap().join("home");
    folder.script(
        "home/tools/v1.2/bin/tool",
        &format!(". {}/tools/v1/lib/tool\nexec sh \"$@\"\n", home.display()),
    );
    folder.script("home/tools/v1.2/bin/interpreter", "#!/usr/bin/env -S tool\nexec sh \"$@\"\n");
    folder.file("home/tools/v1.2/lib/tool", "");
    folder.file("home/project/.venv/settings", "");
    fs::create_dir(folder.path("home/project/.venv/bin")).unwrap();
    symlink("v1.2", folder.path("home/tools/v1")).unwrap();
    symlink("../../../tools/v1/bin/interpreter", folder.path("home/project/.venv/bin/python")).unwrap();
    folder.file("home/secret", "secret");
    folder.file("home/project/provider/sibling.sh", &script_of(""));
    let home = home.display();
    let main = format!(
        "test -f '{home}/project/.venv/settings' || exit 7\n\
         cat '{home}/secret' >\"$HOME/seen\"\ntouch written '{home}/project/written'\n\
         . \"$(dirname \"$0\")/sibling.sh\"\n"
    );
    folder.file("home/project/provider/main.sh", &main);
    let home = folder.path("home");
    (folder, home)
}

fn below_a_home() {
    let plays = [
        ("home/project", ".venv/bin/python", "provider/main.sh"),
        ("home/project", "python", "provider/main.sh"),
        (".", "home/project/.venv/bin/python", "home/project/provider/main.sh"),
        ("home", "project/.venv/bin/python", "project/provider/main.sh"),
    ];
    for (below, program, script) in plays {
        let (folder, home) = home();
        let mut command = check(&folder, below, &[program, script]);
        let found = ["project/.venv/bin", "tools/v1/bin"].map(|bin| home.join(bin).display().to_string());
        let path = format!("{}:{}", found.join(":"), std::env::var("PATH").unwrap());
        let ran = folder.run(command.env("HOME", &home).env("PATH", path));
        ran.says(0, &["played        3 scenarios (0 refused", "conforms (exit 0)"]);
        if is_closed(&ran) {
            let runs = folder.files("scratch", "");
            assert_eq!(fs::read_to_string(runs[0].join("home/seen")).unwrap(), "", "{below}");
            assert!(!home.join("project/written").exists() && !folder.path("written").exists(), "{below}");
        }
    }
}

/// The values with this prefix in the transcripts of a folder; values are stored as base64.
fn texts(folder: &Folder, transcripts: &str, start: &str) -> BTreeSet<String> {
    let files = folder.files(transcripts, ".jsonl").into_iter();
    let all: String = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let values = all.split('"').filter_map(|piece| STANDARD.decode(piece).ok());
    let texts = values.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let found = texts.filter_map(|text| text.find(start).map(|at| text[at..].to_owned()));
    found.collect()
}

fn files() {
    let folder = Folder::new();
    folder.file("provider.sh", &script_of(""));
    let sent = |transcripts: &str| {
        let mut command = folder.command(PROGRAM);
        command.args("check --resource reference_versioned --cases 24 --quiet --transcripts".split(' '));
        let ran = folder.run(command.arg(transcripts).args(["--", "sh", "provider.sh"]));
        ran.says(0, &[]);
        is_closed(&ran).then(|| texts(&folder, transcripts, "/tmp/"))
    };
    let Some(first) = sent("first") else { return };
    assert!(!first.is_empty() && first.iter().all(|text| text.starts_with("/tmp/tfc")), "{first:?}");
    assert_eq!(sent("second"), Some(first));
    let mut plain = folder.command(PROGRAM);
    plain.args("check --resource reference_versioned --cases 24 --quiet --transcripts plain".split(' '));
    folder.run(&mut plain).says(0, &[]);
    assert_eq!(texts(&folder, "plain", "/tmp/"), BTreeSet::new());
}

fn coverage() {
    let folder = Folder::new();
    folder.file("provider.sh", &format!("echo data >\"$GOCOVERDIR/covcounters.$$\"\n{}", script_of("")));
    for line in [format!("{CHECK} -- sh provider.sh"), format!("{CHECK} --no-sandbox -- sh provider.sh")] {
        let mut command = folder.command(PROGRAM);
        command.args(line.split(' ')).env("GOCOVERDIR", "wanted/coverage");
        let ran = folder.run(&mut command);
        ran.says(0, &["conforms (exit 0)"]);
        let files = folder.files("wanted/coverage", "");
        assert!(!files.is_empty(), "{line}\n{}", ran.out);
        assert_eq!(fs::read_to_string(&files[0]).unwrap(), "data\n");
        fs::remove_dir_all(folder.path("wanted")).unwrap();
    }
}

/// A provider that only works if it can connect to a port of this machine.
fn connecting(folder: &Folder, port: u16) {
    let script = format!("(exec 3<>/dev/tcp/127.0.0.1/{port}) || exit 7\n{}", script_of(""));
    folder.file("provider.sh", &script);
}

fn network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = Folder::new();
    connecting(&folder, listener.local_addr().unwrap().port());
    let check = |options: &str| {
        let line = format!("{CHECK} {options} -- bash provider.sh");
        folder.run(folder.command(PROGRAM).args(line.split_whitespace()))
    };
    let closed = check("");
    if closed.code == Some(4) {
        // The kernel allows no sandbox here.
        return assert!(!is_closed(&closed));
    }
    closed.fails(3, &["exit code 7"]);
    let why = "the network is open because `--network` or `run.network = true` is set";
    let ran = check("--network");
    ran.says(0, &["nothing applied", "conforms (exit 0)"]);
    assert!(ran.unwrapped().contains(why), "{}", ran.out);
    check("--network --apply").says(0, &["conforms (exit 0)"]);
    folder
        .file("suites/a.toml", "[provider]\ncommand = [\"bash\", \"provider.sh\"]\n[run]\nnetwork = true\n");
    let line = "check --suite suites/a.toml --resource reference_plain --cases 3 --quiet --apply";
    folder.tfconform(line).says(0, &["conforms (exit 0)"]);
}

fn no_sandbox() {
    let folder = Folder::new();
    let outside = folder.path("outside").display().to_string();
    folder.file("provider.sh", &format!("echo seen >>'{outside}'\n{}", script_of("")));
    let line = format!("{CHECK} --no-sandbox -- sh provider.sh");
    let ran = folder.run(folder.command(PROGRAM).args(line.split(' ')));
    ran.says(0, &["nothing applied", "conforms (exit 0)"]);
    assert!(ran.unwrapped().contains("`--no-sandbox` or `run.sandbox = false` is set"), "{}", ran.out);
    assert!(folder.path("outside").exists());
}

/// A module that becomes the reference provider, with another module next to it.
fn module_of(folder: &Folder) {
    folder.file("my_provider/__init__.py", "");
    folder.file("my_provider/parts.py", &format!("PROGRAM = {PROGRAM:?}\n"));
    let main = "import os\nfrom . import parts\nstore = os.environ['HOME'] + '/store'\n\
                os.execv(parts.PROGRAM, [parts.PROGRAM, 'reference', '--store', store])\n";
    folder.file("my_provider/__main__.py", main);
}

fn module() {
    let folder = Folder::new();
    module_of(&folder);
    let ran = folder.run(&mut check(&folder, ".", &["python3", "-m", "my_provider"]));
    ran.says(0, &["played        3 scenarios (0 refused", "conforms (exit 0)"]);
}

fn virtual_environment() {
    let folder = Folder::new();
    module_of(&folder);
    let made = folder.run(folder.command("python3").args(["-m", "venv", "--without-pip", ".venv"]));
    made.says(0, &[]);
    // Only there, so that another interpreter does not find it.
    let libraries = folder.files(".venv/lib", "").remove(0).join("site-packages");
    fs::rename(folder.path("my_provider"), libraries.join("my_provider")).unwrap();
    let ran = folder.run(&mut check(&folder, ".", &[".venv/bin/python3", "-m", "my_provider"]));
    ran.says(0, &["played        3 scenarios (0 refused", "conforms (exit 0)"]);
}

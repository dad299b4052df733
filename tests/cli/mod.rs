//! Shared by the trials: a folder to run in, and the output of a run.

mod applies;
mod baseline;
mod browser;
mod check;
mod ci;
mod command;
mod documents;
mod end;
mod example;
mod examples;
#[path = "../forms/mod.rs"]
mod forms;
mod graph;
mod install;
pub mod leaky;
mod learned;
mod markdown;
mod meeting;
pub mod meeting_provider;
mod misbehaving;
pub mod misbehaving_provider;
mod mock;
mod nextest;
pub mod particular;
mod policy;
mod provider_block;
mod reattach;
mod records;
mod references;
pub mod refuser;
pub mod remote;
mod reports;
mod reproduce;
mod sdk;
mod secrets;
mod shrink;
mod snapshots;
mod start;
pub mod suites;
mod walk;
mod why;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use std::{fs, thread};

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;
use tfconform::provider::reattach::VARIABLE;

pub fn trials() -> Vec<Trial> {
    let parts = [
        // It takes longest, and leaves a CPU idle now and then.
        example::trials(),
        // They mostly wait: last, they would make the whole run wait.
        reattach::trials(),
        check::trials(),
        applies::trials(),
        baseline::trials(),
        policy::trials(),
        command::trials(),
        start::trials(),
        examples::trials(),
        learned::trials(),
        why::trials(),
        misbehaving::trials(),
        meeting::trials(),
        provider_block::trials(),
        records::trials(),
        graph::trials(),
        references::trials(),
        reports::trials(),
        browser::trials(),
        reproduce::trials(),
        shrink::trials(),
        snapshots::trials(),
        sdk::trials(),
        secrets::trials(),
        end::trials(),
        remote::trials(),
        suites::trials(),
        documents::trials(),
        ci::trials(),
        install::trials(),
        nextest::trials(),
    ];
    parts.into_iter().flatten().collect()
}

pub use mock::play_if_asked as mock_if_asked;

pub type Checked = Result<(), Failed>;

fn trial(name: &'static str, body: fn()) -> Trial {
    Trial::test(name, move || {
        body();
        Ok(())
    })
}

/// A trial on terraform-provider-time, ignored if that is not on the machine.
fn trial_on_time(name: &'static str, body: fn(&Path)) -> Trial {
    trial_on("terraform-provider-time", name, body)
}

/// A trial on a provider, ignored if that is not on the machine.
fn trial_on(provider: &str, name: &'static str, body: fn(&Path)) -> Trial {
    match find(provider) {
        Some(path) => Trial::test(name, move || {
            body(&path);
            Ok(())
        }),
        None => ignored(name, format!("needs {provider} in $TFCONFORM_PROVIDERS")),
    }
}

/// A trial that needs something not on the machine; it fails if it is run anyway.
fn ignored(name: &str, why: String) -> Trial {
    let told = why.clone();
    Trial::test(name, move || Err(told.into())).with_kind(why).with_ignored_flag(true)
}

fn time() -> Option<PathBuf> {
    find("terraform-provider-time")
}

fn find(provider: &str) -> Option<PathBuf> {
    let named = std::env::var_os("TFCONFORM_PROVIDERS").unwrap_or_default();
    std::env::split_paths(&named)
        .chain([repository().join("target/providers")])
        .map(|folder| folder.join(provider))
        .find(|file| file.is_file())
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The processes with a folder in their environment.
fn processes_of(folder: &Path) -> Vec<u32> {
    let name = folder.to_str().unwrap();
    let pids =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| {
        fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|environ| String::from_utf8_lossy(&environ).contains(name))
    })
    .collect()
}

#[track_caller]
fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let began = Instant::now();
    while !there() {
        assert!(began.elapsed() < Duration::from_secs(30), "{what} never came");
        thread::sleep(Duration::from_millis(50));
    }
}

/// The program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_tfconform");

/// A fresh working folder.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::with_prefix("cli-").unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file with this content; creates its folders.
    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn script(&self, name: &str, content: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.file(name, content);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A program, in the folder too: a sandbox may show nothing else if the repository is below `/tmp`.
    fn linked(&self, program: &Path) -> PathBuf {
        let path = self.path("linked");
        fs::hard_link(program, &path).or_else(|_| fs::copy(program, &path).map(|_| ())).unwrap();
        path
    }

    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.0.path()).env("NO_COLOR", "1");
        command.env_remove("TFCONFORM_SCRATCH").env_remove(VARIABLE);
        // These tests may themselves be run there.
        command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    /// Runs the program to its end; words are divided at blanks.
    #[track_caller]
    fn tfconform(&self, line: &str) -> Ran {
        self.run(self.command(PROGRAM).args(line.split_whitespace()))
    }

    #[track_caller]
    fn run(&self, command: &mut Command) -> Ran {
        Ran::of(&command.output().expect("the program starts"))
    }

    /// Every file of a folder with this suffix, sorted; none if there is no folder.
    fn files(&self, folder: &str, end: &str) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(self.path(folder))
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.to_string_lossy().ends_with(end))
            .collect();
        files.sort();
        files
    }
}

/// The output of a run.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn of(output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8");
        Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Standard output with line ends and indents as single blanks.
    fn unwrapped(&self) -> String {
        self.out.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Expects the exit code, and words on standard output.
    #[track_caller]
    fn says(&self, code: i32, words: &[&str]) -> &Ran {
        self.holds(code, &self.out, words)
    }

    /// Expects the exit code, nothing on standard output, and words on standard error.
    #[track_caller]
    fn fails(&self, code: i32, words: &[&str]) -> &Ran {
        assert_eq!(self.out, "", "{}", self.err);
        self.holds(code, &self.err, words)
    }

    #[track_caller]
    fn holds(&self, code: i32, text: &str, words: &[&str]) -> &Ran {
        assert_eq!(self.code, Some(code), "\n{}\n{}", self.out, self.err);
        for word in words {
            assert!(text.contains(word), "{word:?} is missing from:\n{}\n{}", self.out, self.err);
        }
        self
    }
}

/// The rerun command of this rule's finding.
fn printed(out: &str, rule: &str) -> String {
    let (_, finding) = out.split_once(rule).unwrap();
    let commands = ["  replay        ", "  again         "].map(|label| finding.split_once(label));
    let (_, rest) = commands.into_iter().flatten().min_by_key(|(before, _)| before.len()).unwrap();
    rest.lines().next().unwrap().split("   more: ").next().unwrap().to_owned()
}

/// A line as typed into a shell that finds the program.
fn typed(folder: &Folder, line: &str) -> Command {
    let bin = Path::new(PROGRAM).parent().unwrap().display().to_string();
    let mut command = folder.command("bash");
    command.args(["-c", line]).env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()));
    command
}

//! Providers that are already running, as under a debugger.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use libtest_mimic::Trial;
use tfconform::provider::reattach::VARIABLE;

use super::{Folder, PROGRAM, Ran, printed, trial, trial_on};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("reattach/a_running_provider_is_planned_and_applied_on_demand", on_demand),
        trial("reattach/a_running_provider_is_played_as_a_suite_says", as_a_suite_says),
        trial("reattach/a_finding_is_played_again_by_the_command_it_prints", played_again),
        trial("reattach/a_provider_that_dies_in_a_call_is_one_finding", dies),
        trial("reattach/a_call_without_an_answer_times_out_and_the_run_goes_on", hangs),
        trial("reattach/a_provider_that_is_gone_cannot_be_used", gone),
        trial("reattach/a_configuration_that_fits_nothing_says_why", wrong),
        trial_on("terraform-provider-fwfix", "reattach/a_go_provider_under_a_debugger_conforms", go),
        trial_on(
            "terraform-provider-sdkfix",
            "reattach/an_old_go_provider_under_a_debugger_conforms",
            old_go,
        ),
    ]
}

/// A provider that waits to be reattached; stopped with the trial.
struct Running {
    child: Child,
    json: String,
    /// Kept open: a process that prints to a closed pipe dies.
    _stdout: BufReader<ChildStdout>,
}

impl Running {
    fn start(command: &mut Command) -> Running {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let line =
            stdout.by_ref().lines().map(Result::unwrap).find(|line| line.contains(&format!("{VARIABLE}='")));
        let json = line.expect("it says how to reattach").split('\'').nth(1).unwrap().to_owned();
        Running { child, json, _stdout: stdout }
    }

    fn reference(folder: &Folder, words: &str) -> Running {
        let mut command = folder.command(PROGRAM);
        // A killed process leaves its socket behind.
        command.env("TMPDIR", folder.path(""));
        command.args(["reference", "--debug", "--store", "store"]).args(words.split_whitespace());
        Running::start(&mut command)
    }

    /// Runs the program with the variable set.
    #[track_caller]
    fn tfconform(&self, folder: &Folder, line: &str) -> Ran {
        folder.run(folder.command(PROGRAM).args(line.split_whitespace()).env(VARIABLE, &self.json))
    }

    fn lives(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const PLAIN: &str = "check --resource reference_plain --cases 4 --quiet";

fn on_demand() {
    let folder = Folder::new();
    let mut provider = Running::reference(&folder, "");
    let ran =
        folder.run(folder.command(PROGRAM).args(PLAIN.split(' ')).args(["-v", "--reattach", &provider.json]));
    let words = [
        "reference  protocol 6",
        "nothing applied",
        "the provider was already running, and what it can reach is not known; `--apply` or",
        "processor     not measured in the provider",
        "peak memory   not measured in the provider",
        "conforms (exit 0)",
    ];
    assert!(
        ran.says(0, &[]).out.contains("resources     1 type: 1 validated, 1 planned, 0 applied"),
        "{}",
        ran.out
    );
    let unwrapped = ran.out.replace("\n                ", " ");
    ran.holds(0, &unwrapped, &words);
    let ran = provider.tfconform(&folder, &format!("{PLAIN} --apply --strict"));
    ran.says(0, &["resources     1 type: 1 validated, 1 planned, 1 applied", "read/reports-drift"]);
    let json = provider.tfconform(&folder, &format!("{PLAIN} --format json"));
    json.says(0, &["\"provider_cpu_seconds\":null", "\"program\":\"tfconform/reference\""]);
    provider.tfconform(&folder, "schema").says(0, &["\"reference_plain\""]);
    provider.tfconform(&folder, &format!("{PLAIN} --one-process")).says(0, &[]);
    provider.tfconform(&folder, &format!("{PLAIN} --protocol 5")).fails(2, &["speaks protocol 6, not 5"]);
    // `--fault` means the reference provider, even if another provider is running.
    provider
        .tfconform(&folder, &format!("{PLAIN} --fault plan/counts-calls"))
        .says(1, &["plan/repeats-itself"]);
    assert!(provider.lives());
}

fn as_a_suite_says() {
    let folder = Folder::new();
    let mut provider = Running::reference(&folder, "--fault plan/rewrites-configured-values");
    let suite = "[provider]\npath = \"/no/such\"\nenv = { ACME = \"1\" }\n[run]\ncases = 3\n\
                 resources = [\"reference_plain\"]\n\
                 [[known]]\nrule = \"plan/keeps-configured-values\"\nreason = \"it does\"\n";
    folder.file("suites/acme.toml", suite);
    let run = |more: &[&str]| {
        let mut command = folder.command(PROGRAM);
        command.args(["check", "--suite", "suites/acme.toml", "--quiet", "--reattach", &provider.json]);
        folder.run(command.args(more))
    };
    let ran = run(&["--apply"]);
    // Every plan stops at the known finding, so nothing is applied.
    ran.says(4, &["played        3 scenarios", "  known         ", "nothing was applied"]);
    let note = "already running, so these keys of the suite were not used: `provider.env`";
    assert!(ran.unwrapped().contains(note), "{}", ran.out);
    folder.file("suites/acme.toml", suite.split("[[known]]").next().unwrap());
    let ran = run(&["--apply"]);
    let again =
        printed(&ran.says(1, &["MUST  plan/keeps-configured-values"]).out, "plan/keeps-configured-values");
    folder.tfconform(&again["tfconform ".len()..]).says(1, &["plan/keeps-configured-values: still there"]);
    assert!(provider.lives());
}

fn played_again() {
    let folder = Folder::new();
    let mut provider = Running::reference(&folder, "--fault plan/counts-calls");
    let ran = provider.tfconform(&folder, &format!("{PLAIN} --apply"));
    ran.says(1, &["MUST  plan/repeats-itself"]);
    let again = printed(&ran.out, "plan/repeats-itself");
    assert!(again.starts_with("tfconform replay "), "{again}");
    provider.tfconform(&folder, &again["tfconform ".len()..]).says(1, &["plan/repeats-itself: still there"]);
    // The case has the address, which works while the provider is running.
    folder.tfconform(&again["tfconform ".len()..]).says(1, &["still there"]);
    let without_word = again["tfconform ".len()..].replace(" --apply", "");
    provider.tfconform(&folder, &without_word).fails(2, &["the case creates objects: ", "--apply"]);
    // The command line overrides the case.
    let elsewhere = Folder::new();
    let mended = Running::reference(&elsewhere, "");
    mended.tfconform(&folder, &again["tfconform ".len()..]).says(0, &["plan/repeats-itself: fixed"]);
    assert!(provider.lives());

    let ran = provider.tfconform(&folder, &format!("{PLAIN} --no-cases"));
    let again = printed(&ran.says(1, &[]).out, "plan/repeats-itself");
    drop(mended);
    let bin = Path::new(PROGRAM).parent().unwrap().display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let ran = folder.run(folder.command("bash").args(["-c", &again]).env("PATH", path));
    ran.says(1, &["MUST  plan/repeats-itself"]);
}

fn dies() {
    let folder = Folder::new();
    let mut provider = Running::reference(&folder, "--fault rpc/panics");
    let ran = provider.tfconform(&folder, "check --cases 50 --quiet --apply");
    let words = [
        "MUST  rpc/survives",
        "the provider process ended (no exit status)",
        "the provider is gone and could not be started again: tfconform/reference: failed to connect to unix ",
        "(exit 1)",
    ];
    let unwrapped = ran.out.replace("\n                ", " ");
    ran.holds(1, &unwrapped, &words);
    // The other connection may see the end too.
    assert_eq!(ran.out.matches("MUST  ").count(), 1, "{}", ran.out);
    assert!(!provider.lives());
    let again = printed(&ran.out, "rpc/survives");
    let mut another = Running::reference(&folder, "--fault rpc/panics");
    another.tfconform(&folder, &again["tfconform ".len()..]).says(1, &["rpc/survives: still there"]);
    assert!(!another.lives());
    another.tfconform(&folder, &again["tfconform ".len()..]).fails(3, &["failed to connect to unix "]);
}

fn hangs() {
    let folder = Folder::new();
    let mut provider = Running::reference(&folder, "--fault rpc/hangs");
    let line = "check --resource reference_plain --cases 2 --quiet --apply --timeout 0.5";
    provider.tfconform(&folder, line).says(0, &["played        2 scenarios", " should"]);
    provider.tfconform(&folder, &format!("{line} --strict")).says(1, &["SHOULD  rpc/answers-in-time"]);
    assert!(provider.lives());
}

fn gone() {
    let folder = Folder::new();
    let mut provider = Running::reference(&folder, "");
    provider.child.kill().unwrap();
    provider.child.wait().unwrap();
    for line in ["check", "schema"] {
        provider.tfconform(&folder, line).fails(3, &["tfconform/reference: failed to connect to unix "]);
    }
}

fn wrong() {
    let folder = Folder::new();
    let one = |name: &str| {
        format!(r#""{name}":{{"Protocol":"grpc","Addr":{{"Network":"unix","String":"/no/socket"}}}}"#)
    };
    let two = format!("{{{},{}}}", one("ns/a"), one("ns/b"));
    for (json, words) in [
        ("{", "the reattach configuration is not a JSON object of providers: EOF"),
        ("{}", "it names no provider"),
        ("{\"ns/a\":{}}", "the reattach configuration of ns/a lacks a usable `Protocol`"),
        (&two, "it names 2 providers, ns/a, ns/b; keep only the one to test"),
    ] {
        for command in ["check", "schema"] {
            let ran = folder.run(folder.command(PROGRAM).args([command, "--reattach", json]));
            ran.fails(2, &["error: --reattach: ", words]);
            let ran = folder.run(folder.command(PROGRAM).arg(command).env(VARIABLE, json));
            ran.fails(2, &["error: TF_REATTACH_PROVIDERS: ", words]);
        }
    }
    folder.tfconform("check provider --reattach {}").fails(2, &["cannot be used with"]);
    folder.tfconform("schema").fails(2, &["no provider is named: give its PATH"]);
    // An empty variable counts as unset.
    let mut command = folder.command(PROGRAM);
    command.args(PLAIN.split(' ')).env(VARIABLE, "");
    folder.run(&mut command).says(0, &["conforms"]);
}

fn go(fwfix: &Path) {
    conforms(fwfix, "fwfix_note", 6);
}

fn old_go(sdkfix: &Path) {
    conforms(sdkfix, "sdkfix_note", 5);
}

fn conforms(program: &Path, type_name: &str, protocol: u8) {
    let folder = Folder::new();
    let mut command = folder.command(program);
    command.arg("-debug").env("HOME", folder.path("")).env("TMPDIR", folder.path(""));
    let mut provider = Running::start(&mut command);
    let check = format!("check --resource {type_name} --cases 6 --quiet");
    let ran = provider.tfconform(&folder, &check);
    ran.says(
        0,
        &[&format!("protocol {protocol}, as terraform plays it"), "nothing applied", "conforms (exit 0)"],
    );
    let ran = provider.tfconform(&folder, &format!("{check} --apply"));
    ran.says(0, &["resources     1 type: 1 validated, 1 planned, 1 applied", "conforms (exit 0)"]);
    assert!(provider.lives());
}

//! The templates of `ci/`, as far as they run without a network.

use libtest_mimic::Trial;
use serde_norway::Value as Yaml;

use super::{Folder, install, repository, time, trial};

const GITHUB: &str = "ci/github-workflow.yml";
const GITLAB: &str = "ci/gitlab-job.yml";

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("ci/the_workflow_keeps_the_findings", github_keeps),
        trial("ci/the_job_keeps_the_findings", gitlab_keeps),
        trial("ci/the_templates_install_the_package_s_version", versions),
    ];
    for (name, file) in [("ci/the_workflow_s_commands_run", GITHUB), ("ci/the_job_s_commands_run", GITLAB)] {
        let trial = Trial::test(name, move || {
            commands_run(file);
            Ok(())
        });
        trials.push(match time() {
            Some(_) => trial,
            None => trial.with_kind("needs terraform-provider-time").with_ignored_flag(true),
        });
    }
    trials
}

fn read(file: &str) -> Yaml {
    serde_norway::from_str(&std::fs::read_to_string(repository().join(file)).unwrap()).unwrap()
}

/// Every shell script of a template, in order.
fn scripts(file: &str) -> Vec<String> {
    let yaml = read(file);
    let text = |value: &Yaml| value.as_str().map(str::to_owned);
    if file == GITHUB {
        let steps = yaml["jobs"]["conformance"]["steps"].as_sequence().unwrap().clone();
        return steps.iter().filter_map(|step| text(&step["run"])).collect();
    }
    let job = &yaml["conformance"];
    ["before_script", "script"]
        .into_iter()
        .flat_map(|key| job[key].as_sequence().cloned().unwrap_or_default())
        .filter_map(|line| text(&line))
        .collect()
}

/// The version that a template installs.
fn version(file: &str) -> String {
    let yaml = read(file);
    let variables = if file == GITHUB { &yaml["env"] } else { &yaml["conformance"]["variables"] };
    variables["TFCONFORM_VERSION"].as_str().expect("a version is pinned").to_owned()
}

/// Runs the scripts with terraform-provider-time in place of the output of `go build`.
fn commands_run(file: &str) {
    let folder = Folder::new();
    let time = time().expect("the trial is ignored without it");
    folder.script(
        "bin/go",
        &format!("#!/bin/sh\nset -e\ntest \"$1 $2\" = 'build -o'\ncp {} \"$3\"\n", time.display()),
    );
    folder.script("bin/sudo", "#!/bin/sh\n");
    // A few scenarios find something to keep.
    let few = "[ \"$1\" != check ] || set -- \"$@\" --cases 3";
    install::release(&folder, &format!("#!/bin/sh\n{few}\nexec {} \"$@\"\n", super::PROGRAM));
    folder.file("ci/install.sh", install::SCRIPT);
    // Where the templates install it.
    let folders = ["bin", ".local/bin", ".tfconform/bin"].map(|name| folder.path(name).display().to_string());
    let path = format!("{}:{}", folders.join(":"), std::env::var("PATH").unwrap());
    let scripts = scripts(file);
    assert!(
        scripts.iter().any(|script| script.contains("tfconform check ./terraform-provider-")),
        "{scripts:?}"
    );
    for script in scripts {
        let mut command = folder.command("bash");
        command.args(["-euo", "pipefail", "-c", &script]).env("PATH", &path);
        command.env("HOME", folder.path("")).env("GITHUB_PATH", folder.path("path"));
        command.env("TFCONFORM_RELEASES", folder.path("releases")).env("TFCONFORM_VERSION", version(file));
        let ran = folder.run(&mut command);
        // terraform-provider-time breaks rules, so the job fails.
        let closes = script.contains("tfconform check");
        assert_eq!(ran.code, Some(i32::from(closes)), "{script}\n{}\n{}", ran.out, ran.err);
    }
    let report = std::fs::read_to_string(folder.path("tfconform.xml")).unwrap();
    assert!(report.starts_with("<?xml") && report.contains("<failure"), "{report}");
    assert!(!folder.files(".tfconform/cases", ".jsonl").is_empty());
}

fn versions() {
    for file in [GITHUB, GITLAB] {
        assert_eq!(version(file), env!("CARGO_PKG_VERSION"), "{file}");
    }
}

fn github_keeps() {
    let yaml = read(GITHUB);
    let steps = yaml["jobs"]["conformance"]["steps"].as_sequence().unwrap().clone();
    let keep = steps
        .iter()
        .find(|step| step["uses"].as_str().is_some_and(|uses| uses.starts_with("actions/upload-artifact")));
    let keep = keep.expect("a step uploads");
    assert_eq!(keep["if"].as_str(), Some("always()"));
    let paths = keep["with"]["path"].as_str().unwrap();
    assert!(
        paths.contains("tfconform.xml")
            && paths.contains("tfconform.html")
            && paths.contains(".tfconform/cases")
    );
    // Folders that begin with a dot are left out by default.
    assert_eq!(keep["with"]["include-hidden-files"].as_bool(), Some(true));
}

fn gitlab_keeps() {
    let artifacts = &read(GITLAB)["conformance"]["artifacts"];
    assert_eq!(artifacts["when"].as_str(), Some("always"));
    assert_eq!(artifacts["reports"]["junit"].as_str(), Some("tfconform.xml"));
    let paths: Vec<&str> =
        artifacts["paths"].as_sequence().unwrap().iter().filter_map(Yaml::as_str).collect();
    assert_eq!(paths, ["tfconform.xml", "tfconform.html", ".tfconform/cases/"]);
}

//! The defects of engines that `docs/engines.md` lists, each played under the engines that are here.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;
use tfconform::engine::defects::{DEFECTS, EngineDefect};
use tfconform::reference::Offered;
use tfconform::reference::serve::Behaviour;

pub fn trials() -> impl Iterator<Item = Trial> {
    let of = |defect: &'static EngineDefect| {
        defect.shown.iter().map(move |(engine, printed)| (defect, *engine, *printed))
    };
    DEFECTS.iter().copied().flat_map(of).map(|(defect, engine, printed)| {
        let name = format!("defects/{}/{}", defect.id, engine.replace(' ', "-"));
        match crate::engines::find(engine) {
            Ok(program) => Trial::test(name, move || shows(&program, defect, printed)),
            Err(why) => Trial::test(name, || Ok(())).with_kind(why).with_ignored_flag(true),
        }
    })
}

fn shows(engine: &Path, defect: &EngineDefect, printed: &str) -> Result<(), Failed> {
    let folder = TempDir::with_prefix("defect-")?;
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins)?;
    std::os::unix::fs::symlink(std::env::current_exe()?, plugins.join("terraform-provider-reference"))?;
    let overrides = format!("dev_overrides {{ \"tfconform/reference\" = {plugins:?} }}");
    let rc = folder.path().join("rc");
    fs::write(&rc, format!("provider_installation {{\n{overrides}\ndirect {{}}\n}}\n"))?;
    let store = folder.path().join("store");
    let faults = defect.fault.map(str::to_owned).into_iter().collect();
    let behaviour = Behaviour { protocol: 6, seed: 1, store, faults, types: Offered::Features, log: None };
    let (variable, value) = behaviour.environment();
    let run = |arguments: &[&str]| -> Result<String, Failed> {
        let mut command = Command::new(engine);
        command.args(arguments).arg("-no-color").current_dir(&folder).env(&variable, &value);
        let ran = command.env("CHECKPOINT_DISABLE", "1").env("TF_CLI_CONFIG_FILE", &rc).output()?;
        Ok([ran.stdout, ran.stderr].map(|out| String::from_utf8_lossy(&out).into_owned()).concat())
    };
    let mut said = String::new();
    for (number, configuration) in (0..).zip(defect.configurations) {
        fs::write(folder.path().join("main.tf"), configuration)?;
        // What the reference provider serves needs none, and the network has none of it.
        if number == 0 && !configuration.contains("required_providers") {
            run(&["init"])?;
        }
        said = run(defect.arguments)?;
    }
    if said.contains(printed) { Ok(()) } else { Err(format!("not {printed:?}, but: {said}").into()) }
}

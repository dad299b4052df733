//! Provider blocks made up for providers that refuse one without arguments.

use std::path::Path;

use libtest_mimic::Trial;

use super::{Folder, PROGRAM, trial_on};

pub fn trials() -> Vec<Trial> {
    vec![
        trial_on("terraform-provider-zoosdk", "provider_block/is_made_up_from_what_the_provider_says", told),
        trial_on(
            "terraform-provider-zoofw",
            "provider_block/is_made_up_if_the_provider_names_nothing",
            untold,
        ),
        trial_on("terraform-provider-zoosdk", "provider_block/that_was_made_up_is_kept_in_cases", kept),
        trial_on("terraform-provider-zoosdk", "provider_block/of_the_user_is_left_alone", own),
    ]
}

/// A suite of a zoo that demands a provider block with arguments.
fn guarded(folder: &Folder, provider: &Path, name: &str, more: &str) {
    let switch = format!("{}_ACCESS", name.to_uppercase());
    let path = provider.display();
    let suite =
        format!("[provider]\npath = \"{path}\"\nexamples = \"none\"\nenv = {{ {switch} = \"1\" }}\n{more}");
    folder.file("suite.toml", &suite);
}

fn check(name: &str, type_name: &str, options: &str) -> String {
    format!("check --suite suite.toml --resource {name}_{type_name} --cases 2 {options}")
}

fn told(provider: &Path) {
    let folder = Folder::new();
    guarded(&folder, provider, "zoosdk", "");
    let line = check("zoosdk", "bound_prose", "--apply");
    let ran = folder.tfconform(&line);
    ran.says(0, &["provider \"zoosdk\" {", "endpoint = \"https://", ".invalid", "conforms (exit 0)"]);
    // Exactly one of the two.
    assert_ne!(ran.out.contains("token = "), ran.out.contains("username = "), "{}", ran.out);
    assert_eq!(folder.tfconform(&line).out.lines().count(), ran.out.lines().count());
    let json = folder.tfconform(&check("zoosdk", "bound_prose", "--apply --format json"));
    json.says(0, &["provider \\\"zoosdk\\\" {\\n"]);
    // What was printed can be kept.
    let (_, block) = ran.out.split_once("provider \"zoosdk\" {").unwrap();
    let (block, _) = block.split_once('}').unwrap();
    folder.file("provider.hcl", &format!("provider \"zoosdk\" {{{block}}}\n"));
    let kept = folder.tfconform(&check("zoosdk", "bound_prose", "--apply --config provider.hcl"));
    kept.says(0, &["conforms (exit 0)"]);
    assert!(!kept.out.contains("made up"), "{}", kept.out);
}

fn kept(provider: &Path) {
    let folder = Folder::new();
    guarded(&folder, provider, "zoosdk", "");
    let name = "apply-succeeds-as-planned";
    let line = "check --suite suite.toml --resource zoosdk_apply_limit --cases 6 --apply --fail-on should";
    let ran = folder.tfconform(line);
    ran.says(1, &["token = "]);
    let cases = folder.files(".tfconform/cases", ".jsonl");
    let case = cases.iter().find(|case| case.display().to_string().contains(name)).expect("it is kept");
    let stem = case.file_stem().unwrap().to_str().unwrap();
    folder.tfconform(&format!("replay {stem}")).says(1, &["still there"]);
    // The schema says that the token is sensitive, but this one is nobody's.
    let reproduce = folder.command(PROGRAM).args(["reproduce", stem]).env("PATH", "/nowhere").output();
    super::Ran::of(&reproduce.unwrap()).says(0, &["written to "]);
    let main = std::fs::read_to_string(case.with_extension("").join("main.tf")).unwrap();
    let block = ran.out.split_once("provider \"zoosdk\" {").unwrap().1.split_once('}').unwrap().0;
    for line in block.lines().map(str::trim) {
        assert!(main.contains(line), "{line}\n{main}");
    }
}

fn untold(provider: &Path) {
    let folder = Folder::new();
    guarded(&folder, provider, "zoofw", "");
    let words = ["provider \"zoofw\" {", "api_token = \"", "endpoint", ".invalid", "conforms (exit 0)"];
    folder.tfconform(&check("zoofw", "enum_prose_list", "--apply")).says(0, &words);
}

fn own(provider: &Path) {
    let folder = Folder::new();
    guarded(&folder, provider, "zoosdk", "config = { username = \"someone\" }\n");
    let ran = folder.tfconform(&check("zoosdk", "bound_prose", ""));
    ran.holds(2, &ran.err, &["the provider configuration is invalid", "`endpoint`"]);
}

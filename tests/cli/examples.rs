//! Examples of a provider's documentation.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;

use super::{Folder, Ran, repository, trial, trial_on, typed};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("examples/a_wrong_example_is_advice_with_its_file_and_line", wrong),
        trial("examples/they_can_be_left_out_and_must_exist", left_out),
        trial_on("terraform-provider-zoosdk", "examples/they_show_what_no_message_of_zoosdk_says", zoosdk),
        trial_on("terraform-provider-zoofw", "examples/they_show_what_no_message_of_zoofw_says", zoofw),
        trial_on(
            "terraform-provider-zoofw",
            "examples/what_waits_for_a_type_that_is_refused_is_created",
            chain,
        ),
        trial_on(
            "terraform-provider-zoofw",
            "examples/a_repository_shows_what_only_its_tests_say",
            repository_of,
        ),
        trial_on(
            "terraform-provider-zoofw",
            "examples/a_repository_shows_what_only_its_prose_or_its_sources_say",
            prose_and_sources,
        ),
    ]
}

const FILE: &str = "examples/resources/reference_plain/resource.tf";
const EXAMPLES: &str = "resource \"reference_plain\" \"a\" {\n  naem = \"a\"\n}\n\n\
                        resource \"reference_plain\" \"b\" {\n  name = \"web\"\n}\n\n\
                        resource \"reference_plain\" \"c\" {\n  name = \"c\"\n  note = file(\"c.txt\")\n}\n";
const CHECK: &str = "check --resource reference_plain --cases 2 --strict --fault validate/refuses-an-example";

fn wrong() {
    let folder = Folder::new();
    folder.file(FILE, EXAMPLES);
    let ran = folder.tfconform(&format!("{CHECK} --examples examples --transcripts out"));
    let found = |ran: &Ran| {
        ran.says(1, &["ADVICE  validate/accepts-examples"]);
        for words in [
            format!(
                "no engine accepts the example: {FILE}:2: there is no argument `naem`, did you mean `name`?"
            ),
            format!("the example in {FILE}:5 is refused: Reserved name"),
        ] {
            assert!(ran.unwrapped().contains(&words), "{words} is not in\n{}", ran.out);
        }
        assert!(!ran.unwrapped().contains(&format!("the example in {FILE}:9")), "{}", ran.out);
    };
    found(&ran);
    let note = format!(
        "{FILE}:11: file(\"c.txt\"): only an engine can evaluate this, or it leads to another provider: it is left out"
    );
    assert!(ran.unwrapped().contains(&note), "{}", ran.out);
    // What a finding needs is in the transcript.
    found(&folder.run(&mut typed(&folder, "tfconform judge --strict out/*.jsonl")));
}

fn left_out() {
    let folder = Folder::new();
    folder.file(FILE, EXAMPLES);
    folder.tfconform(&format!("{CHECK} --examples none")).says(0, &["conforms"]);
    folder.tfconform(&format!("{CHECK} --examples nowhere")).fails(2, &["nowhere is not a folder"]);
    let nothing = "empty: there is no example of a type of this provider";
    folder.file("empty/a.tf", "");
    folder.tfconform(&format!("{CHECK} --examples empty")).says(0, &[nothing]);
}

fn zoosdk(provider: &Path) {
    show("zoosdk", provider, "no configuration is accepted that was tried for 1 type");
}

fn zoofw(provider: &Path) {
    show("zoofw", provider, "no configuration is accepted that was tried for 2 types");
}

/// Nothing of these types is accepted without the examples, and all of it with them.
fn show(name: &str, provider: &Path, refused: &str) {
    let folder = Folder::new();
    let line = format!("check {} --resource {name}_untold* --cases 3 --apply", provider.display());
    let ran = folder.tfconform(&format!("{line} --examples none"));
    assert!(ran.unwrapped().contains(refused), "{}", ran.out);
    let examples = repository().join("tests/providers").join(name);
    let ran = folder.tfconform(&format!("{line} --examples {}", examples.display()));
    ran.says(0, &["conform"]);
    assert!(!ran.unwrapped().contains("no configuration"), "{}", ran.out);
}

/// A test as authors write them: the configuration of another type is joined to it, and a name is made up.
const TEST: &str = r#"package provider

const code = "NK2041/north"

func TestAccBadge(t *testing.T) { // it's a test
	name := acctest.RandString(8)
	check(t, minder()+fmt.Sprintf(`
resource "zoofw_untold" "test" {
  code    = %[2]q
  comment = "%[1]s"
}

resource "zoofw_untold_reference" "test" {
  minder = zoofw_email.minder.id
}
`, name, code))
}

func minder() string {
	return `
resource "zoofw_email" "minder" {
  email = "minder@example.org"
}
`
}
"#;

/// The program lies in the repository, which has no documentation.
fn repository_of(provider: &Path) {
    let folder = Folder::new();
    folder.file("go.mod", "module example.org/zoofw\n");
    folder.file("internal/provider/badge_test.go", TEST);
    // Neither is the author's.
    folder.file("vendor/other/other_test.go", TEST);
    folder.file("bin/.keep", "");
    fs::copy(provider, folder.path("bin/terraform-provider-zoofw")).unwrap();
    let line = "check bin/terraform-provider-zoofw --resource zoofw_untold --resource zoofw_untold_reference \
                --cases 3 --apply";
    let ran = folder.tfconform(&format!("{line} --examples none"));
    for refused in
        ["no configuration is accepted that was tried for 1 type", "no configuration can be applied"]
    {
        assert!(ran.unwrapped().contains(refused), "{}", ran.out);
    }
    // Somebody else's program, and the same repository.
    let elsewhere = Folder::new();
    let line_elsewhere = format!("check {} {}", provider.display(), line.split_once("zoofw ").unwrap().1);
    let named = format!("{line_elsewhere} --sources {} --require applied=100%", folder.path("").display());
    elsewhere.tfconform(&named).says(0, &["the repository was read: "]);
    elsewhere
        .tfconform(&format!("{line_elsewhere} --sources nowhere"))
        .fails(2, &["nowhere is not a folder"]);
    let left_alone = folder.tfconform(&format!("{line} --sources none"));
    assert!(!left_alone.unwrapped().contains("the repository was read"), "{}", left_alone.out);
    let ran = folder.tfconform(&format!("{line} --require applied=100%"));
    ran.says(0, &["conforms (exit 0)"]);
    // Those of the email, which is not selected, count too.
    let note =
        "the repository was read: 3 configurations of acceptance tests; what they say of arguments is tried";
    assert!(ran.unwrapped().contains(note), "{}", ran.out);
    assert!(!ran.out.contains("tfconformMadeUp"), "{}", ran.out);
}

/// The minder of the locker waits for a badge that is never issued.
const CHAIN: &str = r#"
resource "zoofw_untold" "badge" {
  code = "no such badge"
}

resource "zoofw_email" "minder" {
  email   = "minder@example.org"
  comment = zoofw_untold.badge.id
}

resource "zoofw_untold_reference" "locker" {
  minder = zoofw_email.minder.id
}
"#;

fn chain(provider: &Path) {
    let folder = Folder::new();
    folder.file("chain/main.tf", CHAIN);
    let line = format!("check {} --cases 1 --apply --examples chain", provider.display());
    let types = "--resource zoofw_untold --resource zoofw_email --resource zoofw_untold_reference";
    let ran = folder.tfconform(&format!("{line} {types}"));
    assert!(ran.unwrapped().contains("not applied 1 of 3 types"), "{}", ran.out);
}

const PAGE: &str = "# zoofw_untold\n\n## Argument Reference\n\n* `code` - (Required) The badge. Possible values:\n\n  \
                    * `none` - has no place any more\n  * `NK2041/north` - the usual one\n";
const SOURCE: &str = "package provider\n\nconst north = \"NK2041/north\"\n\nfunc place(badge model) string {\n\t\
                      switch badge.Code.ValueString() {\n\tcase north:\n\t\treturn \"in\"\n\t}\n\t\
                      return \"out\"\n}\n";

/// Either is enough, and is a guess: what is refused is left out.
fn prose_and_sources(provider: &Path) {
    for (file, text, note) in [
        ("website/docs/r/untold.html.markdown", PAGE, "1 page, 1 Go file"),
        ("internal/provider/untold_resource.go", SOURCE, "2 Go files"),
    ] {
        let folder = Folder::new();
        folder.file("go.mod", "module example.org/zoofw\n");
        folder.file("main.go", "package main\n");
        folder.file(file, text);
        folder.file("bin/.keep", "");
        fs::copy(provider, folder.path("bin/terraform-provider-zoofw")).unwrap();
        let line = "check bin/terraform-provider-zoofw --resource zoofw_untold --cases 3 --apply";
        let ran = folder.tfconform(&format!("{line} --require applied=100%"));
        ran.says(0, &["conforms (exit 0)"]);
        assert!(ran.unwrapped().contains(&format!("the repository was read: {note}")), "{}", ran.out);
        let refused = "no configuration is accepted that was tried for 1 type";
        let ran = folder.tfconform(&format!("{line} --examples none"));
        assert!(ran.unwrapped().contains(refused), "{}", ran.out);
    }
}

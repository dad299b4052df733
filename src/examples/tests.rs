use super::*;
use crate::generate::Facts;
use crate::generate::facts::Constraint;
use crate::rule::example::{self, LOOKUP, THING};
use crate::value::Value;

/// The examples of some files, under the schema of the example provider.
fn examples(files: &[(&str, &str)]) -> Examples {
    let source = |(file, text): &(&str, &str)| {
        let module = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        Source { file: (*file).to_owned(), line: 1, text: (*text).to_owned(), module: module.to_owned() }
    };
    let sources = Sources { texts: files.iter().map(source).collect(), ..Sources::default() };
    Examples::of(&sources, &example::schema())
}

fn config(example: &Example) -> &Value {
    example.blocks[0].arguments.resolved()
}

#[test]
fn functions_of_texts_are_evaluated() {
    let found = examples(&[(
        "e/resource.tf",
        r#"
        resource "example_thing" "web" {
          name   = format("%s-%d%%", "web", 3)
          note   = replace("a.b", ".", base64decode("LQ=="))
          choice = jsondecode("{\"a\": \"x\"}").a
          labels = split(",", "b,a")
          tags   = { all = templatestring("%%{ for x in xs }$${x};%%{ endfor }", { xs = ["a", "b"] }) }
        }
        "#,
    )]);
    assert_eq!(found.notes, Vec::<String>::new());
    let [only] = found.get(Kind::Resource, THING) else { panic!("{found:?}") };
    let text = |name: &str| config(only).member(name).to_string();
    assert_eq!(["name", "note", "choice"].map(text), ["\"web-3%\"", "\"a-b\"", "\"x\""]);
    assert_eq!(text("tags"), "{ \"all\" = \"a;b;\" }");
}

#[test]
fn values_variables_locals_and_functions_are_evaluated() {
    let found = examples(&[
        (
            "e/resource.tf",
            r#"
            variable "size" { default = 7 }
            variable "unset" { type = string }
            locals {
              base = "web"
              name = "${local.base}-1"
            }
            resource "example_thing" "web" {
              for_each = toset(["x", "y"])
              name   = local.name
              note   = jsonencode({ b = [1, true], a = "<x>" })
              choice = each.value
              size   = var.size
              ports  = [443, "80"]
              labels = toset(concat(["b"], ["a"]))
              tags   = merge({ k = "v" }, { "l.m" = upper("w") })
              single = { mode = "fast" }
              disk {
                size = 1
                tag { key = "t" }
              }
              disk { size = 2 }
              one { name = "only" }
              lifecycle { prevent_destroy = true }
            }
            "#,
        ),
        ("e/other.tf", "variable \"size\" { default = 8 }\n"),
    ]);
    assert_eq!(found.notes, Vec::<String>::new());
    let [only] = found.get(Kind::Resource, THING) else { panic!("{found:?}") };
    assert_eq!((only.origin.line, only.origin.instance.as_str()), (8, "example_thing.web"));
    assert_eq!(only.origin.problems, Vec::<String>::new());
    let shown = config(only);
    let text = |name: &str| shown.member(name).to_string();
    assert_eq!(text("name"), "\"web-1\"");
    assert_eq!(text("note"), r#""{\"a\":\"\\u003cx\\u003e\",\"b\":[1,true]}""#);
    assert_eq!(text("choice"), "\"x\"");
    assert_eq!((text("size"), text("ports")), ("7".to_owned(), "[443, 80]".to_owned()));
    assert_eq!(text("labels"), r#"["a", "b"]"#);
    assert_eq!(text("tags"), r#"{ "k" = "v", "l.m" = "W" }"#);
    assert_eq!(shown.member("disk").elements().map(<[Value]>::len), Some(2));
    assert_eq!(text("one"), "{ name = \"only\" }");
    let written = found.about(Kind::Resource, THING, &example::schema());
    let facts = Facts::of_written(written);
    let known: Vec<&Constraint> = facts.values["ports"].facts.iter().map(|fact| &fact.constraint).collect();
    assert_eq!(known, [&Constraint::Literal("443".to_owned()), &Constraint::Literal("80".to_owned())]);
    assert!(
        facts.written.shown[0].set.contains("disk.tag.key") && !facts.written.shown[0].set.contains("rule")
    );
}

#[test]
fn references_lead_to_the_blocks_that_they_need() {
    let found = examples(&[
        (
            "e/resource.tf",
            r#"
resource "example_thing" "first" {
  name = data.example_lookup.some.id
}
resource "example_thing" "second" {
  name   = "${example_thing.first.id}"
  ports  = [80, example_thing.first.revision]
  labels = [example_thing.first.id]
  note   = "of ${example_thing.first.id}"
  absent = other_thing.x.id
}
"#,
        ),
        ("e/data.tf", "data \"example_lookup\" \"some\" {\n  query = \"q\"\n}\n"),
    ]);
    let [first, second] = found.get(Kind::Resource, THING) else { panic!("{found:?}") };
    let addresses = |example: &Example| -> Vec<String> {
        example.blocks.iter().map(|block| block.address.to_string()).collect()
    };
    assert_eq!(addresses(first), ["example_thing.first", "data.example_lookup.some"]);
    assert_eq!(
        addresses(second),
        ["example_thing.second", "example_thing.first", "data.example_lookup.some"]
    );
    let at: Vec<String> =
        second.blocks[0].arguments.references().iter().map(|reference| reference.at.to_string()).collect();
    assert_eq!(at, ["name", "ports[1]", "labels[null]", "note"]);
    assert!(second.origin.is_partial && !first.origin.is_partial);
    let places: Vec<&str> = found.notes.iter().map(|note| note.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["e/resource.tf:10"]);
    assert_eq!(found.get(Kind::DataSource, LOOKUP).len(), 1);
}

/// The arguments of the last example, with `x-1` as the ID of what it refers to.
fn evaluated(text: &str) -> Value {
    let found = examples(&[("e/resource.tf", text)]);
    let example = found.get(Kind::Resource, THING).last().unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!((found.notes.clone(), example.origin.problems.clone()), (vec![], vec![]));
    let other = found.get(Kind::Resource, THING).first().expect("there is one");
    let created = other.blocks[0].arguments.resolved().with_attribute("id", Value::string("x-1"));
    example.blocks[0].arguments.evaluate(true, None, &|_| Some(created.clone()))
}

#[test]
fn references_stand_in_texts_in_sets_and_in_blocks_of_sets() {
    let shown = evaluated(
        r#"
        resource "example_thing" "other" {
          name = "other"
        }
        resource "example_thing" "last" {
          name   = "${example_thing.other.id}/${example_thing.other.name}"
          note   = jsonencode({ a = example_thing.other.id, b = [for x in ["y"] : "${x}:${example_thing.other.id}"] })
          labels = concat(["own"], [example_thing.other.id])
          choice = "tfc-${random_id.some.hex}"
          zones  = [random_pet.some.id]
          tags   = { k = <<-EOT
            of ${example_thing.other.id}
          EOT
          }
          rule {
            port = 80
            note = example_thing.other.id
          }
        }
        "#,
    );
    let text = |name: &str| shown.member(name).to_string();
    assert_eq!(text("name"), "\"x-1/other\"");
    assert_eq!(text("note"), r#""{\"a\":\"x-1\",\"b\":[\"y:x-1\"]}""#);
    assert_eq!(text("labels"), "[\"own\", \"x-1\"]");
    assert_eq!(text("choice"), "\"tfc-5f3c9a1e\"");
    assert_eq!(text("zones"), "[\"tfcmade\"]");
    assert_eq!(text("tags"), "{ \"k\" = \"of x-1\\n\" }");
    assert_eq!(text("rule"), "[{ id = null, note = \"x-1\", port = 80 }]");
}

#[test]
fn a_reference_that_a_function_changes_is_left_out() {
    for changed in [
        "upper(example_thing.other.id)",
        "base64encode(example_thing.other.id)",
        "split(\"-\", example_thing.other.id)[0]",
        "join(\"x\", [replace(example_thing.other.id, \"-\", \"\")])",
        "[]",
        "{ (example_thing.other.id) = 1 }",
    ] {
        let text = format!(
            "resource \"example_thing\" \"other\" {{\n  name = \"o\"\n}}\nresource \"example_thing\" \"a\" {{\n  \
             name = \"a\"\n  any = {changed}\n}}\n"
        );
        let found = examples(&[("e/resource.tf", &text)]);
        assert_eq!(found.notes.len(), usize::from(changed != "[]"), "{changed}: {found:?}");
    }
}

#[test]
fn what_tests_configure_one_block_with_is_played_in_steps() {
    let test = |line: u32, name: &str, note: &str| Source {
        file: "thing_test.go".to_owned(),
        line,
        text: format!("resource \"example_thing\" \"{name}\" {{\n  name = \"n\"\n  note = \"{note}\"\n}}\n"),
        module: "thing_test.go".to_owned(),
    };
    let tests = vec![
        test(1, "a", "one"),
        test(9, "b", "three"),
        test(17, "a", "two"),
        test(25, "a", "one"),
        // An account is somebody's, and is not used.
        test(33, "a", "123456789012"),
        test(41, "a", "arn::123456789012:${example_thing.b.id}"),
    ];
    let sources = Sources { tests, ..Sources::default() };
    let found = Examples::of(&sources, &example::schema());
    let lines = |steps: Vec<&Example>| steps.iter().map(|step| step.origin.line).collect::<Vec<_>>();
    let steps: Vec<Vec<u32>> = found.steps(THING).into_iter().map(lines).collect();
    assert_eq!(steps, [vec![1, 17], vec![9]]);
}

#[test]
fn what_no_engine_accepts_is_a_problem_with_its_line() {
    let found = examples(&[(
        "e/resource.tf",
        "resource \"example_thing\" \"a\" {\n  naem = \"x\"\n  size = \"big\"\n  disk {\n    path = 1\n  }\n}\n",
    )]);
    let [only] = found.get(Kind::Resource, THING) else { panic!("{found:?}") };
    assert_eq!(
        only.origin.problems,
        [
            "e/resource.tf:2: there is no argument `naem`, did you mean `name`?",
            "e/resource.tf:3: `size`: a number is required: not a decimal number",
            "e/resource.tf:1: `name`: required and null",
            "e/resource.tf:1: `disk[0].size`: required and null",
        ]
    );
}

#[test]
fn an_example_without_what_is_required_is_left_out() {
    let found = examples(&[(
        "e/resource.tf",
        "resource \"example_thing\" \"a\" {\n  name = file(\"x\")\n  size = 1\n}\n\
         resource \"other\" \"b\" {}\nresource \"example_thing\" \"c\" {\n  name = example_thing.c.id\n}\n",
    )]);
    assert!(found.get(Kind::Resource, THING).is_empty(), "{found:?}");
    assert_eq!(
        found.notes,
        [
            "e/resource.tf:2: file(\"x\"): only an engine can evaluate this, or it leads to another provider: \
             the example of example_thing cannot be played",
            "e/resource.tf:7: example_thing.c.id: only an engine can evaluate this, or it leads to another \
             provider: the example of example_thing cannot be played",
        ]
    );
}

#[test]
fn examples_of_the_type_s_own_folder_come_first_and_once() {
    let thing = |name: &str| format!("resource \"example_thing\" \"a\" {{\n  name = \"{name}\"\n}}\n");
    let found = examples(&[
        ("docs/a.tf", &thing("other")),
        ("docs/thing.tf", &thing("page")),
        ("examples/resources/example_thing/resource.tf", &thing("own")),
        ("templates/b.tf", &thing("own")),
        ("broken.tf", "resource \"x\" {\n  = 1\n"),
    ]);
    let names =
        found.get(Kind::Resource, THING).iter().map(|example| config(example).member("name").to_string());
    assert_eq!(names.collect::<Vec<_>>(), ["\"page\"", "\"own\"", "\"other\""]);
    assert!(found.notes[0].starts_with("broken.tf:2: "), "{:?}", found.notes);
}

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::schema::{Attribute, Block, NestedBlock, Nesting, ProviderSchema, Schema};
use crate::value::{Type, Value};

fn parse(text: &str) -> Result<Suite, String> {
    Suite::parse(Path::new("suites/acme.toml"), text).map_err(|error| error.to_string())
}

#[test]
fn an_unknown_key_names_file_line_and_what_was_meant() {
    let error = parse("[provider]\nname = \"acme\"\n\n[run]\ncase = 7\n").unwrap_err();
    assert_eq!(error, "suites/acme.toml:5: unknown key `case`, did you mean `cases`?");
}

#[test]
fn a_known_finding_needs_a_rule_that_exists_and_a_reason() {
    let known = |rule: &str, reason: &str| {
        parse(&format!("[provider]\nname = \"acme\"\n[[known]]\nrule = \"{rule}\"\nreason = \"{reason}\"\n"))
    };
    assert_eq!(
        known("plan/stays-nul", "because").unwrap_err(),
        "suites/acme.toml:4: rule `plan/stays-nul` does not exist, did you mean `plan/stays-null`?"
    );
    assert!(known("plan/stays-null", " ").unwrap_err().ends_with("a known finding needs a reason"));
    assert!(known("plan/stays-null", "the service rewrites it").is_ok());
}

#[test]
fn a_provider_is_named_in_exactly_one_way() {
    assert!(parse("[provider]\n").unwrap_err().contains("exactly one of"));
    assert!(parse("[provider]\nname = \"a\"\nreference = true\n").unwrap_err().contains("exactly one of"));
}

#[test]
fn relative_paths_start_at_the_folder_of_the_file_or_above_suites() {
    let base =
        |file: &str| Suite { file: Some(file.into()), ..Suite::default() }.base().display().to_string();
    assert_eq!(base("/project/suites/acme.toml"), "/project");
    assert_eq!(base("suites/acme.toml"), "./");
    assert_eq!(base("project/suites/acme.toml"), "./project");
    assert_eq!(base("/project/acme.toml"), "/project");
    assert_eq!(base("project/conformance/acme.toml"), "./project/conformance");
    assert_eq!(base("acme.toml"), "./");
    assert_eq!(base("./acme.toml"), "./.");
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("suites/inner")).unwrap();
    let folder = folder.path().display();
    assert_eq!(base(&format!("{folder}/suites/./acme.toml")), folder.to_string());
    assert_eq!(base(&format!("{folder}/suites/inner/../acme.toml")), format!("{folder}/suites/inner/../.."));
    assert_eq!(base(&format!("{folder}/suites/../acme.toml")), format!("{folder}/suites/.."));
}

#[test]
fn times_are_seconds_above_zero() {
    let run = |line: &str| parse(&format!("[provider]\nname = \"a\"\n[run]\n{line}\n"));
    let suite = run("timeout = 2\nstart_timeout = 0.5").unwrap();
    assert_eq!(suite.run.timeout, Duration::from_secs(2));
    assert_eq!(suite.run.start_timeout, Duration::from_millis(500));
    for wrong in ["start_timeout = 0", "timeout = -1", "timeout = 1e300"] {
        let error = run(wrong).unwrap_err();
        let key = wrong.split(' ').next().unwrap();
        let expected = format!("suites/acme.toml:4: `run.{key}`: this must be a number of seconds above 0");
        assert_eq!(error, expected);
    }
}

#[test]
fn a_line_is_that_of_the_key_and_not_of_its_like() {
    let known = "# plan/stays-nul and faults and protocol are explained elsewhere\n[provider]\nname = \"acme\"\n\
                 [[known]]\nrule = \"plan/stays-null\"\nreason = \"plan/stays-nul\"\n\
                 [[known]]\nreason = \"plan/stays-nul\"\nrule = \"plan/stays-nul\"\n";
    let line = |text: &str| parse(text).unwrap_err().split(": ").next().unwrap().to_owned();
    assert_eq!(line(known), "suites/acme.toml:9");
    let protocol = "# protocol = 7\n[provider]\nname = \"protocol\"\nprotocol = 7\n";
    assert_eq!(line(protocol), "suites/acme.toml:4");
    let twice = "[provider]\nreference = true\nfaults = [\n  \"plan/counts-calls\",\n  \"plan/nope\",\n]\n";
    assert_eq!(line(twice), "suites/acme.toml:5");
}

#[test]
fn what_a_key_cannot_be_names_the_key_and_what_it_can_be() {
    let run = |line: &str| parse(&format!("[provider]\nname = \"a\"\n[run]\n{line}\n")).unwrap_err();
    assert_eq!(
        run("engine = \"tofu\""),
        "suites/acme.toml:4: `run.engine`: `tofu` is not one of `terraform`, `terraform-1.15`, `terraform-1.11`, `opentofu`, `opentofu-1.12`, `strict`, did you mean `opentofu`?"
    );
    assert_eq!(
        run("cases = 0"),
        "suites/acme.toml:4: `run.cases`: this must be \"auto\" or a number above 0"
    );
    assert_eq!(run("cases = \"many\""), run("cases = 0"));
    let error = parse("[provider]\ncommand = []\n").unwrap_err();
    assert_eq!(error, "suites/acme.toml:2: `provider.command` is empty: it is the program and its arguments");
}

#[test]
fn a_configuration_that_does_not_fit_names_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("acme.toml");
    let misfit = |config: &str| {
        std::fs::write(&file, format!("# host, regoin\n[provider]\nname = \"a\"\n{config}\n")).unwrap();
        let error = Config::File(file.clone()).value(None, &block()).unwrap_err();
        error.strip_prefix(folder.path().to_str().unwrap()).unwrap().to_owned()
    };
    assert_eq!(
        misfit("[provider.config]\nregoin = \"eu\""),
        "/acme.toml:5: there is no argument `regoin`, did you mean `region`?"
    );
    assert_eq!(
        misfit("[[provider.config.endpoint]]\nhost = \"a\"\n[[provider.config.endpoint]]\nhots = \"b\""),
        "/acme.toml:7: there is no argument `endpoint.hots`, did you mean `host`?"
    );
    assert_eq!(
        misfit("config = { region = { secret_env = \"TFCONFORM_NO_SUCH_SECRET\" } }"),
        "/acme.toml:4: the environment variable TFCONFORM_NO_SUCH_SECRET is not set"
    );
}

#[test]
fn coverage_is_demanded_as_a_number_or_a_share() {
    let suite = parse("[provider]\nname = \"a\"\n[require]\nplanned = \"95%\"\napplied = 12\n").unwrap();
    assert_eq!(suite.require.planned, Some(Amount::Percent(95.0)));
    assert!(suite.require.planned.unwrap().is_met(19, 20) && !suite.require.planned.unwrap().is_met(18, 20));
    assert!(suite.require.applied.unwrap().is_met(12, 100));
    assert!(
        parse("[provider]\nname = \"a\"\n[require]\nplanned = \"lots\"\n")
            .unwrap_err()
            .contains("`require.planned`: \"lots\" is neither a number from 0 on nor a share")
    );
}

fn block() -> Block {
    let inner = Block::new(vec![Attribute::typed("host", Type::String).required()], vec![]);
    Block::new(
        vec![
            Attribute::typed("region", Type::String).optional(),
            Attribute::typed("retries", Type::Number).optional(),
            Attribute::nested(
                "auth",
                Nesting::Single,
                vec![Attribute::typed("token", Type::String).optional()],
            )
            .optional(),
        ],
        vec![NestedBlock::new("endpoint", Nesting::List, inner)],
    )
}

#[test]
fn a_provider_block_is_filled_up_as_an_engine_does() {
    let table: toml::Table =
        toml::from_str("region = \"eu\"\nretries = 3\n[[endpoint]]\nhost = \"h\"\n").unwrap();
    let value = config_from_toml(&table, &block()).unwrap();
    assert_eq!(
        value.to_string(),
        r#"{ auth = null, endpoint = [{ host = "h" }], region = "eu", retries = 3 }"#
    );
    assert_eq!(config_from_toml(&toml::Table::new(), &block()).unwrap(), block().empty_value());
}

#[test]
fn a_misspelt_argument_gets_a_suggestion() {
    let table: toml::Table = toml::from_str("regoin = \"eu\"").unwrap();
    assert_eq!(
        config_from_toml(&table, &block()).unwrap_err().to_string(),
        "there is no argument `regoin`, did you mean `region`?"
    );
}

#[test]
fn a_secret_that_is_not_set_is_named() {
    let table: toml::Table =
        toml::from_str("region = { secret_env = \"TFCONFORM_NO_SUCH_SECRET\" }").unwrap();
    let error = config_from_toml(&table, &block()).unwrap_err();
    assert_eq!(error.to_string(), "the environment variable TFCONFORM_NO_SUCH_SECRET is not set");
}

#[test]
fn a_provider_block_reads_from_hcl_and_json_alike() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        Config::File(file.clone()).value(None, &block()).unwrap()
    };
    let hcl =
        write("acme.hcl", "provider \"acme\" {\n  region = \"eu\"\n  endpoint {\n    host = \"h\"\n  }\n}\n");
    let json = write("acme.json", "{\"region\": \"eu\", \"endpoint\": [{\"host\": \"h\"}]}");
    assert_eq!(hcl, json);
    assert_eq!(hcl.attribute("region"), Some(&Value::string("eu")));
}

#[test]
fn paths_are_read_from_the_folder_above_that_of_the_file() {
    let suite = parse(
        "[provider]\ncommand = [\"acme\"]\nfolder = \"go\"\nconfig = \"acme.hcl\"\n[run]\ntranscripts = \"out\"\n",
    )
    .unwrap();
    assert!(matches!(&suite.provider.config, Config::File(file) if file == Path::new("./acme.hcl")));
    assert_eq!(suite.provider.folder.as_deref(), Some(Path::new("./go")));
    let folder = |ty| suite.trial(ty).run.transcripts.unwrap().display().to_string();
    assert_eq!(folder(None), "./out/acme/provider");
    assert_eq!(folder(Some((Kind::DataSource, "acme_a"))), "./out/acme/data.acme_a");
}

#[test]
fn what_options_say_too_is_checked_alike_in_a_file() {
    let wrong = |line: &str| parse(&format!("[provider]\nname = \"a\"\n{line}\n")).unwrap_err();
    let cases = [
        (
            "config = \"b.toml\"",
            "suites/acme.toml:3: `provider.config`: the provider block of a suite is a table",
        ),
        (
            "config = 3",
            "suites/acme.toml:3: `provider.config`: this must be a table of arguments, or the name",
        ),
        (
            "folder = \"go\"",
            "suites/acme.toml:3: `provider.folder` is for `provider.command`, which is not set",
        ),
        ("reattach = \"{}\"", "suites/acme.toml:1: `provider` needs exactly one of"),
        (
            "[run]\nresources = [\"a\", \"{b\"]",
            "suites/acme.toml:4: `run.resources`: \"{b\" is not a valid glob: ",
        ),
        ("[run]\njobs = 0", "suites/acme.toml:4: `run.jobs`: this must be a number above 0"),
        ("[run]\njobs = 4611686018427387904", "suites/acme.toml:4: `run.jobs`: this must be from 1 to 1000"),
        (
            "[remote]\nready = { seconds = nan }",
            "suites/acme.toml:4: `remote.ready`: this must be a number of seconds from 0 to 600",
        ),
        (
            "[require]\nplanned = -1",
            "suites/acme.toml:4: `require.planned`: -1 is neither a number from 0 on nor a share such as \"95%\"",
        ),
        (
            "[resource.a.attr.b]\nvalues = []",
            "suites/acme.toml:4: `resource.a.attr.b.values`: this must list at least one value",
        ),
        (
            "env = { \"A=B\" = \"c\" }",
            "suites/acme.toml:3: `provider.env`: \"A=B\" cannot be a variable: a name is not empty",
        ),
        (
            "[remote.env]\n\"\" = \"c\"",
            "suites/acme.toml:3: `remote.env`: \"\" cannot be a variable: a name is not empty",
        ),
    ];
    let deep = format!("[resource.a.attr.b]\nvalues = {}{}", "[".repeat(1_000), "]".repeat(1_000));
    assert_eq!(wrong(&deep), "suites/acme.toml:4: arrays and tables are nested too deeply");
    for (line, said) in cases {
        assert!(wrong(line).starts_with(said), "{}", wrong(line));
    }
}

#[test]
fn data_sources_have_hints_of_their_own() {
    let suite = parse(
        "[provider]\nname = \"a\"\n[resource.acme_a.attr]\nname = { values = [1] }\n\
         [data.acme_a]\nskip = \"slow\"\n[data.acme_a.attr.name]\nformat = \"email\"\nvolatile = \"it moves\"\n\
         values = [{ json = 'null' }, { json = '{\"a\":null}' }, { json = 2, b = 3 }, \"x\"]\n",
    );
    let suite = suite.unwrap();
    assert_eq!(suite.skipped().into_iter().collect::<Vec<_>>(), ["data.acme_a"]);
    let pins = suite.pins();
    assert_eq!(pins["acme_a"].values["name"], [json!(1)]);
    let values = [json!(null), json!({ "a": null }), json!({ "json": 2, "b": 3 }), json!("x")];
    assert_eq!(pins["data.acme_a"].values["name"], values);
    assert!(pins["acme_a"].formats.is_empty() && pins["data.acme_a"].formats.contains_key("name"));
    let name = crate::value::AttributePath::root().attribute("name");
    let volatile = suite.volatile();
    assert!(volatile.holds("data.acme_a", &name) && !volatile.holds("acme_a", &name));

    let wrong =
        parse("[provider]\nname = \"a\"\n[data.a.attr.b]\nvalues = [{ json = \"{\" }]\n").unwrap_err();
    assert!(wrong.starts_with("suites/acme.toml:4: `data.a.attr.b.values`: `json`: EOF"), "{wrong}");
}

#[test]
fn hints_for_what_is_not_there_say_what_may_be_meant() {
    let schema = |names: &[&str]| {
        let block = Block::new(
            names.iter().map(|name| Attribute::typed(name, Type::String).optional()).collect(),
            vec![],
        );
        Arc::new(Schema { version: 0, block })
    };
    let schema = ProviderSchema {
        resources: [("acme_net".to_owned(), schema(&["name"]))].into(),
        data_sources: [("acme_nets".to_owned(), schema(&["filter"]))].into(),
        ..ProviderSchema::default()
    };
    let wrong = |hints: &str| {
        let suite = parse(&format!("[provider]\nname = \"a\"\n{hints}\n")).unwrap();
        suite.check_hints(&schema, None).map_err(|error| error.replace("suites/acme.toml: ", ""))
    };
    assert_eq!(
        wrong("[resource.acme_net.attr.name]\nvalues = [\"x\"]\n[data.acme_nets.attr.filter]\nnever = true"),
        Ok(())
    );
    for (hints, said) in [
        (
            "[resource.acme_nets]",
            "the provider has no type `acme_nets`; the data source of this name is `data.acme_nets`",
        ),
        ("[data.acme_nest]", "the provider has no data source `acme_nest`, did you mean `acme_nets`?"),
        ("[data.acme_nets.attr.name]\nformat = \"email\"", "\"name\" is not an argument of this type"),
        (
            "[data.acme_nets.attr.fliter]\nnever = true",
            "\"fliter\" is not an argument of this type; did you mean \"filter\"?",
        ),
    ] {
        let error = wrong(hints).unwrap_err();
        assert!(error.contains(said), "{error}");
    }
}

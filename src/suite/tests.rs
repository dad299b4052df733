use std::path::Path;

use super::*;
use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value::{Type, Value};

fn parse(text: &str) -> Result<Suite, String> {
    Suite::parse(Path::new("suites/acme.toml"), text).map_err(|error| error.to_string())
}

#[test]
fn an_unknown_key_names_file_line_and_what_was_meant() {
    let error = parse("[provider]\nname = \"acme\"\n\n[run]\ncase = 7\n").unwrap_err();
    assert_eq!(error, "suites/acme.toml:5: unknown key `case`, is it `cases`?");
}

#[test]
fn a_known_finding_needs_a_rule_that_exists_and_a_reason() {
    let known = |rule: &str, reason: &str| {
        parse(&format!("[provider]\nname = \"acme\"\n[[known]]\nrule = \"{rule}\"\nreason = \"{reason}\"\n"))
    };
    assert_eq!(
        known("plan/stays-nul", "because").unwrap_err(),
        "suites/acme.toml:4: rule `plan/stays-nul` does not exist, is it `plan/stays-null`?"
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
fn times_are_seconds_above_zero() {
    let run = |line: &str| parse(&format!("[provider]\nname = \"a\"\n[run]\n{line}\n"));
    let suite = run("timeout = 2\nstart_timeout = 0.5").unwrap();
    assert_eq!(suite.run.timeout, Duration::from_secs(2));
    assert_eq!(suite.run.start_timeout, Duration::from_millis(500));
    for wrong in ["start_timeout = 0", "timeout = -1", "timeout = 1e300"] {
        let error = run(wrong).unwrap_err();
        assert_eq!(error, "suites/acme.toml:4: this must be a number of seconds above 0");
    }
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
            .contains("neither a number nor a share")
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
        config_from_toml(&table, &block()).unwrap_err(),
        "there is no argument `regoin`, is it `region`?"
    );
}

#[test]
fn a_secret_that_is_not_set_is_named() {
    let table: toml::Table =
        toml::from_str("region = { secret_env = \"TFCONFORM_NO_SUCH_SECRET\" }").unwrap();
    let error = config_from_toml(&table, &block()).unwrap_err();
    assert_eq!(error, "the environment variable TFCONFORM_NO_SUCH_SECRET is not set");
}

#[test]
fn a_provider_block_reads_from_hcl_and_json_alike() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        config_from_file(&file, &block()).unwrap()
    };
    let hcl =
        write("acme.hcl", "provider \"acme\" {\n  region = \"eu\"\n  endpoint {\n    host = \"h\"\n  }\n}\n");
    let json = write("acme.json", "{\"region\": \"eu\", \"endpoint\": [{\"host\": \"h\"}]}");
    assert_eq!(hcl, json);
    assert_eq!(hcl.attribute("region"), Some(&Value::string("eu")));
}

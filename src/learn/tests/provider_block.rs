//! Provider blocks, found for providers that refuse one without arguments.

use super::*;

/// Accepts every block, and none that it is configured with.
struct Locked(u32);

impl Oracle for Locked {
    fn ask(&mut self, scenario: Scenario) -> impl Future<Output = Answer> + Send {
        self.0 += 1;
        let at = scenario.runs[0].options.operation;
        let said = error(&[], "No valid credential sources found", "");
        std::future::ready(match at {
            Operation::Apply => Answer::Refused { at, diagnostics: vec![said] },
            _ => Answer::Accepted,
        })
    }
}

#[test]
fn a_provider_block_is_given_up_after_some_questions() {
    let names: Vec<String> = (0..60).map(|n| format!("api_key{n}")).collect();
    let schema = schema(names.iter().map(|name| text(name).optional()).collect(), vec![]);
    let options = Options { apply: true, ..Options::default() };
    let of = Subject { schema: &schema, kind: Kind::Provider, type_name: "zoo", options: &options };
    let mut locked = Locked(0);
    let stop = now(provider_block(of, &mut locked)).unwrap_err();
    assert!(matches!(&stop, Stop::Stuck { complaint, .. } if complaint.contains("credential")), "{stop:?}");
    assert!((10..=40).contains(&locked.0), "{} questions", locked.0);
}

/// What a provider says as it checks a key, logs in and looks up its account: one after the other, each unless it is
/// told not to.
struct Service;

impl Oracle for Service {
    fn ask(&mut self, scenario: Scenario) -> impl Future<Output = Answer> + Send {
        let at = scenario.runs[0].options.operation;
        let config = scenario.runs[0].blocks[0].arguments.unresolved();
        let is_on = |name| config.member(name) == Value::bool(true);
        let said = match (is_set(config, "key_id"), is_set(config, "secret")) {
            _ if at != Operation::Apply => None,
            (false, false) => Some("No credentials, nor from the network: dial tcp: network is unreachable"),
            (true, false) | (false, true) => Some("The credentials are empty"),
            _ if !is_on("skip_login") => Some("Failed to log in: dial tcp: network is unreachable"),
            _ if !is_on("skip_account") => {
                Some("Failed to find the account: dial tcp: network is unreachable")
            }
            _ => None,
        };
        std::future::ready(match said {
            Some(said) => Answer::Refused { at, diagnostics: vec![error(&[], said, "")] },
            None => Answer::Accepted,
        })
    }
}

#[test]
fn a_provider_block_grows_by_what_gets_the_provider_further() {
    let texts = ["color", "key_id", "profile", "secret"].map(|name| text(name).optional());
    let switches = ["skip_account", "skip_login"].map(|name| Attribute::typed(name, Type::Bool).optional());
    let schema = schema(texts.into_iter().chain(switches).collect(), vec![]);
    let options = Options { apply: true, ..Options::default() };
    let of = Subject { schema: &schema, kind: Kind::Provider, type_name: "zoo", options: &options };
    let block = now(provider_block(of, &mut Service)).unwrap();
    let set = ["key_id", "secret", "skip_account", "skip_login"];
    let names = schema.block.attributes.iter().map(|attribute| &*attribute.name);
    assert_eq!(names.filter(|name| is_set(&block, name)).collect::<Vec<_>>(), set);
}

//! The same errors in any order teach the same.

use proptest::prelude::*;

use super::*;
use crate::schema::strategy::blocks;

#[test]
fn warnings_teach_nothing_and_repeats_nothing_more() {
    let error =
        Diagnostic::error("expected size to be at least (5), got 1", "").at(&root().attribute("size"));
    let warning = Diagnostic { severity: Diagnostic::WARNING, ..error.clone() };
    assert_eq!(taught(&[error.clone(), warning.clone(), error], &empty()).len(), 1);
    assert_eq!(taught(&[warning], &empty()), []);
}

#[test]
fn several_errors_in_one_teach_as_if_they_came_alone() {
    let config = empty();
    let both =
        "2 errors occurred:\n\t* \"a\": required field is not set\n\t* \"b\": required field is not set\n\n";
    let alone =
        ["a", "b"].map(|name| Diagnostic::error(&format!("\"{name}\": required field is not set"), ""));
    assert_eq!(taught(&[Diagnostic::error(both, "")], &config), taught(&alone, &config));
}

/// Errors as SDKs and authors write them.
fn errors() -> impl Strategy<Value = Vec<Diagnostic>> {
    let text =
        prop::sample::select(CATALOGUE.iter().map(|message| message.example.clone()).collect::<Vec<_>>());
    let paths =
        [root(), root().attribute("a"), root().attribute("rule").index(0), root().attribute("tags").key("k")];
    prop::collection::vec((text, prop::sample::select(paths.to_vec())), 0..6).prop_map(|errors| {
        let error = |(text, path): (String, AttributePath)| {
            let (summary, detail) = text.split_once('\n').unwrap_or((&text, ""));
            Diagnostic::error(summary, detail).at(&path)
        };
        errors.into_iter().map(error).collect()
    })
}

proptest! {
    #[test]
    fn the_order_of_errors_does_not_matter(
        (errors, shuffled) in errors().prop_flat_map(|errors| (Just(errors.clone()), Just(errors).prop_shuffle()))
    ) {
        let config = Value::object([("a", Value::string("tfcabcdef")), ("size", Value::number(7))]);
        prop_assert_eq!(taught(&errors, &config), taught(&shuffled, &config));
    }

    #[test]
    fn any_text_is_read(
        block in blocks(),
        summary in "[a-c\"'`\\[\\](),.:%\n 0-9é]{0,30}",
        detail in "(must be one of|between|expected a to be one of|[a-c\"'`\\[\\](), *.\n0-9]){0,12}",
    ) {
        let schema = Schema { version: 0, block };
        let model = SchemaModel::new(&schema);
        let config = Value::object([("a", Value::string(&summary))]);
        let errors = [Diagnostic::error(&summary, &detail), Diagnostic::error(&detail, &summary).at(&root().attribute("a"))];
        lessons(&errors, &config, &model, 1);
    }
}

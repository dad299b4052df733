//! A file that holds a provider block, in HCL or JSON.

use std::path::Path;

use hcl::edit::Span as _;
use hcl::edit::expr::{Expression, TraversalOperator};
use hcl::edit::structure::{Attribute, Block, Body};
use hcl::edit::visit::{Visit, visit_attr, visit_block, visit_body, visit_expr};
use hcl::eval::{Context, Evaluate as _};
use serde_json::Value as Json;

use super::text::line_of;
use crate::files;

/// A provider block as a file has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ProviderBlock {
    /// The provider's local name, if the file has `provider "name" { … }` and not its contents alone.
    pub label: Option<String>,
    pub arguments: Json,
}

impl ProviderBlock {
    /// Reads JSON if the file's name ends in `.json`, HCL otherwise. Errors name the file.
    pub fn read(file: &Path) -> Result<ProviderBlock, String> {
        let text = files::read_text(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let is_json = file.extension().is_some_and(|extension| extension == "json");
        let read = if is_json { from_json(&text) } else { from_hcl(&text) };
        read.map_err(|problem| problem.in_file(file))
    }

    /// Reads HCL.
    pub fn parse(text: &str) -> Result<ProviderBlock, String> {
        from_hcl(text).map_err(|problem| problem.text)
    }
}

/// What is wrong, and in which line, counted from 1.
struct Problem {
    line: Option<usize>,
    text: String,
}

impl Problem {
    fn new(text: impl ToString) -> Problem {
        Problem { line: None, text: text.to_string() }
    }

    fn in_file(self, file: &Path) -> String {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}{line}: {}", file.display(), self.text)
    }
}

const SECOND: &str = "this is a second provider block; keep only that of the provider under test";

fn from_json(text: &str) -> Result<ProviderBlock, Problem> {
    let json: Json = serde_json::from_str(text).map_err(Problem::new)?;
    let Some(providers) = json.get("provider").and_then(Json::as_object) else {
        return Ok(ProviderBlock { label: None, arguments: json });
    };
    let mut blocks = providers.iter().flat_map(|(label, block)| match block {
        Json::Array(blocks) => blocks.iter().map(|block| (label, block)).collect(),
        block => vec![(label, block)],
    });
    match (blocks.next(), blocks.next()) {
        (_, Some((label, _))) => Err(Problem::new(format!("`{label}`: {SECOND}"))),
        (Some((label, block)), None) => {
            Ok(ProviderBlock { label: Some(label.clone()), arguments: block.clone() })
        }
        (None, None) => Ok(ProviderBlock { label: None, arguments: Json::Object(Default::default()) }),
    }
}

fn from_hcl(text: &str) -> Result<ProviderBlock, Problem> {
    // In full, an error of the parser shows the line, which may hold a secret.
    let body: Body = hcl::edit::parser::parse_body(text)
        .map_err(|error| Problem { line: Some(error.location().line()), text: error.message().to_owned() })?;
    let line = |at: Option<usize>| at.map(|at| line_of(text, at));
    let mut blocks = body.blocks().filter(|block| block.has_ident("provider"));
    let (first, second) = (blocks.next(), blocks.next());
    if let Some(second) = second {
        let line = line(second.ident.span().map(|span| span.start));
        return Err(Problem { line, text: SECOND.to_owned() });
    }
    let mut not_values = NotValues::default();
    match first {
        Some(block) => visit_block(&mut not_values, block),
        None => visit_body(&mut not_values, &body),
    }
    if let Some((expression, span)) = not_values.unresolved {
        let text = format!(
            "`{expression}`: references and calls are not resolved here; write the value, or take it from the \
             environment with `secret_env` in a suite"
        );
        return Err(Problem { line: line(span), text });
    }
    if let Some((argument, span)) = not_values.impossible {
        let text = format!("`{argument}`: this expression has no value; write the value itself");
        return Err(Problem { line: line(span), text });
    }
    let (label, body) = match first {
        Some(block) => (label(block), block.body.clone()),
        None => (None, body.clone()),
    };
    let body = hcl::Body::from(body).evaluate(&Context::new()).map_err(Problem::new)?;
    Ok(ProviderBlock { label, arguments: hcl::from_body(body).map_err(Problem::new)? })
}

fn label(block: &Block) -> Option<String> {
    block.labels.first().map(|label| label.as_str().to_owned())
}

/// What is no value: a name for it, without the texts that it holds, and the byte at which it starts.
type NotValue = (String, Option<usize>);

/// The first expressions that are no values.
#[derive(Default)]
struct NotValues {
    /// Only an engine knows it.
    unresolved: Option<NotValue>,
    /// An argument that cannot be computed, such as a sum of texts.
    impossible: Option<NotValue>,
}

impl Visit for NotValues {
    fn visit_attr(&mut self, argument: &Attribute) {
        if hcl::Expression::from(argument.value.clone()).evaluate(&Context::new()).is_err() {
            let start = argument.key.span().map(|span| span.start);
            self.impossible.get_or_insert_with(|| (argument.key.as_str().to_owned(), start));
        }
        visit_attr(self, argument);
    }

    fn visit_expr(&mut self, expression: &Expression) {
        match unresolved(expression) {
            None => visit_expr(self, expression),
            Some(name) => {
                let start = expression.span().map(|span| span.start);
                self.unresolved.get_or_insert((name, start));
            }
        }
    }
}

/// The name of an expression whose value only an engine knows.
fn unresolved(expression: &Expression) -> Option<String> {
    Some(match expression {
        Expression::Variable(name) => name.to_string(),
        Expression::Traversal(traversal) => match unresolved(&traversal.expr) {
            Some(name) if matches!(traversal.expr, Expression::Variable(_)) => {
                let steps = traversal.operators.iter().map_while(|step| match step.value() {
                    TraversalOperator::GetAttr(name) => Some(format!(".{}", name.as_str())),
                    _ => None,
                });
                name + &steps.collect::<String>()
            }
            name => name?,
        },
        Expression::FuncCall(call) => format!("{}(…)", call.name.name.as_str()),
        Expression::ForExpr(_) => "for …".to_owned(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(name: &str, text: &str) -> Result<ProviderBlock, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        let folder = format!("{}/", folder.path().display());
        ProviderBlock::read(&file).map_err(|problem| problem.replace(&folder, ""))
    }

    #[test]
    fn what_only_an_engine_can_resolve_is_refused_with_its_line() {
        for expression in [
            "var.token",
            "local.a[0].b",
            "\"https://${var.host}/\"",
            "file(\"token.txt\")",
            "[\"a\", data.acme_x.y.id]",
            "{ a = upper(\"x\") }",
            "true ? var.a : \"b\"",
            "<<EOT\n${var.x}\nEOT",
            "[for x in [1]: x]",
        ] {
            let error = read("a.hcl", &format!("provider \"acme\" {{\n  region = {expression}\n}}\n"));
            let error = error.expect_err(expression);
            let line = if expression.starts_with("<<") { 3 } else { 2 };
            assert!(error.starts_with(&format!("a.hcl:{line}: `")), "{error}");
            assert!(error.contains("references and calls are not resolved here"), "{error}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_without_the_texts_around() {
        for (written, line, said) in [
            ("token = \"secret\" \"b\"", 2, "expected"),
            ("token = base64encode(\"secret\")", 2, "`base64encode(…)`: references and calls"),
            ("token = local.all[\"secret\"].x", 2, "`local.all`: references and calls"),
            ("token = \"secret\" + 1", 2, "`token`: this expression has no value"),
            ("nested {\n token = -\"secret\"\n }", 3, "`token`: this expression has no value"),
        ] {
            let error = read("a.hcl", &format!("provider \"acme\" {{\n  {written}\n}}\n"));
            let error = error.expect_err(written);
            assert!(error.starts_with(&format!("a.hcl:{line}: ")) && error.contains(said), "{error}");
            assert!(!error.contains("secret\""), "{error}");
        }
    }

    #[test]
    fn expressions_of_values_alone_are_values() {
        let block = read(
            "a.hcl",
            "region = \"eu\"\nretries = -1\nwait = (2 * 3)\nurl = \"a$${b}\"\nnote = <<-EOT\n  x\n  EOT\nn = null\n",
        );
        let arguments = json!({
            "region": "eu", "retries": -1, "wait": 6, "url": "a${b}", "note": "x\n", "n": null,
        });
        assert_eq!(block, Ok(ProviderBlock { label: None, arguments }));
    }

    #[test]
    fn one_block_is_the_provider_s_and_other_blocks_do_not_matter() {
        let other = "variable \"a\" {\n  default = upper(\"b\")\n}\n";
        let acme = "provider \"acme\" {\n  region = \"eu\"\n}\n";
        let block = ProviderBlock { label: Some("acme".to_owned()), arguments: json!({ "region": "eu" }) };
        assert_eq!(read("a.hcl", &format!("{other}{acme}")), Ok(block.clone()));
        assert_eq!(read("a.json", r#"{"provider": {"acme": {"region": "eu"}}}"#), Ok(block));
        assert_eq!(read("a.hcl", &format!("{acme}{acme}")), Err(format!("a.hcl:4: {SECOND}")));
        assert_eq!(
            read("a.json", r#"{"provider": {"acme": {}, "other": {}}}"#),
            Err(format!("a.json: `other`: {SECOND}"))
        );
    }
}

//! What is said about the arguments of a type in prose and in sources.

use std::collections::BTreeMap;

use super::Sources;
use super::go::Package;
use super::page::Page;
use super::paths::Paths;
use super::prose::from_description;
use super::somebodys::is_somebodys;
use crate::generate::facts::{Claim, Constraint, Via};
use crate::generate::model::SchemaModel;
use crate::schema::{Attribute, AttributeKind, Block, Kind, Schema};

/// The most claims about one argument.
const MOST: usize = 8;

/// The prose and the sources of a provider.
#[derive(Debug, Default)]
pub(super) struct Claims {
    /// By kind and name.
    pages: BTreeMap<(Kind, String), Vec<Page>>,
    package: Package,
}

impl Claims {
    pub fn of(sources: &Sources) -> Claims {
        let mut pages: BTreeMap<(Kind, String), Vec<Page>> = BTreeMap::new();
        for page in &sources.pages {
            if let Some((kind, name)) = page.subject() {
                pages.entry((kind, name)).or_default().push(page.clone());
            }
        }
        Claims { pages, package: Package::of(&sources.go) }
    }

    pub fn n_pages(&self) -> usize {
        self.pages.values().map(Vec::len).sum()
    }

    pub fn n_files(&self) -> usize {
        self.package.n_files()
    }

    /// What is said about the arguments of a type; descriptions of its schema come first, sources last.
    pub fn about(&self, kind: Kind, type_name: &str, schema: &Schema) -> Vec<Claim> {
        let model = SchemaModel::new(schema);
        let paths = Paths::of(&model);
        let mut all = Vec::new();
        describe(&schema.block, "", &mut |path, text, is_markdown| {
            all.extend(claims(path, text, is_markdown, Via::Description, ""));
        });
        let rest = type_name.split_once('_').map_or(type_name, |(_, rest)| rest);
        let pages = [type_name, rest].into_iter().filter_map(|name| self.pages.get(&(kind, name.to_owned())));
        for page in pages.flatten() {
            for item in page.items(&paths) {
                let place = format!("{}:{}", page.file, item.line);
                all.extend(claims(&item.path, &item.text, true, Via::Documentation, &place));
            }
        }
        for said in self.package.said(type_name, &paths) {
            let is_kept = match &said.constraint {
                Constraint::OneOf(texts) => !texts.iter().any(|text| is_somebodys(text)),
                Constraint::Literal(text) => !is_somebodys(text),
                _ => true,
            };
            all.extend(is_kept.then(|| claim(&said.path, said.constraint, Via::Source, &said.place)));
        }
        let mut kept: Vec<Claim> = Vec::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for claim in all {
            let is_known =
                kept.iter().any(|other| (&other.path, &other.constraint) == (&claim.path, &claim.constraint));
            let Some(fitting) = paths.fitted(claim).filter(|_| !is_known) else { continue };
            let count = counts.entry(fitting.path.clone()).or_default();
            *count += 1;
            if *count <= MOST {
                kept.push(fitting);
            }
        }
        kept
    }
}

fn claims(path: &str, text: &str, is_markdown: bool, via: Via, place: &str) -> Vec<Claim> {
    let constraints = from_description(text, is_markdown).into_iter();
    constraints.map(|constraint| claim(path, constraint, via, place)).collect()
}

fn claim(path: &str, constraint: Constraint, via: Via, place: &str) -> Claim {
    Claim { path: path.to_owned(), constraint, via, place: place.to_owned() }
}

/// Visits the descriptions of a block's attributes, at any depth.
fn describe(block: &Block, at: &str, visit: &mut dyn FnMut(&str, &str, bool)) {
    describe_all(&block.attributes, at, visit);
    for nested in &block.block_types {
        describe(&nested.block, &below(at, &nested.name), visit);
    }
}

fn describe_all(attributes: &[Attribute], at: &str, visit: &mut dyn FnMut(&str, &str, bool)) {
    for attribute in attributes {
        let path = below(at, &attribute.name);
        if !attribute.description.is_empty() {
            visit(&path, &attribute.description, attribute.markdown);
        }
        if let AttributeKind::Nested(nested) = &attribute.kind {
            describe_all(&nested.attributes, &path, visit);
        }
    }
}

fn below(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::examples::Source;
    use crate::schema::{NestedBlock, Nesting};
    use crate::value::Type;

    fn schema() -> Schema {
        let text = |name: &str| Attribute::typed(name, Type::String).optional();
        let rule = Block::new(vec![text("mode"), text("action")], Vec::new());
        let rule = NestedBlock {
            name: "rule".to_owned(),
            nesting: Nesting::List,
            block: rule,
            min_items: 0,
            max_items: 0,
        };
        let attributes = vec![
            text("kind").describe("Must be one of `hot`, `cold`."),
            text("mode"),
            text("name"),
            Attribute::typed("size", Type::Number).optional(),
            Attribute::typed("on", Type::Bool).optional(),
            Attribute::typed("state", Type::String).computed(),
            text("key_type"),
            text("code"),
            text("plan"),
        ];
        Schema { version: 0, block: Block::new(attributes, vec![rule]) }
    }

    /// By path, in order, with where each is from.
    fn said(sources: &Sources) -> Vec<(String, Constraint, String)> {
        let claims = Claims::of(sources).about(Kind::Resource, "acme_disk", &schema());
        claims.into_iter().map(|claim| (claim.path, claim.constraint, claim.place)).collect()
    }

    fn one_of(texts: &[&str]) -> Constraint {
        Constraint::OneOf(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    fn at(path: &str, constraint: Constraint, place: &str) -> (String, Constraint, String) {
        (path.to_owned(), constraint, place.to_owned())
    }

    #[test]
    fn pages_say_which_argument_of_which_block_a_list_is_about() {
        let page = "---\npage_title: x\n---\n# acme_disk\n\n```hcl\n* `kind` - one of `no`, `code`\n```\n\n\
            ## Argument Reference\n\nThe following arguments are supported:\n\n\
            * `mode` - (Optional) Valid values are:\n\n  * `fast` - quick\n  * `slow` - not\n\
            * `size` - (Optional) Between 3 and 9.\n  Defaults to `4`.\n\
            * `on` - (Optional) Either `true` or `false`.\n\
            * `name` - (Optional) One of `mode` or `kind` must be set.\n\n\
            A paragraph with `x` or `y`.\n\n\
            The `rule` block supports:\n\n* `mode` - one of `in`, `out`\n\n\
            ### Nested Schema for `rule`\n\nOptional:\n\n- `action` (String) Can be `drop` or `pass`.\n\n\
            | Name | Description |\n|---|---|\n| `action` | Possible values: `log`, `none` |\n\n\
            ## Attributes Reference\n\n* `state` - one of `up`, `down`\n";
        let sources = |file: &str| Sources {
            pages: vec![Page { file: file.to_owned(), text: page.to_owned() }],
            ..Sources::default()
        };
        let of_schema = at("kind", one_of(&["hot", "cold"]), "");
        let three_to_nine = Constraint::Range { min: Some(3.into()), max: Some(9.into()) };
        let file = "website/docs/r/disk.html.markdown";
        let place = |line: u32| format!("{file}:{line}");
        assert_eq!(
            said(&sources(file)),
            [
                of_schema.clone(),
                at("mode", one_of(&["fast", "slow"]), &place(14)),
                at("size", Constraint::Literal("4".to_owned()), &place(18)),
                at("size", three_to_nine, &place(18)),
                at("rule.mode", one_of(&["in", "out"]), &place(27)),
                at("rule.action", one_of(&["drop", "pass"]), &place(33)),
                at("rule.action", one_of(&["log", "none"]), &place(37)),
            ]
        );
        for other in ["docs/data-sources/disk.md", "docs/resources/network.md", "docs/guides/disk.md"] {
            assert_eq!(said(&sources(other)), std::slice::from_ref(&of_schema), "{other}");
        }
    }

    #[test]
    fn sources_say_it_where_the_argument_is_declared_and_where_it_is_used() {
        let disk = r#"
package disk

const modeFast = "fast"

var plans = map[string]Plan{"small": {1}, "large": {2}}

func resourceDisk() *schema.Resource {
	return &schema.Resource{Schema: map[string]*schema.Schema{
		"mode": {Type: schema.TypeString, ValidateFunc: validation.StringInSlice([]string{modeFast, "slow"}, false)},
		"code": {Type: schema.TypeString, Description: modeFast, ValidateFunc: validCode},
		"rule": {Elem: &schema.Resource{Schema: map[string]*schema.Schema{
			"mode": {ValidateFunc: validation.StringInSlice(directions(), false)},
		}}},
	}}
}

func create(d *schema.ResourceData, plan model) error {
	switch d.Get("key_type").(string) {
	case "rsa", "ecdsa":
	default:
	}
	if plan.Name.ValueString() == "jo@example.org" || plan.Name.ValueString() == "admin" || size != "other" {
		return nil
	}
	use(plans[plan.Plan.ValueString()])
}
"#;
        let list = r#"
package disk

var code = regexp.MustCompile(`^[A-Z]+$`)

func validCode(v any) error {
	if !code.MatchString(v) { return errors.New("no") }
	return nil
}

func directions() []string { return []string{dirIn, "out"} }
"#;
        // It is read last.
        let constants = "package disk\n\nconst dirIn = \"in\"\n";
        let file = |file: &str, text: &str| Source {
            file: file.to_owned(),
            line: 1,
            text: text.to_owned(),
            module: "internal".to_owned(),
        };
        let go = vec![
            file("internal/disk_resource.go", disk),
            file("internal/lists.go", list),
            file("internal/words.go", constants),
        ];
        let found = said(&Sources { go, ..Sources::default() });
        let place = |line: u32| format!("internal/disk_resource.go:{line}");
        assert_eq!(
            found,
            [
                at("kind", one_of(&["hot", "cold"]), ""),
                at("mode", one_of(&["fast", "slow"]), &place(10)),
                at("code", Constraint::Pattern("^[A-Z]+$".to_owned()), &place(11)),
                at("rule.mode", one_of(&["in", "out"]), &place(13)),
                at("key_type", one_of(&["rsa", "ecdsa"]), &place(19)),
                at("name", Constraint::Literal("admin".to_owned()), &place(23)),
                at("plan", one_of(&["small", "large"]), &place(26)),
            ]
        );
    }

    /// Pieces of Go and of pages, which end anywhere.
    fn pieces() -> impl Strategy<Value = String> {
        let pieces = [
            "func",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            ",",
            ":",
            "=",
            "==",
            "\"mode\"",
            "\"rule\"",
            "`kind`",
            "Mode",
            "case",
            "switch",
            "map",
            "string",
            "const",
            "var",
            "OneOf",
            "MustCompile",
            "ValueString",
            "\n",
            " ",
            "é",
            "\"",
            "'",
            "`",
            "//",
            "* ",
            "- ",
            "|",
            "#",
            "  ",
            "plans",
            ".",
            "one of",
            "/*",
        ];
        proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..60)
            .prop_map(|all| all.join(""))
    }

    proptest! {
        #[test]
        fn whatever_a_file_holds_is_read_to_its_end(text in pieces()) {
            let go = Source { file: "disk.go".to_owned(), line: 1, text: text.clone(), module: String::new() };
            let page = Page { file: "docs/resources/disk.md".to_owned(), text };
            said(&Sources { pages: vec![page], go: vec![go], ..Sources::default() });
        }
    }
}

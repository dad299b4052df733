//! What an argument is set to: a value, with references to other blocks in it.

use hcl::edit::Span as _;
use hcl::edit::expr::{Expression, ObjectKey, Traversal, TraversalOperator};
use hcl::edit::template::Element;
use hcl::eval::{Context, Evaluate as _};
use serde_json::{Map, Value as Json};

use super::document::Document;
use super::functions;
use crate::schema::Kind;

/// A step into a value: a member, or an element counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Member(String),
    Element(usize),
}

/// A place that is set from another block; it holds null.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Referred {
    pub at: Vec<Step>,
    pub to: Target,
}

/// An attribute of another block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Target {
    pub kind: Kind,
    pub type_name: String,
    pub name: String,
    pub path: Vec<Step>,
}

/// What only an engine can evaluate: the place in the text.
pub(super) type Unresolved = Option<std::ops::Range<usize>>;

/// Names that stand for something other than a resource type.
const RESERVED: [&str; 8] = ["var", "local", "each", "count", "path", "self", "module", "terraform"];

/// Rounds in which locals that use other locals become known.
const ROUNDS: usize = 8;

/// What names stand for in a module.
pub(super) struct Scope(Context<'static>);

impl Scope {
    /// That of the documents of a module.
    pub fn of<'d>(documents: impl Iterator<Item = &'d Document> + Clone) -> Scope {
        let mut context = Context::new();
        functions::declare(&mut context);
        for (name, member) in [("path", "module"), ("count", "index")] {
            let value = if name == "path" { hcl::Value::from(".") } else { hcl::Value::from(0) };
            let mut object = hcl::Map::new();
            object.insert(member.to_owned(), value);
            context.declare_var(name, hcl::Value::Object(object));
        }
        let mut scope = Scope(context);
        let mut known = Map::new();
        for (name, default) in documents.clone().flat_map(|document| &document.variables) {
            if let Ok(value) = scope.plain(default) {
                known.entry(name.clone()).or_insert(value);
            }
        }
        scope.declare("var", known);
        let mut known = Map::new();
        for _ in 0..ROUNDS {
            let before = known.len();
            for (name, expression) in documents.clone().flat_map(|document| &document.locals) {
                if let Ok(value) = scope.plain(expression) {
                    known.entry(name.clone()).or_insert(value);
                }
            }
            scope.declare("local", known.clone());
            if known.len() == before {
                break;
            }
        }
        scope
    }

    fn declare(&mut self, name: &str, members: Map<String, Json>) {
        self.0.declare_var(name, of_json(Json::Object(members)));
    }

    /// This scope in a block that is repeated: in its first instance.
    pub fn repeated(&self, for_each: &Expression) -> Scope {
        let mut scope = Scope(self.0.clone());
        let first = match self.plain(for_each) {
            Ok(Json::Object(members)) => members.into_iter().next(),
            Ok(Json::Array(items)) => {
                let item = items.into_iter().next();
                item.and_then(|item| Some((item.as_str()?.to_owned(), item)))
            }
            _ => None,
        };
        if let Some((key, value)) = first {
            scope.declare(
                "each",
                [("key".to_owned(), Json::String(key)), ("value".to_owned(), value)].into_iter().collect(),
            );
        }
        scope
    }

    /// The value of an expression, with its references.
    pub fn evaluate(&self, expression: &Expression) -> Result<(Json, Vec<Referred>), Unresolved> {
        let mut references = Vec::new();
        let value = self.value(expression, &mut Vec::new(), &mut references)?;
        Ok((value, references))
    }

    fn value(
        &self,
        expression: &Expression,
        at: &mut Vec<Step>,
        references: &mut Vec<Referred>,
    ) -> Result<Json, Unresolved> {
        match expression {
            Expression::Parenthesis(inner) => self.value(inner.inner(), at, references),
            Expression::Array(items) => {
                let items = items.iter().enumerate();
                let items = items.map(|(idx, item)| self.below(Step::Element(idx), item, at, references));
                Ok(Json::Array(items.collect::<Result<_, _>>()?))
            }
            Expression::Object(object) => {
                let mut members = Map::new();
                for (key, value) in object {
                    let key = self.key(key)?;
                    let value = self.below(Step::Member(key.clone()), value.expr(), at, references)?;
                    members.insert(key, value);
                }
                Ok(Json::Object(members))
            }
            Expression::StringTemplate(template) => match template.as_single_element() {
                Some(Element::Interpolation(only)) => self.value(&only.expr, at, references),
                _ => self.plain(expression),
            },
            Expression::Traversal(traversal) => match target(traversal) {
                Some(to) => {
                    references.push(Referred { at: at.clone(), to });
                    Ok(Json::Null)
                }
                None => self.plain(expression),
            },
            _ => self.plain(expression),
        }
    }

    fn below(
        &self,
        step: Step,
        expression: &Expression,
        at: &mut Vec<Step>,
        references: &mut Vec<Referred>,
    ) -> Result<Json, Unresolved> {
        at.push(step);
        let value = self.value(expression, at, references);
        at.pop();
        value
    }

    fn key(&self, key: &ObjectKey) -> Result<String, Unresolved> {
        match key {
            ObjectKey::Ident(name) => Ok(name.as_str().to_owned()),
            ObjectKey::Expression(expression) => match self.plain(expression)? {
                Json::String(key) => Ok(key),
                other => Ok(other.to_string()),
            },
        }
    }

    /// The value of an expression without references.
    fn plain(&self, expression: &Expression) -> Result<Json, Unresolved> {
        let evaluated = hcl::Expression::from(expression.clone()).evaluate(&self.0);
        let value = evaluated.map_err(|_| expression.span())?;
        serde_json::to_value(value).map_err(|_| expression.span())
    }
}

fn of_json(json: Json) -> hcl::Value {
    match json {
        Json::Null => hcl::Value::Null,
        Json::Bool(value) => value.into(),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(fraction)) => fraction.into(),
            (None, None) => number.to_string().into(),
        },
        Json::String(text) => text.into(),
        Json::Array(items) => hcl::Value::Array(items.into_iter().map(of_json).collect()),
        Json::Object(members) => {
            hcl::Value::Object(members.into_iter().map(|(name, value)| (name, of_json(value))).collect())
        }
    }
}

/// The attribute of another block that a traversal leads to.
fn target(traversal: &Traversal) -> Option<Target> {
    let root = traversal.expr.as_variable()?.as_str();
    if RESERVED.contains(&root) {
        return None;
    }
    let steps: Option<Vec<Step>> = traversal.operators.iter().map(|operator| step(operator)).collect();
    let mut steps = steps?.into_iter().peekable();
    let mut name = || match steps.next() {
        Some(Step::Member(name)) => Some(name),
        _ => None,
    };
    let (kind, type_name) = match root {
        "data" => (Kind::DataSource, name()?),
        _ => (Kind::Resource, root.to_owned()),
    };
    let name = name()?;
    // The key of an instance: of a block that is repeated, the first instance alone is played.
    if matches!(steps.peek(), Some(Step::Element(_))) {
        steps.next();
    }
    let path: Vec<Step> = steps.collect();
    (!path.is_empty()).then_some(Target { kind, type_name, name, path })
}

fn step(operator: &TraversalOperator) -> Option<Step> {
    match operator {
        TraversalOperator::GetAttr(name) => Some(Step::Member(name.as_str().to_owned())),
        TraversalOperator::LegacyIndex(idx) => usize::try_from(**idx).ok().map(Step::Element),
        TraversalOperator::Index(Expression::Number(number)) => {
            usize::try_from(number.as_u64()?).ok().map(Step::Element)
        }
        TraversalOperator::Index(Expression::String(key)) => Some(Step::Member(key.as_str().to_owned())),
        _ => None,
    }
}

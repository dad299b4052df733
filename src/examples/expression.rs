//! What an argument is set to: a value, with references to other blocks in it.

use hcl::edit::Span as _;
use hcl::edit::expr::{Expression, Traversal, TraversalOperator};
use hcl::edit::visit_mut::{VisitMut, visit_expr_mut, visit_traversal_mut};
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

/// A place that is set from other blocks; it holds null.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Referred {
    pub at: Vec<Step>,
    /// One interpolation, or the parts of a text.
    pub parts: Vec<Part>,
}

impl Referred {
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        self.parts.iter().filter_map(|part| match part {
            Part::Interpolation(to) => Some(to),
            Part::Literal(_) => None,
        })
    }
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Literal(String),
    Interpolation(Target),
}

/// An attribute of another block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

    /// The value of an expression, with its references. A function may have put them into texts, but not changed them.
    pub fn evaluate(&self, expression: &Expression) -> Result<(Json, Vec<Referred>), Unresolved> {
        let mut marked = expression.clone();
        let mut marks = Marks::default();
        marks.visit_expr_mut(&mut marked);
        let mut value = self.plain(&marked)?;
        marks.take(&mut value, &mut Vec::new());
        match marks.are_all_found() {
            true => Ok((value, marks.found)),
            false => Err(expression.span()),
        }
    }

    /// The value of an expression without references.
    fn plain(&self, expression: &Expression) -> Result<Json, Unresolved> {
        let evaluated = hcl::Expression::from(expression.clone()).evaluate(&self.0);
        let value = evaluated.map_err(|_| expression.span())?;
        serde_json::to_value(value).map_err(|_| expression.span())
    }
}

/// What stands for references while an expression is evaluated.
#[derive(Default)]
struct Marks {
    targets: Vec<Target>,
    found: Vec<Referred>,
}

/// A mark is this, the position of its target, and [`END`]. Functions that quote or join texts leave it as it is.
const START: &str = "tfconformReference";
const END: char = 'x';

/// The functions that keep a text whole, so that a reference may stand in for it.
const KEEPS: [&str; 12] = [
    "concat",
    "format",
    "join",
    "jsonencode",
    "merge",
    "sensitive",
    "templatestring",
    "tolist",
    "tomap",
    "toset",
    "tostring",
    "yamlencode",
];

impl VisitMut for Marks {
    fn visit_expr_mut(&mut self, expression: &mut Expression) {
        match expression {
            Expression::Traversal(traversal) => match target(traversal) {
                Some(to) => {
                    *expression = Expression::from(format!("{START}{}{END}", self.targets.len()));
                    self.targets.push(to);
                }
                None => visit_traversal_mut(self, traversal),
            },
            // What is left in it is not evaluated.
            Expression::FuncCall(call) if !KEEPS.contains(&call.name.name.as_str()) => {}
            _ => visit_expr_mut(self, expression),
        }
    }
}

impl Marks {
    /// Notes the places of marks; they hold null then.
    fn take(&mut self, value: &mut Json, at: &mut Vec<Step>) {
        match value {
            Json::String(text) => {
                let parts = self.parts(text);
                if parts.iter().any(|part| matches!(part, Part::Interpolation(_))) {
                    self.found.push(Referred { at: at.clone(), parts });
                    *value = Json::Null;
                }
            }
            Json::Array(items) => {
                for (idx, item) in items.iter_mut().enumerate() {
                    at.push(Step::Element(idx));
                    self.take(item, at);
                    at.pop();
                }
            }
            Json::Object(members) => {
                for (name, member) in members.iter_mut() {
                    at.push(Step::Member(name.clone()));
                    self.take(member, at);
                    at.pop();
                }
            }
            _ => {}
        }
    }

    fn parts(&self, text: &str) -> Vec<Part> {
        let mut pieces = text.split(START);
        let literal = |text: &str| (!text.is_empty()).then(|| Part::Literal(text.to_owned()));
        let mut parts: Vec<Part> = pieces.next().and_then(literal).into_iter().collect();
        for piece in pieces {
            let marked = piece.split_once(END).and_then(|(position, rest)| {
                Some((self.targets.get(position.parse::<usize>().ok()?)?, rest))
            });
            match marked {
                Some((to, rest)) => {
                    parts.push(Part::Interpolation(to.clone()));
                    parts.extend(literal(rest));
                }
                None => parts.extend(literal(piece)),
            }
        }
        parts
    }

    fn are_all_found(&self) -> bool {
        let is_found = |to: &Target| {
            let parts = self.found.iter().flat_map(|referred| &referred.parts);
            parts.into_iter().any(|part| matches!(part, Part::Interpolation(found) if found == to))
        };
        self.targets.iter().all(is_found)
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

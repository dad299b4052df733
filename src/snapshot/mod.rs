//! What a provider showed, as texts that are kept and compared.
//!
//! A text for each type and one for the provider: schemas, and the plans and states
//! of a few scenarios. Two showings go into each, from different times and
//! places; values that differ are volatile and not shown. Secrets never are.

mod common;
mod file;
mod hidden;
mod print;
mod schema;
mod show;

pub use file::{Change, ChangeKind, Folder, FolderError, written};
use hidden::Hidden;
use show::Scene;

use crate::files;
use crate::lifecycle::Played;
use crate::record::Masker;
use crate::schema::Kind;
use crate::transcript::Subject;
use crate::value::tree::Tree;

/// Everything that one file holds, as it was shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Showing {
    name: String,
    scenes: Vec<Scene>,
}

/// What is kept in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The file's name without its extension.
    pub name: String,
    /// The settings behind it besides the provider, for comparing two.
    pub about: String,
    pub text: String,
}

impl Showing {
    /// What the provider says about itself; `refused` is why an engine goes no further.
    pub fn of_provider(subject: &Subject, refused: Option<&str>, masker: &Masker) -> Showing {
        let schema = &subject.schema;
        let can = schema.capabilities;
        let capabilities = [
            ("plan_destroy", can.plan_destroy),
            ("get_provider_schema_optional", can.get_provider_schema_optional),
            ("move_resource_state", can.move_resource_state),
            ("generate_resource_config", can.generate_resource_config),
        ];
        let able = capabilities.iter().filter(|(_, able)| *able).map(|(name, _)| Tree::leaf(name));
        let fact = |label: &str, tree: Tree| (label.to_owned(), tree);
        let mut facts = vec![
            fact("protocol", Tree::Leaf(subject.protocol.to_string())),
            fact("capabilities", Tree::List(able.collect())),
        ];
        facts.extend(schema.provider.as_ref().map(|block| fact("configuration", schema::schema(block))));
        facts.extend(schema.provider_meta.as_ref().map(|block| fact("metadata", schema::schema(block))));
        facts.extend(schema::lists(schema).into_iter().map(|(label, tree)| fact(label, tree)));
        facts.extend(refused.map(|why| fact("refused", Tree::Leaf(masker.shown(why).into_inner()))));
        Showing { name: "provider".to_owned(), scenes: vec![Scene::new("provider", facts)] }
    }

    /// What a type showed: its schema, and the scenarios that were played with it.
    ///
    /// `scratch` is the folder in which the provider ran.
    pub fn of_type(
        subject: &Subject,
        kind: Kind,
        type_name: &str,
        played: &[Played],
        masker: &Masker,
        scratch: &str,
    ) -> Showing {
        let (declared, title) = (subject.schema.get(kind, type_name), format!("{kind} {type_name}"));
        let identity = subject.identity(type_name).filter(|_| kind == Kind::Resource);
        let declared = declared.map(|schema| ("schema".to_owned(), schema::schema(schema)));
        let identity = identity.map(|identity| ("identity".to_owned(), schema::identity(identity)));
        let mut scenes = vec![Scene::new(&title, declared.into_iter().chain(identity))];
        // One object may show the secrets of another.
        let calls = played.iter().flat_map(|played| &played.transcript.exchanges);
        calls.for_each(|exchange| masker.learn(&exchange.call, subject));
        scenes.extend(played.iter().map(|played| {
            Scene::of(played, &Hidden { secrets: &masker.secrets(&played.transcript), scratch })
        }));
        Showing { name: file_name(kind, type_name), scenes }
    }

    /// What this and another showing of the same have in common.
    pub fn common(&self, other: &Showing) -> Showing {
        let scenes = self.scenes.iter().zip(&other.scenes).map(|(one, other)| one.common(other));
        Showing { name: self.name.clone(), scenes: scenes.collect() }
    }

    /// The showing as text; `about` is the settings behind it besides the provider.
    pub fn snapshot(&self, about: &str) -> Snapshot {
        let mut text = String::new();
        for scene in &self.scenes {
            if !text.is_empty() {
                text.push('\n');
            }
            scene.print(&mut text);
        }
        Snapshot { name: self.name.clone(), about: format!("{}, {about}", self.name), text }
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Snapshot {
    /// The errors with which the provider answered, as printed.
    pub fn errors(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter(|line| line.starts_with(show::ERROR))
    }
}

/// The file of a type, without its extension. A name with a special meaning in a path is escaped.
fn file_name(kind: Kind, type_name: &str) -> String {
    let name = files::name_of(type_name);
    match kind {
        Kind::Resource if name == "provider" => format!("resource.{name}"),
        kind => kind.qualified(&name),
    }
}

#[cfg(test)]
mod tests;

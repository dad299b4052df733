//! Aligns trees member by member: named members by name, elements if they are equal.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::value::tree::Tree;

/// A member of a collection, or a whole object.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The attribute name or quoted key; empty for an element and for the whole.
    label: &'a str,
    tree: &'a Tree,
}

/// A place, and what each object holds there.
#[derive(Debug)]
pub struct Row<'a> {
    pub cells: Vec<Option<Member<'a>>>,
    members: Vec<Row<'a>>,
}

impl<'a> Row<'a> {
    /// Whole objects, aligned.
    pub fn of(objects: impl IntoIterator<Item = &'a Tree>) -> Row<'a> {
        align(objects.into_iter().map(|tree| Some(Member { label: "", tree })).collect())
    }

    /// Those of `among` that have a value here.
    pub fn holders(&self, among: &[usize]) -> Vec<usize> {
        among.iter().copied().filter(|idx| self.cells[*idx].is_some()).collect()
    }

    /// Whether all of `holders` agree.
    pub fn agrees(&self, holders: &[usize]) -> bool {
        holders.windows(2).all(|pair| self.tree(pair[0]) == self.tree(pair[1]))
    }

    pub fn is_collection(&self, idx: usize) -> bool {
        self.tree(idx).is_some_and(Tree::has_lines)
    }

    pub fn tree(&self, idx: usize) -> Option<&'a Tree> {
        self.cells[idx].map(|member| member.tree)
    }

    /// The name of the place in the object that holds it; empty for an element.
    pub fn label(&self) -> &'a str {
        self.cells.iter().flatten().next().map_or("", |member| member.label)
    }

    /// The members with their names as in a path.
    pub fn labelled(&self) -> impl Iterator<Item = (String, &Row<'a>)> {
        self.members.iter().enumerate().map(|(idx, member)| {
            let name = match member.label() {
                "" => format!("[{idx}]"),
                key if key.starts_with('"') => format!("[{key}]"),
                name => name.to_owned(),
            };
            (name, member)
        })
    }
}

/// The members of a collection; none of a leaf.
fn members(tree: &Tree) -> Vec<Member<'_>> {
    match tree {
        Tree::Leaf(_) => Vec::new(),
        Tree::List(elements) | Tree::Set(elements) => {
            elements.iter().map(|tree| Member { label: "", tree }).collect()
        }
        Tree::Object(members) | Tree::Map(members) => {
            members.iter().map(|(label, tree)| Member { label, tree }).collect()
        }
    }
}

fn align(cells: Vec<Option<Member<'_>>>) -> Row<'_> {
    let mut merged: Vec<Vec<Option<Member<'_>>>> = Vec::new();
    for (idx, cell) in cells.iter().enumerate() {
        // A list of leaves is easiest to read as a whole.
        if let Some(member) = cell.filter(|member| member.tree.has_lines()) {
            merged = merge(merged, &members(member.tree), idx, cells.len());
        }
    }
    Row { members: merged.into_iter().map(align).collect(), cells }
}

/// Adds the members of one more object to those aligned so far: named ones by their name,
/// elements if they are equal, and what lies between equal elements in order.
fn merge<'a>(
    merged: Vec<Vec<Option<Member<'a>>>>,
    members: &[Member<'a>],
    object: usize,
    n_objects: usize,
) -> Vec<Vec<Option<Member<'a>>>> {
    let known = merged.iter().map(|cells| Key::of(cells.iter().flatten().last().expect("held by one")));
    let known: Vec<Key<'a>> = known.collect();
    let new: Vec<Key<'a>> = members.iter().map(Key::of).collect();
    let mut out = Vec::new();
    let mut place = |cells: Option<usize>, member: Option<usize>| {
        let mut cells = cells.map_or_else(|| vec![None; n_objects], |idx| merged[idx].clone());
        if let Some(member) = member {
            cells[object] = Some(members[member]);
        }
        out.push(cells);
    };
    for op in capture_diff_slices(Algorithm::Myers, &known, &new) {
        match op {
            DiffOp::Equal { old_index, new_index, len } => {
                (0..len).for_each(|idx| place(Some(old_index + idx), Some(new_index + idx)));
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                (0..old_len).for_each(|idx| place(Some(old_index + idx), None));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                (0..new_len).for_each(|idx| place(None, Some(new_index + idx)));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let elements =
                    members[new_index..new_index + new_len].iter().all(|member| member.label.is_empty());
                let paired = if elements { old_len.min(new_len) } else { 0 };
                (0..paired).for_each(|idx| place(Some(old_index + idx), Some(new_index + idx)));
                (paired..old_len).for_each(|idx| place(Some(old_index + idx), None));
                (paired..new_len).for_each(|idx| place(None, Some(new_index + idx)));
            }
        }
    }
    out
}

/// How a member is found in another object: by its label, or else by its value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key<'a> {
    Label(&'a str),
    Element(&'a Tree),
}

impl<'a> Key<'a> {
    fn of(member: &Member<'a>) -> Key<'a> {
        if member.label.is_empty() { Key::Element(member.tree) } else { Key::Label(member.label) }
    }
}

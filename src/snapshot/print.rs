//! The text of a tree in a snapshot: null members of an object are left out, because the schema names them.

use crate::value::tree::Tree;

/// Prints a tree on the current line; further lines are indented by `indent` blanks.
pub fn print(tree: &Tree, indent: usize, out: &mut String) {
    match tree {
        Tree::Leaf(text) => out.push_str(text),
        Tree::List(elements) => {
            print_elements(elements.iter().map(|element| text(element, indent + 2)), indent, out)
        }
        Tree::Set(elements) => {
            let mut texts: Vec<String> = elements.iter().map(|element| text(element, indent + 2)).collect();
            texts.sort();
            print_elements(texts.into_iter(), indent, out);
        }
        Tree::Object(members) => {
            print_members(members.iter().filter(|(_, tree)| *tree != Tree::leaf("null")), indent, out);
        }
        Tree::Map(members) => print_members(members.iter(), indent, out),
    }
}

pub fn text(tree: &Tree, indent: usize) -> String {
    let mut out = String::new();
    print(tree, indent, &mut out);
    out
}

/// Columns in which a list stays on one line.
const WIDTH: usize = 80;

fn print_elements(texts: impl Iterator<Item = String>, indent: usize, out: &mut String) {
    let texts: Vec<String> = texts.collect();
    let width = indent + texts.iter().map(|text| text.chars().count() + 2).sum::<usize>();
    if width <= WIDTH && texts.iter().all(|text| !text.contains('\n')) {
        out.push_str(&format!("[{}]", texts.join(", ")));
        return;
    }
    let margin = " ".repeat(indent);
    out.push_str("[\n");
    for text in texts {
        out.push_str(&format!("{margin}  {text},\n"));
    }
    out.push_str(&format!("{margin}]"));
}

fn print_members<'t>(members: impl Iterator<Item = &'t (String, Tree)>, indent: usize, out: &mut String) {
    let mut members = members.peekable();
    if members.peek().is_none() {
        out.push_str("{}");
        return;
    }
    out.push_str("{\n");
    for (label, tree) in members {
        out.push_str(&format!("{:1$}{label} = ", "", indent + 2));
        print(tree, indent + 2, out);
        out.push('\n');
    }
    out.push_str(&format!("{:indent$}}}", ""));
}

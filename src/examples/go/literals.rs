//! Literals near the names of arguments.
//!
//! A file says what an argument accepts in the declaration of its attribute (validators, with the constants, lists and
//! functions that they name), in a `switch` on it, in comparisons, and where it is looked up in a map or handed to a
//! function that has such a list. What stands far from the name, or is computed, is not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::tokens::{Lexeme, Token, inside, parts, tokens};
use crate::examples::Source;
use crate::examples::paths::Paths;
use crate::generate::facts::Constraint;
use crate::suite::line_of;

/// The most members of a list; a longer one is a catalogue.
const MEMBERS: usize = 64;

/// How many definitions lead from an argument to its literals.
const STEPS: usize = 2;

/// Words of a file's name that do not say which type it is about.
const COMMON: [&str; 9] =
    ["resource", "data", "source", "datasource", "schema", "model", "gen", "sdk", "framework"];

/// Go files, by folder.
#[derive(Debug, Default)]
pub(in crate::examples) struct Package {
    files: Vec<Source>,
    /// What names of a folder stand for.
    known: BTreeMap<String, BTreeMap<String, Known>>,
}

/// The literals that a name stands for.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    members: Vec<String>,
    /// It is a list, or a function that has one, and not a single text.
    is_list: bool,
    patterns: Vec<String>,
    /// The names that it uses.
    uses: BTreeSet<String>,
}

/// What the sources say about an argument.
#[derive(Debug, PartialEq)]
pub(in crate::examples) struct Said {
    pub path: String,
    pub constraint: Constraint,
    /// The file and the line.
    pub place: String,
}

impl Package {
    pub fn of(files: &[Source]) -> Package {
        let mut package = Package { files: files.to_vec(), known: BTreeMap::new() };
        // A list may have constants that stand in a later file.
        for words in [&["const"][..], &["var", "func"]] {
            for file in files {
                let known = package.known.entry(file.module.clone()).or_default();
                define(words, &tokens(&file.text), known);
            }
        }
        package
    }

    pub fn n_files(&self) -> usize {
        self.files.len()
    }

    /// What is said about the arguments of a type.
    pub fn said(&self, type_name: &str, paths: &Paths<'_>) -> Vec<Said> {
        let mut found: Vec<Said> = Vec::new();
        for file in self.near(type_name) {
            let none = BTreeMap::new();
            let known = self.known.get(&file.module).unwrap_or(&none);
            let tokens = tokens(&file.text);
            let reader = Reader { file, tokens: &tokens, known, paths };
            for said in reader.said() {
                let is_new =
                    |other: &Said| (&other.path, &other.constraint) != (&said.path, &said.constraint);
                if found.iter().all(is_new) {
                    found.push(said);
                }
            }
        }
        found
    }

    /// The files about a type, by their names or their folder's, or because they name it.
    fn near(&self, type_name: &str) -> Vec<&Source> {
        let (prefix, rest) = type_name.split_once('_').unwrap_or(("", type_name));
        let plain = |text: &str| text.replace(['_', '-'], "").to_lowercase();
        let rest_plain = plain(rest);
        let is_common = |word: &&str| !COMMON.contains(word) && *word != prefix;
        let about = |file: &&Source| {
            let mut names = file.file.rsplit('/');
            let stem = names.next().unwrap_or_default().trim_end_matches(".go").to_owned();
            let folder = plain(names.next().unwrap_or_default());
            let bare: String = stem.split('_').filter(is_common).collect();
            bare == rest_plain || folder == rest_plain || (bare.is_empty() && plain(&stem) == rest_plain)
        };
        let named: Vec<&Source> = self.files.iter().filter(about).collect();
        if !named.is_empty() {
            return named;
        }
        let quoted = [format!("\"{type_name}\""), format!("\"_{rest}\"")];
        let names_it = |file: &&Source| quoted.iter().any(|quoted| file.text.contains(quoted));
        self.files.iter().filter(names_it).collect()
    }
}

/// Collects what the names of a file stand for that one of these words declares.
fn define(words: &[&str], tokens: &[Token<'_>], known: &mut BTreeMap<String, Known>) {
    let mut at = 0;
    while at < tokens.len() {
        let (word, next) = (tokens[at].text, at + 1);
        let is_word = tokens[at].lexeme == Lexeme::Word && words.contains(&word);
        at = match word {
            "func" if is_word => function(tokens, next, known),
            "const" | "var" if is_word && tokens.get(next).is_some_and(|token| token.is("(")) => {
                let group = inside(tokens, next);
                let mut at = group.start;
                while at < group.end {
                    at = variable(tokens, at, group.end, known);
                }
                group.end + 1
            }
            "const" | "var" if is_word => variable(tokens, next, tokens.len(), known),
            _ if tokens[at].is("(") || tokens[at].is("{") => inside(tokens, at).end + 1,
            _ => next,
        };
    }
}

/// A function or a method; the type that has the method has what is in it, too. Where it ends.
fn function(tokens: &[Token<'_>], start: usize, known: &mut BTreeMap<String, Known>) -> usize {
    let mut at = start;
    let mut names = Vec::new();
    if tokens.get(at).is_some_and(|token| token.is("(")) {
        let receiver = inside(tokens, at);
        names.extend(tokens[receiver.clone()].last().map(|token| token.text));
        at = receiver.end + 1;
    }
    names.extend(tokens.get(at).map(|token| token.text));
    // The result may be in brackets, and a type in it may have a body: `struct{}`.
    while at < tokens.len() && !tokens[at].is("{") {
        at = if tokens[at].is("(") { inside(tokens, at).end + 1 } else { at + 1 };
    }
    let is_type = |at: usize| at > 0 && matches!(tokens[at - 1].text, "struct" | "interface");
    while at < tokens.len() && is_type(at) {
        at = inside(tokens, at).end + 1;
    }
    if !tokens.get(at).is_some_and(|token| token.is("{")) {
        return at + 1;
    }
    let body = inside(tokens, at);
    let found = literals(tokens, body.clone(), known);
    for name in names {
        let entry = known.entry(name.to_owned()).or_default();
        entry.add(&found);
        entry.is_list = true;
    }
    body.end + 1
}

/// A constant or a variable; where it ends.
fn variable(tokens: &[Token<'_>], start: usize, end: usize, known: &mut BTreeMap<String, Known>) -> usize {
    let Some(equals) = (start..end.min(start + 8)).find(|at| tokens[*at].is("=")) else { return start + 1 };
    let (name, ty) = (tokens[start].text, tokens.get(start + 1).map(|token| token.text).unwrap_or_default());
    let Some(value) = tokens.get(equals + 1).filter(|_| equals + 1 < end) else { return equals + 1 };
    if tokens[start].lexeme != Lexeme::Word {
        return start + 1;
    }
    if value.is_string() {
        let text = vec![value.text.to_owned()];
        known.entry(name.to_owned()).or_default().add(&Known { members: text.clone(), ..Known::default() });
        if equals == start + 2 && ty != "string" {
            // The constants of a type are its values.
            let of_type = known.entry(ty.to_owned()).or_default();
            of_type.add(&Known { members: text, is_list: true, ..Known::default() });
        }
        return equals + 2;
    }
    // Up to the end of the composite or the call.
    let mut at = equals + 1;
    while at < end && !tokens[at].is("{") && !tokens[at].is("(") {
        let is_type = tokens[at].is("[") || tokens[at].is("]") || tokens[at].is(".") || tokens[at].is("*");
        if !is_type && tokens[at].lexeme != Lexeme::Word {
            return at + 1;
        }
        at = if tokens[at].is("[") { inside(tokens, at).end + 1 } else { at + 1 };
    }
    if at >= end {
        return equals + 2;
    }
    let stop = inside(tokens, at).end + 1;
    let found = literals(tokens, equals + 1..stop.min(end), known);
    let entry = known.entry(name.to_owned()).or_default();
    entry.add(&found);
    entry.is_list = true;
    stop
}

/// The members of lists, the keys of maps, the cases and the expressions in some tokens.
fn literals(tokens: &[Token<'_>], range: Range<usize>, known: &BTreeMap<String, Known>) -> Known {
    let mut found = Known::default();
    for at in range.clone() {
        let token = &tokens[at];
        let next = tokens.get(at + 1);
        if token.lexeme != Lexeme::Word {
            continue;
        }
        match token.text {
            "case" => {
                let end = (at..range.end).find(|at| tokens[*at].is(":")).unwrap_or(range.end);
                found.members.extend(texts(tokens, at + 1..end, known));
            }
            "string" | "String" | "any" | "bool" | "int" if next.is_some_and(|next| next.is("{")) => {
                for part in parts(tokens, inside(tokens, at + 1)) {
                    // The key of a map, or an element.
                    let end = part.clone().find(|at| tokens[*at].is(":")).unwrap_or(part.end);
                    found.members.extend(texts(tokens, part.start..end, known));
                }
            }
            "MustCompile" | "Compile" if next.is_some_and(|next| next.is("(")) => {
                let pattern = tokens.get(at + 2).filter(|token| token.is_string());
                found.patterns.extend(pattern.map(|token| unquoted(token)));
            }
            name => {
                found.uses.insert(name.to_owned());
            }
        }
    }
    // `map[string]T{…}` with a type of its own.
    for at in range.clone().filter(|at| tokens[*at].text == "map" && tokens[*at].lexeme == Lexeme::Word) {
        let is_of_texts = tokens.get(at + 2).is_some_and(|key| key.text == "string");
        let open = (at + 4..range.end.min(at + 14)).find(|at| tokens[*at].is("{"));
        if let (true, Some(open)) = (is_of_texts, open) {
            for part in parts(tokens, inside(tokens, open)) {
                let end = part.clone().find(|at| tokens[*at].is(":")).unwrap_or(part.start);
                found.members.extend(texts(tokens, part.start..end, known));
            }
        }
    }
    found.members.dedup();
    found
}

fn unquoted(token: &Token<'_>) -> String {
    if token.lexeme == Lexeme::Raw { token.text.to_owned() } else { token.text.replace("\\\\", "\\") }
}

/// The texts of some tokens: strings, and names that stand for one.
fn texts(tokens: &[Token<'_>], range: Range<usize>, known: &BTreeMap<String, Known>) -> Vec<String> {
    let text = |token: &Token<'_>| match token.lexeme {
        Lexeme::Raw | Lexeme::Quoted => vec![token.text.to_owned()],
        Lexeme::Word => known.get(token.text).map(|known| known.members.clone()).unwrap_or_default(),
        Lexeme::Mark => Vec::new(),
    };
    tokens[range].iter().flat_map(text).filter(|text| !text.is_empty() && !text.contains('\\')).collect()
}

impl Known {
    fn add(&mut self, other: &Known) {
        for (own, new) in [(&mut self.members, &other.members), (&mut self.patterns, &other.patterns)] {
            for text in new {
                if own.len() <= MEMBERS && !own.contains(text) {
                    own.push(text.clone());
                }
            }
        }
        self.is_list |= other.is_list;
        self.uses.extend(other.uses.iter().cloned());
    }
}

/// Reads one file for one type.
struct Reader<'f, 't, 's> {
    file: &'f Source,
    tokens: &'t [Token<'f>],
    known: &'t BTreeMap<String, Known>,
    paths: &'t Paths<'s>,
}

impl Reader<'_, '_, '_> {
    fn said(&self) -> Vec<Said> {
        let mut found = Vec::new();
        self.declared(0..self.tokens.len(), &[], &mut found);
        for at in 0..self.tokens.len() {
            self.used(at, &mut found);
        }
        found
    }

    /// The attributes that are declared in some tokens, inside of a block or at the top.
    fn declared(&self, range: Range<usize>, blocks: &[String], found: &mut Vec<Said>) {
        let mut at = range.start;
        while at < range.end {
            let token = &self.tokens[at];
            let is_key = token.lexeme == Lexeme::Quoted
                && self.tokens.get(at + 1).is_some_and(|next| next.is(":"))
                && !self.paths.find(blocks, token.text).is_empty();
            if !is_key {
                at += 1;
                continue;
            }
            let value = parts(self.tokens, at + 2..range.end).into_iter().next();
            let value = value.unwrap_or(at + 2..at + 2);
            let value = value.start..value.end.min(self.closing(value.start, range.end));
            let paths = self.paths.find(blocks, token.text);
            if paths.iter().any(|path| self.paths.has_members(path)) {
                self.declared(value.clone(), &paths, found);
            } else {
                self.add(&paths, &self.accepted(value.clone()), at, found);
            }
            at = value.end.max(at + 1);
        }
    }

    /// Where what contains a place is closed.
    fn closing(&self, start: usize, end: usize) -> usize {
        let mut at = start;
        while at < end {
            let token = &self.tokens[at];
            if token.is(")") || token.is("]") || token.is("}") {
                return at;
            }
            let opens = token.is("(") || token.is("[") || token.is("{");
            at = if opens { inside(self.tokens, at).end + 1 } else { at + 1 };
        }
        end
    }

    /// What the declaration of an attribute says that it accepts.
    fn accepted(&self, range: Range<usize>) -> Known {
        let mut found = Known::default();
        for at in range.clone() {
            let token = &self.tokens[at];
            let opens = |at: usize| self.tokens.get(at).is_some_and(|next| next.is("("));
            let is_list = ["OneOf", "InSlice", "Enum"].iter().any(|word| token.text.contains(word));
            if is_list && token.lexeme == Lexeme::Word && opens(at + 1) {
                // `StringInSlice(list, ignoreCase)`: `true` and `false` are no members.
                let arguments = inside(self.tokens, at + 1);
                let members = texts(self.tokens, arguments.clone(), self.known);
                found.add(&Known { members, is_list: true, ..Known::default() });
            }
        }
        let direct = literals(self.tokens, range, self.known);
        found.add(&Known { members: Vec::new(), ..direct });
        let mut names = found.uses.clone();
        for _ in 0..STEPS {
            let mut next = BTreeSet::new();
            for known in names.iter().filter_map(|name| self.known.get(name)).filter(|known| known.is_list) {
                found.add(known);
                next.extend(known.uses.iter().cloned());
            }
            names = next;
        }
        found
    }

    /// What a statement says about the argument that it uses.
    fn used(&self, at: usize, found: &mut Vec<Said>) {
        let token = &self.tokens[at];
        let next = self.tokens.get(at + 1);
        if token.lexeme == Lexeme::Word && token.text == "switch" {
            let Some(open) = (at..self.tokens.len().min(at + 24)).find(|at| self.tokens[*at].is("{")) else {
                return;
            };
            let paths = self.mentioned(at + 1..open);
            if !paths.is_empty() {
                let cases = literals(self.tokens, inside(self.tokens, open), self.known);
                self.add(&paths, &Known { is_list: true, patterns: Vec::new(), ..cases }, at, found);
            }
        } else if token.lexeme == Lexeme::Word
            && next.is_some_and(|next| next.is("[") || next.is("("))
            && let Some(known) = self.known.get(token.text).filter(|known| known.is_list)
            && known.members.len() > 1
        {
            let arguments = inside(self.tokens, at + 1);
            if arguments.len() <= 16 {
                let paths = self.mentioned(arguments);
                self.add(&paths, &Known { patterns: Vec::new(), ..known.clone() }, at, found);
            }
        } else if token.is("=")
            && self.tokens[at.saturating_sub(1)..at].iter().any(|before| before.is("=") || before.is("!"))
            && let Some(text) = next.filter(|next| next.is_string() && !next.text.is_empty())
        {
            let is_read = |token: &Token<'_>| matches!(token.text, "ValueString" | "Get" | "GetOk");
            let before = at.saturating_sub(10)..at - 1;
            let line = line_of(&self.file.text, token.start);
            let before = before.start.max(
                before
                    .clone()
                    .find(|at| line_of(&self.file.text, self.tokens[*at].start) == line)
                    .unwrap_or(at - 1),
            )..before.end;
            if self.tokens[before.clone()].iter().any(is_read) {
                let known = Known { members: vec![text.text.to_owned()], ..Known::default() };
                self.add(&self.mentioned(before), &known, at, found);
            }
        }
    }

    /// The argument that an expression reads: `d.Get("key_type")` or `plan.KeyType`.
    fn mentioned(&self, range: Range<usize>) -> Vec<String> {
        let of = |token: &Token<'_>| match token.lexeme {
            Lexeme::Quoted => self.paths.find(&[], token.text),
            Lexeme::Word if token.text.starts_with(char::is_uppercase) => self.paths.of_field(token.text),
            _ => Vec::new(),
        };
        self.tokens[range].iter().rev().map(of).find(|paths| !paths.is_empty()).unwrap_or_default()
    }

    fn add(&self, paths: &[String], known: &Known, at: usize, found: &mut Vec<Said>) {
        let place = || format!("{}:{}", self.file.file, line_of(&self.file.text, self.tokens[at].start));
        let mut constraints = Vec::new();
        match &known.members[..] {
            [] => {}
            members if members.len() > MEMBERS => {}
            [only] => constraints.push(Constraint::Literal(only.clone())),
            members => constraints.push(Constraint::OneOf(members.to_vec())),
        }
        constraints.extend(known.patterns.iter().cloned().map(Constraint::Pattern));
        for path in paths.iter().filter(|path| !self.paths.has_members(path)) {
            let said = |constraint: &Constraint| Said {
                path: path.clone(),
                constraint: constraint.clone(),
                place: place(),
            };
            found.extend(constraints.iter().map(said));
        }
    }
}

//! The functions of a file, and the literals that they are called with.
//!
//! Whatever a file holds, the time that it takes to read is proportional to its length.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::tokens::{Lexeme, Token, inside, parts};

/// The values of names.
pub(super) type Known<'t> = BTreeMap<&'t str, &'t str>;

/// The most tokens between the brackets of a call that is read.
const LONGEST: usize = 400;

/// The most calls of one function that are read, and that differ in their literals.
const READ: usize = 64;
const DIFFERENT: usize = 4;

/// What is known of the functions of a file.
pub(super) struct Functions<'t> {
    /// The function that each token is in.
    around: Vec<Option<&'t str>>,
    parameters: BTreeMap<&'t str, Vec<&'t str>>,
    /// The arguments of each call that no test expects to be refused.
    calls: BTreeMap<&'t str, Vec<Vec<Range<usize>>>>,
    /// Names that tests expect to be refused.
    refused: BTreeSet<&'t str>,
}

impl<'t> Functions<'t> {
    pub fn of(tokens: &[Token<'t>]) -> Functions<'t> {
        let mut functions = Functions {
            around: Vec::with_capacity(tokens.len()),
            parameters: BTreeMap::new(),
            calls: BTreeMap::new(),
            refused: BTreeSet::new(),
        };
        let mut is_refused = vec![false; tokens.len()];
        for config in refused_configs(tokens) {
            match &tokens[config.clone()] {
                [only] => drop(functions.refused.insert(only.text)),
                _ => is_refused[config].fill(true),
            }
        }
        let mut declared = BTreeSet::new();
        for (at, token) in tokens.iter().enumerate() {
            let name = (token.text == "func").then(|| name_of_function(tokens, at)).flatten();
            if let Some(at) = name {
                let parameters = arguments(tokens, at).unwrap_or_default();
                let parameters = parameters.iter().filter_map(|part| tokens.get(part.start));
                let parameters = parameters.map(|token| token.text).collect();
                functions.parameters.insert(tokens[at].text, parameters);
                declared.insert(at);
            }
            let before = functions.around.last().copied().flatten();
            functions.around.push(name.map(|at| tokens[at].text).or(before));
        }
        for (at, token) in tokens.iter().enumerate().filter(|(at, _)| !declared.contains(at)) {
            let Some(arguments) = arguments(tokens, at) else { continue };
            let calls = functions.calls.entry(token.text).or_default();
            if !is_refused[at] && calls.len() < READ {
                calls.push(arguments);
            }
        }
        functions
    }

    /// What is known by name where a string stands: for each call of its function, the literals of the call. Nothing
    /// if every test with the string expects to be refused.
    pub fn bindings(
        &self,
        text: &'t str,
        tokens: &[Token<'t>],
        string: usize,
        constants: &Known<'t>,
    ) -> Vec<Known<'t>> {
        if let [.., name, set] = &tokens[..string]
            && set.is("=")
        {
            let is_refused = self.refused.contains(name.text);
            return if is_refused { Vec::new() } else { vec![constants.clone()] };
        }
        let function = self.around[string].unwrap_or_default();
        let Some(calls) = self.calls.get(function) else { return vec![constants.clone()] };
        let parameters = self.parameters.get(function).map(Vec::as_slice).unwrap_or_default();
        let mut found: Vec<Known<'t>> = Vec::new();
        for call in calls {
            let mut known = constants.clone();
            for (name, part) in parameters.iter().zip(call) {
                match literal(text, &tokens[part.clone()], constants) {
                    Some(value) => known.insert(name, value),
                    None => known.remove(name),
                };
            }
            if !found.contains(&known) && found.len() < DIFFERENT {
                found.push(known);
            }
        }
        found
    }
}

/// The arguments of the call of a name, or the parameters of its declaration; `None` if no bracket follows the name.
fn arguments(tokens: &[Token<'_>], name: usize) -> Option<Vec<Range<usize>>> {
    let open = tokens.get(name + 1).filter(|open| tokens[name].lexeme == Lexeme::Word && open.is("("));
    open.map(|_| {
        let near = &tokens[..tokens.len().min(name + 2 + LONGEST)];
        parts(near, inside(near, name + 1))
    })
}

/// Where the name of a function is. A method has its receiver before it, and a function literal has no name.
fn name_of_function(tokens: &[Token<'_>], func: usize) -> Option<usize> {
    let at = match tokens.get(func + 1)? {
        open if open.is("(") => {
            let near = &tokens[..tokens.len().min(func + 2 + LONGEST)];
            inside(near, func + 1).end + 1
        }
        _ => func + 1,
    };
    let is_name = tokens.get(at)?.lexeme == Lexeme::Word && tokens.get(at + 1)?.is("(");
    is_name.then_some(at)
}

/// The value of an argument that is written out, or a constant.
fn literal<'t>(text: &'t str, argument: &[Token<'t>], constants: &Known<'t>) -> Option<&'t str> {
    let only = match argument {
        [only] => only,
        [minus, number] if minus.is("-") && number.text.parse::<f64>().is_ok() => {
            return text.get(minus.start..number.end);
        }
        _ => return None,
    };
    let is_plain = match only.lexeme {
        Lexeme::Quoted => !only.text.contains('\\'),
        Lexeme::Raw => true,
        Lexeme::Word => only.text.parse::<f64>().is_ok() || matches!(only.text, "true" | "false"),
        Lexeme::Mark => false,
    };
    if is_plain { Some(only.text) } else { constants.get(only.text).copied() }
}

/// What stands as `Config` beside `ExpectError`, in one pair of brackets.
fn refused_configs(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    #[derive(Default)]
    struct Step {
        config: Option<Range<usize>>,
        expects_error: bool,
        is_in_config: bool,
    }
    let (mut refused, mut open) = (Vec::new(), vec![Step::default()]);
    for (at, token) in tokens.iter().enumerate() {
        if token.opens() {
            open.push(Step::default());
            continue;
        }
        if token.closes() {
            let step = open.pop().unwrap_or_default();
            let end = step.config.map(|config| if step.is_in_config { config.start..at } else { config });
            refused.extend(end.filter(|_| step.expects_error));
            continue;
        }
        let Some(step) = open.last_mut() else { continue };
        let is_key = tokens.get(at + 1).is_some_and(|colon| colon.is(":"));
        match token.text {
            "Config" if is_key => (step.config, step.is_in_config) = (Some(at + 2..at + 2), true),
            "ExpectError" if is_key => step.expects_error = true,
            "," if step.is_in_config => {
                step.config = step.config.take().map(|config| config.start..at);
                step.is_in_config = false;
            }
            _ => {}
        }
    }
    refused.retain(|config| config.start < config.end && config.end <= tokens.len());
    refused
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn brackets_without_end_cost_no_more_than_their_length() {
        for part in ["{", "func (", "f(", "{Config: {ExpectError: ", "func f(`x`", "f(g(", "}", "Config:,"] {
            let text = part.repeat(50_000);
            let tokens = tokens(&text);
            let functions = Functions::of(&tokens);
            for at in [0, tokens.len() / 2, tokens.len() - 1] {
                functions.bindings(&text, &tokens, at, &Known::new());
            }
        }
    }
}

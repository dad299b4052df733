//! Texts for prose that names the characters that are allowed.

/// Expressions for texts of the characters that a sentence names, the most likely first.
pub(super) fn expressions(prose: &str) -> Vec<&'static str> {
    let prose = prose.to_ascii_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| prose.contains(word));
    let has_letters = names(&["letter", "alpha", "case", "a-z", "character"]);
    let has_digits = names(&["digit", "number", "numeric", "0-9"]);
    let has_capitals_only = names(&["upper", "capital"]) && !names(&["lower", "alpha"]);
    let mut expressions = Vec::new();
    let mut first = |is_likely, expression| {
        if is_likely {
            expressions.push(expression)
        }
    };
    first(names(&["special", "symbol"]), "Passw0rd!Passw0rd");
    first(has_digits && !has_letters, "[0-9]+");
    first(has_capitals_only && has_digits && names(&["hyphen", "dash"]), "[A-Z]+-[0-9]+");
    first(has_capitals_only && has_digits, "[A-Z]+[0-9]");
    first(has_capitals_only, "[A-Z]+");
    first(names(&["upper", "capital"]) && has_digits, "[A-Z][a-z]+[0-9]");
    let usual = ["[a-z]+", "[a-z]+[0-9]{2}", "[a-z]", "[A-Z][a-z]+[0-9]", "[a-z]+-[a-z]", "[a-z]+_[a-z]"];
    for expression in usual.into_iter().chain(["[0-9]+", "[0-9]", "[0-9a-f]{32}"]) {
        if !expressions.contains(&expression) {
            expressions.push(expression);
        }
    }
    expressions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_comes_first() {
        for (prose, first) in [
            ("only lowercase alphanumeric characters and hyphens", "[a-z]+"),
            ("must consist of 8 digits", "[0-9]+"),
            ("one upper case letter, one digit and one special character", "Passw0rd!Passw0rd"),
            ("uppercase letters only", "[A-Z]+"),
            ("expected capital letters, a hyphen and a number", "[A-Z]+-[0-9]+"),
        ] {
            assert_eq!(expressions(prose)[0], first, "{prose}");
        }
    }
}

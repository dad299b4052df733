//! Strings that mean the same in several spellings.

use serde_json::Value as Json;

/// How the remote system normalizes a string, and so which strings mean the same to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// JSON: kept without white space, members sorted by name. Text that is not JSON is kept as it is.
    Json,
    /// Letter case does not matter; kept in lower case.
    Case,
}

impl Spelling {
    /// The form in which the remote system stores it.
    pub fn canonical(self, text: &str) -> String {
        match self {
            Spelling::Json => match serde_json::from_str::<Json>(text) {
                Ok(mut json) => {
                    json.sort_all_objects();
                    json.to_string()
                }
                Err(_) => text.to_owned(),
            },
            Spelling::Case => text.to_lowercase(),
        }
    }

    pub fn same(self, a: &str, b: &str) -> bool {
        a == b || self.canonical(a) == self.canonical(b)
    }

    /// Another spelling of the same meaning; `None` where there is only one.
    pub fn another(self, text: &str) -> Option<String> {
        let other = match self {
            Spelling::Json => {
                let json: Json = serde_json::from_str(text).ok()?;
                let pretty = serde_json::to_string_pretty(&json).ok()?;
                if pretty == text { format!(" {text}") } else { pretty }
            }
            Spelling::Case => {
                let upper = text.to_uppercase();
                if upper == text { text.to_lowercase() } else { upper }
            }
        };
        (other != text && self.same(&other, text)).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_the_same_whatever_its_spaces_and_order() {
        let (a, b) = (r#"{ "b": [1, 2], "a": {"y":1,"x":2} }"#, r#"{"a":{"x":2,"y":1},"b":[1,2]}"#);
        assert!(Spelling::Json.same(a, b));
        assert_eq!(Spelling::Json.canonical(a), b);
        assert!(!Spelling::Json.same("[1,2]", "[2,1]"));
        assert!(!Spelling::Json.same("no json", "no  json"));
    }

    #[test]
    fn another_spelling_differs_and_means_the_same() {
        for (spelling, text) in [
            (Spelling::Json, "{}"),
            (Spelling::Json, "[1]"),
            (Spelling::Json, " [1]"),
            (Spelling::Case, "aB"),
        ] {
            let other = spelling.another(text).unwrap();
            assert!(other != text && spelling.same(&other, text), "{text} and {other}");
        }
        assert_eq!(Spelling::Case.another("123"), None);
        assert_eq!(Spelling::Json.another("no json"), None);
    }
}

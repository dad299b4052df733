//! Files beside an example, which it reads by `file(…)`, `filebase64(…)` and `templatefile(…)`.

use std::sync::LazyLock;

use base64::Engine as _;
use regex::{Captures, Regex};

use super::somebodys::is_somebodys;

/// A call with a path below the module.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    let path = r#""(?:\$\{path\.(?:module|root|cwd)\}/|\./)?([^"$%\\]+)""#;
    let call = format!(r"\b(?:(file|filebase64)\(\s*{path}\s*\)|templatefile\(\s*{path}\s*,)");
    Regex::new(&call).expect("it is a regular expression")
});

/// A configuration with what its files hold in the place of the calls that read them. `read` returns what a file below
/// the module holds, if it may be used.
pub fn with_files(text: &str, read: impl Fn(&str) -> Option<Vec<u8>>) -> String {
    let bytes_of = |path: &str| read(path).filter(|held| !is_somebodys(&String::from_utf8_lossy(held)));
    let text_of = |path: &str| String::from_utf8(bytes_of(path)?).ok();
    let held = |call: &Captures<'_>| -> Option<String> {
        match (call.get(1).map(|name| name.as_str()), call.get(2), call.get(3)) {
            (Some("file"), Some(path), _) => text_of(path.as_str()).map(|text| quoted(&text)),
            (Some(_), Some(path), _) => {
                Some(quoted(&base64::engine::general_purpose::STANDARD.encode(bytes_of(path.as_str())?)))
            }
            (_, _, path) => Some(format!("templatestring({},", quoted(&text_of(path?.as_str())?))),
        }
    };
    let replaced = |call: &Captures<'_>| held(call).unwrap_or_else(|| call[0].to_owned());
    CALL.replace_all(text, replaced).into_owned()
}

/// A literal of the configuration language, in one line.
fn quoted(text: &str) -> String {
    // JSON escapes in the same way.
    let json = serde_json::Value::from(text).to_string();
    json.replace("${", "$${").replace("%{", "%%{").replace("\\b", "\\u0008").replace("\\f", "\\u000c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_holds_takes_the_place_of_the_call() {
        let read = |path: &str| match path {
            "a.txt" => Some(b"one\n\"two\" ${x}\n".to_vec()),
            "t.txt" => Some(b"Hi ${name}".to_vec()),
            "key.pem" => Some(b"-----BEGIN PRIVATE KEY-----".to_vec()),
            _ => None,
        };
        let text = "a = file(\"${path.module}/a.txt\")\nb = filebase64( \"./a.txt\" )\nc = filebase64(\"key.pem\")\nd = file(\"b\")\n\
            e = templatefile(\"${path.module}/t.txt\", { name = 1 })\n";
        let expected = "a = \"one\\n\\\"two\\\" $${x}\\n\"\nb = \"b25lCiJ0d28iICR7eH0K\"\nc = filebase64(\"key.pem\")\nd = file(\"b\")\n\
            e = templatestring(\"Hi $${name}\", { name = 1 })\n";
        assert_eq!(with_files(text, read), expected);
    }
}

//! The forms in which programs write a text, as `docs/safety.md` lists them.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

/// Each form of a text, with its name.
pub fn forms(text: &str) -> Vec<(&'static str, String)> {
    let basic = |before: &str| STANDARD.encode(format!("{before}{text}, and more"));
    let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    vec![
        ("plain", text.to_owned()),
        ("quoted", quoted(text, false)),
        ("quoted twice", quoted(&quoted(text, false), false)),
        ("quoted five times", (0..5).fold(text.to_owned(), |text, _| quoted(&text, false))),
        ("quoted in ASCII", quoted(text, true)),
        ("in JSON", in_json(text)),
        ("in JSON in JSON", in_json(&in_json(text))),
        ("in JSON for HTML", in_json(text).replace('<', "\\u003c").replace('&', "\\u0026")),
        ("in base64", STANDARD.encode(text)),
        ("in base64 without padding", STANDARD_NO_PAD.encode(text)),
        ("in base64 for URLs", URL_SAFE.encode(text)),
        ("in base64 for URLs without padding", URL_SAFE_NO_PAD.encode(text)),
        ("in the middle of base64", basic("user:")),
        ("in the middle of base64, one on", basic("user1:")),
        ("in the middle of base64, two on", basic("user12:")),
        ("in base64 in a URL", in_url(&basic("user:"), "+")),
        ("in a query", in_url(text, "+")),
        ("in a path", in_url(text, "%20")),
        ("in a URL in a URL", in_url(&in_url(text, "%20"), "+")),
        ("in hexadecimal", hex.clone()),
        ("in capital hexadecimal", hex.to_uppercase()),
        ("in HTML", in_html(text)),
        ("quoted in HTML", in_html(&quoted(text, false))),
        ("in capitals", text.to_uppercase()),
        ("in small letters", text.to_lowercase()),
    ]
}

/// As Go's `%q` and `strconv.QuoteToASCII`, without the quotes.
fn quoted(text: &str, is_ascii: bool) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        c if is_ascii && c as u32 > 0xffff => format!("\\U{:08x}", c as u32),
        c if c.is_control() || (is_ascii && !c.is_ascii()) => format!("\\u{:04x}", c as u32),
        c => c.to_string(),
    });
    escaped.collect()
}

fn in_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// As Go's `url.QueryEscape` and `url.PathEscape`.
fn in_url(text: &str, blank: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        b' ' => blank.to_owned(),
        byte => format!("%{byte:02X}"),
    });
    escaped.collect()
}

/// As Go's `html.EscapeString`.
fn in_html(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('\'', "&#39;").replace('"', "&#34;");
    escaped.replace('<', "&lt;").replace('>', "&gt;")
}

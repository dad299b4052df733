use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

use super::escapes::Char;
use super::*;

#[path = "../../../tests/forms/mod.rs"]
mod forms;
use forms::forms;

fn matcher(secrets: impl IntoIterator<Item = Secret>) -> Matcher {
    let mut matcher = Matcher::default();
    matcher.add(secrets.into_iter().collect());
    matcher
}

fn of_texts(secrets: &[&str]) -> Matcher {
    matcher(secrets.iter().filter_map(|text| Secret::text(text)))
}

/// The text with `*` in place of each secret.
fn starred(matcher: &Matcher, text: &str) -> String {
    let mut starred = String::new();
    let mut rest = 0;
    for found in matcher.find(text.as_bytes()) {
        starred.push_str(&text[rest..found.start]);
        starred.push('*');
        rest = found.end;
    }
    starred + &text[rest..]
}

const SECRETS: [&str; 6] = [
    "canary-token-4711",
    "Canary \"quoted\" \\ back",
    "canary&<b>'\u{fc}ml\u{e4}ut\u{1f600}'",
    "line one\nof \"two\" lines?",
    "a+b/c==%41&amp;\\n",
    "s3cr",
];

#[test]
fn every_form_is_found() {
    for secret in SECRETS {
        let matcher = of_texts(&["another-secret", secret, "and-a-third"]);
        for (form, text) in forms(secret) {
            let starred = starred(&matcher, &format!("[{text}] ({text})"));
            // Padding, and what else is in a longer base64, is not secret.
            let is_clean = if form.contains("base64") {
                let digits = &text[..text.trim_end_matches("%3D").trim_end_matches('=').len()];
                !starred.contains(digits) && starred.matches('*').count() == 2
            } else {
                starred == "[*] (*)"
            };
            assert!(is_clean, "{form} of {secret:?}: {starred}");
        }
    }
}

#[test]
fn of_base64_no_digit_of_the_secret_is_left() {
    let matcher = of_texts(&["canary"]);
    for (text, expected) in [
        ("canary", "*"),
        ("xcanary", "e*=="),
        ("xycanaryz", "eH*6"),
        ("xyzcanaryxyz", "eHl6*eHl6"),
        ("xcanaryxyz", "e*h5eg=="),
    ] {
        assert_eq!(starred(&matcher, &STANDARD.encode(text)), expected, "{text}");
    }
}

#[test]
fn secrets_that_overlap_leave_nothing_behind() {
    let matcher = of_texts(&["abcde1234", "1234vwxyz", "bcd", "cd12"]);
    assert_eq!(starred(&matcher, "(abcde1234vwxyz) abcde1234abcde1234 xbcdx"), "(*) ** xbcdx");
}

#[test]
fn a_short_secret_is_found_only_as_a_word_unless_the_user_wrote_it() {
    let of_answers = of_texts(&["plan", "-planned", "2001", "beef"]);
    for text in
        ["planned", "a-plan", "plan_b", "tfcetwyzn-planned", "fd00:2001::beef", "10.2001.4", "plan\u{e9}"]
    {
        assert_eq!(starred(&of_answers, text), text);
    }
    let said = "plan \"plan\" 'plan', plan: (plan) key=plan;user:plan@host -planned [2001] /plan/";
    assert_eq!(starred(&of_answers, said), "* \"*\" '*', *: (*) key=*;user:*@host * [*] /*/");
    let written = matcher(Secret::text("plan").map(Secret::named));
    assert_eq!(starred(&written, "a planned plan"), "a *ned *");
}

#[test]
fn short_secrets_are_secret_as_a_whole() {
    let matcher = of_texts(&["abc", "defg"]);
    assert!(matcher.is_secret("abc") && !matcher.is_secret("abcd"));
    assert_eq!(starred(&matcher, "abc defgh defg"), "abc defgh *");
}

#[test]
fn numbers_are_found_as_numbers() {
    let numbers = ["4711", "-90210.5", "12345678", "100000000000000000000", "7"];
    let numbers = numbers.map(|text| Secret::number(&crate::value::Number::parse(text).unwrap()));
    let matcher = matcher(numbers);
    for (text, expected) in [
        ("pin=4711, 4711.0 and 4.711e+03", "pin=*, * and *"),
        ("14711 47110 4711.5 1.4711.2", "14711 47110 4711.5 1.*.2"),
        ("-90210.5 90210 9.02105e4", "-* 90210 *"),
        ("1.2345678e+07 in %!d(12345678)", "* in %!d(*)"),
        ("1e20 100000000000000000000", "* *"),
        ("7 of 7", "7 of 7"),
        ("MTIzNDU2Nzg= 3132333435363738", "*= *"),
    ] {
        assert_eq!(starred(&matcher, text), expected);
    }
}

#[test]
fn a_cut_secret_is_found_in_lines_and_pieces() {
    let key = "-----BEGIN KEY-----\nMIIEowIBAAKCAQEA\nx7Jq0pZk1Wm3\n-----END KEY-----\n";
    let long: String = (0..4000).map(|n| char::from(b'a' + (n * n % 23) as u8)).collect();
    let matcher = of_texts(&[key, &long]);
    assert_eq!(starred(&matcher, "panic: \tMIIEowIBAAKCAQEA"), "panic: \t*");
    assert_eq!(starred(&matcher, &format!("<{long}>")).trim_matches(['<', '>', '*']), "");
    let cut = starred(&matcher, &long[100..]);
    assert!(cut.len() < 1024 && cut.ends_with('*'), "{cut}");
}

#[test]
fn other_texts_are_left_alone() {
    let matcher = of_texts(&SECRETS);
    let text = "2026-01-01 [INFO] \"GET /v1/things?id=%2Fa&x=\\\"1\\\"\" &amp; \u{fc}ber 0xdeadbeef \\x \\u12 %zz &#; &";
    assert_eq!(starred(&matcher, text), text);
    assert_eq!(starred(&of_texts(&[]), "anything"), "anything");
}

#[test]
fn time_grows_with_the_text_alone() {
    let secrets: Vec<String> = (0..2_000).map(|n| format!("secret number {} of many", n * 7919)).collect();
    let matcher = of_texts(&secrets.iter().map(String::as_str).collect::<Vec<_>>());
    let line = "{\"@message\":\"a \\\"quoted\\\" & <b>, 100%25 of secret number\",\"n\":123456}\n";
    let took = |times: usize| {
        let text = line.repeat(times);
        let began = std::time::Instant::now();
        assert!(matcher.find(text.as_bytes()).is_empty());
        began.elapsed()
    };
    took(100);
    // Generous: the machine may be busy. Quadratic would be a hundred times as much.
    let (few, many) = (took(500), took(5_000));
    assert!(many < few * 60, "{few:?} for a tenth of {many:?}");
}

#[test]
fn patterns_within_each_other_cost_no_more() {
    let secrets: Vec<String> = (4..600).map(|n| "a".repeat(n)).collect();
    let matcher = of_texts(&secrets.iter().map(String::as_str).collect::<Vec<_>>());
    let text = "a".repeat(100_000);
    assert_eq!(starred(&matcher, &text), "*");
}

proptest! {
    #[test]
    fn no_secret_survives_in_any_form(
        secret in "[ -~\u{e0}-\u{ff}]{6,30}",
        others in proptest::collection::vec("[a-z]{4,9}", 0..5),
        form in 0..25usize,
        around in "[ -~]{0,12}",
    ) {
        let secret = secret.trim().to_owned();
        prop_assume!(secret.len() >= 6);
        let mut matcher = of_texts(&others.iter().map(String::as_str).collect::<Vec<_>>());
        matcher.add(Secret::text(&secret).into_iter().collect());
        let (_, text) = forms(&secret).swap_remove(form);
        // A backslash or a percent sign before it would change what it is.
        let around = around.replace(['\\', '%', '&'], "/");
        let starred = starred(&matcher, &format!("{around} {text} {around}"));
        prop_assert!(!starred.contains(&text), "{starred}");
    }

    #[test]
    fn any_bytes_can_be_searched(bytes: Vec<u8>, secret in "[a-c%\\\\&]{1,6}") {
        for found in of_texts(&[&secret, "61626364"]).find(&bytes) {
            prop_assert!(found.start < found.end && found.end <= bytes.len());
        }
    }
}

/// Texts in which escapes of all kinds are nested and overlap.
fn escaped() -> impl Strategy<Value = String> {
    let pieces = [
        "\\", "%", "&", ";", "#", "x", "u", "2", "5", "4", "1", "amp", "quot", "%25", "%5C", "%26", "&amp;",
        "&#37;", "&#92;", "&quot;", "\\x25", "\\u0026", "\\\\", "a", "\"", "{", "}", "\u{fc}",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..16)
        .prop_map(|pieces| pieces.concat())
}

/// The view in which escapes of a kind are undone, byte by byte, and what each byte is made of.
fn undone_by_byte(bytes: &[u8], from: &[Range<usize>], kind: &Kind) -> (Vec<u8>, Vec<Range<usize>>) {
    let (mut all, mut sources) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        let read = (bytes[at] == kind.marker).then(|| (kind.read)(&bytes[at..])).flatten();
        let (length, char) = read.unwrap_or((1, Char::Byte(bytes[at])));
        char.push_to(&mut all);
        sources.resize(all.len(), from[at].start..from[at + length - 1].end);
        at += length;
    }
    (all, sources)
}

proptest! {
    #[test]
    fn a_view_knows_what_each_byte_is_made_of(
        text in escaped(),
        order in proptest::collection::vec(0..KINDS.len(), 1..6),
    ) {
        let mut view = View::of(text.as_bytes());
        let each: Vec<Range<usize>> = (0..text.len()).map(|at| at..at + 1).collect();
        let mut expected = (text.as_bytes().to_vec(), each);
        for kind in order.iter().map(|idx| &KINDS[*idx]) {
            expected = undone_by_byte(&expected.0, &expected.1, kind);
            view = view.without(kind).unwrap_or(view);
            let from: Vec<Range<usize>> = (0..view.bytes().len()).map(|at| view.range(at..at + 1)).collect();
            prop_assert_eq!(view.bytes(), &expected.0[..]);
            prop_assert_eq!(&from, &expected.1);
        }
    }
}

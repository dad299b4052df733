//! Values made of the one before and what the provider said about it.

/// How many words of a message are tried.
const MAX_TOKENS: usize = 4;

/// Values built from one that was refused and the words that are quoted in the message.
///
/// A message that is new for an argument says that the last value came further than the one before. Parsers
/// of identifiers show themselves in this way, one complaint at a time: `missing the 'subscriptions'
/// element`, then `'resourceGroups'`.
pub fn spliced(previous: &str, message: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let joined = previous.trim_end_matches('/');
    for token in quoted(message).into_iter().filter(|token| *token != previous).take(MAX_TOKENS) {
        for value in [
            token.to_owned(),
            format!("{joined}/{token}/example"),
            format!("{previous}{token}"),
            format!("{token}{previous}"),
        ] {
            if !found.contains(&value) && value != previous {
                found.push(value);
            }
        }
    }
    found
}

/// The words and short texts in quotes, in order, without repeats.
fn quoted(message: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = message;
    while let Some(start) = rest.find(['"', '\'', '`']) {
        let quote = rest[start..].chars().next().expect("a quote was found");
        // Within a word it is an apostrophe.
        let is_apostrophe = quote == '\'' && rest[..start].ends_with(char::is_alphanumeric);
        rest = &rest[start + 1..];
        if is_apostrophe {
            continue;
        }
        let Some(end) = rest.find(quote) else { continue };
        let token = &rest[..end];
        if !token.is_empty() && token.len() <= 200 && !token.contains('\n') && !found.contains(&token) {
            found.push(token);
        }
        rest = &rest[end + 1..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_is_climbed_one_complaint_at_a_time() {
        assert_eq!(
            spliced("tfc", "ID didn't have the `subscriptions` element"),
            ["subscriptions", "tfc/subscriptions/example", "tfcsubscriptions", "subscriptionstfc"]
        );
        let next = spliced("/subscriptions/example", "missing the 'resourceGroups' element");
        assert!(next.contains(&"/subscriptions/example/resourceGroups/example".to_owned()));
    }

    #[test]
    fn the_value_itself_and_what_is_not_quoted_are_left_out() {
        assert_eq!(spliced("tfc", "\"tfc\" isn't valid, and it can't be"), Vec::<String>::new());
        assert_eq!(spliced("a", "an open \" quote"), Vec::<String>::new());
    }
}

//! Characters that a reader cannot see, or that change how others are seen.

/// Characters without a shape of their own: zero width, fillers, marks of direction and of annotation.
const RANGES: &[(char, char)] = &[
    ('\u{7f}', '\u{9f}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Joins emoji into one.
const JOINER: char = '\u{200d}';

/// Whether a character must be escaped to be seen, after the one `before` it: controls, and what has no shape.
pub fn is_invisible(c: char, before: Option<char>) -> bool {
    let joins_symbols = c == JOINER && before.is_some_and(|before| before >= '\u{2190}');
    c.is_control() || (!joins_symbols && RANGES.iter().any(|(first, last)| (*first..=*last).contains(&c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_shape_is_told_from_what_has() {
        for c in ['\u{1b}', '\u{85}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{200d}', '\u{e0041}']
        {
            assert!(is_invisible(c, Some('a')), "{c:?}");
        }
        for c in ['a', ' ', 'é', '日', '\u{301}', '\u{1f469}', '\u{fe0f}'] {
            assert!(!is_invisible(c, Some('a')), "{c:?}");
        }
        assert!(!is_invisible('\u{200d}', Some('\u{1f469}')));
    }
}

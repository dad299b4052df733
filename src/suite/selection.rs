//! Which types a run plays: globs for their names.

use globset::{Glob, GlobMatcher};

use super::text::nearest;
use crate::schema::Kind;

/// Globs for the names of types; none selects all.
///
/// A glob is compared with the name that reports show, `acme_server` or `data.acme_image`, so `data.*` selects
/// every data source. It is also compared with the name alone, so `acme_image` selects the resource type and the
/// data source.
#[derive(Clone, Debug, Default)]
pub struct Selection(Vec<GlobMatcher>);

impl Selection {
    /// Fails with a message if a glob is invalid.
    pub fn parse(patterns: &[String]) -> Result<Selection, String> {
        let globs = patterns.iter().map(|pattern| match Glob::new(pattern) {
            Ok(glob) => Ok(glob.compile_matcher()),
            Err(error) => Err(format!("{pattern:?} is not a valid glob: {}", error.kind())),
        });
        globs.collect::<Result<_, _>>().map(Selection)
    }

    /// Whether it selects all types, because there are no globs.
    pub fn is_everything(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a type is selected.
    pub fn has(&self, kind: Kind, name: &str) -> bool {
        self.is_everything() || self.0.iter().any(|glob| matches(glob, kind, name))
    }

    /// The first glob that matches none of `types`, most likely a typo: its position among the globs, and a message.
    pub fn unmatched<'n>(
        &self,
        types: impl Iterator<Item = (Kind, &'n str)> + Clone,
    ) -> Option<(usize, String)> {
        let is_unmatched = |glob: &GlobMatcher| !types.clone().any(|(kind, name)| matches(glob, kind, name));
        let idx = self.0.iter().position(is_unmatched)?;
        let pattern = self.0[idx].glob().glob();
        let names: Vec<String> = types.map(|(kind, name)| kind.qualified(name)).collect();
        let hint = nearest(pattern, names.iter().map(String::as_str));
        Some((idx, format!("no type of the provider matches `{pattern}`{hint}")))
    }
}

fn matches(glob: &GlobMatcher, kind: Kind, name: &str) -> bool {
    glob.is_match(name) || glob.is_match(kind.qualified(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: [(Kind, &str); 4] = [
        (Kind::Resource, "acme_server"),
        (Kind::Resource, "acme_disk"),
        (Kind::DataSource, "acme_server"),
        (Kind::DataSource, "acme_image"),
    ];

    fn selected(patterns: &[&str]) -> Vec<String> {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let selection = Selection::parse(&patterns).unwrap();
        let selected = TYPES.into_iter().filter(|(kind, name)| selection.has(*kind, name));
        selected.map(|(kind, name)| kind.qualified(name)).collect()
    }

    #[test]
    fn data_sources_are_selected_by_the_name_that_reports_show() {
        assert_eq!(selected(&["data.*"]), ["data.acme_server", "data.acme_image"]);
        assert_eq!(selected(&["data.acme_server"]), ["data.acme_server"]);
        assert_eq!(selected(&["acme_server"]), ["acme_server", "data.acme_server"]);
        assert_eq!(selected(&["data.acme_i*", "acme_d*"]), ["acme_disk", "data.acme_image"]);
        assert_eq!(selected(&[]).len(), TYPES.len());
        assert_eq!(selected(&["*"]).len(), TYPES.len());
    }

    #[test]
    fn a_glob_that_matches_nothing_is_named_with_what_was_meant() {
        let unmatched = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
            Selection::parse(&patterns).unwrap().unmatched(TYPES.into_iter())
        };
        assert_eq!(unmatched(&["acme_*", "data.acme_image"]), None);
        let (idx, said) = unmatched(&["acme_*", "data.acme_imagee"]).unwrap();
        assert_eq!(idx, 1);
        assert_eq!(
            said,
            "no type of the provider matches `data.acme_imagee`, did you mean `data.acme_image`?"
        );
        let (_, said) = unmatched(&["acme_dsik"]).unwrap();
        assert_eq!(said, "no type of the provider matches `acme_dsik`, did you mean `acme_disk`?");
    }
}

//! What is wrong with the bytes of a response, for the rules about encoding.

use std::collections::BTreeSet;

use crate::rule::{Asked, Context, Finding, Findings};
use crate::transcript::{Encoded, Side};
use crate::value::msgpack::{Issue, IssueKind};

/// An issue of an encoding, and the value that has it.
pub struct EncodingIssue<'t> {
    /// The field of the response, such as `planned_state`.
    pub field: &'static str,
    pub encoded: &'t Encoded,
    pub issue: &'t Issue,
    /// Whether it is the reason why the value does not decode.
    pub fatal: bool,
}

impl<'t> Context<'t> {
    /// The values of the response for which the subject's schema has a type.
    pub fn answers(&self, asked: &Asked<'t>) -> Vec<(&'static str, &'t Encoded)> {
        let identified = asked.call.type_name().is_some_and(|name| self.subject().identity(name).is_some());
        let mut values = asked.call.values(Side::Response);
        values.retain(|(field, _)| identified || !field.ends_with("identity"));
        values
    }

    /// Reports the encoding issues of a response that satisfy a predicate, each kind once per place in the
    /// schema.
    pub fn report_encoding_issues(
        &self,
        asked: &Asked<'t>,
        findings: &mut Findings,
        holds: impl Fn(&EncodingIssue<'t>) -> bool,
    ) {
        let answers = self.answers(asked);
        if answers.is_empty() {
            return findings.not_applicable("no value came back");
        }
        for (field, encoded) in answers {
            let mut told = BTreeSet::new();
            let issues = encoded.issues();
            for (idx, issue) in issues.iter().enumerate() {
                let fatal = encoded.is_undecodable() && idx + 1 == issues.len();
                let found = EncodingIssue { field, encoded, issue, fatal };
                if holds(&found) && told.insert((issue.path.schema_path(), found.message())) {
                    findings.add(found.finding());
                }
            }
        }
    }
}

impl EncodingIssue<'_> {
    pub fn finding(&self) -> Finding {
        let message = format!("{} (field {}, byte {})", self.message(), self.field, self.issue.offset);
        Finding::new(self.issue.path.clone(), message).caused_by(self.cause())
    }

    fn message(&self) -> String {
        match &self.issue.kind {
            // The key may be a secret.
            IssueKind::DuplicateKey(_) => "a map key is given twice".to_owned(),
            kind => kind.to_string(),
        }
    }

    /// How many attributes a type has is no part of the cause: it is the same in every type, and in a release that adds
    /// one.
    fn cause(&self) -> String {
        match &self.issue.kind {
            IssueKind::AttributeCount { wanted, found } if found < wanted => {
                "an object lacks attributes".to_owned()
            }
            IssueKind::AttributeCount { .. } => "an object has too many attributes".to_owned(),
            _ => self.message(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{AttributePath, Type, Value};

    #[test]
    fn an_object_that_lacks_attributes_has_one_cause_in_every_type() {
        let cause = |wanted, found| {
            let kind = IssueKind::AttributeCount { wanted, found };
            let issue = Issue { path: AttributePath::root(), offset: 0, kind };
            let encoded = Encoded::of(Value::string("a"), &Type::String);
            let (encoded, issue) = (&encoded, &issue);
            EncodingIssue { field: "new_state", encoded, issue, fatal: true }.finding().cause
        };
        assert_eq!(cause(46, 45), cause(7, 6));
        assert_ne!(cause(46, 45), cause(46, 47));
    }
}

//! Which argument refers to which resource, by their names and the words of a refusal.
//!
//! Names are compared word by word: `vpc_id` is about a type `acme_vpc` or `acme_main_vpc`, and not about
//! `acme_vpcs` or `acme_vpc_route`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::supplier::Supplier;

/// How telling the names are; the order is that in which suppliers are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// The text of a refusal mentions the type.
    Mentioned,
    /// The argument is named after the type, or a part of its name is.
    Type,
    /// The argument has the name of the attribute, which is one of many that could be meant.
    Attribute,
    /// The name ends with that of an attribute which is named after its type: `ca_private_key_pem`, and
    /// `private_key_pem` of an `acme_private_key`.
    Product,
    /// The name ends with those of the type and the attribute: `source_vpc_id`.
    Ending,
    /// The argument has the name of the attribute, which says what it is: `private_key_pem`.
    Telling,
    /// The last words of the type, and the attribute: `network_id` and `acme_compute_network`.
    Last,
    /// The type and the attribute: `vpc_id` and `acme_vpc`, or `id` where a data source reads an `acme_vpc`.
    Whole,
}

impl Match {
    /// Whether names alone are reason enough to try it.
    pub fn is_strong(self) -> bool {
        self >= Match::Product
    }
}

/// Attributes that every other type has; such a name does not say of what.
const COMMON: [&str; 13] = [
    "id",
    "name",
    "arn",
    "self_link",
    "uuid",
    "key",
    "type",
    "path",
    "url",
    "slug",
    "status",
    "value",
    "region",
];

/// By which attribute an argument names an object if it does not say, the likeliest first.
const NAMING: [&str; 5] = ["id", "name", "arn", "self_link", "uuid"];

/// An argument that may refer to a resource.
#[derive(Clone, Copy, Debug)]
pub struct Argument<'a> {
    pub name: &'a str,
    /// The type of the data source that has it: it reads an object that a resource of this type makes.
    pub reads: Option<&'a str>,
}

/// What can be referred to, found by words of its names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offers {
    all: Vec<Supplier>,
    /// By the last word of the type's name, and by the name of the attribute.
    by_word: BTreeMap<String, Vec<usize>>,
    /// The values of other types that a type passes on. Only who knows of one refers to it.
    passed: BTreeSet<Supplier>,
}

impl Offers {
    pub fn add(&mut self, supplier: Supplier) {
        let last = type_words(&supplier.type_name).pop().unwrap_or_default();
        for word in BTreeSet::from([last, &supplier.attribute]) {
            self.by_word.entry(word.to_owned()).or_default().push(self.all.len());
        }
        self.all.push(supplier);
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn add_passed(&mut self, supplier: Supplier) {
        self.passed.insert(supplier);
    }

    pub fn has(&self, supplier: &Supplier) -> bool {
        self.all.contains(supplier) || self.passed.contains(supplier)
    }

    /// The suppliers for an argument, the likeliest first; `text` are the words of the refusal.
    pub fn ranked(&self, argument: Argument<'_>, text: &str) -> Vec<(Match, &Supplier)> {
        let said = words_of(text);
        let matched = self.near(argument, &said).filter_map(|supplier| {
            let by_name = of_names(argument, supplier);
            let is_mentioned = is_mentioned(&said, supplier);
            let names_it = NAMING.contains(&supplier.attribute.as_str());
            let by_text = (is_mentioned && names_it).then_some(Match::Mentioned);
            Some((by_name.max(by_text)?, is_mentioned, supplier))
        });
        let mut matched: Vec<(Match, bool, &Supplier)> = matched.collect();
        matched.sort_by_key(|(found, is_mentioned, supplier)| {
            let naming = NAMING.iter().position(|name| *name == supplier.attribute).unwrap_or(NAMING.len());
            // Of names that are not telling, those come first that the text has.
            let is_doubtful = !found.is_strong() && !is_mentioned;
            let order = (is_doubtful, !found.is_strong(), Reverse(*found), Reverse(*is_mentioned));
            (order, naming, supplier.type_name.len(), *supplier)
        });
        matched.into_iter().map(|(found, _, supplier)| (found, supplier)).collect()
    }

    /// Everything that could match: it shares a word.
    fn near(&self, argument: Argument<'_>, said: &[String]) -> impl Iterator<Item = &Supplier> {
        let singular = singular(argument.name);
        let mut words: BTreeSet<&str> = said.iter().map(String::as_str).collect();
        for name in [argument.name, &singular] {
            words.insert(name);
            words.extend(split(name));
        }
        words.extend(argument.reads.and_then(|read| type_words(read).pop()));
        let found = words.into_iter().filter_map(|word| self.by_word.get(word)).flatten();
        let found: BTreeSet<usize> = found.copied().collect();
        found.into_iter().map(|idx| &self.all[idx])
    }
}

impl FromIterator<Supplier> for Offers {
    fn from_iter<T: IntoIterator<Item = Supplier>>(suppliers: T) -> Offers {
        let mut offers = Offers::default();
        suppliers.into_iter().for_each(|supplier| offers.add(supplier));
        offers
    }
}

/// What the names alone say; nothing if they only look alike.
fn of_names(argument: Argument<'_>, supplier: &Supplier) -> Option<Match> {
    if argument.reads == Some(supplier.type_name.as_str()) && argument.name == supplier.attribute {
        return Some(Match::Whole);
    }
    [argument.name, &singular(argument.name)].into_iter().filter_map(|name| of_name(name, supplier)).max()
}

fn of_name(argument: &str, supplier: &Supplier) -> Option<Match> {
    let (argument, attribute) = (split(argument), split(&supplier.attribute));
    let of_type = type_words(&supplier.type_name);
    if let Some(about) = argument.strip_suffix(&attribute[..]).filter(|about| !about.is_empty()) {
        if about == of_type {
            return Some(Match::Whole);
        }
        if of_type.ends_with(about) {
            return Some(Match::Last);
        }
        if about.ends_with(&of_type) {
            return Some(Match::Ending);
        }
        if is_named_after(&attribute, &of_type) {
            return Some(Match::Product);
        }
    }
    if argument == attribute {
        let is_common = COMMON.contains(&supplier.attribute.as_str());
        return Some(if attribute.len() > 1 { Match::Telling } else { Match::Attribute })
            .filter(|_| !is_common);
    }
    let is_about = of_type.ends_with(&argument) || argument.ends_with(&of_type);
    (is_about && NAMING.contains(&supplier.attribute.as_str())).then_some(Match::Type)
}

/// Whether the name of an attribute begins with that of its type, or with the last words of that, and goes on.
fn is_named_after(attribute: &[&str], of_type: &[&str]) -> bool {
    (0..of_type.len())
        .map(|start| &of_type[start..])
        .any(|name| attribute.strip_prefix(name).is_some_and(|rest| !rest.is_empty()))
}

/// How many words of an argument's name a text has, if that is enough to mention it: it has at least two of them, and
/// lacks at most one. `cert` stands for `certificate`.
pub fn n_said(argument: &str, text: &str) -> Option<usize> {
    let said = words_of(text);
    let is_said =
        |word: &&&str| said.iter().any(|said| said == **word || (word.len() > 2 && said.starts_with(**word)));
    let words = split(argument);
    let n_said = words.iter().filter(is_said).count();
    (n_said >= 2 && words.len() - n_said <= 1).then_some(n_said)
}

/// Whether a text has the words of a type, one after the other.
fn is_mentioned(said: &[String], supplier: &Supplier) -> bool {
    let of_type = type_words(&supplier.type_name);
    said.windows(of_type.len()).any(|words| words.iter().zip(&of_type).all(|(said, word)| said == word))
}

/// The words of a type's name without that of the provider.
fn type_words(type_name: &str) -> Vec<&str> {
    let words = split(type_name);
    if words.len() > 1 { words[1..].to_vec() } else { words }
}

fn split(name: &str) -> Vec<&str> {
    name.split('_').filter(|word| !word.is_empty()).collect()
}

/// `subnet_ids` → `subnet_id`.
fn singular(name: &str) -> String {
    name.strip_suffix('s').unwrap_or(name).to_owned()
}

/// The words of a text in lower case, also those within one: `InvalidVpcID` has three.
pub fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last: Option<char> = None;
    let letters: Vec<char> = text.chars().collect();
    for (idx, c) in letters.iter().enumerate() {
        let starts = match last {
            Some(last) if last.is_alphanumeric() => {
                let next_is_lower = letters.get(idx + 1).is_some_and(|next| next.is_lowercase());
                c.is_uppercase() && (last.is_lowercase() || next_is_lower)
            }
            _ => true,
        };
        if c.is_alphanumeric() {
            match words.last_mut().filter(|_| !starts) {
                Some(word) => word.extend(c.to_lowercase()),
                None => words.push(c.to_lowercase().collect()),
            }
        }
        last = Some(*c);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(argument: &str, text: &str, suppliers: &[&str]) -> Vec<String> {
        let supplier = |named: &&str| {
            let (type_name, attribute) = named.split_once('.').unwrap();
            Supplier { type_name: type_name.to_owned(), attribute: attribute.to_owned() }
        };
        let offers: Offers = suppliers.iter().map(supplier).collect();
        let ranked = offers.ranked(Argument { name: argument, reads: None }, text);
        ranked.into_iter().map(|(_, supplier)| supplier.to_string()).collect()
    }

    #[track_caller]
    fn assert_match(argument: &str, supplier: &str, expected: Option<Match>) {
        let (type_name, attribute) = supplier.split_once('.').unwrap();
        let supplier = Supplier { type_name: type_name.to_owned(), attribute: attribute.to_owned() };
        let found = |reads| of_names(Argument { name: argument, reads }, &supplier);
        assert_eq!(found(None), expected);
        // What it shares no word with cannot match.
        let offers: Offers = [supplier.clone()].into_iter().collect();
        let ranked = offers.ranked(Argument { name: argument, reads: None }, "");
        assert_eq!(ranked.first().map(|(found, _)| *found), expected);
    }

    #[test]
    fn a_data_source_reads_what_the_resource_of_its_name_makes() {
        let all = ["acme_subnet.id", "acme_vpc.arn", "acme_vpc.id", "acme_vpc_route.id"];
        let all = all.map(|named| {
            let (type_name, attribute) = named.split_once('.').unwrap();
            Supplier { type_name: type_name.to_owned(), attribute: attribute.to_owned() }
        });
        let offers: Offers = all.into_iter().collect();
        let reads = |name| {
            let ranked = offers.ranked(Argument { name, reads: Some("acme_vpc") }, "");
            ranked.into_iter().map(|(_, supplier)| supplier.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(reads("id"), ["acme_vpc.id"]);
        assert_eq!(reads("arn"), ["acme_vpc.arn"]);
        assert_eq!(reads("subnet_id"), ["acme_subnet.id"]);
        assert!(reads("name").is_empty());
    }

    #[test]
    fn names_are_compared_word_by_word() {
        assert_match("vpc_id", "acme_vpc.id", Some(Match::Whole));
        assert_match("network_id", "acme_compute_network.id", Some(Match::Last));
        assert_match("source_vpc_id", "acme_vpc.id", Some(Match::Ending));
        assert_match("subnet_ids", "acme_subnet.id", Some(Match::Whole));
        assert_match("security_groups", "acme_security_group.name", Some(Match::Type));
        assert_match("network", "acme_network.id", Some(Match::Type));
        assert_match("key_name", "acme_key.name", Some(Match::Whole));
        assert_match("private_key_pem", "acme_private_key.private_key_pem", Some(Match::Telling));
        assert_match("private_key_pem", "acme_self_signed_cert.private_key_pem", Some(Match::Telling));
        assert_match("fingerprint", "acme_key.fingerprint", Some(Match::Attribute));
        assert_match("ca_private_key_pem", "acme_private_key.private_key_pem", Some(Match::Product));
        assert_match("ca_cert_pem", "acme_self_signed_cert.cert_pem", Some(Match::Product));
        assert_match("ca_private_key_pem", "acme_self_signed_cert.private_key_pem", None);
    }

    #[test]
    fn a_text_mentions_the_argument_whose_words_it_has() {
        let text = "Failed to parse certificate request PEM: no block";
        let n_said = |argument| super::n_said(argument, text);
        assert_eq!(n_said("cert_request_pem"), Some(3));
        assert_eq!(n_said("ca_cert_pem"), Some(2));
        assert_eq!(n_said("private_key_pem"), None);
        assert_eq!(n_said("request"), None);
    }

    #[test]
    fn what_only_looks_alike_is_no_match() {
        for supplier in [
            "acme_vpcs.id",
            "acme_vpc_route.id",
            "acme_subvpc.id",
            "acme_vpc.arn",
            "acme_vpc.main_route_id",
            "acme_v.pc_id",
            "acme_subnet.id",
        ] {
            assert_match("vpc_id", supplier, None);
        }
        assert_match("id", "acme_vpc.id", None);
        assert_match("name", "acme_vpc.name", None);
        assert_match("subnetwork", "acme_network.id", None);
        assert_match("network", "acme_network.description", None);
    }

    #[test]
    fn the_likeliest_supplier_comes_first() {
        let all =
            ["acme_main_vpc.id", "acme_subnet.vpc_id", "acme_vpc.arn", "acme_vpc.id", "acme_vpc_route.id"];
        assert_eq!(ranking("vpc_id", "", &all), ["acme_vpc.id", "acme_main_vpc.id", "acme_subnet.vpc_id"]);
        let all = ["acme_network.arn", "acme_network.id", "acme_network.name", "acme_network.cidr"];
        assert_eq!(
            ranking("network", "", &all),
            ["acme_network.id", "acme_network.name", "acme_network.arn"]
        );
    }

    #[test]
    fn a_text_tells_which_type_is_meant() {
        let all = ["acme_folder.id", "acme_vpc.id", "acme_parent.id", "acme_folder.title"];
        let said = "FolderNotFound: there is no such folder";
        assert_eq!(ranking("parent", said, &all), ["acme_folder.id", "acme_parent.id"]);
        assert_eq!(ranking("parent", "folders are closed", &all), ["acme_parent.id"]);
    }

    #[test]
    fn a_word_ends_where_the_next_begins() {
        assert_eq!(
            words_of("InvalidVpcID.NotFound: no vpc-12"),
            ["invalid", "vpc", "id", "not", "found", "no", "vpc", "12"]
        );
        assert!(words_of("").is_empty());
    }
}

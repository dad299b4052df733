//! What the Go linker writes into a program about its modules.
//!
//! The section has 32 bytes of header, then the version of Go and the modules, each behind its length: the format of
//! Go 1.18 and later, as the package `debug/buildinfo` reads it. An older program says nothing.

use object::read::{Object as _, ObjectSection as _, ReadRef};

use super::{Modules, SDKS};

const MAGIC: &[u8] = b"\xff Go buildinf:";

const HEADER: usize = 32;

/// In the header's flags: the texts follow the header.
const IS_INLINE: u8 = 2;

/// Before and behind the modules stands a mark of this length.
const MARK: usize = 16;

/// More is no list of modules: the largest provider has some hundred KiB.
const MOST: u64 = 8 << 20;

/// The modules of a program; none if it is not built by Go, or not by one that says so.
pub fn read<'p>(program: impl ReadRef<'p>) -> Modules {
    let read = || {
        let file = object::File::parse(program).ok()?;
        let section =
            [".go.buildinfo", "__go_buildinfo"].into_iter().find_map(|name| file.section_by_name(name))?;
        parse(section.data().ok().filter(|_| section.size() <= MOST)?)
    };
    read().unwrap_or_default()
}

/// From the contents of the section.
fn parse(section: &[u8]) -> Option<Modules> {
    let header = section.get(..HEADER).filter(|header| header.starts_with(MAGIC))?;
    if header[MAGIC.len() + 1] & IS_INLINE == 0 {
        return None;
    }
    let (go, rest) = text(&section[HEADER..])?;
    let (modules, _) = text(rest)?;
    let modules = modules.get(MARK..modules.len().checked_sub(MARK)?)?;
    let mut found = Modules::default();
    found.0.insert("go".to_owned(), String::from_utf8_lossy(go).into_owned());
    let mut last = None;
    for line in String::from_utf8_lossy(modules).lines() {
        let mut words = line.split('\t');
        let (kind, path, version) = (words.next(), words.next(), words.next().unwrap_or_default());
        let name = match (kind, path) {
            (Some("mod" | "dep"), Some(path)) => SDKS.iter().find(|sdk| **sdk == path).copied(),
            // What the module before was replaced by.
            (Some("=>"), Some(_)) => last,
            _ => None,
        };
        if let Some(name) = name {
            found.0.insert(name.to_owned(), version.to_owned());
        }
        last = name;
    }
    Some(found)
}

/// A text behind its length, and what follows it.
fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut rest = bytes;
    let length = prost::encoding::decode_varint(&mut rest).ok()?;
    rest.split_at_checked(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::modules;
    use super::*;

    fn section(go: &str, modules: &str) -> Vec<u8> {
        let mut section = MAGIC.to_vec();
        section.extend([8, IS_INLINE]);
        section.resize(HEADER, 0);
        let mark = [0x30; MARK];
        for text in [go.as_bytes(), &[&mark, modules.as_bytes(), &mark].concat()] {
            prost::encoding::encode_varint(text.len() as u64, &mut section);
            section.extend(text);
        }
        section
    }

    #[test]
    fn the_sdks_are_found_with_what_replaces_them() {
        let written = "path\tacme\nmod\tacme\t(devel)\t\n\
            dep\tgithub.com/hashicorp/terraform-plugin-go\tv0.26.0\th1:a=\n\
            dep\tgithub.com/other/thing\tv1.0.0\n=>\tgithub.com/fork/thing\tv1.0.1\n\
            dep\tgithub.com/hashicorp/terraform-plugin-sdk/v2\tv2.36.1\n\
            =>\tgithub.com/fork/terraform-plugin-sdk/v2\tv2.99.0\th1:b=\nbuild\tCGO_ENABLED=1\n";
        let expected = modules([
            ("go", "go1.26.8"),
            ("github.com/hashicorp/terraform-plugin-go", "v0.26.0"),
            ("github.com/hashicorp/terraform-plugin-sdk/v2", "v2.99.0"),
        ]);
        assert_eq!(parse(&section("go1.26.8", written)), Some(expected));
    }

    #[test]
    fn a_program_that_says_nothing_has_no_modules() {
        assert_eq!(read(&b"#!/bin/sh\n"[..]), Modules::default());
        let rust = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(read(&*rust), Modules::default());
    }

    proptest! {
        #[test]
        fn any_section_is_read(tail in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..300) {
            let whole = [&section("go1.26.8", "dep\ta\tb\n")[..], &tail].concat();
            parse(&whole[..cut.min(whole.len())]);
            let garbled = [&whole[..HEADER], &tail].concat();
            parse(&garbled);
            read(&*tail);
        }
    }
}

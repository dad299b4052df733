//! The engines of a run.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use super::Engine;

/// The engines that a run is played and judged as, one after the other: at least one, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engines(Vec<Engine>);

impl Engines {
    /// The one that alone is meant where there can be only one.
    pub fn first(&self) -> Engine {
        self.0[0]
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = Engine> {
        self.0.iter().copied()
    }

    fn of(engines: Vec<Engine>) -> Result<Engines, String> {
        let mut each: Vec<Engine> = Vec::new();
        for engine in engines {
            match each.contains(&engine) {
                true => return Err(format!("`{engine}` is named twice")),
                false => each.push(engine),
            }
        }
        if each.is_empty() { Err("name at least one engine".to_owned()) } else { Ok(Engines(each)) }
    }
}

impl Default for Engines {
    fn default() -> Engines {
        Engine::default().into()
    }
}

impl From<Engine> for Engines {
    fn from(engine: Engine) -> Engines {
        Engines(vec![engine])
    }
}

/// As on the command line: `terraform,opentofu`.
impl FromStr for Engines {
    type Err = String;

    fn from_str(text: &str) -> Result<Engines, String> {
        Engines::of(text.split(',').map(|name| name.trim().parse()).collect::<Result<_, String>>()?)
    }
}

impl fmt::Display for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(","))
    }
}

/// A name, or a list of names.
impl<'de> Deserialize<'de> for Engines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Engines, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = Engines;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of an engine, or a list of names")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Engines, E> {
                Engine::deserialize(StrDeserializer::new(name)).map(Engines::from)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Engines, A::Error> {
                let mut engines = Vec::new();
                while let Some(engine) = names.next_element()? {
                    engines.push(engine);
                }
                Engines::of(engines).map_err(A::Error::custom)
            }
        }

        deserializer.deserialize_any(Names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_are_named_in_a_list_or_with_commas() {
        let two: Engines = "terraform, opentofu".parse().unwrap();
        assert_eq!(two, serde_json::from_str(r#"["terraform", "opentofu"]"#).unwrap());
        assert_eq!((two.first(), two.to_string()), (Engine::Terraform, "terraform,opentofu".to_owned()));
        assert_eq!("strict".parse(), Ok(Engines::from(Engine::Strict)));
        assert_eq!(serde_json::from_str::<Engines>(r#""strict""#).unwrap(), Engine::Strict.into());
    }

    #[test]
    fn each_is_named_once_and_by_its_name() {
        let wrong = |text: &str| text.parse::<Engines>().unwrap_err();
        assert_eq!(wrong("terraform,terraform"), "`terraform` is named twice");
        assert!(wrong("terraform,acme").starts_with("\"acme\" is not an engine"));
        let listed = |json: &str| serde_json::from_str::<Engines>(json).unwrap_err().to_string();
        assert!(listed("[]").starts_with("name at least one engine"), "{}", listed("[]"));
        assert!(listed(r#"["acme"]"#).contains("unknown variant `acme`"), "{}", listed(r#"["acme"]"#));
    }
}

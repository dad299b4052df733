//! What a provider's environment contains.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::Path;

/// The folder below the scratch folder that serves as the user's home.
pub const HOME: &str = "home";
/// The folder below the scratch folder for temporary files.
pub const TMP: &str = "tmp";

/// Everything that may be inherited from our own environment, and why. A name that ends in `*`
/// matches every name with that prefix. Anything not listed here stays outside: credentials,
/// proxies, sockets of agents, `TF_*`, `PLUGIN_*`.
pub const INHERITED: [(&str, &str); 7] = [
    ("PATH", "interpreters and the programs that providers call"),
    ("LANG", "the language and encoding of messages"),
    ("LC_*", "the same, in part"),
    ("TZ", "the time zone, which belongs to the machine like its clock"),
    ("GOTRACEBACK", "how much a Go program prints when it crashes"),
    ("GOMAXPROCS", "how many threads a Go program keeps busy"),
    ("GOCOVERDIR", "where a Go program writes its coverage data"),
];

/// The environment for everything that runs in a sandbox: what `INHERITED`
/// names, a home and a folder for temporary files below `scratch`, and `extra`,
/// which overrides both. Logs are off because `TF_LOG*` is not inherited.
pub fn scrubbed_environment(
    scratch: &Path,
    extra: &BTreeMap<OsString, OsString>,
) -> BTreeMap<OsString, OsString> {
    scrub(env::vars_os(), scratch, extra)
}

fn scrub(
    ours: impl Iterator<Item = (OsString, OsString)>,
    scratch: &Path,
    extra: &BTreeMap<OsString, OsString>,
) -> BTreeMap<OsString, OsString> {
    let mut env: BTreeMap<_, _> = ours.filter(|(name, _)| name.to_str().is_some_and(is_inherited)).collect();
    let set = [
        ("HOME", scratch.join(HOME).into_os_string()),
        ("TMPDIR", scratch.join(TMP).into_os_string()),
        // HashiCorp's libraries check for new versions, and wait for the answer.
        ("CHECKPOINT_DISABLE", "1".into()),
    ];
    env.extend(set.map(|(name, value)| (name.into(), value)));
    env.extend(extra.clone());
    env
}

fn is_inherited(name: &str) -> bool {
    INHERITED.iter().any(|(pattern, _)| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *pattern,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<OsString, OsString> {
        pairs.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn only_what_is_listed_comes_along() {
        let ours = pairs(&[
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("LC", "no"),
            ("HOME", "/home/jo"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("SSH_AUTH_SOCK", "/run/agent"),
            ("TF_LOG", "trace"),
            ("GOCOVERDIR", "/elsewhere"),
        ]);
        let extra = pairs(&[("GOCOVERDIR", "/s/cover"), ("TOKEN", "t")]);
        let expected = pairs(&[
            ("CHECKPOINT_DISABLE", "1"),
            ("GOCOVERDIR", "/s/cover"),
            ("HOME", "/s/home"),
            ("LC_ALL", "C"),
            ("PATH", "/bin"),
            ("TMPDIR", "/s/tmp"),
            ("TOKEN", "t"),
        ]);
        assert_eq!(scrub(ours.into_iter(), Path::new("/s"), &extra), expected);
    }
}

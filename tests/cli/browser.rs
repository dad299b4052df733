//! The report for browsers, in a browser: what it shows, and that its filter works.
//!
//! Pictures are left in `target/screenshots`, for people to look at.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use super::{Folder, ignored, repository};

pub fn trials() -> Vec<Trial> {
    const NAME: &str = "browser/a_report_is_shown_and_filtered";
    vec![match browser() {
        Some(browser) => Trial::test(NAME, move || {
            shown(&browser);
            Ok(())
        }),
        None => ignored(NAME, "needs chromium or google-chrome".to_owned()),
    }]
}

fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let files = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// A browser without a window, on the report of a folder.
fn open(browser: &Path, folder: &Folder, part: &str, options: &[&str]) -> String {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ]);
    command.arg(format!("--user-data-dir={}", folder.path("profile").display())).env("HOME", folder.path(""));
    command.args(["--virtual-time-budget=3000", "--no-first-run"]).args(options);
    command.arg(format!("file://{}{part}", folder.path("report.html").display()));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The findings that are shown: the value of their `data-level`.
fn visible(page: &str) -> Vec<&str> {
    let tags = page.split("<details class=\"finding\"").skip(1).filter_map(|rest| rest.split('>').next());
    let shown = tags.filter(|tag| !tag.split(' ').any(|attribute| attribute.starts_with("hidden")));
    shown.filter_map(|tag| tag.split("data-level=\"").nth(1)?.split('"').next()).collect()
}

fn shown(browser: &Path) {
    let folder = Folder::new();
    let check = "check --cases 4 --quiet --no-cases --resource reference_plain --resource reference_everything \
                 --fault plan/counts-calls --fault plan/rewrites-configured-values --report html=report.html";
    folder.tfconform(check).says(1, &["MUST  plan/repeats-itself"]);
    let page = |part: &str| open(browser, &folder, part, &["--dump-dom"]);
    let whole = page("");
    let all = visible(&whole);
    assert!(all.len() >= 2 && all.contains(&"must"), "{all:?}");
    assert!(whole.contains(&format!(">{0} of {0}</output>", all.len())), "the script has counted them");
    let some = page("#words=repeats-itself");
    assert_eq!(visible(&some).len(), 1);
    assert!(some.contains(&format!(">1 of {}</output>", all.len())));
    assert_eq!(visible(&page("#words=there-is-no-such-word")).len(), 0);
    assert_eq!(visible(&page("#levels=advice")).iter().filter(|level| **level == "must").count(), 0);
    let key = whole.split("id=\"f-").last().and_then(|rest| rest.split('"').next()).unwrap();
    let linked = page(&format!("#f-{key}"));
    let tag = linked.split(&format!("id=\"f-{key}\"")).nth(1).and_then(|rest| rest.split('>').next());
    assert!(tag.is_some_and(|tag| tag.contains("open")), "a link to a finding opens it: {tag:?}");
    pictures(browser, &folder);
}

fn pictures(browser: &Path, folder: &Folder) {
    let kept = repository().join("target/screenshots");
    fs::create_dir_all(&kept).unwrap();
    let mut pictures = Vec::new();
    for (name, size, dark) in [("light", "1200,1800", 1), ("dark", "1200,1800", 0), ("narrow", "500,1800", 1)]
    {
        let file = kept.join(format!("report-{name}.png"));
        let options = [
            format!("--screenshot={}", file.display()),
            format!("--window-size={size}"),
            format!("--blink-settings=preferredColorScheme={dark}"),
        ];
        open(browser, folder, "", &options.each_ref().map(String::as_str));
        let picture = fs::read(&file).unwrap();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 20_000, "{name}: {}", picture.len());
        pictures.push(picture);
    }
    assert_ne!(pictures[0], pictures[1], "light and dark differ");
}

//! Runs the commands of a document from top to bottom in one folder, as a reader would, and compares what they
//! print with what the document shows.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;

use super::markdown::Document;
use super::{Checked, Folder, find, ignored, typed};

/// A step of a reader.
enum Step {
    /// Writes a file.
    File { name: String, text: String },
    /// Runs commands, each with this exit code.
    Run {
        code: i32,
        lines: Vec<String>,
        /// What they print; omissions are between the parts.
        shown: Vec<Vec<String>>,
    },
}

/// The commands of a shell block, or those after the `$` of a console block.
pub fn commands(language: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = match language {
        "sh" => text.lines().collect(),
        "console" => text.lines().filter_map(|line| line.strip_prefix("$ ")).collect(),
        _ => Vec::new(),
    };
    let without_comment = |line: &str| line.split("  #").next().unwrap_or_default().trim().to_owned();
    let lines = lines.into_iter().map(without_comment).filter(|line| !line.is_empty());
    lines.map(|line| line.replace("cargo run --release -- ", "tfconform ")).collect()
}

fn steps(document: &Document) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut is_waiting = false;
    for block in document.blocks() {
        if is_waiting && block.language == "text" {
            is_waiting = false;
            if let Some(Step::Run { shown, .. }) = steps.last_mut() {
                let lines: Vec<String> = block.text.lines().map(str::to_owned).collect();
                let parts = lines.split(|line| line == "…").filter(|part| !part.is_empty());
                shown.extend(parts.map(<[String]>::to_vec));
            }
            continue;
        }
        assert!(!is_waiting, "{}: what a console prints follows it", document.name);
        match block.marker {
            Some((key, name)) if key == "file" => steps.push(Step::File { name, text: block.text }),
            Some((key, code)) if key == "run" => {
                let code = code.parse().expect("an exit code");
                let lines = commands(&block.language, &block.text);
                is_waiting = block.language == "console";
                steps.push(Step::Run { code, lines, shown: Vec::new() });
            }
            _ => {}
        }
    }
    steps
}

/// The name of a program in the document, and of the program that is used.
const PROGRAMS: [(&str, &str); 5] = [
    ("terraform-provider-acme", "terraform-provider-time"),
    ("terraform-provider-time", "terraform-provider-time"),
    ("terraform-provider-lab", "terraform-provider-lab"),
    ("terraform-provider-lab-mended", "terraform-provider-lab-mended"),
    ("lab-mock", "lab-mock"),
];

/// The programs that the steps name, each with the program that is used.
fn programs(steps: &[Step]) -> Vec<(&'static str, &'static str)> {
    let texts = steps.iter().flat_map(|step| match step {
        Step::File { text, .. } => vec![text.clone()],
        Step::Run { lines, .. } => lines.clone(),
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let words: Vec<&str> = text.split(|letter| !is_part(letter)).collect();
    PROGRAMS.into_iter().filter(|(name, _)| words.contains(name)).collect()
}

/// The trial of a document; `None` if it has no commands to run.
pub fn trial_of(document: &Document) -> Option<Trial> {
    let steps = steps(document);
    if !steps.iter().any(|step| matches!(step, Step::Run { .. })) {
        return None;
    }
    let name = format!("documents/commands_of_{}", document.name);
    let mut programs_found: Vec<(&str, PathBuf)> = Vec::new();
    for (name_here, program) in programs(&steps) {
        match find(program) {
            Some(path) => programs_found.push((name_here, path)),
            None => return Some(ignored(&name, format!("needs {program} in $TFCONFORM_PROVIDERS"))),
        }
    }
    Some(Trial::test(name, move || walk(&steps, &programs_found)))
}

fn walk(steps: &[Step], programs: &[(&str, PathBuf)]) -> Checked {
    let folder = Folder::new();
    for (name, program) in programs {
        link(program, &folder.path(name))?;
    }
    for step in steps {
        match step {
            Step::File { name, text } => {
                folder.file(name, text);
            }
            Step::Run { code, lines, shown } => {
                let mut printed = String::new();
                for line in lines {
                    let ran = folder.run(&mut typed(&folder, line));
                    if ran.code != Some(*code) {
                        return Err(format!("{line}: exit {:?}\n{}\n{}", ran.code, ran.out, ran.err).into());
                    }
                    printed += &ran.out;
                }
                compare(shown, &printed)?;
            }
        }
    }
    Ok(())
}

/// A program under another name. A sandbox follows no link out of what it shows, so it is no symbolic one.
fn link(program: &Path, to: &Path) -> std::io::Result<()> {
    let program = program.canonicalize()?;
    fs::hard_link(&program, to).or_else(|_| fs::copy(&program, to).map(drop))
}

/// Every part of what the document shows is in what was printed, in this order.
fn compare(shown: &[Vec<String>], printed: &str) -> Checked {
    let printed: Vec<String> = printed.lines().filter_map(redacted).collect();
    let mut rest = &printed[..];
    for part in shown {
        let shown: Vec<String> = part.iter().filter_map(|line| redacted(line)).collect();
        let at = rest.windows(shown.len()).position(|lines| lines == shown);
        let Some(at) = at else {
            let unlike: Vec<&String> = shown.iter().filter(|line| !printed.contains(line)).collect();
            let (shown, printed) = (shown.join("\n"), printed.join("\n"));
            return Err(format!(
                "the document shows\n{shown}\n\nand not what is printed:\n{printed}\n\nmissing lines: {unlike:#?}"
            )
            .into());
        };
        rest = &rest[at + shown.len()..];
    }
    Ok(())
}

/// A line without what differs between runs and machines (seconds, memory, the release of Go, the year, and how many attributes of a
/// time differ from another time) and without alignment. `None` for an object's row of a year, which may be the next year's.
fn redacted(line: &str) -> Option<String> {
    let is_year = |word: &str| word.len() == 4 && word.starts_with("20") && word.parse::<u16>().is_ok();
    if line.contains(" = ") && line.split(' ').next_back().is_some_and(is_year) {
        return None;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    // The parts of the time at which it was run.
    let is_time = ["day = ", "hour = ", "minute = ", "month = "].iter().any(|part| line.contains(part));
    if let (Some(part @ ("planned" | "final")), true) = (words.first().copied(), is_time) {
        return Some(format!("{part} …"));
    }
    let is_unit = |word: &str| ["s", "s,", "s;", "MiB", "attributes"].contains(&word);
    let shown = words.iter().enumerate().map(|(idx, word)| match words.get(idx + 1) {
        Some(next) if is_unit(next) => "…",
        _ if idx > 0 && words[idx - 1] == "Go" => "…",
        _ if is_year(word) => "YEAR",
        _ => word,
    });
    Some(shown.collect::<Vec<_>>().join(" "))
}

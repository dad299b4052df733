//! The configuration of one run, as a file.

use std::collections::BTreeSet;

use super::body;
use super::expression::{Expressions, brackets, instance, quoted, steps};
use super::lines::Lines;
use super::upstream::Upstream;
use super::{Setup, Unsupported};
use crate::core::Ignored;
use crate::process::shell_word;
use crate::scenario::{Block, EngineRun, InstanceAddress, Lifecycle, Repetition, Schedule};
use crate::schema::{self, Kind};
use crate::value::{AttributePath, Value};

/// The variable and the output for the ID of an object that is imported.
pub(super) const IMPORT_ID: &str = "import_id";

/// The file `main.tf` of a run, counted from 1. The ID of `exported` is an output. `upstreams` are those of the run
/// before, and then of this one.
pub(super) fn write(
    run: &EngineRun,
    number: usize,
    exported: Option<&InstanceAddress>,
    upstreams: &mut Vec<Upstream>,
    setup: &Setup<'_>,
) -> Result<String, Unsupported> {
    let mut lines = Lines::default();
    lines.open("terraform {");
    lines.open("required_providers {");
    lines.line(&format!("{} = {{ source = {} }}", setup.name, quoted(&setup.source())));
    lines.close();
    lines.close();
    write_blocks(&mut lines, run, number, upstreams, setup)?;
    if let Some(exported) = exported {
        lines.blank();
        lines.open(&format!("output {} {{", quoted(IMPORT_ID)));
        lines.line(&format!("value = {}.id", instance(exported)));
        lines.close();
    }
    Ok(lines.into_text())
}

/// The same without saying where the provider comes from.
pub(super) fn blocks(run: &EngineRun, number: usize, setup: &Setup<'_>) -> Result<String, Unsupported> {
    let mut lines = Lines::default();
    write_blocks(&mut lines, run, number, &mut Vec::new(), setup)?;
    Ok(lines.into_text())
}

fn write_blocks(
    lines: &mut Lines,
    run: &EngineRun,
    number: usize,
    upstreams: &mut Vec<Upstream>,
    setup: &Setup<'_>,
) -> Result<(), Unsupported> {
    write_provider(lines, run, setup);
    let aliases: BTreeSet<&String> =
        run.blocks.iter().filter_map(|block| block.meta.provider.as_ref()).collect();
    for alias in aliases {
        lines.blank();
        write_provider_block(lines, setup.name, Some(alias), setup.configured());
    }
    let mut needed: Vec<Upstream> = Vec::new();
    for block in &run.blocks {
        lines.blank();
        let mut upstream = Upstream::of(&block.address, number, run.blocks.len() == 1);
        write_block(lines, &mut upstream, block, setup)?;
        needed.extend(Some(upstream).filter(Upstream::is_used));
    }
    upstreams.retain(|upstream| upstream.stays(&run.blocks, &needed));
    upstreams.extend(needed);
    for moved in &run.moved {
        lines.blank();
        lines.open("moved {");
        lines.line(&format!("from = {}", instance(&moved.from)));
        lines.line(&format!("to = {}", instance(&moved.to)));
        lines.close();
    }
    for import in &run.imports {
        lines.blank();
        lines.line(&format!("variable {} {{}}", quoted(IMPORT_ID)));
        lines.blank();
        lines.open("import {");
        lines.line(&format!("to = {}", instance(&import.to)));
        // Terraform 1.16 knows no other way to the provider: the defect `generated-for-another-provider`.
        if import.generates {
            lines.line(&format!("provider = {}", setup.name));
        }
        lines.line(&format!("id = var.{IMPORT_ID}"));
        lines.close();
    }
    for address in &run.removed {
        lines.blank();
        lines.open("removed {");
        lines.line(&format!("from = {address}"));
        lines.open("lifecycle {");
        lines.line("destroy = false");
        lines.close();
        lines.close();
    }
    upstreams.iter().for_each(|upstream| upstream.write(lines));
    Ok(())
}

fn write_provider(lines: &mut Lines, run: &EngineRun, setup: &Setup<'_>) {
    let configured = setup.configured();
    // Without any block an engine does not look at the provider.
    if configured.is_some() || run.blocks.is_empty() {
        lines.blank();
        write_provider_block(lines, setup.name, None, configured);
    }
}

fn write_provider_block(
    lines: &mut Lines,
    name: &str,
    alias: Option<&str>,
    configured: Option<(&schema::Block, &Value)>,
) {
    if alias.is_none() && configured.is_none() {
        return lines.line(&format!("provider {} {{}}", quoted(name)));
    }
    lines.open(&format!("provider {} {{", quoted(name)));
    if let Some(alias) = alias {
        lines.line(&format!("alias = {}", quoted(alias)));
    }
    if let Some((block, config)) = configured {
        let mut upstream = Upstream::none();
        let mut expressions =
            Expressions { references: &[], repetition: &Repetition::None, upstream: &mut upstream };
        body::write(lines, &mut expressions, block, config, config, &AttributePath::root());
    }
    lines.close();
}

/// The provider block of a configuration that is wholly known.
pub fn provider_block(name: &str, block: &schema::Block, config: &Value) -> String {
    let mut lines = Lines::default();
    write_provider_block(&mut lines, name, None, Some((block, config)));
    lines.into_text()
}

fn write_block(
    lines: &mut Lines,
    upstream: &mut Upstream,
    block: &Block,
    setup: &Setup<'_>,
) -> Result<(), Unsupported> {
    let address = &block.address;
    // Scenarios have no blocks of other kinds.
    let keyword = if address.kind == Kind::DataSource { "data" } else { "resource" };
    let schema = setup.schema.get(address.kind, &address.type_name);
    let schema = schema.ok_or_else(|| Unsupported::NoSchema(address.type_name.clone()))?;
    lines.open(&format!("{keyword} {} {} {{", quoted(&address.type_name), quoted(&address.name)));
    let is_implied = address.type_name.split('_').next() == Some(setup.name);
    match &block.meta.provider {
        Some(alias) => lines.line(&format!("provider = {}.{alias}", setup.name)),
        None if is_implied => {}
        None => lines.line(&format!("provider = {}", setup.name)),
    }
    match &block.meta.repetition {
        Repetition::None => {}
        Repetition::Count(count) => lines.line(&format!("count = {count}")),
        Repetition::ForEach(keys) => {
            let keys = keys.iter().map(|key| quoted(key)).collect();
            lines.line(&format!("for_each = toset({})", brackets(keys)));
        }
    }
    let arguments = &block.arguments;
    let mut expressions =
        Expressions { references: arguments.references(), repetition: &block.meta.repetition, upstream };
    let (now, later) = (arguments.unresolved(), arguments.resolved());
    body::write(lines, &mut expressions, &schema.block, now, later, &AttributePath::root());
    if !block.meta.depends_on.is_empty() {
        let names = block.meta.depends_on.iter().map(ToString::to_string).collect();
        lines.line(&format!("depends_on = {}", brackets(names)));
    }
    write_lifecycle(lines, &block.meta.lifecycle);
    if block.meta.provisioner_fails {
        lines.open("provisioner \"local-exec\" {");
        lines.line("command = \"exit 1\"");
        lines.close();
    }
    lines.close();
    Ok(())
}

fn write_lifecycle(lines: &mut Lines, lifecycle: &Lifecycle) {
    if *lifecycle == Lifecycle::default() {
        return;
    }
    lines.open("lifecycle {");
    if lifecycle.create_before_destroy {
        lines.line("create_before_destroy = true");
    }
    if lifecycle.prevent_destroy {
        lines.line("prevent_destroy = true");
    }
    if lifecycle.forgets {
        lines.line("destroy = false");
    }
    match &lifecycle.ignore_changes {
        None => {}
        Some(Ignored::All) => lines.line("ignore_changes = all"),
        Some(Ignored::Paths(paths)) => {
            let paths = paths.iter().map(|path| steps(path).trim_start_matches('.').to_owned()).collect();
            lines.line(&format!("ignore_changes = {}", brackets(paths)));
        }
    }
    if !lifecycle.replace_triggered_by.is_empty() {
        let names = lifecycle.replace_triggered_by.iter().map(ToString::to_string).collect();
        lines.line(&format!("replace_triggered_by = {}", brackets(names)));
    }
    lines.close();
}

/// What the command line of a run says besides the command; `changes` if that may replace objects.
pub(super) fn options(run: &EngineRun, changes: bool) -> String {
    let option = |name: &str, of: &[InstanceAddress]| -> String {
        let words = of.iter().map(|address| format!("-{name}={}", instance(address)));
        words.map(|word| format!(" {}", shell_word(&word))).collect()
    };
    let replaced = if changes { &run.options.replace[..] } else { &[] };
    let refresh = if changes && run.options.without_refresh { " -refresh=false" } else { "" };
    // Which of two objects an engine visits first cannot be chosen.
    let at_a_time = if run.options.schedule == Schedule::Backwards { " -parallelism=1" } else { "" };
    option("target", &run.options.targets) + &option("replace", replaced) + refresh + at_a_time
}

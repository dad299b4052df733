//! Kept cases as arguments of commands.

use super::args::ProviderArgs;
use super::case_args::CaseArgs;
use super::{Failed, provider};
use crate::session::{Case, CaseOptions};
use crate::suite::Suite;

/// The case that the arguments name.
pub(super) fn read(args: &CaseArgs) -> Result<Case, Failed> {
    Ok(Case::read(&args.case)?)
}

/// The suite that plays it on the provider that they name, or else on its own.
pub(super) fn suite(case: &Case, args: &CaseArgs) -> Result<Suite, Failed> {
    let named =
        ProviderArgs { path: args.path.clone(), reattach: args.reattach.clone(), ..ProviderArgs::default() };
    let named = match provider::named(&named)? {
        None if !case.origin.is_reference() => provider::running()?,
        named => named,
    };
    let how = CaseOptions {
        provider: named,
        config: args.config.clone(),
        apply: args.apply,
        network: args.network,
        no_sandbox: args.no_sandbox,
        no_fault: args.no_fault,
    };
    Ok(case.suite(&how)?)
}

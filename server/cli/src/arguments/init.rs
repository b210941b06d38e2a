//! The arguments of `init`.

use super::examples::{self, help};
use super::exit_codes;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use ide::INTENTS;
use kubernetes::Target;
use std::path::PathBuf;

/// Start a project: write admissible.toml, a policy with its binding, and its inputs.
///
/// In a terminal, `init` prompts for the kind and the intent unless options specify them. The new
/// policy passes `check`, and its inputs pass `test`. Existing files are not changed.
#[derive(Debug, Args)]
#[command(after_help = help(examples::INIT, exit_codes::INIT))]
pub(crate) struct Init {
    /// Directory of the project. It is created if it does not exist.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,

    /// Kind that the policy matches, such as Deployment, deployments or apps/v1/Deployment
    /// [default: Deployment]
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,

    /// Purpose of the policy [default: the first that fits the kind]
    #[arg(long, value_name = "INTENT", value_parser = intents())]
    pub(crate) intent: Option<String>,

    /// Write a mutating policy. Implied by a mutating intent.
    #[arg(long)]
    pub(crate) mutating: bool,

    /// Do not prompt; use the defaults.
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Kubernetes versions that the policy is for, such as 1.33 or 1.30..1.36
    /// [default: `kubernetes` of an existing admissible.toml, otherwise 1.36]
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,
}

fn intents() -> PossibleValuesParser {
    let values = INTENTS.iter().map(|intent| {
        let mutating = if intent.is_mutating {
            " (mutating)"
        } else {
            ""
        };
        PossibleValue::new(intent.name).help(format!("{}{mutating}", intent.purpose))
    });
    values.collect::<Vec<PossibleValue>>().into()
}

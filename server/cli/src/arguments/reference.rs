//! The arguments of the commands that print what is built in.

use super::examples::{self, help};
use super::exit_codes;
use clap::{Args, ValueEnum};
use clap_complete::Shell;

/// List the rules, or explain one.
#[derive(Debug, Args)]
#[command(after_help = help(examples::RULES, exit_codes::RULES))]
pub(crate) struct Rules {
    /// Code of a rule, such as unknown-field.
    pub(crate) code: Option<String>,

    /// Output format.
    #[arg(long, value_enum, default_value_t = RulesFormat::Human)]
    pub(crate) format: RulesFormat,
}

/// Explain a rule, a function, a macro, a variable, a kind or a field.
///
/// Prints the text that editors show on hover, or the page of a rule. Kinds can be named as in
/// kubectl, such as pod, pods, po or apps/v1/Deployment, and include those of the
/// CustomResourceDefinitions in the project.
#[derive(Debug, Args)]
#[command(after_help = help(examples::EXPLAIN, exit_codes::EXPLAIN))]
pub(crate) struct Explain {
    /// Name to explain, such as unguarded-field, quantity, sets.contains, request.operation or
    /// deployments.spec.replicas.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// Output format.
    #[arg(long, value_enum, default_value_t = ExplainFormat::Human)]
    pub(crate) format: ExplainFormat,
}

/// Output format of `explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Text for a terminal.
    Human,
    /// One JSON object.
    Json,
}

/// Print a JSON Schema of admissible.toml or of inputs files, for editors.
///
/// Editors that use the language server do not need it: the server itself checks and completes
/// these files.
#[derive(Debug, Args)]
#[command(after_help = help(examples::SCHEMA, exit_codes::SCHEMA))]
pub(crate) struct Schema {
    /// Files that the schema is for.
    #[arg(value_enum, value_name = "FORMAT")]
    pub(crate) format: SchemaFormat,
}

/// The files that a schema is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaFormat {
    /// The configuration file, admissible.toml.
    Config,
    /// Inputs files, such as policy.inputs.yaml.
    Inputs,
}

/// Output format of `rules`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesFormat {
    /// Text for a terminal.
    Human,
    /// One JSON object.
    Json,
}

/// Print shell completions for the commands and options.
#[derive(Debug, Args)]
#[command(after_help = help(examples::COMPLETIONS, exit_codes::COMPLETIONS))]
pub(crate) struct Completions {
    /// Shell to print completions for.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

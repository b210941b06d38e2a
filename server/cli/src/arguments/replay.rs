//! The arguments of `replay`.

use super::examples::{self, help};
use super::exit_codes;
use super::shard::Shard;
use admission::Operation;
use clap::{Args, ValueEnum};
use kubernetes::Target;
use std::path::PathBuf;

/// Evaluate policies against the objects of a cluster to see what a rollout would deny and change.
///
/// The objects come from a dump of any size, such as the output of `kubectl get pods -A -o json`:
/// YAML documents, JSON objects, one JSON object per line, or lists. Each object is evaluated as an
/// update that changes nothing, or as a creation where a policy matches only creations. Bindings
/// are found next to the policies and in their project. A policy without a binding is evaluated as
/// if it were bound with Deny.
#[derive(Debug, Args)]
#[command(after_help = help(examples::REPLAY, exit_codes::REPLAY))]
pub(crate) struct Replay {
    /// File or directory with policies and their bindings, or with CustomResourceDefinitions
    /// whose validation rules are evaluated.
    #[arg(value_name = "POLICY", required_unless_present = "merge")]
    pub(crate) policy: Option<PathBuf>,

    /// Files, directories, or patterns with objects; - is standard input. s3://BUCKET/KEY is a file
    /// or a directory in an S3-compatible store; it requires a build with the feature `s3`.
    #[arg(value_name = "OBJECTS", required_unless_present = "merge")]
    pub(crate) objects: Vec<PathBuf>,

    /// More files or directories with namespaces and parameters; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub(crate) with: Vec<PathBuf>,

    /// Treat missing parameters as absent from the cluster instead of unknown.
    #[arg(long)]
    pub(crate) complete_params: bool,

    /// Operation to evaluate each object as.
    #[arg(long, value_enum, default_value_t = ReplayOperation::Auto)]
    pub(crate) operation: ReplayOperation,

    /// Exit with code 1 if an object has at least this effect.
    #[arg(long, value_enum, value_name = "EFFECT", default_value_t = FailOn::Denied)]
    pub(crate) fail_on: FailOn,

    /// Number of objects to show for each message, and for each kind of change.
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pub(crate) limit: usize,

    /// Also show what mutating policies change in these objects.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Evaluate only a part of the objects: shard I of N, counted from 0. In a pod of an Indexed
    /// Job, write only N; I is then JOB_COMPLETION_INDEX. The result is JSON for --merge.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub(crate) shard: Option<Shard>,

    /// Merge the results of all shards into the JSON of one replay.
    #[arg(long, value_name = "RESULT", num_args = 1.., conflicts_with_all = ["policy", "objects", "shard"])]
    pub(crate) merge: Vec<PathBuf>,

    /// Output format.
    #[arg(long, value_enum, default_value_t = ReplayFormat::Human)]
    pub(crate) format: ReplayFormat,

    /// File to write the table of --format parquet to.
    #[arg(long, value_name = "FILE", required_if_eq("format", "parquet"))]
    pub(crate) output: Option<PathBuf>,

    /// Kubernetes versions that the policies are for, such as 1.33 or 1.30..1.36. Overrides
    /// `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,

    /// Print only findings and problems: no table, no summary, no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Output format of `replay`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayFormat {
    /// Each message with its objects, and a table of the policies.
    Human,
    /// One JSON object.
    Json,
    /// A line of JSON for each object with a finding.
    Ndjson,
    /// A table with a row for each finding, in the file of --output. Requires a build with the
    /// feature `parquet`.
    Parquet,
}

impl ReplayFormat {
    /// Returns whether each object with a finding is written.
    pub(crate) fn has_rows(self) -> bool {
        matches!(self, Self::Ndjson | Self::Parquet)
    }
}

/// The operation that `replay` evaluates an object as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayOperation {
    /// For each policy, the first operation that its rules match: UPDATE, CREATE, DELETE.
    Auto,
    /// The object is created, without the fields that the API server sets.
    Create,
    /// The object is updated without a change.
    Update,
    /// The object is deleted.
    Delete,
}

/// The mildest effect for which `replay` exits with code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Effects never fail the command.
    Never,
    /// An object that would be denied, or a policy that fails.
    Denied,
    /// Also a warning or an audit annotation.
    Warned,
    /// Also an object that would be changed.
    Mutated,
}

impl Replay {
    /// Returns the operation that the arguments name, or `None` for `auto`.
    pub(crate) fn operation(&self) -> Option<Operation> {
        match self.operation {
            ReplayOperation::Auto => None,
            ReplayOperation::Create => Some(Operation::Create),
            ReplayOperation::Update => Some(Operation::Update),
            ReplayOperation::Delete => Some(Operation::Delete),
        }
    }
}

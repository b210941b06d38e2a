//! The arguments of `replay`.

use clap::{Args, ValueEnum};
use ide::Target;
use policy::admission::Operation;
use std::path::PathBuf;

const REPLAY_EXIT_CODES: &str = "\
Exit codes:
  0    nothing that --fail-on names
  1    something would be denied, or a policy fails (as --fail-on has it)
  2    could not run, or not for all objects: wrong arguments, a file that cannot be
       read, no policy, an expression that does not compile, broken objects, or
       namespaces and parameters that are not known (all others are tried)
  130  ended by Ctrl-C; what was found until then is shown";

/// Tries policies on the objects of a cluster: what a rollout would deny and change.
///
/// The objects are a dump such as `kubectl get pods -A -o json` prints: YAML or JSON,
/// documents, lines or lists, of any size. Each is tried as an update that changes nothing,
/// or as its creation where a policy looks at creations only. Bindings are looked for beside
/// the policies and in their project; a policy without one is taken as bound with Deny.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_EXIT_CODES)]
pub(crate) struct Replay {
    /// A file or a directory with policies and their bindings, and with
    /// CustomResourceDefinitions whose rules are tried.
    #[arg(value_name = "POLICY")]
    pub(crate) policy: PathBuf,

    /// Files, directories or patterns with objects; - is standard input.
    #[arg(value_name = "OBJECTS", required = true)]
    pub(crate) objects: Vec<PathBuf>,

    /// Files or directories with more namespaces and parameters than OBJECTS hold.
    #[arg(long, value_name = "PATH")]
    pub(crate) with: Vec<PathBuf>,

    /// OBJECTS and PATH hold all parameters: those that are not there do not exist.
    #[arg(long)]
    pub(crate) complete_params: bool,

    /// The request that each object is tried as.
    #[arg(long, value_enum, default_value_t = ReplayOperation::Auto)]
    pub(crate) operation: ReplayOperation,

    /// What makes the exit code 1.
    #[arg(long, value_enum, value_name = "EFFECT", default_value_t = FailOn::Denied)]
    pub(crate) fail_on: FailOn,

    /// How many objects are shown for each message, and for each kind of change.
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pub(crate) limit: usize,

    /// Also shows what mutating policies change in the objects that are shown.
    #[arg(long)]
    pub(crate) diff: bool,

    /// How to write what is found.
    #[arg(long, value_enum, default_value_t = ReplayFormat::Human)]
    pub(crate) format: ReplayFormat,

    /// The Kubernetes versions that the policies are for: 1.33, or a range, 1.30..1.36. It
    /// counts instead of `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,

    /// Only findings and problems: no table, no summary, no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// How `replay` writes what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayFormat {
    /// For people: each message with its objects, and a table of the policies.
    Human,
    /// One JSON object.
    Json,
    /// A line of JSON for each object of which something is found.
    Ndjson,
}

/// The request that `replay` tries an object as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayOperation {
    /// For each policy the first that its rules name: UPDATE, CREATE, DELETE.
    Auto,
    /// It is created again, without what the server has written into it.
    Create,
    /// It is updated to what it is.
    Update,
    /// It is deleted.
    Delete,
}

/// What makes the exit code of `replay` 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Nothing.
    Never,
    /// An object that would be denied, or a policy that fails.
    Denied,
    /// The same, and warnings and entries in the audit log.
    Warned,
    /// The same, and objects that would be changed.
    Mutated,
}

impl Replay {
    /// The operation that somebody has asked for.
    pub(crate) fn operation(&self) -> Option<Operation> {
        match self.operation {
            ReplayOperation::Auto => None,
            ReplayOperation::Create => Some(Operation::Create),
            ReplayOperation::Update => Some(Operation::Update),
            ReplayOperation::Delete => Some(Operation::Delete),
        }
    }
}

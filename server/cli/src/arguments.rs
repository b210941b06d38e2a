//! The arguments of the command line.
//!
//! The doc comments of the types below are the text of `--help`.

mod replay;

pub(crate) use replay::{FailOn, Replay, ReplayFormat};

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use ide::{Severity, Target};
use policy::admission::Operation;
use std::num::NonZeroU16;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0  no finding of at least the fail level
  1  findings of at least the fail level
  2  could not run: wrong arguments, a mistake in the configuration file,
     a file that cannot be read (the others are checked)";

const EVAL_EXIT_CODES: &str = "\
Exit codes:
  0  every request is allowed
  1  a request is denied
  2  could not run: wrong arguments, a file that cannot be read, no policy in it,
     a mistake in an input, an expression that does not compile, or no policy that
     looks at the object or input that is named";

const TEST_EXIT_CODES: &str = "\
Exit codes:
  0  all tests pass; or there is none, and no path or filter asks for one
  1  a test fails, or less is covered than has to be
  2  something could not run: wrong arguments, a mistake in an input, a policy
     that does not compile, no test in a path that is named (the others are run)";

const INIT_INPUT_EXIT_CODES: &str = "\
Exit codes:
  0  the input is written
  2  could not run: wrong arguments, a file that cannot be read, no policy in it,
     a file with inputs that is already there";

/// Finds mistakes in Kubernetes admission policies: YAML with CEL inside.
#[derive(Debug, Parser)]
#[command(name = "admissible", version, propagate_version = true, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to colour the output.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Checks files and reports what is wrong in them.
    Check(Check),
    /// Evaluates policies on requests, as the API server would.
    Eval(Eval),
    /// Runs the tests of policies.
    Test(Test),
    /// Writes a first input for a policy.
    InitInput(InitInput),
    /// Tries policies on the objects of a cluster: what a rollout would deny and change.
    Replay(Replay),
    /// Lists the rules, or explains one.
    Rules(Rules),
    /// Serves an editor over standard input and output.
    Lsp(Lsp),
}

/// Checks files and reports what is wrong in them.
///
/// Directories are searched for .yaml, .yml and .json files; hidden files and those that
/// .gitignore names are passed over. A file that is named is always checked. Files without
/// a policy are left alone.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Check {
    /// Files, directories or patterns such as 'policies/**/*.yaml'; - is standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// How to write the findings.
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub(crate) format: CheckFormat,

    /// The mildest finding that makes the exit code 1.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailLevel::Warning)]
    pub(crate) fail_level: FailLevel,

    /// Only findings and problems: no summary, no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// The Kubernetes versions that the policies are for: 1.33, or a range, 1.30..1.36. It
    /// counts instead of `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,

    /// The path that standard input stands for: it is shown, and its configuration counts.
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
}

/// Evaluates policies on requests, as the API server would.
///
/// A request comes from an input, which is a YAML document that describes one, or from
/// objects: with --object alone the object is created, with --old-object alone it is
/// deleted, with both it is updated. Without any of them, the inputs that belong to the
/// policy are taken. A file that is - is standard input.
#[derive(Debug, Args)]
#[command(
    after_help = EVAL_EXIT_CODES,
    group = ArgGroup::new("an_object").args(["object", "old_object"]).multiple(true),
)]
pub(crate) struct Eval {
    /// The file with the policy. Each policy in it is asked.
    #[arg(value_name = "POLICY")]
    pub(crate) policy: PathBuf,

    /// A file with inputs.
    #[arg(long, value_name = "FILE", conflicts_with_all = REQUEST_OPTIONS)]
    pub(crate) input: Option<PathBuf>,

    /// Only the input of this name.
    #[arg(long, value_name = "NAME", conflicts_with_all = REQUEST_OPTIONS)]
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) request: RequestOptions,

    /// The Kubernetes versions that the policy is for: 1.33, or a range, 1.30..1.36. It
    /// counts instead of `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,

    /// Shows the value of every part of every expression, and what it costs.
    #[arg(long)]
    pub(crate) trace: bool,

    /// How to write the result.
    #[arg(long, value_enum, default_value_t = EvalFormat::Human)]
    pub(crate) format: EvalFormat,
}

/// The options that describe a request.
const REQUEST_OPTIONS: [&str; 10] = [
    "object",
    "old_object",
    "params",
    "namespace_object",
    "operation",
    "subresource",
    "user",
    "groups",
    "dry_run",
    "raw",
];

/// A request, option by option.
#[derive(Debug, Args)]
pub(crate) struct RequestOptions {
    /// The object as it will be. Of CONNECT it has the options.
    #[arg(long, value_name = "FILE")]
    pub(crate) object: Option<PathBuf>,

    /// The object as it is now.
    #[arg(long, value_name = "FILE")]
    pub(crate) old_object: Option<PathBuf>,

    /// The parameters of the policies, instead of those that the bindings name.
    #[arg(long, value_name = "FILE", requires = "an_object")]
    pub(crate) params: Option<PathBuf>,

    /// The namespace of the object.
    #[arg(long, value_name = "FILE", requires = "an_object")]
    pub(crate) namespace_object: Option<PathBuf>,

    /// What is done: CREATE, UPDATE, DELETE or CONNECT. It follows from the objects.
    #[arg(long, value_name = "OPERATION", value_parser = operation, requires = "an_object")]
    pub(crate) operation: Option<Operation>,

    /// The subresource, such as scale or exec.
    #[arg(long, value_name = "NAME", requires = "an_object")]
    pub(crate) subresource: Option<String>,

    /// Who makes the request. An administrator without it.
    #[arg(long, value_name = "NAME", requires = "an_object")]
    pub(crate) user: Option<String>,

    /// A group of the user. May be given several times.
    #[arg(id = "groups", long = "group", value_name = "NAME", requires = "user")]
    pub(crate) groups: Vec<String>,

    /// Nothing is kept: `request.dryRun` is true.
    #[arg(long, requires = "an_object")]
    pub(crate) dry_run: bool,

    /// Takes the objects as they are written: without the defaults of their kind, and
    /// without what the server fills in.
    #[arg(long, requires = "an_object")]
    pub(crate) raw: bool,
}

fn operation(word: &str) -> Result<Operation, String> {
    let operation = Operation::parse(&word.to_ascii_uppercase());
    operation.ok_or_else(|| "it is CREATE, UPDATE, DELETE or CONNECT".to_owned())
}

/// Runs the tests of policies.
///
/// A test is an input with `expect`, in a file beside the policy or named in a comment of it.
/// Policies are searched as `check` searches files.
#[derive(Debug, Args)]
#[command(after_help = TEST_EXIT_CODES)]
pub(crate) struct Test {
    /// Files with policies, directories or patterns such as 'policies/**/*.yaml'.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// Only tests with this in `policy/test name`.
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,

    /// Runs again what changes, until Ctrl-C.
    #[arg(long)]
    pub(crate) watch: bool,

    /// Writes what comes out into the inputs of tests that fail, after showing the
    /// difference. Only values below `expect` change.
    #[arg(long, conflicts_with_all = ["watch", "format", "coverage", "fail_uncovered"])]
    pub(crate) update: bool,

    /// With --update: only shows the difference.
    #[arg(long, requires = "update")]
    pub(crate) dry_run: bool,

    /// How to write the results.
    #[arg(long, value_enum, default_value_t = TestFormat::Human)]
    pub(crate) format: TestFormat,

    /// Says how much of the policies the tests try, and what they never do.
    #[arg(long)]
    pub(crate) coverage: bool,

    /// The exit code is 1 when less is covered, in percent of expressions and branches. It
    /// counts what --coverage shows.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) fail_uncovered: Option<u8>,

    /// How many tests run at a time; as many as there are cores without it.
    #[arg(long, value_name = "COUNT")]
    pub(crate) jobs: Option<NonZeroU16>,

    /// Only failures, problems and the summary.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// The Kubernetes versions that the policies are for: 1.33, or a range, 1.30..1.36. It
    /// counts instead of `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,
}

/// Writes inputs for a policy: one that it allows, and one that it denies.
///
/// Both have the fields that its expressions read, and expect what came out when they were
/// evaluated. The file is POLICY.inputs.yaml beside the policy, where `eval`, `test` and editors find it.
#[derive(Debug, Args)]
#[command(after_help = INIT_INPUT_EXIT_CODES)]
pub(crate) struct InitInput {
    /// The file with the policy.
    #[arg(value_name = "POLICY")]
    pub(crate) policy: PathBuf,

    /// Only for the policy of this name. Without it, each policy of the file gets an input.
    #[arg(long = "policy", value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The file to write; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Writes over a file that is there.
    #[arg(long)]
    pub(crate) force: bool,

    /// The Kubernetes versions that the policy is for: 1.33, or a range, 1.30..1.36. It
    /// counts instead of `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,
}

/// Lists the rules, or explains one.
#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// The code of a rule, such as unknown-field.
    pub(crate) code: Option<String>,

    /// How to write the rules.
    #[arg(long, value_enum, default_value_t = RulesFormat::Human)]
    pub(crate) format: RulesFormat,
}

/// Serves an editor over standard input and output.
#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// Accepted because many clients pass it; there is no other way.
    #[arg(long)]
    stdio: bool,
}

/// How `check` writes its findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people: each finding below its line.
    Human,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
}

/// How `eval` writes its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// For people: what is decided, and each reason below its line.
    Human,
    /// One JSON object.
    Json,
}

/// How `test` writes the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// For people: a line for each test, then the failures.
    Human,
    /// One JSON object.
    Json,
    /// JUnit XML, for pipelines.
    Junit,
}

/// How `rules` writes the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesFormat {
    /// For people.
    Human,
    /// One JSON object.
    Json,
}

/// The mildest finding that counts as a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailLevel {
    /// Findings never fail the command.
    Never,
    /// Errors only.
    Error,
    /// Warnings and errors.
    Warning,
    /// Everything but hints.
    Information,
}

/// When to colour the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Test {
    /// Whether it is recorded what is tried.
    pub(crate) fn covers(&self) -> bool {
        self.coverage || self.fail_uncovered.is_some()
    }
}

impl FailLevel {
    /// Whether a finding of this severity is a failure.
    pub(crate) fn fails(self, severity: Severity) -> bool {
        match self {
            FailLevel::Never => false,
            FailLevel::Error => severity >= Severity::Error,
            FailLevel::Warning => severity >= Severity::Warning,
            FailLevel::Information => severity >= Severity::Information,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_fail_level_counts_what_is_as_bad_or_worse() {
        let failing = |level: FailLevel| {
            [
                Severity::Hint,
                Severity::Information,
                Severity::Warning,
                Severity::Error,
            ]
            .into_iter()
            .filter(|severity| level.fails(*severity))
            .count()
        };
        assert_eq!(failing(FailLevel::Never), 0);
        assert_eq!(failing(FailLevel::Error), 1);
        assert_eq!(failing(FailLevel::Warning), 2);
        assert_eq!(failing(FailLevel::Information), 3);
    }
}

//! The arguments of the command line.
//!
//! The doc comments of the types below are the output of `--help`.

mod examples;
mod exit_codes;
mod fmt;
mod init;
mod reference;
mod replay;
mod shard;

pub(crate) use fmt::{Fmt, FmtFormat};
pub(crate) use init::Init;
pub(crate) use reference::{
    Completions, Explain, ExplainFormat, Rules, RulesFormat, Schema, SchemaFormat,
};
pub(crate) use replay::{FailOn, Replay, ReplayFormat};
pub(crate) use shard::Shard;

use admission::Operation;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use examples::help;
use ide::{Safety, Severity};
use kubernetes::Target;
use std::num::NonZeroU16;
use std::path::PathBuf;

/// Check, evaluate and test Kubernetes admission policies.
///
/// Works on policy YAML and the CEL inside it, without a cluster.
#[derive(Debug, Parser)]
#[command(name = "admissible", version, propagate_version = true, after_help = help(examples::ANY, exit_codes::ANY))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to color the output.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// The command to run. The help of each is the documentation of its options.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(Init),
    Check(Check),
    Fmt(Fmt),
    Eval(Eval),
    Test(Test),
    InitInput(InitInput),
    Replay(Replay),
    Rules(Rules),
    Explain(Explain),
    Schema(Schema),
    Completions(Completions),
    Lsp(Lsp),
}

/// Check files and report findings.
///
/// Directories are searched for .yaml, .yml and .json files; hidden and ignored files
/// (.gitignore) are skipped. A file given by name is always checked. Files without a policy
/// are skipped.
#[derive(Debug, Args)]
#[command(after_help = help(examples::CHECK, exit_codes::CHECK))]
pub(crate) struct Check {
    /// Files, directories, or patterns such as 'policies/**/*.yaml'; - is standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// Output format.
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub(crate) format: CheckFormat,

    /// Exit with code 1 if a finding has at least this severity.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailLevel::Warning)]
    pub(crate) fail_level: FailLevel,

    /// Print only findings and problems: no summary, no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) fix: FixOptions,

    /// Kubernetes versions that the policies are for, such as 1.33 or 1.30..1.36. Overrides
    /// `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,

    /// Path of the content on standard input: it is shown in findings and selects the
    /// configuration file.
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
}

/// Whether fixes are applied, and which.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("fixes").args(["fix", "diff"]).multiple(true))]
pub(crate) struct FixOptions {
    /// Apply safe fixes, and report what remains. With -, the fixed text goes to standard
    /// output and the report to standard error.
    #[arg(long)]
    pub(crate) fix: bool,

    /// With --fix or --diff: also apply unsafe fixes, which may change what a policy decides.
    #[arg(id = "unsafe", long = "unsafe", requires = "fixes")]
    pub(crate) is_unsafe: bool,

    /// Show what --fix would change, without writing it.
    #[arg(long, conflicts_with = "format")]
    pub(crate) diff: bool,
}

/// Evaluate policies against requests, as the API server would.
///
/// A request comes from an input, a YAML document that describes it, or from objects: --object
/// alone creates the object, --old-object alone deletes it, both update it. Without any of these
/// options, the inputs that belong to the policy are used; a directory has none. If FILE is -,
/// standard input is read.
#[derive(Debug, Args)]
#[command(
    after_help = help(examples::EVAL, exit_codes::EVAL),
    group = ArgGroup::new("an_object").args(["object", "old_object"]).multiple(true),
)]
pub(crate) struct Eval {
    /// File or directory with policies, or lists of them. All are evaluated, as on one server.
    #[arg(value_name = "POLICY")]
    pub(crate) policy: PathBuf,

    /// File with inputs.
    #[arg(long, value_name = "FILE", conflicts_with_all = REQUEST_OPTIONS)]
    pub(crate) input: Option<PathBuf>,

    /// Evaluate only the input with this name.
    #[arg(long, value_name = "NAME", conflicts_with_all = REQUEST_OPTIONS)]
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) request: RequestOptions,

    /// Kubernetes versions that the policy is for, such as 1.33 or 1.30..1.36. Overrides
    /// `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,

    /// Show the value and the cost of every part of every expression.
    #[arg(long)]
    pub(crate) trace: bool,

    /// Output format.
    #[arg(long, value_enum, default_value_t = EvalFormat::Human)]
    pub(crate) format: EvalFormat,
}

/// Options that describe a request.
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
    /// The new object; for CONNECT, its options.
    #[arg(long, value_name = "FILE")]
    pub(crate) object: Option<PathBuf>,

    /// The existing object.
    #[arg(long, value_name = "FILE")]
    pub(crate) old_object: Option<PathBuf>,

    /// Parameters, instead of those that the bindings select.
    #[arg(long, value_name = "FILE", requires = "an_object")]
    pub(crate) params: Option<PathBuf>,

    /// Namespace of the object.
    #[arg(long, value_name = "FILE", requires = "an_object")]
    pub(crate) namespace_object: Option<PathBuf>,

    /// Operation: CREATE, UPDATE, DELETE or CONNECT [default: inferred from the objects]
    #[arg(long, value_name = "OPERATION", value_parser = operation, requires = "an_object")]
    pub(crate) operation: Option<Operation>,

    /// Subresource, such as scale or exec.
    #[arg(long, value_name = "NAME", requires = "an_object")]
    pub(crate) subresource: Option<String>,

    /// User who makes the request [default: an administrator]
    #[arg(long, value_name = "NAME", requires = "an_object")]
    pub(crate) user: Option<String>,

    /// Group of the user; may be repeated.
    #[arg(id = "groups", long = "group", value_name = "NAME", requires = "user")]
    pub(crate) groups: Vec<String>,

    /// Set `request.dryRun` to true.
    #[arg(long, requires = "an_object")]
    pub(crate) dry_run: bool,

    /// Use the objects as written, without the defaults of their kind and the fields that
    /// the API server sets.
    #[arg(long, requires = "an_object")]
    pub(crate) raw: bool,
}

fn operation(word: &str) -> Result<Operation, String> {
    let operation = Operation::parse(&word.to_ascii_uppercase());
    operation.ok_or_else(|| "expected CREATE, UPDATE, DELETE or CONNECT".to_owned())
}

/// Run the tests of policies.
///
/// A test is an input with `expect`, in a file next to the policy or named in a comment in
/// it. Files are found as in `check`, and may have lists of policies.
#[derive(Debug, Args)]
#[command(after_help = help(examples::TEST, exit_codes::TEST))]
pub(crate) struct Test {
    /// Files with policies, directories, or patterns such as 'policies/**/*.yaml'.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// Run only tests whose `policy/test name` contains TEXT.
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,

    /// Run tests again when their files change, until Ctrl-C.
    #[arg(long)]
    pub(crate) watch: bool,

    /// Write the actual outcome into the inputs of failing tests, after showing the
    /// difference. Only values below `expect` change.
    #[arg(long, conflicts_with_all = ["watch", "format", "coverage", "fail_uncovered"])]
    pub(crate) update: bool,

    /// With --update: show the difference without writing it.
    #[arg(long, requires = "update")]
    pub(crate) dry_run: bool,

    /// Output format.
    #[arg(long, value_enum, default_value_t = TestFormat::Human)]
    pub(crate) format: TestFormat,

    /// Report which expressions and branches the tests evaluate, and which they do not.
    #[arg(long)]
    pub(crate) coverage: bool,

    /// Exit with code 1 if expression and branch coverage is below PERCENT (implies
    /// --coverage).
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) fail_uncovered: Option<u8>,

    /// Number of tests to run in parallel [default: the number of cores]
    #[arg(long, value_name = "COUNT")]
    pub(crate) jobs: Option<NonZeroU16>,

    /// Print only failures, problems and the summary.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Kubernetes versions that the policies are for, such as 1.33 or 1.30..1.36. Overrides
    /// `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,
}

/// Write inputs for a policy: one that it allows, and one that it denies.
///
/// Both contain the fields that its expressions read, and expect the outcome of their evaluation.
/// The file is POLICY.inputs.yaml next to the policy, where `eval`, `test` and editors find it.
#[derive(Debug, Args)]
#[command(after_help = help(examples::INIT_INPUT, exit_codes::INIT_INPUT))]
pub(crate) struct InitInput {
    /// File with the policy.
    #[arg(value_name = "POLICY")]
    pub(crate) policy: PathBuf,

    /// Write inputs only for the policy with this name [default: each policy in the file]
    #[arg(long = "policy", value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// File to write; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Overwrite an existing file.
    #[arg(long)]
    pub(crate) force: bool,

    /// Kubernetes versions that the policy is for, such as 1.33 or 1.30..1.36. Overrides
    /// `kubernetes` in admissible.toml.
    #[arg(long, value_name = "VERSION", value_parser = Target::parse)]
    pub(crate) kubernetes: Option<Target>,
}

/// Start the language server on standard input and output.
#[derive(Debug, Args)]
#[command(after_help = help(examples::LSP, exit_codes::LSP))]
pub(crate) struct Lsp {
    /// Accepted because many clients pass it; the server always uses standard input and output.
    #[arg(long)]
    stdio: bool,
}

/// Output format of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Each finding with an excerpt of the file.
    Human,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// GitHub Actions workflow commands.
    Github,
    /// A GitLab Code Quality report.
    Gitlab,
}

/// Output format of `eval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// The decision, and each reason with an excerpt of the file.
    Human,
    /// One JSON object.
    Json,
}

/// Output format of `test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// A line for each test, then the failures.
    Human,
    /// One JSON object.
    Json,
    /// JUnit XML, for pipelines.
    Junit,
    /// GitHub Actions workflow commands.
    Github,
}

/// The lowest severity that counts as a failure.
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

/// When to color the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl FixOptions {
    /// Returns the most that a fix may be. `None` if fixes are not applied.
    pub(crate) fn safety(&self) -> Option<Safety> {
        let safety = if self.is_unsafe {
            Safety::Unsafe
        } else {
            Safety::Safe
        };
        (self.fix || self.diff).then_some(safety)
    }
}

impl Test {
    /// Returns whether coverage is recorded.
    pub(crate) fn covers(&self) -> bool {
        self.coverage || self.fail_uncovered.is_some()
    }
}

impl FailLevel {
    /// Returns whether a finding of this severity is a failure.
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

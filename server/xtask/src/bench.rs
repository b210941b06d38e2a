//! `cargo xtask bench`: our speed, compared with the peers.
//!
//! Builds the measured programs, installs the peers, and prints one table. The measuring itself is
//! in `server/bench`, so that building and measuring stay separate.

mod base;
mod instructions;
mod measure;
mod page;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::{dist, process, repository};
use clap::Args;
use page::OwnFigures;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of yaml-language-server that is measured, from npm.
const YAML_LANGUAGE_SERVER: &str = "2.0.0";

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// Leave out the benchmarks of single functions.
    #[arg(long)]
    skip_functions: bool,
    /// Put the table into `server/docs/benchmarks.md`.
    #[arg(long)]
    write: bool,
    /// Only compare the instructions of this commit with those of another one.
    #[arg(long, value_name = "BASE", conflicts_with_all = ["skip_functions", "write"])]
    compare: Option<String>,
}

/// Measures, and prints the table.
///
/// # Errors
/// When something cannot be built or measured.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    let root = repository::root();
    if let Some(base) = &options.compare {
        return base::compare(&root, base, out);
    }
    let product = process::build_for_release(None, &dist::host()?)?;
    build(&["build", "--profile", "dist", "-p", "bench"])?;
    let functions = if options.skip_functions {
        Vec::new()
    } else {
        measure::functions()?
    };
    let peer = install_peer(&root, out)?;
    let product = product.to_string_lossy();
    let bench = target(&root).join(program("bench"));
    let file = root.join("server/bench/fixtures/policy.yaml");

    let ours = measure::latency(&bench, &file, &[&product, "lsp"])?;
    let theirs = match &peer {
        Some(script) => {
            let script = script.to_string_lossy();
            Some(measure::latency(
                &bench,
                &file,
                &["node", &script, "--stdio"],
            )?)
        }
        None => None,
    };
    let alone = alone(&root, &bench, &product)?;
    let name = format!("yaml-language-server {YAML_LANGUAGE_SERVER}");
    let theirs = theirs.as_ref().map(|it| (name.as_str(), it));
    let table = page::table(&functions, &ours, theirs, &alone);
    writeln!(out, "\n{table}")?;
    if options.write {
        let path = root.join(page::FILE);
        let text = page::with_table(&repository::read(&path)?, &table)?;
        repository::write(&path, &text)?;
        writeln!(out, "wrote {}", page::FILE)?;
    }
    Ok(())
}

/// Measures the work that has no peer.
fn alone(root: &Path, bench: &Path, product: &str) -> Result<OwnFigures, Error> {
    let policies = root.join("server/bench/benches/policies");
    let cache = root.join(".cache/bench");
    let live = |file: &Path, folder: &str| {
        measure::live(bench, file, &cache.join("live").join(folder), product)
    };
    let fixture = root.join("server/bench/fixtures/policy.yaml");
    let keystrokes = [
        measure::keystroke(bench, &[&fixture.to_string_lossy()])?,
        measure::keystroke(bench, &["--validations", "1000"])?,
    ];
    let requests = measure::requests(bench, &fixture, product)?;
    let small = live(&policies.join("deployment.yaml"), "small")?;
    let large = live(&fixture, "large")?;
    let check = measure::check(bench, &cache.join("manifests"), product)?;
    let policy = measure::check(bench, &policies.join("deployment.yaml"), product)?;
    let dump = cache.join("pods.ndjson");
    let replay = measure::replay(bench, &policies.join("pods.yaml"), &dump, product)?;
    let growth = measure::growth(bench, &cache.join("growth"), product)?;
    Ok(OwnFigures {
        keystrokes,
        live: [small, large],
        requests,
        checks: [check, policy],
        growth,
        replay,
    })
}

fn build(arguments: &[&str]) -> Result<(), Error> {
    if process::run(process::cargo(arguments))?.success() {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "cargo {} failed",
        arguments.join(" ")
    )))
}

/// Returns the folder of the programs that are measured.
fn target(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| root.join("target")).join("dist")
}

fn program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// Returns the start script of yaml-language-server, installed when it is missing. `None`, with a
/// message, if that is not possible.
fn install_peer(root: &Path, out: &mut dyn Write) -> Result<Option<PathBuf>, Error> {
    let folder = root.join(format!(
        ".cache/yaml-language-server-{YAML_LANGUAGE_SERVER}"
    ));
    let script = folder.join("node_modules/yaml-language-server/bin/yaml-language-server");
    if !script.is_file() {
        let package = format!("yaml-language-server@{YAML_LANGUAGE_SERVER}");
        let folder = folder.to_string_lossy();
        let install = [
            "install",
            "--silent",
            "--no-save",
            "--prefix",
            &folder,
            &package,
        ];
        let _ = process::run(process::npm(&install));
    }
    if script.is_file() {
        return Ok(Some(script));
    }
    writeln!(
        out,
        "NOT MEASURED: yaml-language-server cannot be installed. \
         It needs Node.js with npm, and the network."
    )?;
    Ok(None)
}

//! `cargo xtask audit`: the dependencies, compared with what is known of them.
//!
//! cargo-deny checks advisories, licenses and sources as `server/deny.toml` requires, npm the packages of
//! the extension. Both need a network, so this is not a step of `cargo xtask test`.

use crate::error::Error;
use crate::{process, repository};
use std::io::Write;
use std::process::Command;

/// The configuration of cargo-deny.
const DENY: &str = "server/deny.toml";

/// The folder of the extension.
const EXTENSION: &str = "editors/vscode";

/// Runs both programs, even if the first one fails.
///
/// # Errors
/// When one is missing, fails or finds something.
pub(crate) fn run(out: &mut dyn Write) -> Result<(), Error> {
    let mut npm = process::npm(&["audit"]);
    npm.current_dir(repository::root().join(EXTENSION));
    let mut failed = Vec::new();
    for (name, command, help) in [
        (
            "cargo deny",
            process::cargo(&["deny", "--workspace", "check", "--config", DENY]),
            "cargo install --locked cargo-deny",
        ),
        ("npm audit", npm, "install Node.js 20 or newer"),
    ] {
        writeln!(out, "{name}")?;
        if let Err(reason) = passes(command, help) {
            failed.push(format!("{name}: {reason}"));
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(Error::Failed(failed.join("\n")))
    }
}

fn passes(command: Command, help: &str) -> Result<(), String> {
    match process::run(command) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}; if the program is missing: {help}")),
        Err(error) => Err(format!("{error}; {help}")),
    }
}

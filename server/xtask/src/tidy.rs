//! `cargo xtask tidy`: the rules of the project that a machine can check.
//!
//! A rule that only people check is soon broken. These also run as a test, so that a change that
//! breaks one never lands.

mod circles;
mod formatting;
mod layers;
mod modules;
mod paths;
mod phrases;
mod sources;
#[cfg(test)]
mod tests;

use crate::docs;
use crate::error::Error;
use crate::repository;
use std::fmt;
use std::io::Write;
use std::path::Path;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// The file, from the root of the repository.
    pub(crate) file: String,
    /// The line, counted from 1; 0 for the whole file.
    pub(crate) line: usize,
    /// The message.
    pub(crate) message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {}", self.file, self.message),
        }
    }
}

/// Prints every broken rule.
///
/// # Errors
/// When a file cannot be read or a rule is broken.
pub(crate) fn run(out: &mut dyn Write) -> Result<(), Error> {
    let findings = findings(&repository::root())?;
    for finding in &findings {
        writeln!(out, "{finding}")?;
    }
    match findings.len() {
        0 => Ok(writeln!(out, "tidy: no findings")?),
        count => Err(Error::Failed(format!("tidy: {count} findings"))),
    }
}

/// Returns every broken rule in the repository at `root`, in order.
fn findings(root: &Path) -> Result<Vec<Finding>, Error> {
    let (mut findings, mut rust, mut page) = (Vec::new(), Vec::new(), String::new());
    for (name, path) in repository::files(root)? {
        sources::check_path(&name, &mut findings);
        if !sources::is_checked(&name) {
            continue;
        }
        let text = repository::read(&path)?;
        sources::check(&name, &text, &mut findings);
        if name == layers::PAGE {
            layers::check_page(&text, &mut findings);
            page = text;
        } else if name == "Cargo.toml" || name.ends_with("/Cargo.toml") {
            layers::check(&name, &text, &mut findings);
        } else if name.ends_with(".rs") {
            rust.push((name, text));
        }
    }
    modules::check(&page, &rust, &mut findings);
    circles::check(&rust, &mut findings);
    formatting::check(root, &mut findings)?;
    for stale in docs::stale(root)? {
        findings.push(Finding {
            file: stale.into(),
            line: 0,
            message: "is out of date: run `cargo xtask docs`".into(),
        });
    }
    findings.sort();
    findings.dedup();
    Ok(findings)
}

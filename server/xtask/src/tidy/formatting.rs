//! The format of modules that a macro declares, which `cargo fmt` does not reach.

use super::Finding;
use crate::error::Error;
use crate::{process, repository};
use std::path::Path;
use std::process::Command;

/// The folder of those modules.
const FOLDER: &str = "server/ide/src/diagnostics/rules";

/// Reports each module below `root` that is not formatted.
///
/// # Errors
/// When the folder cannot be listed or `rustfmt` cannot be started.
pub(super) fn check(root: &Path, findings: &mut Vec<Finding>) -> Result<(), Error> {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition=2024", "--check", "--files-with-diff"]);
    for (name, path) in repository::files(&root.join(FOLDER))? {
        if name.ends_with(".rs") && !name.contains('/') {
            rustfmt.arg(path);
        }
    }
    let (_, unformatted) = process::watch(rustfmt)?;
    findings.extend(unformatted.into_iter().map(|file| Finding {
        file,
        line: 0,
        message: format!("is not formatted: run `rustfmt --edition=2024 {FOLDER}/*.rs`"),
    }));
    Ok(())
}

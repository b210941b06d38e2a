//! Compares this commit with another one on the same machine.

use super::instructions::{self, Inputs, Programs};
use super::program;
use crate::error::Error;
use crate::process;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Counts the instructions of both commits and prints them.
///
/// # Errors
/// If something cannot be built or counted, or a row needs more instructions than before.
pub(super) fn compare(root: &Path, base: &str, out: &mut dyn Write) -> Result<(), Error> {
    let cache = root.join(".cache/bench");
    let source = cache.join("base");
    check_out(root, base, &source)?;
    let ours = build(root, &cache.join("target"))?;
    let before = build(&source, &cache.join("base-target"))?;
    let folder = cache.join("instructions");
    std::fs::create_dir_all(&folder).map_err(|source| Error::io("create", &folder, source))?;
    let inputs = Inputs {
        writer: &ours.bench,
        folder: &folder,
        root,
    };
    let before = instructions::count(&before, &inputs)?;
    let ours = instructions::count(&ours, &inputs)?;
    let (table, slower) = instructions::compare(&before, &ours);
    writeln!(out, "\n{table}")?;
    if slower.is_empty() {
        return Ok(());
    }
    let rows = slower.join(", ");
    Err(Error::Failed(format!(
        "more instructions than {base}: {rows}"
    )))
}

/// Puts the files of a commit into a folder.
fn check_out(root: &Path, commit: &str, folder: &Path) -> Result<(), Error> {
    let git = |folder: &Path, arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(folder).args(arguments);
        process::output(git)
    };
    let commit = git(
        root,
        &["rev-parse", "--verify", &format!("{commit}^{{commit}}")],
    )?;
    let commit = commit.trim();
    if folder.is_dir() {
        return git(folder, &["checkout", "--quiet", "--detach", commit]).map(drop);
    }
    let path = folder.to_string_lossy();
    git(root, &["worktree", "prune"])?;
    git(
        root,
        &["worktree", "add", "--quiet", "--detach", &path, commit],
    )
    .map(drop)
}

/// Builds the programs of a commit as a build from source does.
fn build(root: &Path, target: &Path) -> Result<Programs, Error> {
    for package in [&["--bin", "admissible"][..], &["-p", "bench"]] {
        let mut cargo = process::cargo(&[&["build", "--release"], package].concat());
        cargo.current_dir(root).env("CARGO_TARGET_DIR", target);
        if !process::run(cargo)?.success() {
            let root = root.display();
            return Err(Error::Failed(format!("{root} cannot be built")));
        }
    }
    let built = target.join("release");
    Ok(Programs {
        product: built.join(program("admissible")),
        bench: built.join(program("bench")),
    })
}

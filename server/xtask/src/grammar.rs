//! `cargo xtask grammar`: the parser of the tree-sitter grammar.
//!
//! Editors compile the C file, so it is part of the repository. It is written by the generator of
//! tree-sitter, in the format that the oldest supported editors read.

mod expressions;

use crate::error::Error;
use crate::repository;
use clap::Args;
use std::io::Write;
use std::path::Path;
use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

pub(crate) use expressions::write as write_expressions;

/// The folder of the grammar.
pub(crate) const FOLDER: &str = "grammars/tree-sitter-cel";

/// The version of the format. Neovim 0.10 reads no newer one.
const FORMAT: usize = 14;

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// Write nothing; fail if the parser is not that of the grammar.
    #[arg(long)]
    check: bool,
}

/// Writes the parser, or checks it.
///
/// # Errors
/// If the grammar has an error, Node.js is missing, or the parser is stale and `--check` is given.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    let root = repository::root();
    if options.check {
        check(&root, &root.join(".cache/grammar"))?;
    } else {
        generate(&root, &root.join(FOLDER).join("src"))?;
    }
    Ok(writeln!(out, "the parser is that of {FOLDER}/grammar.js")?)
}

/// Generates the parser in `scratch` and compares it with the one in the repository.
///
/// # Errors
/// If they differ, or it cannot be generated.
pub(crate) fn check(root: &Path, scratch: &Path) -> Result<(), Error> {
    generate(root, scratch)?;
    let sources = root.join(FOLDER).join("src");
    for (name, path) in repository::files(&sources)? {
        let lines = |path: &Path| Ok::<_, Error>(repository::read(path)?.replace("\r\n", "\n"));
        if lines(&path)? != lines(&scratch.join(&name))? {
            return Err(Error::Failed(format!(
                "{name} is not generated from {FOLDER}/grammar.js. Run `cargo xtask grammar`."
            )));
        }
    }
    Ok(())
}

fn generate(root: &Path, sources: &Path) -> Result<(), Error> {
    let mut warnings = Vec::new();
    let generated = generate_parser_in_directory(
        root.join(FOLDER),
        Some(sources),
        None::<&Path>,
        FORMAT,
        None,
        None,
        true,
        OptLevel::default(),
        &mut warnings,
    );
    generated.map_err(|error| Error::Failed(format!("the grammar has an error: {error}")))?;
    match warnings.first() {
        Some(warning) => Err(Error::Failed(format!(
            "the grammar has a flaw: {warning:?}"
        ))),
        None => Ok(()),
    }
}

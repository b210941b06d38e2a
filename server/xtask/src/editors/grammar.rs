//! The tree-sitter grammar: its parser as compiled by an editor, and the inputs of its tests.

use super::npm::Package;
use super::surroundings::{Editors, Stop, quietly};
use crate::error::Error;
use crate::grammar;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The grammar of YAML that Neovim and Helix use, into which CEL is injected.
const YAML: Package = Package {
    name: "@tree-sitter-grammars/tree-sitter-yaml",
    version: "0.7.1",
    integrity: "sha512-AynBwkIoQCTgjDR33bDUp9Mqq+YTco0is3n5hRApMqG9of/6A4eQsfC1/uSEeHSUyMQSYawcAWamsexnVpIP4Q==",
};

/// The files that the tests of the grammar read.
pub(super) struct Grammar {
    /// The folder with the parsers of CEL and of YAML.
    pub(super) parsers: PathBuf,
    /// The file with the expressions.
    pub(super) expressions: PathBuf,
}

/// Checks that the parser is up to date, and compiles it.
///
/// # Errors
/// If it fails, or if there is no C compiler.
pub(super) fn set_up(editors: &mut Editors<'_>) -> Result<Grammar, Stop> {
    let kept = editors.kept("grammar");
    let yaml = set_up_yaml(editors)?;
    let grammar = Grammar {
        parsers: kept.join("parsers"),
        expressions: kept.join("expressions.json"),
    };
    let root = editors.source("");
    editors.step("compile the tree-sitter grammar", |_| {
        grammar::check(&root, &kept.join("src"))?;
        fs::create_dir_all(&grammar.parsers)
            .map_err(|source| Error::io("create", &grammar.parsers, source))?;
        let cel = root.join(grammar::FOLDER).join("src");
        compile(&cel, &grammar.parsers.join("cel.so"))?;
        compile(&yaml.join("src"), &grammar.parsers.join("yaml.so"))?;
        Ok(grammar::write_expressions(&root, &grammar.expressions)?)
    })?;
    Ok(grammar)
}

/// Installs the YAML grammar in the cache. Returns its folder.
///
/// # Errors
/// If it cannot be downloaded.
pub(super) fn set_up_yaml(editors: &mut Editors<'_>) -> Result<PathBuf, Stop> {
    let yaml = editors.kept("grammar/yaml");
    editors.set_up("set up the grammar of YAML", &yaml, &YAML.stamp(), || {
        YAML.unpack("src", &yaml, "src")
    })?;
    Ok(yaml)
}

/// Compiles a parser as a library that Neovim loads.
fn compile(sources: &Path, library: &Path) -> Result<(), Stop> {
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-O1", "-I"])
        .arg(sources);
    for file in ["parser.c", "scanner.c"] {
        let file = sources.join(file);
        if file.exists() {
            compiler.arg(file);
        }
    }
    compiler.arg("-o").arg(library);
    quietly(compiler)?;
    Ok(())
}

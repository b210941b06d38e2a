//! `cargo xtask editors`: the extension, the plugin and the configurations of the pages, tested in
//! the real editors.
//!
//! The editors, the browser and the newer Node.js that the tests need are installed into
//! `.cache/editors` once and kept there. If something is not available on a machine, the tests of
//! that editor fail with the reason; those of the other editors still run.

mod artifacts;
mod counting;
mod debian;
mod emacs;
mod grammar;
mod helix;
mod installed;
mod kate;
mod neovim;
mod npm;
mod root;
mod surroundings;
mod vscode;
mod zed;

use crate::error::Error;
use crate::outcome::Outcome;
use crate::{dist, process};
use clap::{Args, ValueEnum};
use debian::Loader;
use std::io::Write;
use std::path::{Path, PathBuf};
use surroundings::{Editors, Stop};
pub(crate) use vscode::PackageOptions;

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// Test in this editor only.
    #[arg(long, value_enum)]
    only: Option<Editor>,
    /// Test this program instead of the one that is built from the source.
    #[arg(long)]
    program: Option<PathBuf>,
    /// Also draw the pictures of VS Code in `server/docs/images` anew.
    #[arg(long)]
    pictures: bool,
    /// Test VS Code with this packed extension installed, too, which is YAML by Red Hat.
    #[arg(long, requires = "only")]
    beside: Option<PathBuf>,
    /// Test the artifacts of a release instead, installed in a root without Rust: the archive and
    /// the extension, made from --program or from a build with the profile `dist`.
    #[arg(long, conflicts_with_all = ["only", "pictures"])]
    installed: bool,
}

/// An editor that has tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Editor {
    /// VS Code, with the extension.
    Vscode,
    /// Neovim, with the plugin.
    Neovim,
    /// Helix, with the configuration of its page.
    Helix,
    /// Emacs, with the configurations of its page.
    Emacs,
    /// The extension for Zed, compiled. Runs only if it is named.
    Zed,
    /// Kate, with the configuration of its page. Runs only if it is named.
    Kate,
}

/// Downloads everything that the tests need, so that it is ready when they run. The tests report
/// missing requirements. Returns the printed output.
pub(crate) fn set_up() -> Vec<u8> {
    let mut printed = Vec::new();
    let mut editors = Editors::new(PathBuf::new(), &mut printed);
    // Each is tried, even if another one fails.
    let _ = vscode::set_up(&mut editors);
    let _ = neovim::set_up(&mut editors);
    if Loader::here().is_some() {
        let _ = helix::set_up(&mut editors);
        let _ = emacs::set_up(&mut editors);
    }
    printed
}

/// Runs the tests in every editor that need not be named, with this program.
///
/// # Errors
/// If nothing could be tested for a reason other than the machine.
pub(crate) fn run(program: PathBuf, out: &mut dyn Write) -> Result<Outcome, Error> {
    let options = Options {
        only: None,
        program: Some(program),
        pictures: false,
        installed: false,
        beside: None,
    };
    test(&options, out)
}

/// Runs the tests that the command line selects.
///
/// # Errors
/// When a test failed, or could not be run.
pub(crate) fn command(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    test(options, out)?.report(out)
}

/// Writes one file with the extension, and with the program if wanted, for VS Code to install.
///
/// # Errors
/// When something cannot be built.
pub(crate) fn package_vscode(options: &PackageOptions, out: &mut dyn Write) -> Result<(), Error> {
    let program = match &options.program {
        Some(program) => absolute(program)?,
        None if options.without_program => PathBuf::new(),
        None => build_program("release")?,
    };
    match vscode::package(&mut Editors::new(program, out), options) {
        Ok(()) => Ok(()),
        Err(Stop::Missing(why)) => Err(Error::Failed(why)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

fn test(options: &Options, out: &mut dyn Write) -> Result<Outcome, Error> {
    let program = match &options.program {
        Some(program) => absolute(program)?,
        None if options.installed => process::build_for_release(None, &dist::host()?)?,
        None => build_program("test")?,
    };
    let mut editors = Editors::new(program, out);
    let mut missing = Vec::new();
    if options.installed {
        match installed::test(&mut editors, options.program.is_none()) {
            Ok(()) => {}
            Err(Stop::Missing(why)) => missing.push(why),
            Err(Stop::Failed(error)) => editors.failed(&error.to_string())?,
        }
        return editors.finish(&missing);
    }
    for editor in Editor::value_variants() {
        if !is_wanted(*editor, options.only) {
            continue;
        }
        let (name, ended) = match editor {
            Editor::Vscode => (
                "VS Code",
                vscode::test(&mut editors, options.pictures, options.beside.as_deref()),
            ),
            Editor::Neovim => ("Neovim", neovim::test(&mut editors)),
            Editor::Helix => ("Helix", helix::test(&mut editors)),
            Editor::Emacs => ("Emacs", emacs::test(&mut editors)),
            Editor::Zed => ("Zed", zed::test(&mut editors)),
            Editor::Kate => ("Kate", kate::test(&mut editors)),
        };
        match ended {
            Ok(()) => {}
            Err(Stop::Missing(why)) => missing.push(format!("{name}: {why}")),
            Err(Stop::Failed(error)) => editors.failed(&format!("{name}: {error}"))?,
        }
    }
    editors.finish(&missing)
}

/// Returns whether an editor is tested if the command line names `only` this one, or none.
fn is_wanted(editor: Editor, only: Option<Editor>) -> bool {
    match only {
        Some(only) => only == editor,
        None => !matches!(editor, Editor::Zed | Editor::Kate),
    }
}

fn absolute(program: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(program).map_err(|source| Error::io("find", program, source))
}

/// Returns the program, built if it is not.
fn build_program(profile: &str) -> Result<PathBuf, Error> {
    process::build(&["--profile", profile])
}

//! The plugin, in the oldest Neovim that it supports and in a new one.

use super::debian::{self, Loader};
use super::grammar::{self, Grammar};
use super::surroundings::{Editors, Stop, copy_folder, quietly};
use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The releases of Debian with a Neovim that the plugin supports: 0.10, which has no
/// `vim.lsp.config`, and the newest.
const RELEASES: [&str; 2] = ["trixie", "forky"];

/// Installs the grammar and each version of Neovim in the cache.
///
/// # Errors
/// When one of them cannot be set up.
pub(super) fn set_up(editors: &mut Editors<'_>) -> Result<(), Stop> {
    grammar::set_up_yaml(editors)?;
    for release in RELEASES {
        set_up_release(editors, release)?;
    }
    Ok(())
}

fn set_up_release(editors: &mut Editors<'_>, release: &str) -> Result<PathBuf, Stop> {
    let folder = editors.kept("neovim").join(release);
    let set_up = || debian::unpack(release, &["neovim"], &folder);
    let name = format!("set up Neovim of Debian {release}");
    editors.set_up(&name, &folder, release, set_up)?;
    Ok(folder)
}

/// Runs the tests in each Neovim that this machine can have.
///
/// # Errors
/// If there is none, or it cannot be set up.
pub(super) fn test(editors: &mut Editors<'_>) -> Result<(), Stop> {
    let grammar = grammar::set_up(editors)?;
    let Some(loader) = Loader::here() else {
        return test_installed(editors, &grammar);
    };
    for release in RELEASES {
        let folder = match set_up_release(editors, release) {
            Ok(folder) => folder,
            Err(Stop::Missing(_)) => return test_installed(editors, &grammar),
            Err(other) => return Err(other),
        };
        let nvim = || unpacked(&loader, &folder);
        run(editors, &nvim, release, &grammar)?;
    }
    Ok(())
}

/// Runs the tests in the Neovim of the machine.
fn test_installed(editors: &mut Editors<'_>, grammar: &Grammar) -> Result<(), Stop> {
    let mut probe = Command::new("nvim");
    probe.args([
        "--headless",
        "--clean",
        "+exe has('nvim-0.10') ? 'qall' : 'cquit'",
    ]);
    if quietly(probe).is_err() {
        return Err(Stop::Missing(
            "there is no Neovim 0.10 or newer. Install it, so that `nvim` is on PATH.".into(),
        ));
    }
    run(editors, &|| Command::new("nvim"), "installed", grammar)
}

/// Runs the tests of the plugin, of the grammar and of the configuration for nvim-lspconfig in one
/// Neovim.
fn run(
    editors: &mut Editors<'_>,
    nvim: &dyn Fn() -> Command,
    name: &str,
    grammar: &Grammar,
) -> Result<(), Stop> {
    let place = editors.kept("neovim-run").join(name);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|source| Error::io("remove", &place, source))?;
    }
    let workspace = place.join("workspace");
    copy_folder(&editors.source("editors/fixtures"), &workspace)?;
    let plugin = editors.source("editors/neovim");
    let lspconfig = editors.source("deploy/nvim-lspconfig");
    let runs = [
        ("", "run.lua", &plugin),
        ("tree-sitter, ", "grammar.lua", &plugin),
        ("nvim-lspconfig, ", "lspconfig.lua", &lspconfig),
    ];
    for (what, script, runtime) in runs {
        let mut nvim = nvim();
        nvim.args(["--headless", "--clean", "-n", "--cmd"])
            .arg(format!("set runtimepath^={}", escaped(runtime)))
            .arg("-S")
            .arg(plugin.join("test").join(script))
            .env("ADMISSIBLE_TEST_PROGRAM", &editors.program)
            .env("ADMISSIBLE_TEST_WORKSPACE", &workspace)
            .env("ADMISSIBLE_TEST_PARSERS", &grammar.parsers)
            .env("ADMISSIBLE_TEST_EXPRESSIONS", &grammar.expressions)
            .env("XDG_STATE_HOME", place.join("state"))
            .env("XDG_CACHE_HOME", place.join("cache"))
            .stdin(Stdio::null());
        editors.tests(&format!("Neovim ({what}{name})"), nvim)?;
    }
    Ok(())
}

/// Returns a path escaped for an option of Neovim.
fn escaped(path: &Path) -> String {
    path.to_string_lossy()
        .replace(' ', "\\ ")
        .replace(',', "\\,")
}

/// Returns an unpacked Neovim.
fn unpacked(loader: &Loader, folder: &Path) -> Command {
    let mut nvim = loader.command(folder, "nvim");
    let runtime = escaped(&folder.join("usr/lib/nvim"));
    nvim.arg("--cmd")
        .arg(format!("set runtimepath^={runtime}"))
        .env("VIMRUNTIME", folder.join("usr/share/nvim/runtime"));
    nvim
}

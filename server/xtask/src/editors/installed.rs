//! `cargo xtask editors --installed`: the artifacts of a release, as a user installs them.
//!
//! In a root without Rust, the archive, the extension and the plugin are installed, an example is
//! opened, and its evaluation is shown. The time of these steps, the time until the first findings
//! of an editor that has just started, and the memory of the server are printed.

use super::artifacts::{Artifacts, three_steps};
use super::root::{self, Root};
use super::surroundings::{Editors, Stop, copy_folder, quietly};
use super::vscode;
use crate::dist;
use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

/// The sizes of a release, in bytes.
///
/// Limit: the goal of the project. A build without optimization is larger.
const SIZES: [u64; 2] = [14_000_000, 6_000_000];

/// Installs the artifacts and uses them in each editor.
///
/// # Errors
/// If the root cannot be set up, or an artifact cannot be made.
pub(super) fn test(editors: &mut Editors<'_>, is_release: bool) -> Result<(), Stop> {
    let artifacts = make(editors)?;
    print_sizes(editors, &artifacts, is_release)?;
    terminal(editors, &artifacts)?;
    neovim(editors, &artifacts)?;
    vscode::test_installed(editors, &artifacts)
}

fn make(editors: &mut Editors<'_>) -> Result<Artifacts, Stop> {
    let folder = editors.kept("installed");
    let program = editors.program.clone();
    let archive = editors.step("pack the program", |_| Ok(dist::pack(&program, &folder)?))?;
    let extension = folder.join("admissible.vsix");
    vscode::set_up(editors)?;
    vscode::pack_for_release(editors, &extension)?;
    Ok(Artifacts {
        program,
        archive,
        extension,
    })
}

fn print_sizes(
    editors: &mut Editors<'_>,
    artifacts: &Artifacts,
    is_release: bool,
) -> Result<(), Error> {
    let files = [
        ("the program", &artifacts.program),
        ("the extension", &artifacts.extension),
    ];
    for ((name, file), limit) in files.into_iter().zip(SIZES) {
        let about = fs::metadata(file).map_err(|source| Error::io("read", file, source))?;
        let figure = format!("{name} has {:.1} MB", megabytes(about.len()));
        if is_release {
            editors.case(&figure, about.len() < limit, "it is too large")?;
        } else {
            editors.print_line(&format!("   {figure}"))?;
        }
    }
    Ok(())
}

fn megabytes(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes / 1000).unwrap_or(u32::MAX)) / 1000.0
}

fn empty(editors: &Editors<'_>, name: &str) -> Result<PathBuf, Error> {
    let place = editors.kept("installed-run").join(name);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|source| Error::io("remove", &place, source))?;
    }
    Ok(place)
}

/// Unpacks the archive and puts the program on `PATH`, with the root's own tools.
fn install(root: &Root, place: &Path, artifacts: &Artifacts) -> Result<(), Error> {
    let archive = place.join("admissible.tar.gz");
    super::surroundings::copy_file(&artifacts.archive, &archive)?;
    let programs = root.programs();
    fs::create_dir_all(&programs).map_err(|source| Error::io("create", &programs, source))?;
    let mut tar = root.command("tar");
    tar.arg("-xzf").arg(&archive).arg("-C").arg(&programs);
    // The archive has one folder.
    tar.args(["--strip-components", "1", "--wildcards", "*/admissible"]);
    quietly(tar).map(|_| ())
}

fn terminal(editors: &mut Editors<'_>, artifacts: &Artifacts) -> Result<(), Stop> {
    let place = empty(editors, "terminal")?;
    let root = root::with_examples(editors, &place, &[])?;
    for program in ["cargo", "rustc", "cc", "npm"] {
        let name = format!("the root has no {program}");
        editors.case(&name, !root.has(program), "it has")?;
    }
    let start = Instant::now();
    install(&root, &place, artifacts)?;
    let installed = start.elapsed();
    let mut eval = root.command("admissible");
    let policy = place.join("workspace/examples/require-owner.yaml");
    eval.arg("eval").arg(policy);
    let output = eval
        .args(["--name", "a user takes a namespace"])
        .output()
        .map_err(Error::from)?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let is_denied = printed.contains("Denied") && output.status.code() == Some(1);
    editors.case(
        "the installed program evaluates a policy",
        is_denied,
        &format!("{printed}{errors}"),
    )?;
    three_steps(
        editors,
        "a terminal",
        installed,
        start.elapsed() - installed,
    )?;
    Ok(())
}

fn neovim(editors: &mut Editors<'_>, artifacts: &Artifacts) -> Result<(), Stop> {
    let place = empty(editors, "neovim")?;
    let tests = editors.source("editors/neovim/test");
    let root = root::with_examples(editors, &place, std::slice::from_ref(&tests))?;
    let start = Instant::now();
    install(&root, &place, artifacts)?;
    let config = root.home().join(".config/nvim");
    let plugin = place.join("plugin");
    for part in ["doc", "lsp", "lua", "plugin", "queries"] {
        copy_folder(
            &editors.source("editors/neovim").join(part),
            &plugin.join(part),
        )?;
    }
    let init = format!(
        "vim.opt.runtimepath:append([[{}]])\nrequire('admissible').setup()\n",
        plugin.display()
    );
    crate::repository::write(&config.join("init.lua"), &init)?;
    let installed = start.elapsed();
    let mut nvim = root.command("nvim");
    nvim.args(["--headless", "-n", "-S"])
        .arg(tests.join("installed.lua"))
        .env("ADMISSIBLE_TEST_WORKSPACE", place.join("workspace"))
        .stdin(Stdio::null());
    let opened = Instant::now();
    editors.tests("Neovim, installed in a root without Rust", nvim)?;
    three_steps(editors, "Neovim", installed, opened.elapsed())?;
    Ok(())
}

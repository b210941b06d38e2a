//! Tests of the extension: its types, its own tests, its grammars, and VS Code itself.
//!
//! VS Code runs as the server that browsers connect to, out of an npm package, so no window and no
//! download of a program is needed. A real browser shows the workbench; the extension host next to
//! the server is that of the desktop.

mod browser;
mod code;
mod package;
mod stage;

pub(crate) use package::Options as PackageOptions;
pub(super) use package::run as package;

use super::absolute;
use super::artifacts::{Artifacts, three_steps};
use super::npm::npm;
use super::surroundings::{Editors, Stop, quietly};
use crate::{grammar, repository};
use code::Code;
use stage::Stage;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Where the pictures are that the README shows.
const PICTURES: &str = "server/docs/images";

/// Installs VS Code, a browser and the packages of the extension in the cache.
///
/// # Errors
/// If one of them is not available.
pub(super) fn set_up(editors: &mut Editors<'_>) -> Result<(), Stop> {
    let extension = editors.source("editors/vscode");
    install_packages(editors, &extension)?;
    code::set_up(editors)?;
    browser::find_or_install(editors)?;
    Ok(())
}

/// Builds the extension and runs all of its tests.
///
/// # Errors
/// If a requirement is not available, or cannot be built.
pub(super) fn test(
    editors: &mut Editors<'_>,
    pictures: bool,
    beside: Option<&Path>,
) -> Result<(), Stop> {
    let extension = editors.source("editors/vscode");
    install_packages(editors, &extension)?;
    for (name, script) in [
        ("build the extension", "build"),
        ("check the types of the extension", "check"),
    ] {
        editors.step(name, |_| script_of(&extension, script, &[]))?;
    }
    let tests = npm(&extension, &["run", "--silent", "test"])?;
    editors.tests("tests of the extension's own logic", tests)?;
    code::set_up(editors)?;
    let tests = npm(&extension, &["run", "--silent", "test:grammars"])?;
    editors.tests("tests of the grammars", tests)?;
    test_tokens(editors, &extension)?;

    let packed = editors.kept("admissible.vsix");
    let program = editors.program.clone();
    editors.step("pack the extension", |_| {
        let target = package::platform()?;
        let program = &program;
        let bundled = package::Bundled { program, target };
        package::pack(&extension, Some(&bundled), &packed)
    })?;
    let run = Run {
        browser: browser::find_or_install(editors)?,
        packed,
    };
    if let Some(other) = beside {
        return run.beside(editors, other);
    }
    run.script(
        editors,
        "VS Code, inside the extension host",
        "run-host.mjs",
    )?;
    run.script(editors, "VS Code, in a browser", "run-browser.mjs")?;
    if pictures {
        run.draw(editors)?;
    }
    Ok(())
}

/// Packs the extension with the program, as a release has it.
///
/// # Errors
/// When it cannot be built or packed.
pub(super) fn pack_for_release(editors: &mut Editors<'_>, packed: &Path) -> Result<(), Stop> {
    let extension = editors.source("editors/vscode");
    let program = editors.program.clone();
    editors.step("pack the extension", |_| {
        script_of(&extension, "build", &["--release"])?;
        let target = package::platform()?;
        let program = &program;
        package::pack_for_release(
            &extension,
            Some(&package::Bundled { program, target }),
            packed,
        )
    })
}

/// Installs the extension in a root without Rust, opens the examples in a browser, and measures in
/// the extension host.
///
/// # Errors
/// If VS Code cannot be set up.
pub(super) fn test_installed(editors: &mut Editors<'_>, artifacts: &Artifacts) -> Result<(), Stop> {
    let run = Run {
        browser: browser::find_or_install(editors)?,
        packed: artifacts.extension.clone(),
    };
    // The tests are not part of a release.
    script_of(&editors.source("editors/vscode"), "build", &[])?;
    let (stage, packed) = Stage::in_root(editors, "installed", &run.packed)?;
    let start = Instant::now();
    code::install(editors, &stage, &packed)?;
    let installed = start.elapsed();
    let name = "VS Code, installed in a root without Rust";
    let seen = run.staged(editors, &stage, name, "installed.mjs", &[])?;
    three_steps(editors, "VS Code", installed, seen)?;

    let (stage, packed) = Stage::in_root(editors, "cold", &run.packed)?;
    code::install(editors, &stage, &packed)?;
    let suite = [("ADMISSIBLE_TEST_SUITE", "cold")];
    run.staged(
        editors,
        &stage,
        "VS Code, first findings",
        "run-host.mjs",
        &suite,
    )?;
    Ok(())
}

/// Compares the grammars with the lexer on every expression.
fn test_tokens(editors: &mut Editors<'_>, extension: &Path) -> Result<(), Stop> {
    let expressions = editors.kept("grammar/expressions.json");
    grammar::write_expressions(&editors.source(""), &expressions)?;
    let mut node = Command::new("node");
    node.current_dir(extension)
        .arg("out/run-tokens.mjs")
        .env("ADMISSIBLE_TEST_EXPRESSIONS", expressions);
    editors.tests("the tokens of the grammars", node)
}

/// Installs the build dependencies of the extension, if their list has changed.
fn install_packages(editors: &mut Editors<'_>, extension: &Path) -> Result<(), Stop> {
    let modules = extension.join("node_modules");
    let lock = repository::read(&extension.join("package-lock.json"))?;
    let name = "install the packages of the extension";
    editors.set_up(name, &modules, &lock, || {
        let options = ["--ignore-scripts", "--no-audit", "--no-fund"];
        quietly(npm(extension, &[&["ci"][..], &options].concat())?)?;
        Ok(())
    })
}

/// Runs a script that the extension's package names.
fn script_of(extension: &Path, script: &str, arguments: &[&str]) -> Result<(), Stop> {
    let run = ["run", "--silent", script, "--"];
    quietly(npm(extension, &[&run[..], arguments].concat())?)?;
    Ok(())
}

/// The context of every run of VS Code.
struct Run {
    browser: PathBuf,
    packed: PathBuf,
}

impl Run {
    /// Draws the pictures and the recording that the documentation shows.
    fn draw(&self, editors: &mut Editors<'_>) -> Result<(), Stop> {
        self.script(editors, "the pictures for the pages", "pictures.mjs")?;
        self.script(editors, "the recording for the README", "recording.mjs")
    }

    /// Runs the tests with another extension installed, too.
    fn beside(&self, editors: &mut Editors<'_>, other: &Path) -> Result<(), Stop> {
        let stage = Stage::new(editors, "beside")?;
        code::install(editors, &stage, &self.packed)?;
        code::install(editors, &stage, &absolute(other)?)?;
        let suite = [("ADMISSIBLE_TEST_SUITE", "beside")];
        let name = format!("VS Code, beside {}", other.display());
        self.staged(editors, &stage, &name, "run-host.mjs", &suite)?;
        Ok(())
    }

    /// Runs a script of ours against a new VS Code with the extension installed in it.
    fn script(&self, editors: &mut Editors<'_>, name: &str, script: &str) -> Result<(), Stop> {
        let stage = Stage::new(editors, script)?;
        code::install(editors, &stage, &self.packed)?;
        self.staged(editors, &stage, name, script, &[])?;
        Ok(())
    }

    /// Runs a script against VS Code on a stage where the extension is installed. Returns the time
    /// from the start of VS Code to the end of the script.
    fn staged(
        &self,
        editors: &mut Editors<'_>,
        stage: &Stage,
        name: &str,
        script: &str,
        variables: &[(&str, &str)],
    ) -> Result<Duration, Stop> {
        let mut node = Command::new("node");
        stage.describe(&mut node)?;
        node.envs(variables.iter().copied());
        let start = Instant::now();
        let code = Code::start(editors, stage)?;
        node.arg(editors.source("editors/vscode/out").join(script))
            .env("ADMISSIBLE_TEST_BROWSER", &self.browser)
            .env("ADMISSIBLE_TEST_SERVER", code.address())
            .env("ADMISSIBLE_TEST_PICTURES", editors.source(PICTURES));
        editors.tests(name, node)?;
        // The end of VS Code is not waited for.
        Ok(start.elapsed())
    }
}

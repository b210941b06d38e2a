//! The archive and the wheel, installed into an empty folder and run there.
//!
//! The program gets only the variables HOME and PATH, both empty: it must not depend on the machine
//! that it was built on.

use crate::error::Error;
use crate::{process, repository};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The names of the policies in `examples`, and of one input.
const POLICY: &str = "examples/require-owner.yaml";
const INPUT: &str = "a user takes a namespace";

/// Unpacks the archive and runs the program.
///
/// # Errors
/// If a file is missing or a command has an unexpected result.
pub(super) fn test_archive(
    root: &Path,
    archive: &Path,
    name: &str,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let empty = empty_folder(root, "archive")?;
    let mut tar = Command::new("tar");
    // The tar of Windows also reads zip archives.
    tar.current_dir(&empty).arg("-xf").arg(archive);
    succeed(tar)?;
    let folder = empty.join(name);
    for file in [
        "LICENSE-MIT",
        "README.md",
        "LICENSES-third-party.txt",
        "man/man1/admissible.1",
    ] {
        let path = folder.join(file);
        let found = fs::metadata(&path).map_err(|source| Error::io("find", &path, source))?;
        if found.len() == 0 {
            return Err(Error::Failed(format!("{file} in the archive is empty")));
        }
    }
    test_program(root, &empty, &folder.join(program()), out)
}

/// Installs the wheel into a virtual environment and runs the program.
///
/// # Errors
/// When it cannot be installed, or a command has another result than expected.
pub(super) fn test_wheel(root: &Path, wheel: &Path, out: &mut dyn Write) -> Result<(), Error> {
    let empty = empty_folder(root, "wheel")?;
    let environment = empty.join("venv");
    let mut python = Command::new(if cfg!(windows) { "python" } else { "python3" });
    python.args(["-m", "venv"]).arg(&environment);
    succeed(python)?;
    let bin = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let mut pip = Command::new(bin.join("python"));
    pip.args(["-m", "pip", "install", "--quiet", "--no-index"])
        .arg(wheel);
    succeed(pip)?;
    test_program(root, &empty, &bin.join(program()), out)
}

fn program() -> &'static str {
    if cfg!(windows) {
        "admissible.exe"
    } else {
        "admissible"
    }
}

/// Runs the installed program as its user would.
fn test_program(
    root: &Path,
    empty: &Path,
    program: &Path,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let home = empty.join("home");
    fs::create_dir_all(&home).map_err(|source| Error::io("create", &home, source))?;
    let version = format!("admissible {}\n", env!("CARGO_PKG_VERSION"));
    let policy = root.join(POLICY);
    let policy = policy.to_string_lossy();
    let runs: [(&[&str], i32, &str); 3] = [
        (&["--version"], 0, &version),
        (&["check", &policy], 0, "No findings"),
        (&["eval", &policy, "--name", INPUT], 1, "Denied"),
    ];
    for (arguments, code, part) in runs {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", "").env("HOME", &home);
        let output = command.current_dir(&home).args(arguments).output();
        let output = output.map_err(|source| Error::io("run", program, source))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if output.status.code() != Some(code) || !text.contains(part) {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(Error::Failed(format!(
                "admissible {}: {}, expected {code} and {part:?}:\n{text}{errors}",
                arguments.join(" "),
                output.status
            )));
        }
        writeln!(out, "{} {}: passed", program.display(), arguments.join(" "))?;
    }
    Ok(())
}

/// Returns an empty folder below the results.
fn empty_folder(root: &Path, name: &str) -> Result<PathBuf, Error> {
    let folder = root.join(super::FOLDER).join("installed").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|source| Error::io("remove", &folder, source))?;
    }
    repository::write(&folder.join(".keep"), "")?;
    Ok(folder)
}

fn succeed(command: Command) -> Result<(), Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    if process::run(command)?.success() {
        return Ok(());
    }
    Err(Error::Failed(format!("{program} failed")))
}

//! Other programs: their names, whether they are installed, and their output.

use crate::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::{io, thread};

/// Returns the Cargo that runs this task. The variables that it has set for this program are
/// removed, so that they do not cause a rebuild.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
        .current_dir(crate::repository::root())
        .args(arguments);
    command
}

/// The options of Cargo that select the program.
const PROGRAM: [&str; 2] = ["--bin", "admissible"];

/// The options of Cargo that report where programs are.
const MESSAGES: [&str; 2] = ["--message-format", "json-render-diagnostics"];

/// The target whose linker is LLD by default, which can fold functions with the same code.
const FOLDED: &str = "x86_64-unknown-linux-gnu";

/// Builds the program `admissible` with these options of Cargo. Returns its path.
///
/// # Errors
/// When it cannot be built.
pub(crate) fn build(options: &[&str]) -> Result<PathBuf, Error> {
    compile(&[&["build"], &PROGRAM[..], &MESSAGES, options].concat())
}

/// Builds the program `admissible` as in a release, for a target or for the host. Returns its path.
///
/// # Errors
/// When it cannot be built.
pub(crate) fn build_for_release(target: Option<&str>, host: &str) -> Result<PathBuf, Error> {
    let profile = ["--locked", "--profile", "dist"];
    let mut arguments = [&["rustc"], &PROGRAM[..], &MESSAGES, &profile].concat();
    if let Some(target) = target {
        arguments.extend(["--target", target]);
    }
    if target.unwrap_or(host) == FOLDED {
        arguments.extend(["--", "-C", "link-arg=-Wl,--icf=all"]);
    }
    compile(&arguments)
}

/// Returns the program `admissible` that the tests of these packages run. It is compiled with
/// their features, so nothing is compiled if the tests have run.
///
/// # Errors
/// When it cannot be built.
pub(crate) fn tested_program(packages: &[&str]) -> Result<PathBuf, Error> {
    compile(&[&["test", "--no-run"], packages, &MESSAGES].concat())
}

fn compile(arguments: &[&str]) -> Result<PathBuf, Error> {
    let built = output(cargo(arguments))?.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let target = message.pointer("/target/name")?.as_str()?;
        let program = message.get("executable")?.as_str()?;
        let is_test = message.pointer("/profile/test")?.as_bool()?;
        (target == "admissible" && !is_test).then(|| PathBuf::from(program))
    });
    built.ok_or_else(|| Error::Failed("Cargo does not report the path of the program".into()))
}

/// Returns npm, which is a script on Windows.
pub(crate) fn npm(arguments: &[&str]) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(arguments);
    command
}

/// Returns whether a program can be run and succeeds.
pub(crate) fn is_there(mut command: Command) -> bool {
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Runs a program that prints its own output.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn run(mut command: Command) -> Result<ExitStatus, Error> {
    command
        .status()
        .map_err(|source| cannot_run(&command, source))
}

/// Runs a program and returns its standard output, while its errors are shown.
///
/// # Errors
/// When it cannot be started or does not succeed.
pub(crate) fn output(mut command: Command) -> Result<String, Error> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|source| cannot_run(&command, source))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(Error::Failed(format!(
        "{program} ended with {}",
        output.status
    )))
}

/// Runs a program, shows each printed line immediately, and returns the lines.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn watch(mut command: Command) -> Result<(ExitStatus, Vec<String>), Error> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|source| cannot_run(&command, source))?;
    let stderr = child.stderr.take();
    let reader = thread::spawn(move || stderr.map(|pipe| copy_lines(pipe, &mut io::stderr())));
    let stdout = child.stdout.take();
    let mut lines = stdout
        .map(|pipe| copy_lines(pipe, &mut io::stdout()))
        .unwrap_or_default();
    lines.extend(reader.join().ok().flatten().unwrap_or_default());
    let status = child
        .wait()
        .map_err(|source| cannot_run(&command, source))?;
    Ok((status, lines))
}

fn copy_lines(pipe: impl Read, out: &mut dyn Write) -> Vec<String> {
    let mut lines = Vec::new();
    for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        let _ = writeln!(out, "{line}");
        lines.push(line);
    }
    lines
}

fn cannot_run(command: &Command, source: io::Error) -> Error {
    Error::Io {
        what: format!("cannot run {}", command.get_program().to_string_lossy()),
        source,
    }
}

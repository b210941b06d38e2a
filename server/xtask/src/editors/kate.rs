//! Tests of the configuration on the page for Kate, in Kate without a screen.
//!
//! Kate cannot report its findings, so its messages to and from the server are compared.

use super::debian;
use super::surroundings::{Editors, Stop, block, copy_folder};
use crate::error::Error;
use crate::{process, repository};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The server for Kate: the real one, with a copy of its input and output.
const SERVER: &str = r#"#!/bin/sh
cd "$(dirname "$0")"
tee input | "$ADMISSIBLE_TEST_PROGRAM" "$@" | tee output
"#;

/// The files that are opened, each with the messages that the server must have read and written.
///
/// The YAML file is in a separate folder, so that the root is not the folder of the file.
const FILES: [(&str, &str, &[&str]); 2] = [
    (
        "policies/replicas.yaml",
        r#""languageId": "yaml""#,
        &[
            "unsupported-value",
            "undefined-variable",
            "cel-syntax",
            "unknown-field",
        ],
    ),
    (
        "replicas.json",
        r#""languageId": "json""#,
        &["unknown-field"],
    ),
];

/// Runs Kate with each of the files.
///
/// # Errors
/// If Kate cannot be installed.
pub(super) fn test(editors: &mut Editors<'_>) -> Result<(), Stop> {
    if !is_installed() {
        editors.step("install Kate", |_| debian::install(&["kate"]))?;
    }
    let page = repository::read(&editors.source("editors/kate/README.md"))?;
    let settings = block(&page, "json")?;
    for (file, language, codes) in FILES {
        let place = editors.kept("kate-run");
        let workspace = configure(editors, &place, settings)?;
        let [input, output] = editors.step(&format!("open {file} in Kate"), |editors| {
            Ok(exchange(editors, &place, file, codes)?)
        })?;
        let root = format!(r#""rootUri": "file://{}""#, workspace.display());
        for wanted in [&root, language] {
            let name = format!("Kate, {file}: {wanted}");
            editors.case(&name, input.contains(wanted), &input)?;
        }
        for code in codes {
            let name = format!("Kate, {file}: the finding {code}");
            editors.case(&name, has(&output, file, code), &output)?;
        }
    }
    Ok(())
}

fn is_installed() -> bool {
    let mut kate = Command::new("kate");
    kate.arg("--version").env("QT_QPA_PLATFORM", "offscreen");
    process::is_there(kate)
}

/// Writes the configuration and the files, and adds the server to the `PATH` of Kate. Returns the
/// workspace.
fn configure(editors: &Editors<'_>, place: &Path, settings: &str) -> Result<PathBuf, Stop> {
    if place.exists() {
        fs::remove_dir_all(place).map_err(|source| Error::io("remove", place, source))?;
    }
    let workspace = place.join("workspace");
    copy_folder(&editors.source("editors/fixtures"), &workspace)?;
    let policy = repository::read(&workspace.join("replicas.yaml"))?;
    repository::write(&workspace.join("policies/replicas.yaml"), &policy)?;
    let server = place.join("bin/admissible");
    repository::write(&server, SERVER)?;
    make_executable(&server)?;
    let config = place.join("config");
    repository::write(&config.join("kate/lspclient/settings.json"), settings)?;
    // The setting that Kate writes when a user allows the start of the server.
    let allowed = format!(
        "[Kate Plugins]\nlspclientplugin=true\n\n[lspclient]\nAllowedServerCommandLines={} lsp\n",
        server.display()
    );
    repository::write(&config.join("katerc"), &allowed)?;
    Ok(workspace)
}

#[cfg(unix)]
fn make_executable(file: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = fs::Permissions::from_mode(0o755);
    fs::set_permissions(file, permissions).map_err(|source| Error::io("change", file, source))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), Error> {
    Ok(())
}

/// Opens a file until the findings arrive, for at most a minute. Returns the input and the output
/// of the server.
fn exchange(
    editors: &Editors<'_>,
    place: &Path,
    file: &str,
    codes: &[&str],
) -> Result<[String; 2], Error> {
    let mut kate = kate(editors, place)?;
    kate.arg("--new").arg(place.join("workspace").join(file));
    let mut kate = kate.spawn().map_err(|source| Error::Io {
        what: "cannot run kate".into(),
        source,
    })?;
    let programs = place.join("bin");
    let read = |name: &str| fs::read_to_string(programs.join(name)).unwrap_or_default();
    let end = Instant::now() + Duration::from_secs(60);
    while Instant::now() < end && !codes.iter().all(|code| has(&read("output"), file, code)) {
        thread::sleep(Duration::from_millis(50));
    }
    let _ = kate.kill();
    let _ = kate.wait();
    Ok([read("input"), read("output")])
}

/// Returns Kate without a screen, with the configuration and the server in `place`.
fn kate(editors: &Editors<'_>, place: &Path) -> Result<Command, Error> {
    let path = env::var_os("PATH").unwrap_or_default();
    let programs = [place.join("bin")].into_iter();
    let path = env::join_paths(programs.chain(env::split_paths(&path)))
        .map_err(|error| Error::Failed(format!("a path has a colon: {error}")))?;
    let mut kate = Command::new("kate");
    kate.env("PATH", path)
        .env("HOME", place)
        .env("XDG_CONFIG_HOME", place.join("config"))
        .env("QT_QPA_PLATFORM", "offscreen")
        .env("ADMISSIBLE_TEST_PROGRAM", &editors.program)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Ok(kate)
}

/// Returns whether the server has published a finding with this code of the file, which is open:
/// its version is there, too.
fn has(output: &str, file: &str, code: &str) -> bool {
    let parts = [
        format!(r#"/{file}","diagnostics":["#),
        format!(r#""code":"{code}""#),
        r#""version":"#.to_owned(),
    ];
    let mut lines = output.lines();
    lines.any(|line| parts.iter().all(|part| line.contains(part)))
}

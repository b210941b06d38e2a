//! `cargo xtask audit`: checks the dependencies against advisories, licenses and sources.
//!
//! cargo-deny checks advisories, licenses and sources as `server/deny.toml` requires, npm the
//! packages of the extension. Both need a network for advisories, so this is not a step of `cargo
//! xtask test`. Without a network, the rest is checked, and the end lists what is not.

use crate::error::Error;
use crate::{process, repository};
use std::io::Write;
use std::process::Command;

/// The configuration of cargo-deny.
const DENY: &str = "server/deny.toml";

/// The folder of the extension.
const EXTENSION: &str = "editors/vscode";

/// A check of one program.
struct Check {
    name: &'static str,
    command: Command,
    /// How to install the program.
    install: &'static str,
    /// The output of the program if its server does not answer, and the name of the server.
    offline: Option<(&'static str, &'static str)>,
}

/// Why a check does not pass.
#[derive(Debug, PartialEq, Eq)]
enum Reason {
    Finds(String),
    Offline(&'static str),
    CannotRun(String),
}

/// Runs all checks, even if one fails.
///
/// # Errors
/// When a program is missing or finds something, or when a check could not be made.
pub(crate) fn run(out: &mut dyn Write) -> Result<(), Error> {
    let mut failed = Vec::new();
    for check in checks() {
        writeln!(out, "{}", check.name)?;
        let name = check.name;
        failed.extend(result(check).err().map(|reason| line(name, &reason)));
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(Error::Failed(failed.join("\n")))
    }
}

fn checks() -> [Check; 3] {
    let deny = |what: &[&str]| {
        let check = ["deny", "--workspace", "--config", DENY, "check"];
        process::cargo(&[&check[..], what].concat())
    };
    let install = "cargo install --locked cargo-deny";
    let mut npm = process::npm(&["audit"]);
    npm.current_dir(repository::root().join(EXTENSION));
    [
        Check {
            name: "licenses, sources and bans of crates (cargo deny)",
            command: deny(&["licenses", "sources", "bans"]),
            install,
            offline: None,
        },
        Check {
            name: "advisories of crates (cargo deny)",
            command: deny(&["advisories"]),
            install,
            offline: Some(("failed to fetch advisory database", "github.com/rustsec")),
        },
        Check {
            name: "advisories of npm packages (npm audit)",
            command: npm,
            install: "install Node.js 20 or newer",
            offline: Some(("audit endpoint returned an error", "registry.npmjs.org")),
        },
    ]
}

/// Runs a check.
fn result(check: Check) -> Result<(), Reason> {
    let cannot_run = |reason: String| Reason::CannotRun(format!("{reason}; {}", check.install));
    let ran = process::watch(check.command);
    let (status, lines) = ran.map_err(|error| cannot_run(error.to_string()))?;
    if status.success() {
        return Ok(());
    }
    let prints = |text: &str| lines.iter().any(|line| line.contains(text));
    Err(match check.offline {
        Some((text, server)) if prints(text) => Reason::Offline(server),
        _ if prints("no such command") => cannot_run("the program is missing".into()),
        _ => Reason::Finds(status.to_string()),
    })
}

/// Returns the line at the end about a check that does not pass.
fn line(name: &str, reason: &Reason) -> String {
    match reason {
        Reason::Finds(status) => format!("failed: {name}: {status}; see above"),
        Reason::Offline(server) => format!("not checked: {name}: {server} does not answer"),
        Reason::CannotRun(reason) => format!("not checked: {name}: {reason}"),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[track_caller]
    fn check(script: &str, expected: &Result<(), Reason>) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let check = Check {
            name: "a",
            command,
            install: "install it",
            offline: Some(("cannot fetch", "example.com")),
        };
        assert_eq!(&result(check), expected, "{script}");
    }

    #[test]
    fn what_cannot_be_looked_up_is_no_finding() {
        check("echo cannot fetch", &Ok(()));
        check(
            "echo error: cannot fetch it >&2; exit 1",
            &Err(Reason::Offline("example.com")),
        );
        check("exit 3", &Err(Reason::Finds("exit status: 3".into())));
        check(
            "echo 'error: no such command: `deny`'; exit 101",
            &Err(Reason::CannotRun(
                "the program is missing; install it".into(),
            )),
        );
    }

    #[test]
    fn the_end_names_what_is_not_checked() {
        let words = line("b", &Reason::Offline("example.com"));
        assert_eq!(words, "not checked: b: example.com does not answer");
    }
}

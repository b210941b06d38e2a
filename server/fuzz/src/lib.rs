//! Random input for every part that reads untrusted input.
//!
//! A target is a function with a promise: it neither panics nor hangs for any bytes, and its
//! assertions hold. libFuzzer, the program of this crate and a test run the same targets, so that a
//! known failure is tested in every build: its input is kept in `corpus`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a promise that does not hold is a panic"
)]

mod expressions;
mod files;
mod protocol;
pub mod variation;

use policy::environment::{EnvironmentKind, NEWEST, env};
use std::path::PathBuf;
use std::{fs, io};

/// A function for random input.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name, and the name of the folder of its inputs.
    pub name: &'static str,
    /// The promise.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "parse",
        run: expressions::parse,
    },
    Target {
        name: "check",
        run: |data| {
            for place in [EnvironmentKind::Language, EnvironmentKind::Schema] {
                expressions::check(data, &env(NEWEST, place));
            }
        },
    },
    Target {
        name: "evaluate",
        run: |data| {
            for place in [EnvironmentKind::Language, EnvironmentKind::Schema] {
                expressions::evaluate(data, &env(NEWEST, place));
            }
        },
    },
    Target {
        name: "yaml",
        run: files::yaml,
    },
    Target {
        name: "inputs",
        run: files::inputs,
    },
    Target {
        name: "mutation",
        run: files::mutation,
    },
    Target {
        name: "protocol",
        run: protocol::session,
    },
];

/// Runs the target of a name.
pub fn run(name: &str, data: &[u8]) {
    let mut targets = TARGETS.iter().filter(|target| target.name == name);
    let target = targets.next().expect("a target");
    (target.run)(data);
}

/// Returns the inputs that are kept for a target, in the order of their names.
///
/// # Errors
/// They cannot be read.
pub fn corpus(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<PathBuf> = fs::read_dir(folder.join("corpus").join(target))?
        .map(|file| Ok(file?.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// Returns the parts of an input, which are separated by a zero byte.
fn parts(data: &[u8]) -> impl Iterator<Item = String> {
    let parts = data.split(|byte| *byte == 0);
    parts.map(|part| String::from_utf8_lossy(part).into_owned())
}

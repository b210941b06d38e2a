//! Rules for single files: their names, their length, their first line.

use super::{Finding, layers, phrases};

/// Limit: a file has one purpose, and a longer one usually has two.
const LONGEST: usize = 500;

/// Names without meaning, so that everything ends up there.
const EMPTY_NAMES: &[&str] = &[
    "util", "utils", "helper", "helpers", "common", "misc", "prelude", "manager",
];

/// The kinds of file that the rules check.
const CHECKED: &[&str] = &[
    "rs", "toml", "md", "ts", "js", "mjs", "lua", "sh", "yml", "json",
];

/// Modules of the standard library that reach out of the program.
const OUTSIDE_WORLD: &[&str] = &["std::fs", "std::net", "std::process", "std::env", "std::io"];

/// Functions that read a file. A file that a project names is read only within its roots.
const READERS: [&str; 4] = [
    "File::open(",
    "fs::read(",
    "fs::read_to_string(",
    "read_file(",
];

/// The files that read others.
const READING: &[&str] = &[
    "server/workspace/src/load.rs",
    "server/workspace/src/project.rs",
    "server/workspace/src/roots.rs",
    "server/workspace/src/samples.rs",
    "server/workspace/src/write.rs",
];

/// The files at the root of the repository. Any other one is a leftover,
/// unless its name begins with a dot.
const ROOT: &[&str] = &[
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "clippy.toml",
];

/// Checks the path of a file, regardless of its content.
pub(super) fn check_path(file: &str, findings: &mut Vec<Finding>) {
    if !file.contains('/') && !file.starts_with('.') && !ROOT.contains(&file) {
        findings.push(Finding {
            file: file.into(),
            line: 0,
            message: "does not belong at the root: remove it, or move it to a folder".into(),
        });
    }
}

/// Returns whether a file is checked. Data that tests read may break every rule on
/// purpose, so only code is checked there.
pub(super) fn is_checked(file: &str) -> bool {
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let data = file.split('/').any(|folder| {
        matches!(
            folder,
            "fixtures" | "examples" | "corpus" | "conformance" | "snapshots"
        )
    });
    let code = matches!(extension, "rs" | "lua" | "ts");
    CHECKED.contains(&extension) && (code || !data) && !file.ends_with("package-lock.json")
}

/// Checks one file against every rule for single files.
pub(super) fn check(file: &str, text: &str, findings: &mut Vec<Finding>) {
    let mut add = |line, message: String| {
        findings.push(Finding {
            file: file.into(),
            line,
            message,
        });
    };
    let written = text.lines().next().is_some_and(is_written_by_us);
    let code = matches!(file.rsplit_once('.'), Some((_, "rs" | "lua" | "ts")));
    let lines = text.lines().count();
    if code && lines > LONGEST && !written && !is_test(file) {
        add(
            0,
            format!("{lines} lines, more than {LONGEST}: part it by its ideas"),
        );
    }
    if code && let Some(name) = empty_name(file) {
        add(
            0,
            format!("`{name}` means nothing: name the file after its content"),
        );
    }
    for (at, line) in text.lines().enumerate() {
        if line.contains('\0') {
            add(at + 1, "holds a NUL byte: write it as an escape".into());
        }
        // In a test a space at the end of a line can be on purpose.
        if line.ends_with([' ', '\t']) && !is_test(file) {
            add(at + 1, "ends with a space".into());
        }
    }
    let mut of_parts = phrases::check(file, text);
    if file.starts_with(".github/workflows/") {
        of_parts.extend(unpinned(text));
    }
    if file.ends_with(".rs") {
        of_parts.extend(rust(file, text));
    }
    for (line, message) in of_parts {
        add(line, message);
    }
}

/// Returns the rules for Rust alone.
fn rust(file: &str, text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // The page of a rule is the documentation of its module.
    let page = "#![doc = include_str!(";
    if !text.starts_with("//!") && !text.starts_with(page) {
        found.push((1, "a module begins with `//!`: what it is, then why".into()));
    }
    let mut public_use = false;
    let mut tests = is_test(file);
    for (at, line) in text.lines().enumerate() {
        let code = line.trim_start();
        tests |= code.starts_with("#[cfg(test)]");
        public_use |= code.starts_with("pub") && code.contains(" use ");
        if public_use && code.contains("::*") {
            found.push((at + 1, "re-export each name, not all of them".into()));
        }
        public_use &= !code.contains(';');
        if tests || code.starts_with("//") {
            continue;
        }
        if is_product(file) && READERS.iter().any(|reader| code.contains(reader)) {
            let message = "read an argument with `read_argument`, other files with `Roots`";
            found.push((at + 1, message.into()));
        }
        if !layers::is_pure(file) {
            continue;
        }
        if let Some(module) = OUTSIDE_WORLD.iter().find(|module| code.contains(*module)) {
            found.push((at + 1, format!("this crate does no IO, so no `{module}`")));
        }
    }
    found
}

/// Returns whether a file is part of the product and has no reason to read others.
fn is_product(file: &str) -> bool {
    let crates = [
        "server/workspace/src/",
        "server/lsp/src/",
        "server/cli/src/",
    ];
    crates.iter().any(|it| file.starts_with(it)) && !READING.contains(&file)
}

/// Returns the actions of a workflow that are not pinned to a commit: a tag can be moved.
fn unpinned(text: &str) -> impl Iterator<Item = (usize, String)> {
    let is_commit = |version: &str| {
        let hash = version.split(' ').next().unwrap_or_default();
        hash.len() == 40 && hash.bytes().all(|it| it.is_ascii_hexdigit())
    };
    text.lines().enumerate().filter_map(move |(at, line)| {
        let (_, action) = line.split_once("uses: ")?;
        let (_, version) = action.split_once('@')?;
        let message = || "pin the action to a commit, with its version as a comment".to_owned();
        (!is_commit(version)).then(|| (at + 1, message()))
    })
}

/// Returns whether the file is generated, by its first line.
fn is_written_by_us(line: &str) -> bool {
    line.contains("Written by `cargo xtask")
}

fn is_test(file: &str) -> bool {
    let mut folders = file.split('/');
    file.ends_with("/tests.rs") || folders.any(|folder| matches!(folder, "tests" | "test"))
}

/// Returns the part of the path without meaning.
fn empty_name(file: &str) -> Option<&str> {
    let mut parts = file
        .split('/')
        .map(|part| part.split('.').next().unwrap_or(part));
    parts.find(|part| EMPTY_NAMES.contains(part))
}

//! Completion in `admissible.toml`: keys, the codes of rules, levels and versions.
//!
//! The line before the cursor decides, so that the rest of the file may be half-written.

use super::directives::{codes, rule_item};
use super::{Completion, CompletionKind, line_item};
use crate::file::SourceFile;
use kubernetes::ServerVersion;
use text::{TextRange, TextSize};

/// The name of the configuration file.
const FILE: &str = "admissible.toml";

/// The keys, each with the text after it and its purpose.
const KEYS: [(&str, &str, &str); 5] = [
    (
        "kubernetes",
        " = \"$\"",
        "the Kubernetes versions that the policies are for",
    ),
    ("exclude", " = [\"$\"]", "patterns of files to leave out"),
    (
        "schemas",
        " = [\"$\"]",
        "files with the schemas of further kinds",
    ),
    ("[rules]", "\n$", "the levels of rules"),
    (
        "[format]",
        "\nline-width = $",
        "the width of the lines that `fmt` writes",
    ),
];

/// The tables.
const TABLES: [&str; 2] = ["rules", "format"];

/// The key of the table `format`.
const LINE_WIDTH: &str = "line-width";

/// The levels of a rule, the most frequent first.
const LEVELS: [&str; 6] = ["off", "warning", "error", "information", "hint", "on"];

/// Returns the completions in a configuration file. `None` in other files.
pub(super) fn completion(file: &SourceFile, offset: TextSize) -> Option<Vec<Completion>> {
    if file.path().file_name()? != FILE {
        return None;
    }
    let text = file.text();
    let (before, after) = text.split_at_checked(usize::from(offset))?;
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    let rest = after.lines().next().unwrap_or_default();
    let table = above
        .lines()
        .rev()
        .find_map(|line| line.trim().strip_prefix('['));
    let table = table.and_then(|table| table.split(']').next());
    let is_word = |it: &char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
    let length: usize = line
        .chars()
        .rev()
        .take_while(is_word)
        .map(char::len_utf8)
        .sum();
    let word = TextRange::new(offset - TextSize::try_from(length).ok()?, offset);
    if line.trim_start().starts_with('#') {
        return Some(Vec::new());
    }
    if let Some((key, value)) = line.split_once('=') {
        return Some(values(table, key.trim(), value, word));
    }
    if line.trim_start().starts_with('[') {
        let tail = if rest.starts_with(']') { "" } else { "]" };
        let item = |table| line_item(CompletionKind::Field, table, tail, word);
        return Some(TABLES.map(item).into());
    }
    Some(keys(text, table, word))
}

/// Returns the keys that the file does not have yet.
fn keys(text: &str, table: Option<&str>, word: TextRange) -> Vec<Completion> {
    let written = |key: &str| {
        let name = |line: &str| line.split('=').next().map(|name| name.trim().to_owned());
        text.lines().any(|line| name(line).as_deref() == Some(key))
    };
    match table {
        None => {}
        Some("rules") => {
            let codes = codes().filter(|code| !written(code));
            return codes
                .map(|code| rule_item(code, " = \"$\"", word))
                .collect();
        }
        Some("format") if !written(LINE_WIDTH) => {
            let item = line_item(CompletionKind::Field, LINE_WIDTH, " = $", word);
            return vec![item];
        }
        Some(_) => return Vec::new(),
    }
    let keys = KEYS.iter().filter(|(key, ..)| !written(key));
    let items = keys.map(|(key, tail, detail)| {
        let mut item = line_item(CompletionKind::Field, key, tail, word);
        item.detail = Some((*detail).to_owned());
        item
    });
    items.collect()
}

/// Returns the values of a key, in quotes unless they are written.
fn values(table: Option<&str>, key: &str, value: &str, word: TextRange) -> Vec<Completion> {
    let labels: Vec<String> = match key {
        _ if table == Some("rules") => LEVELS.map(str::to_owned).to_vec(),
        "kubernetes" => {
            let versions = ServerVersion::OLDEST.up_to(ServerVersion::NEWEST);
            versions.rev().map(|it| it.to_string()).collect()
        }
        _ => Vec::new(),
    };
    let is_quoted = value.contains(['"', '\'']);
    let items = labels.iter().map(|label| {
        let mut item = line_item(CompletionKind::Value, label, "", word);
        if !is_quoted {
            item.edit.insert = format!("\"{label}\"");
        }
        item
    });
    items.collect()
}

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
const KEYS: [(&str, &str, &str); 4] = [
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
];

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
    let in_rules = above
        .lines()
        .rev()
        .find_map(|line| line.trim().strip_prefix('['));
    let in_rules = in_rules.is_some_and(|table| table.starts_with("rules"));
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
        return Some(values(key.trim(), value, in_rules, word));
    }
    if line.trim_start().starts_with('[') {
        let tail = if rest.starts_with(']') { "" } else { "]" };
        return Some(vec![line_item(CompletionKind::Field, "rules", tail, word)]);
    }
    Some(keys(text, in_rules, word))
}

/// Returns the keys that the file does not have yet.
fn keys(text: &str, in_rules: bool, word: TextRange) -> Vec<Completion> {
    let written = |key: &str| {
        let name = |line: &str| line.split('=').next().map(|name| name.trim().to_owned());
        text.lines().any(|line| name(line).as_deref() == Some(key))
    };
    if in_rules {
        let codes = codes().filter(|code| !written(code));
        return codes
            .map(|code| rule_item(code, " = \"$\"", word))
            .collect();
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
fn values(key: &str, value: &str, in_rules: bool, word: TextRange) -> Vec<Completion> {
    let labels: Vec<String> = match key {
        _ if in_rules => LEVELS.map(str::to_owned).to_vec(),
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

//! Completion in `admissible.toml`: keys, the codes of rules, levels and versions.
//!
//! Only the line before the cursor is read, so the rest of the file may be half-written.

use super::directives::{codes, rule_item};
use super::{Completion, CompletionKind, line_item, relative_path};
use crate::file::SourceFile;
use crate::settings::{CONFIG_FILE, CONFIG_KEYS, Level};
use kubernetes::ServerVersion;
use text::{Key, TextRange, TextSize, ValueType, keys_below};

/// The table whose keys are the codes of the rules.
const RULES: &str = "rules";

/// Returns the completions in a configuration file. `None` in other files.
pub(super) fn completion(file: &SourceFile, offset: TextSize) -> Option<Vec<Completion>> {
    if file.path().file_name()? != CONFIG_FILE {
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
    // `rules.CODE = LEVEL` outside the table.
    let dotted = line.trim_start().strip_prefix("rules.");
    let dotted = dotted.filter(|_| table.is_none());
    let table = if dotted.is_some() { Some(RULES) } else { table };
    if let Some((key, value)) = line.split_once('=') {
        return Some(values(file, table, (key.trim(), value), offset));
    }
    if let Some(code) = dotted {
        let word = TextRange::new(offset - TextSize::of(code), offset);
        return Some(keys(text, table, word));
    }
    if line.trim_start().starts_with('[') {
        let tail = if rest.starts_with(']') { "" } else { "]" };
        let tables = CONFIG_KEYS.iter().filter(|key| is_table(key));
        let item = |key: &Key| key_item(key, key.name, tail, word);
        return Some(tables.map(item).collect());
    }
    Some(keys(text, table, word))
}

/// Returns the keys that are missing from the file.
fn keys(text: &str, table: Option<&str>, word: TextRange) -> Vec<Completion> {
    let written = |key: &str| {
        let prefix = if table == Some(RULES) { "rules." } else { "" };
        text.lines().any(|line| {
            let name = line.split('=').next().unwrap_or_default().trim();
            name == key || name.strip_prefix(prefix) == Some(key)
        })
    };
    if table == Some(RULES) {
        let codes = codes().filter(|code| !written(code));
        return codes
            .map(|code| rule_item(code, " = \"$\"", word))
            .collect();
    }
    let path: Vec<&str> = table.into_iter().collect();
    let items = keys_below(CONFIG_KEYS, &path).iter().map(|key| {
        let (label, tail) = written_key(key);
        key_item(key, &label, &tail, word)
    });
    items.filter(|item| !written(&item.label)).collect()
}

/// Returns a key as written, and the text after it with a mark for the cursor.
fn written_key(key: &Key) -> (String, String) {
    let name = key.name;
    match key.value {
        ValueType::Keys([only]) => {
            let (inner, tail) = written_key(only);
            (format!("[{name}]"), format!("\n{inner}{tail}"))
        }
        _ if is_table(key) => (format!("[{name}]"), "\n$".to_owned()),
        ValueType::List(_) => (name.to_owned(), " = [\"$\"]".to_owned()),
        ValueType::Integer { .. } => (name.to_owned(), " = $".to_owned()),
        _ => (name.to_owned(), " = \"$\"".to_owned()),
    }
}

/// Returns whether a key is a separate table.
fn is_table(key: &Key) -> bool {
    matches!(key.value, ValueType::Keys(_) | ValueType::Map(_))
}

fn key_item(key: &Key, label: &str, tail: &str, word: TextRange) -> Completion {
    let mut item = line_item(CompletionKind::Field, label, tail, word);
    item.documentation = Some(key.description.to_owned());
    item
}

/// Returns the values of a key, in quotes unless the cursor is already in quotes.
fn values(
    file: &SourceFile,
    table: Option<&str>,
    (key, value): (&str, &str),
    offset: TextSize,
) -> Vec<Completion> {
    let typed = value.rsplit(['"', '\'', '[', ',', ' ']).next();
    let typed = typed.unwrap_or_default();
    // The end of a range of versions: `1.30..`.
    let range = typed.rsplit_once("..").filter(|_| key == "kubernetes");
    let (first, typed) = range.unwrap_or(("", typed));
    let mut versions = ServerVersion::OLDEST.up_to(ServerVersion::NEWEST);
    let first = versions.find(|it| it.to_string() == first);
    let first = first.unwrap_or(ServerVersion::OLDEST);
    let word = TextRange::new(offset - TextSize::of(typed), offset);
    let labels: Vec<String> = match key {
        _ if table == Some(RULES) => Level::NAMES.map(str::to_owned).to_vec(),
        "kubernetes" => {
            let versions = first.up_to(ServerVersion::NEWEST);
            versions.rev().map(|it| it.to_string()).collect()
        }
        "schemas" => files_with_schemas(file, value),
        _ => Vec::new(),
    };
    let is_quoted = value.matches(['"', '\'']).count() % 2 == 1;
    let items = labels.iter().map(|label| {
        let mut item = line_item(CompletionKind::Value, label, "", word);
        if !is_quoted {
            item.edit.insert = format!("\"{label}\"");
        }
        item
    });
    items.collect()
}

/// Returns the files of the project that define kinds, without those already on the line.
fn files_with_schemas(file: &SourceFile, written: &str) -> Vec<String> {
    let files = file.project().files().iter();
    let files = files.filter(|it| !it.definitions.is_empty());
    let paths = files.filter_map(|it| relative_path(file.path(), &it.file));
    let is_new = |path: &String| !written.split(['"', '\'']).any(|it| it == path);
    paths.filter(is_new).collect()
}

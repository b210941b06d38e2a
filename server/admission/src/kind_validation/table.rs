//! The table of the rules, read once.
//!
//! The rules are data, since there are many of few sorts: a file of rows is shorter than code, and
//! each group names the function of the API server that it repeats.

use super::checks::CHECKS;
use super::formats::FORMATS;
use super::pass::{Condition, Groups, Row, Rule, Sort, Step, Wanted};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The rows. Their form is described in the file.
const ROWS: &str = include_str!("rules.txt");

/// The rules of every group.
pub(super) static TABLE: LazyLock<Table> = LazyLock::new(|| read(ROWS));

/// Rules that stand for another one with its arguments and its detail.
const SHORT: &str = "\
port int 1..65535 -- must be between 1 and 65535, inclusive
id int 0..2147483647 -- must be between 0 and 2147483647, inclusive
file_mode int 0..511 -- must be a number between 0 and 0777 (octal), both inclusive
count int 0.. -- must be greater than or equal to 0
counted int 1.. -- must be greater than zero
above_zero int 1.. -- must be greater than 0";

/// The groups and their notes, and the lines that are not understood: none, which a test checks.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) groups: Groups,
    /// The parts of a kind that are not validated.
    pub(super) notes: HashMap<&'static str, &'static str>,
    errors: Vec<&'static str>,
}

fn read(text: &'static str) -> Table {
    let mut table = Table::default();
    let mut name = "";
    for line in text.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(note) = line.strip_prefix("! ") {
            table.notes.insert(name, note);
        } else if let Some((group, _)) = line.strip_prefix('[').and_then(|it| it.split_once(']')) {
            name = group;
            table.groups.insert(name, Vec::new());
        } else if let Some(group) = table.groups.get_mut(name) {
            match row(line) {
                Some(row) => group.push(row),
                None => table.errors.push(line),
            }
        }
    }
    table
}

fn row(line: &'static str) -> Option<Row> {
    let mut rest = line;
    let mut conditions = Vec::new();
    let path = loop {
        let (word, after) = rest.split_once(' ')?;
        rest = after;
        match word.strip_prefix('?') {
            Some(text) => conditions.push(condition(text)),
            None => break word,
        }
    };
    let rules = rest.split(" > ").map(rule).collect::<Option<_>>()?;
    Some(Row {
        conditions,
        steps: steps(path)?,
        rules,
    })
}

fn condition(text: &'static str) -> Condition {
    let values = |list: &'static str| list.split('|').collect();
    let (path, wanted) = if let Some(path) = text.strip_prefix('!') {
        (path, Wanted::Unset)
    } else if let Some((path, list)) = text.split_once("!=") {
        (path, Wanted::NoneOf(values(list)))
    } else if let Some((path, list)) = text.split_once('=') {
        (path, Wanted::OneOf(values(list)))
    } else {
        (text, Wanted::Set)
    };
    Condition { path, wanted }
}

fn rule(text: &'static str) -> Option<Rule> {
    let (head, detail) = text.split_once(" -- ").unwrap_or((text, ""));
    let (name, rest) = head.split_once(' ').unwrap_or((head, ""));
    let (name, strict) = match name.strip_suffix('!') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let mut short = SHORT.lines().filter_map(|line| line.split_once(' '));
    if let Some((_, long)) = short.find(|(short, _)| *short == name) {
        return Some(Rule {
            strict,
            ..rule(long)?
        });
    }
    let check = CHECKS.iter().find(|(known, _)| *known == name);
    let format = FORMATS.iter().find(|(known, _)| *known == name);
    let sort = match (name, check, format) {
        ("is", ..) => Sort::Group,
        (_, Some((_, check)), _) => Sort::Check(*check),
        (.., Some((_, format))) => Sort::Format(*format),
        _ => return None,
    };
    Some(Rule {
        sort,
        arguments: words(rest),
        detail,
        strict,
    })
}

/// Returns the words of a line; one in double quotes may contain spaces.
fn words(text: &'static str) -> Vec<&'static str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word);
        rest = after.trim_start();
    }
    words
}

fn steps(path: &'static str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path.strip_prefix('.').unwrap_or(path);
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("[]") {
            let hidden = after.strip_prefix('=');
            steps.push(Step::Items(hidden.is_none()));
            rest = hidden.unwrap_or(after);
        } else if let Some(after) = rest.strip_prefix("{}") {
            steps.push(Step::Values);
            rest = after;
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (key, after) = inner.split_once(']')?;
            steps.push(Step::Key(key));
            rest = after;
        } else {
            let end = rest.find(['.', '[', '{']).unwrap_or(rest.len());
            let (field, after) = rest.split_at_checked(end)?;
            steps.push(field_step(field));
            rest = after;
        }
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    Some(steps)
}

fn field_step(text: &'static str) -> Step {
    let (name, shown) = text.split_once('=').unwrap_or((text, text));
    let clean = |text: &'static str| text.strip_suffix('!').unwrap_or(text);
    Step::Field {
        name: clean(name),
        shown: clean(shown),
        assumed: name.ends_with('!'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_understood() {
        assert_eq!(TABLE.errors, [] as [&str; 0]);
    }

    #[test]
    fn every_group_that_a_row_names_exists() {
        let groups = TABLE.groups.values();
        let rules = groups.flatten().flat_map(|row| &row.rules);
        let named = rules.filter(|rule| matches!(rule.sort, Sort::Group));
        for name in named.flat_map(|rule| &rule.arguments) {
            assert!(TABLE.groups.contains_key(name), "{name}");
        }
    }

    #[test]
    fn a_path_names_what_errors_show() {
        let field = |name, shown, assumed| Step::Field {
            name,
            shown,
            assumed,
        };
        let expected = vec![
            field("a", "", true),
            Step::Items(false),
            field("b", "B", false),
            Step::Key("c.d"),
            Step::Values,
        ];
        assert_eq!(steps("a!=[]=.b=B[c.d]{}"), Some(expected));
        assert_eq!(steps("."), Some(Vec::new()));
    }
}

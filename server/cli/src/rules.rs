//! `admissible rules`: the list of all rules, and the page of one.

pub(crate) mod markdown;

use crate::arguments::{Rules, RulesFormat};
use crate::exit::Exit;
use crate::report::json::write_value;
use crate::report::page::summary;
use crate::terminal::{READABLE_WIDTH, Terminal, printable};
use ide::Rule;
use ide::diagnostics::RULES;
use serde_json::{Value, json};
use std::io::{self, Write};
use text::listed_names;

/// Limit: rules that are suggested for an unknown one.
const MAX_SUGGESTIONS: usize = 5;

/// Runs the command.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn run(options: &Rules, terminal: &Terminal) -> io::Result<Exit> {
    let rules: Vec<&Rule> = match &options.code {
        None => RULES.iter().collect(),
        Some(code) => match RULES.iter().find(|rule| rule.code == code) {
            Some(rule) => vec![rule],
            None => return unknown(code, terminal),
        },
    };
    let mut out = terminal.stdout();
    match (options.format, rules.as_slice()) {
        (RulesFormat::Json, rules) => write_json(rules, &mut out)?,
        (RulesFormat::Human, [rule]) if options.code.is_some() => {
            explain(rule, terminal, &mut out)?;
        }
        (RulesFormat::Human, rules) => list(rules, &mut out)?,
    }
    Ok(Exit::Clean)
}

fn unknown(code: &str, terminal: &Terminal) -> io::Result<Exit> {
    let hint = match suggestions(code).as_slice() {
        [] => "Run `admissible rules` to list them.".to_owned(),
        codes => format!("Did you mean {}?", listed_names(codes, "or")),
    };
    let mut out = terminal.stderr();
    writeln!(out, "error: unknown rule `{}`. {hint}", printable(code))?;
    Ok(Exit::Failed)
}

/// Returns the codes of rules similar to a word: those that contain it, or the nearest ones.
fn suggestions(word: &str) -> Vec<&'static str> {
    let word = word.to_ascii_lowercase();
    let codes = || RULES.iter().map(|rule| rule.code);
    let is_part = |code: &&str| !word.is_empty() && code.contains(&word);
    let mut found: Vec<&str> = codes().filter(is_part).take(MAX_SUGGESTIONS).collect();
    if found.is_empty() {
        found.extend(text::nearest(&word, codes()));
    }
    found
}

fn list(rules: &[&Rule], out: &mut dyn Write) -> io::Result<()> {
    let width = rules.iter().map(|rule| rule.code.len()).max().unwrap_or(0);
    for rule in rules {
        let severity = rule.severity.as_str();
        let off = if rule.is_optional {
            " (off by default)"
        } else {
            ""
        };
        let summary = summary(rule.page);
        writeln!(out, "{:width$}  {severity:11}  {summary}{off}", rule.code)?;
    }
    Ok(())
}

fn explain(rule: &Rule, terminal: &Terminal, out: &mut dyn Write) -> io::Result<()> {
    let width = terminal.width.min(READABLE_WIDTH);
    let severity = rule.severity.as_str();
    out.write_all(markdown::render(rule.page, width).as_bytes())?;
    if rule.fixes.is_empty() {
        writeln!(out, "\nFix: none, since {}.", rule.no_fix)?;
    } else {
        let fixes: Vec<&str> = rule.fixes.iter().map(|fix| fix.as_str()).collect();
        writeln!(out, "\nFix: {}.", fixes.join(" or "))?;
    }
    if rule.is_optional {
        writeln!(
            out,
            "\nIt is off unless `admissible.toml` enables it. Its severity is then `{severity}`."
        )
    } else {
        writeln!(
            out,
            "\nIts severity is `{severity}` unless `admissible.toml` sets another."
        )
    }
}

fn write_json(rules: &[&Rule], out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<Value> = rules
        .iter()
        .map(|rule| {
            json!({
                "code": rule.code,
                "severity": rule.severity.as_str(),
                "enabled": !rule.is_optional,
                "fixes": rule.fixes.iter().map(|fix| fix.as_str()).collect::<Vec<_>>(),
                "noFix": (!rule.no_fix.is_empty()).then_some(rule.no_fix),
                "summary": summary(rule.page),
                "page": rule.page,
            })
        })
        .collect();
    write_value(&json!({"version": 1, "rules": rules}), out)
}

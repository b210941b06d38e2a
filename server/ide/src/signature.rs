//! Signatures of types, functions and macros for hovers, completion lists and messages.

mod macros;

pub(crate) use macros::{MacroPage, macro_page};

use cel::Type;
use cel::env::{DeclaredFunction, DeclaredOverload};
use cel::syntax::MacroKind;
use kubernetes::EnvironmentVersion;
use policy::availability::macro_since;
use std::fmt::Write as _;

/// Limit: signatures in one text. More do not fit in a box at the cursor.
const MAX_OVERLOADS: usize = 6;

/// A call of a function with values of these types, the one before the dot first, as a
/// person would write it: `list(int).sort()`, `int + int`.
pub(crate) fn call(name: &str, types: &[Type], member: bool) -> String {
    if let Some(text) = operation(name, types) {
        return text;
    }
    let (before, inside) = match types.split_first() {
        Some((target, rest)) if member => (format!("{target}."), rest),
        _ => (String::new(), types),
    };
    let inside: Vec<String> = inside.iter().map(Type::to_string).collect();
    format!("{before}{name}({})", inside.join(", "))
}

/// An operator with its operands. `None` for a function.
fn operation(name: &str, types: &[Type]) -> Option<String> {
    Some(match (name, types) {
        ("@in", [left, right]) => format!("{left} in {right}"),
        ("_[_]", [target, index]) => format!("{target}[{index}]"),
        ("_[?_]", [target, index]) => format!("{target}[?{index}]"),
        ("_?._", [target, _]) => format!("{target}.?field"),
        ("!_", [operand]) => format!("!{operand}"),
        ("-_", [operand]) => format!("-{operand}"),
        ("_?_:_", [condition, then, otherwise]) => format!("{condition} ? {then} : {otherwise}"),
        (_, [left, right]) => {
            let operator = name.strip_prefix('_')?.strip_suffix('_')?;
            format!("{left} {operator} {right}")
        }
        _ => return None,
    })
}

/// A signature with its result: `list(int).sort() -> list(int)`.
pub(crate) fn overload(name: &str, overload: &DeclaredOverload) -> String {
    let member = overload.declaration.member;
    format!(
        "{} -> {}",
        call(name, &overload.params, member),
        overload.result
    )
}

/// Returns the documentation of a function. The overloads that a call has resolved to come
/// first.
pub(crate) fn function(function: &DeclaredFunction, resolved: &[&str]) -> String {
    let is_resolved = |overload: &&DeclaredOverload| resolved.contains(&overload.id());
    let (meant, others): (Vec<_>, Vec<_>) = function.overloads.iter().partition(is_resolved);
    let (shown, others) = if meant.is_empty() {
        (others, Vec::new())
    } else {
        (meant, others)
    };
    let mut text = signatures(function.name, &shown, MAX_OVERLOADS);
    if let Some(first) = shown.first() {
        add_page(&mut text, first.function.doc, first.function.example);
    }
    let since = shown
        .iter()
        .map(|overload| overload.declaration.since.into());
    if let Some(since) = since.min() {
        add_since(&mut text, since);
    }
    // The other uses of an operator are well known.
    let is_named = function
        .name
        .starts_with(|first: char| first.is_ascii_alphabetic());
    if is_named && !others.is_empty() {
        text.push_str("\n\nOther signatures:\n\n");
        text.push_str(&signatures(function.name, &others, MAX_OVERLOADS));
    }
    text
}

/// Returns every signature of a function, its documentation and its first server.
pub(crate) fn every_overload(function: &DeclaredFunction) -> String {
    let overloads: Vec<&DeclaredOverload> = function.overloads.iter().collect();
    let mut text = signatures(function.name, &overloads, overloads.len());
    for declaration in &function.declarations {
        add_page(&mut text, declaration.doc, declaration.example);
    }
    let since = overloads.iter().map(|it| it.declaration.since.into());
    if let Some(since) = since.min() {
        add_since(&mut text, since);
    }
    text
}

/// Signatures as lines of CEL.
fn signatures(name: &str, overloads: &[&DeclaredOverload], limit: usize) -> String {
    let shown = overloads.iter().take(limit);
    let mut text = code(shown.map(|it| overload(name, it)));
    if let more @ 1.. = overloads.len().saturating_sub(limit) {
        let _ = write!(text, "\n\n… and {more} more.");
    }
    text
}

/// Lines of CEL.
pub(crate) fn code(lines: impl IntoIterator<Item = String>) -> String {
    let lines: Vec<String> = lines.into_iter().collect();
    format!("```cel\n{}\n```", lines.join("\n"))
}

/// Adds what something does, and an example.
pub(crate) fn add_page(text: &mut String, doc: &str, example: &str) {
    if !doc.is_empty() {
        let _ = write!(text, "\n\n{doc}");
    }
    if !example.is_empty() {
        let _ = write!(text, "\n\nExample: `{example}`");
    }
}

/// Adds the first server that takes something in a new expression, unless it was always
/// there.
pub(crate) fn add_since(text: &mut String, since: EnvironmentVersion) {
    if is_told(since) {
        let server = since.first_server();
        let _ = write!(text, "\n\nSince Kubernetes {server}.");
    }
}

/// Adds the first server that takes a macro with that many variables, unless it was always
/// there.
pub(crate) fn add_macro_since(text: &mut String, kind: MacroKind, variables: usize) {
    let Some(since) = macro_since(kind, variables) else {
        return;
    };
    let one = macro_since(kind, 1).filter(|one| *one < since && variables > 1);
    if one.is_some() && is_told(since) {
        let server = since.first_server();
        let _ = write!(text, "\n\nWith two variables since Kubernetes {server}.");
        return;
    }
    add_since(text, since);
}

/// Returns whether something came with a version that is worth a word.
fn is_told(since: EnvironmentVersion) -> bool {
    since > EnvironmentVersion::OLDEST && since <= EnvironmentVersion::NEWEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_read_as_they_are_written() {
        let shown = |name, types: &[Type], member| call(name, types, member);
        assert_eq!(shown("_+_", &[Type::Int, Type::Dyn], false), "int + dyn");
        assert_eq!(
            shown("@in", &[Type::String, Type::Dyn], false),
            "string in dyn"
        );
        assert_eq!(
            shown("_[_]", &[Type::list(Type::Int), Type::Int], false),
            "list(int)[int]"
        );
        assert_eq!(shown("!_", &[Type::Bool], false), "!bool");
        let three = [Type::Bool, Type::Int, Type::Int];
        assert_eq!(shown("_?_:_", &three, false), "bool ? int : int");
        assert_eq!(shown("size", &[Type::String], false), "size(string)");
        let two = [Type::String, Type::String];
        assert_eq!(shown("startsWith", &two, true), "string.startsWith(string)");
        assert_eq!(
            shown("sets.contains", &two, false),
            "sets.contains(string, string)"
        );
    }
}

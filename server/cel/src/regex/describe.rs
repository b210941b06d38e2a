//! Descriptions of regular expressions.
//!
//! A pattern is harder to read than a sentence, and it is easy to miss that an anchor is absent or
//! that a dot matches any character.

use super::class::{Class, Item};
use super::node::{Node, Repeat};
use std::fmt::Write as _;

/// Limit: bytes of a description. A longer one is harder to read than the pattern.
const MAX_LENGTH: usize = 400;

/// Returns what a tree matches, in Markdown. `None` if it is too long to help.
pub(super) fn describe(node: &Node) -> Option<String> {
    let mut out = String::new();
    add(&mut out, node)?;
    Some(out)
}

fn add(out: &mut String, node: &Node) -> Option<()> {
    match node {
        Node::Literal { .. } => add_sequence(out, std::slice::from_ref(node))?,
        Node::Class(class) => {
            out.push_str("a character ");
            add_class(out, class)?;
        }
        Node::AnyInLine | Node::Any => out.push_str("any character"),
        Node::TextStart => out.push_str("the start of the string"),
        Node::TextEnd => out.push_str("the end of the string"),
        Node::LineStart => out.push_str("the start of a line"),
        Node::LineEnd => out.push_str("the end of a line"),
        Node::WordBoundary => out.push_str("the boundary of a word"),
        Node::NoWordBoundary => out.push_str("no boundary of a word"),
        Node::Concat(nodes) if nodes.is_empty() => out.push_str("nothing"),
        Node::Concat(nodes) => add_sequence(out, nodes)?,
        Node::Alternate(nodes) => {
            for (index, node) in nodes.iter().enumerate() {
                out.push_str(if index > 0 { " or " } else { "" });
                add_part(out, node)?;
            }
        }
        Node::Capture(node) => add(out, node)?,
        Node::Repeat(repeat) => add_repeat(out, repeat)?,
    }
    (out.len() <= MAX_LENGTH).then_some(())
}

/// Adds consecutive parts. Literal characters form one part.
fn add_sequence(out: &mut String, nodes: &[Node]) -> Option<()> {
    let code_of = |node: &Node| match node {
        Node::Literal { code, .. } => Some(*code),
        _ => None,
    };
    let runs = nodes.chunk_by(|left, right| match (left, right) {
        (Node::Literal { fold, .. }, Node::Literal { fold: other, .. }) => fold == other,
        _ => false,
    });
    for (index, run) in runs.enumerate() {
        out.push_str(if index > 0 { ", then " } else { "" });
        match run {
            [Node::Literal { fold, .. }, ..] => {
                let codes = run.iter().filter_map(code_of);
                let text: Option<String> = codes.map(char::from_u32).collect();
                add_code(out, &text?);
                out.push_str(if *fold { " in any case" } else { "" });
            }
            _ if nodes.len() > 1 => run.iter().try_for_each(|node| add_part(out, node))?,
            _ => run.iter().try_for_each(|node| add(out, node))?,
        }
    }
    Some(())
}

/// Adds a part of a larger one, in parentheses if it has several parts.
fn add_part(out: &mut String, node: &Node) -> Option<()> {
    match node {
        Node::Capture(inner) => add_part(out, inner),
        Node::Alternate(_) => add_in_parentheses(out, node),
        Node::Concat(nodes) if nodes.iter().any(|it| !matches!(it, Node::Literal { .. })) => {
            add_in_parentheses(out, node)
        }
        _ => add(out, node),
    }
}

fn add_in_parentheses(out: &mut String, node: &Node) -> Option<()> {
    out.push('(');
    add(out, node)?;
    out.push(')');
    Some(())
}

fn add_repeat(out: &mut String, repeat: &Repeat) -> Option<()> {
    let mut node = &repeat.node;
    while let Node::Capture(inner) = node {
        node = inner;
    }
    let count = match (repeat.min, repeat.max) {
        (0, Some(1)) => {
            out.push_str("optionally ");
            return add_part(out, node);
        }
        (0, None) => "any number of".to_owned(),
        (1, None) => "one or more".to_owned(),
        (min, None) => format!("{min} or more"),
        (min, Some(max)) if min == max => format!("{min}"),
        (min, Some(max)) => format!("{min} to {max}"),
    };
    out.push_str(&count);
    match node {
        Node::Any | Node::AnyInLine => out.push_str(" characters"),
        Node::Class(class) => {
            out.push_str(" characters ");
            add_class(out, class)?;
        }
        _ => {
            out.push_str(" times ");
            add_part(out, node)?;
        }
    }
    Some(())
}

/// Adds the characters of a class.
fn add_class(out: &mut String, class: &Class) -> Option<()> {
    let mut members = String::new();
    for item in &class.items {
        match item {
            Item::Range(first, last) => {
                add_range(
                    &mut members,
                    char::from_u32(*first)?,
                    char::from_u32(*last)?,
                );
            }
            Item::Named {
                ranges,
                negated: false,
            } => {
                for (first, last) in *ranges {
                    add_range(&mut members, *first, *last);
                }
            }
            Item::Named { .. } | Item::Property { .. } => return None,
        }
    }
    out.push_str(if class.negated { "not of " } else { "of " });
    add_code(out, &members);
    out.push_str(if class.fold { " in any case" } else { "" });
    Some(())
}

fn add_range(members: &mut String, first: char, last: char) {
    let _ = if first == last {
        write!(members, "{}", first.escape_debug())
    } else {
        write!(members, "{}-{}", first.escape_debug(), last.escape_debug())
    };
}

/// Adds a string as code, even if it has backticks.
fn add_code(out: &mut String, text: &str) {
    let fence = if text.contains('`') { "``` " } else { "`" };
    out.push_str(fence);
    out.push_str(text);
    out.extend(fence.chars().rev());
}

//! Writing a regular expression in the syntax of the crate `regex`, so that each part is
//! unambiguous.

use super::class::{Class, Item};
use super::names::Property;
use super::node::{Node, Repeat};
use std::fmt::Write;

/// The expression that matches no code point.
const NOTHING: &str = r"[^\x{0}-\x{10FFFF}]";
/// The expression that matches any code point.
const ANYTHING: &str = r"(?s:.)";
/// Surrogates, which the crate does not support and no string contains.
const SURROGATES: (u32, u32) = (0xd800, 0xdfff);

/// Returns the pattern of a tree.
pub(super) fn write(node: &Node) -> String {
    let mut out = String::new();
    write_node(&mut out, node);
    out
}

fn write_node(out: &mut String, node: &Node) {
    match node {
        Node::Literal { code, fold } => write_literal(out, *code, *fold),
        Node::Class(class) => write_class(out, class),
        Node::AnyInLine => out.push_str(r"[^\n]"),
        Node::Any => out.push_str(ANYTHING),
        Node::TextStart => out.push_str(r"\A"),
        Node::TextEnd => out.push_str(r"\z"),
        Node::LineStart => out.push_str("(?m:^)"),
        Node::LineEnd => out.push_str("(?m:$)"),
        Node::WordBoundary => out.push_str(r"(?-u:\b)"),
        Node::NoWordBoundary => out.push_str(r"(?-u:\B)"),
        Node::Concat(nodes) => {
            for node in nodes {
                match node {
                    Node::Alternate(_) => write_group(out, node),
                    _ => write_node(out, node),
                }
            }
        }
        Node::Alternate(nodes) => {
            for (at, node) in nodes.iter().enumerate() {
                if at > 0 {
                    out.push('|');
                }
                write_node(out, node);
            }
        }
        // The numbers of groups are not used.
        Node::Capture(node) => write_group(out, node),
        Node::Repeat(repeat) => write_repeat(out, repeat),
    }
}

fn write_group(out: &mut String, node: &Node) {
    out.push_str("(?:");
    write_node(out, node);
    out.push(')');
}

fn write_repeat(out: &mut String, repeat: &Repeat) {
    write_group(out, &repeat.node);
    // Writing to a string does not fail.
    let _ = match (repeat.min, repeat.max) {
        (0, None) => write!(out, "*"),
        (1, None) => write!(out, "+"),
        (0, Some(1)) => write!(out, "?"),
        (min, None) => write!(out, "{{{min},}}"),
        (min, Some(max)) => write!(out, "{{{min},{max}}}"),
    };
    if !repeat.greedy {
        out.push('?');
    }
}

fn write_literal(out: &mut String, code: u32, fold: bool) {
    let Some(literal) = char::from_u32(code) else {
        return out.push_str(NOTHING);
    };
    // Only letters have case variants.
    let fold = fold && (!literal.is_ascii() || literal.is_ascii_alphabetic());
    if fold {
        out.push_str("(?i:");
    }
    write_char(out, literal);
    if fold {
        out.push(')');
    }
}

fn write_char(out: &mut String, literal: char) {
    if literal.is_ascii_alphanumeric() || !literal.is_ascii() {
        out.push(literal);
    } else {
        write_code(out, u32::from(literal));
    }
}

fn write_code(out: &mut String, code: u32) {
    let _ = write!(out, "\\x{{{code:X}}}");
}

fn write_class(out: &mut String, class: &Class) {
    let mut items = String::new();
    for item in &class.items {
        write_item(&mut items, *item);
    }
    if items.is_empty() {
        return out.push_str(if class.negated { ANYTHING } else { NOTHING });
    }
    let (open, close) = if class.fold { ("(?i:", ")") } else { ("", "") };
    let negation = if class.negated { "^" } else { "" };
    let _ = write!(out, "{open}[{negation}{items}]{close}");
}

fn write_item(out: &mut String, item: Item) {
    match item {
        Item::Range(low, high) => {
            if low < SURROGATES.0 {
                write_range(out, low, high.min(SURROGATES.0 - 1));
            }
            if high > SURROGATES.1 {
                write_range(out, low.max(SURROGATES.1 + 1), high);
            }
        }
        Item::Named { ranges, negated } => {
            out.push_str(if negated { "[^" } else { "[" });
            for (low, high) in ranges {
                write_range(out, u32::from(*low), u32::from(*high));
            }
            out.push(']');
        }
        Item::Property { property, negated } => write_property(out, property, negated),
    }
}

fn write_range(out: &mut String, low: u32, high: u32) {
    write_code(out, low);
    out.push('-');
    write_code(out, high);
}

fn write_property(out: &mut String, property: Property, negated: bool) {
    let letter = if negated { 'P' } else { 'p' };
    let _ = match property {
        Property::Everything(name) => write!(out, "\\{letter}{{{name}}}"),
        Property::Category(name) => write!(out, "\\{letter}{{gc={name}}}"),
        Property::Script(name) => write!(out, "\\{letter}{{sc={name}}}"),
        // No string has surrogates.
        Property::Surrogates if negated => write!(out, "\\x{{0}}-\\x{{10FFFF}}"),
        Property::Surrogates => Ok(()),
    };
}

//! A string that a regular expression matches.

use super::class::{Class, Item};
use super::node::Node;
use super::write;

/// Limit: the characters of an example. A pattern may require millions.
const MAX_LENGTH: usize = 512;

/// The characters that an example prefers if a class contains one of them.
const PLAIN: &str = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-._/ ";

/// Returns a string that a tree matches, as far as it can be found part by part: boundaries of
/// words and lines are ignored.
pub(super) fn example(node: &Node) -> Option<String> {
    let mut out = String::new();
    add(&mut out, node)?;
    Some(out)
}

fn add(out: &mut String, node: &Node) -> Option<()> {
    if out.len() > MAX_LENGTH {
        return None;
    }
    match node {
        Node::Literal { code, .. } => out.push(char::from_u32(*code)?),
        Node::Class(class) => out.push(member(class)?),
        Node::AnyInLine | Node::Any => out.push('a'),
        Node::TextStart
        | Node::TextEnd
        | Node::LineStart
        | Node::LineEnd
        | Node::WordBoundary
        | Node::NoWordBoundary => {}
        Node::Concat(nodes) => nodes.iter().try_for_each(|node| add(out, node))?,
        Node::Alternate(nodes) => {
            let mut examples = nodes.iter().filter_map(example);
            out.push_str(&examples.next()?);
        }
        Node::Capture(node) => add(out, node)?,
        Node::Repeat(repeat) => {
            // At least one character: `.*` reads better as a letter.
            let once = u32::from(repeat.max.is_none());
            for _ in 0..repeat.min.max(once) {
                add(out, &repeat.node)?;
            }
        }
    }
    Some(())
}

/// Returns a character of a class.
fn member(class: &Class) -> Option<char> {
    let pattern = write::write(&Node::Class(class.clone()));
    let compiled = regex::Regex::new(&pattern).ok()?;
    let is_member = |it: &char| compiled.is_match(it.encode_utf8(&mut [0; 4]));
    let first = class.items.iter().find_map(|item| match item {
        Item::Range(first, _) => char::from_u32(*first),
        Item::Named { ranges, .. } => ranges.first().map(|(first, _)| *first),
        Item::Property { .. } => None,
    });
    PLAIN.chars().find(is_member).or(first.filter(is_member))
}

//! Estimates the memory of a compiled regular expression without compiling it.

use super::class::{Class, Item};
use super::node::{Node, Repeat};

/// The bytes of a state and of the references to it.
const STATE: u64 = 64;
/// The bytes of a range of code points: at most 16 sequences of 4 bytes in UTF-8.
const RANGE: u64 = 16 * 4 * STATE;
/// The bytes of a property of Unicode, and of a class in which the case is ignored. Twice the size
/// of the largest, which a test ensures.
const PROPERTY: u64 = 104 << 10;

/// Returns a number of bytes that the compiled form of a tree does not exceed.
pub(super) fn upper_bound(node: &Node) -> u64 {
    match node {
        // A letter has at most four forms.
        Node::Literal { .. } => 4 * 4 * STATE,
        Node::Class(class) => of_class(class),
        Node::AnyInLine | Node::Any => 2 * RANGE,
        Node::TextStart
        | Node::TextEnd
        | Node::LineStart
        | Node::LineEnd
        | Node::WordBoundary
        | Node::NoWordBoundary => STATE,
        Node::Concat(nodes) | Node::Alternate(nodes) => nodes
            .iter()
            .map(|node| upper_bound(node).saturating_add(STATE))
            .fold(2 * STATE, u64::saturating_add),
        Node::Capture(node) => upper_bound(node),
        Node::Repeat(repeat) => of_repeat(repeat),
    }
}

fn of_class(class: &Class) -> u64 {
    let of_item = |item: &Item| match item {
        _ if class.fold => PROPERTY,
        Item::Range(_, 0..0x80) => STATE,
        Item::Range(..) => 2 * RANGE,
        Item::Named { .. } => 2 * RANGE,
        Item::Property { .. } => PROPERTY,
    };
    // A negated class has one range more.
    let rest = if class.negated { 2 * RANGE } else { STATE };
    let items = class.items.iter().map(of_item);
    items.fold(rest, u64::saturating_add)
}

fn of_repeat(repeat: &Repeat) -> u64 {
    let copies = repeat.max.unwrap_or(repeat.min).max(1);
    upper_bound(&repeat.node)
        .saturating_add(2 * STATE)
        .saturating_mul(u64::from(copies))
}

#[cfg(test)]
mod tests {
    use super::super::{names::CATEGORIES, parse::parse, write::write};
    use super::*;

    fn compiles_within(pattern: &str, size: u64) -> bool {
        let size = usize::try_from(size).unwrap();
        let form = write(&parse(pattern).unwrap());
        let mut builder = regex::RegexBuilder::new(&form);
        builder.size_limit(size).build().is_ok()
    }

    #[test]
    fn a_property_takes_half_of_what_is_assumed() {
        for (_, name) in CATEGORIES.iter().filter(|it| it.1 != "Lc") {
            for pattern in [
                format!(r"\p{{{name}}}"),
                format!(r"\P{{{name}}}"),
                format!(r"(?i)\p{{{name}}}"),
                format!(r"[^a-z0-9é\p{{{name}}}]"),
            ] {
                assert!(compiles_within(&pattern, PROPERTY / 2), "{pattern}");
            }
        }
    }

    #[test]
    fn a_compiled_expression_is_not_larger() {
        for pattern in [
            "",
            "a",
            "(?i)k",
            "(?i)straße",
            ".",
            "(?s).",
            "[^a]",
            "[a-z]",
            "[^a-z0-9é]",
            "[\\x{80}-\\x{10FFFD}]",
            "[\\x{0}-\\x{10FFFF}]",
            r"\w+\s\D",
            r"[[:^alpha:]]",
            r"\pL",
            r"\PL",
            r"(?i)\p{Lu}",
            r"\p{Any}\pC\PN\pM\pS\pZ\p{Greek}\P{Han}",
            r"(?i)[ -\x{1FFFF}]",
            "^(a|b|cd|)*$",
            "(?m)^a$",
            r"\ba\B",
            "((a?){3,5}b{2,}){0,7}c+?",
            "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
            "(?:x{10}){10}",
            "(?:é|.){50}",
            "(|a|b){20}",
            r"[a\pL\pS]{0,60}",
            "(?i)[^k-sé]{0,60}",
            r"((((\pL?)?)*){1,}){2,}",
        ] {
            let bound = upper_bound(&parse(pattern).unwrap()) + 1_000;
            assert!(compiles_within(pattern, bound), "{pattern}: {bound}");
        }
    }
}

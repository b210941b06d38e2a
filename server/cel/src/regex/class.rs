//! Classes of characters: `[a-z]`, `\d`, `\pL`, `[[:alpha:]]`.
//!
//! Upstream: Go, regexp/syntax/parse.go, `parseClass`.

use super::error::{Code, RegexError};
use super::escape;
use super::names::{self, Property};

/// A class.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Class {
    pub(super) negated: bool,
    /// Whether upper and lower case are the same.
    pub(super) fold: bool,
    pub(super) items: Vec<Item>,
}

/// An item of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Item {
    /// From a code point up to another.
    Range(u32, u32),
    /// Ranges with a name, or everything else.
    Named {
        ranges: &'static [(char, char)],
        negated: bool,
    },
    /// A property of Unicode, or its opposite.
    Property { property: Property, negated: bool },
}

impl Class {
    /// Returns a class of one item.
    pub(super) fn from_item(item: Item, fold: bool) -> Self {
        Self {
            negated: false,
            fold,
            items: vec![item],
        }
    }

    /// Reads the class that begins at `[`. Returns it and the string after it.
    pub(super) fn read(text: &str, fold: bool) -> Result<(Self, &str), RegexError> {
        let after = text.strip_prefix('[').unwrap_or(text);
        let (negated, mut rest) = match after.strip_prefix('^') {
            Some(rest) => (true, rest),
            None => (false, after),
        };
        let mut items = Vec::new();
        // A leading bracket is a literal character.
        while items.is_empty() || !rest.starts_with(']') {
            let (item, after) = read_item(rest, text)?;
            items.push(item);
            rest = after;
        }
        let class = Self {
            negated,
            fold,
            items,
        };
        Ok((class, rest.strip_prefix(']').unwrap_or(rest)))
    }
}

/// Reads a class. `class` is the string from the bracket on.
fn read_item<'t>(text: &'t str, class: &str) -> Result<(Item, &'t str), RegexError> {
    if let Some(found) = read_posix(text)? {
        return Ok(found);
    }
    if let Some(found) = read_property(text)? {
        return Ok(found);
    }
    if let Some(found) = read_perl(text) {
        return Ok(found);
    }
    let (low, rest) = read_char(text, class)?;
    // A dash before the closing bracket is a character.
    let upper = rest
        .strip_prefix('-')
        .filter(|upper| !upper.is_empty() && !upper.starts_with(']'));
    let Some(upper) = upper else {
        return Ok((Item::Range(low, low), rest));
    };
    let (high, rest) = read_char(upper, class)?;
    if high < low {
        let range = text.strip_suffix(rest).unwrap_or(text);
        return Err(RegexError::new(Code::CharRange, range));
    }
    Ok((Item::Range(low, high), rest))
}

fn read_char<'t>(text: &'t str, class: &str) -> Result<(u32, &'t str), RegexError> {
    let mut chars = text.chars();
    match chars.next() {
        None => Err(RegexError::new(Code::MissingBracket, class)),
        Some('\\') => escape::read(text),
        Some(next) => Ok((u32::from(next), chars.as_str())),
    }
}

/// Reads `[:alpha:]`.
fn read_posix(text: &str) -> Result<Option<(Item, &str)>, RegexError> {
    let Some((name, rest)) = text
        .strip_prefix("[:")
        .and_then(|inside| inside.split_once(":]"))
    else {
        return Ok(None);
    };
    let (negated, plain) = match name.strip_prefix('^') {
        Some(plain) => (true, plain),
        None => (false, name),
    };
    let Some(ranges) = names::posix(plain) else {
        let part = text.strip_suffix(rest).unwrap_or(text);
        return Err(RegexError::new(Code::CharRange, part));
    };
    Ok(Some((Item::Named { ranges, negated }, rest)))
}

/// Reads `\d`.
pub(super) fn read_perl(text: &str) -> Option<(Item, &str)> {
    let mut chars = text.strip_prefix('\\')?.chars();
    let letter = chars.next()?;
    let ranges = names::perl(letter.to_ascii_lowercase())?;
    let negated = letter.is_ascii_uppercase();
    Some((Item::Named { ranges, negated }, chars.as_str()))
}

/// Reads `\pL`, `\p{Greek}`, `\P{^Greek}`.
pub(super) fn read_property(text: &str) -> Result<Option<(Item, &str)>, RegexError> {
    let (mut negated, after) = match (text.strip_prefix("\\p"), text.strip_prefix("\\P")) {
        (Some(after), _) => (false, after),
        (_, Some(after)) => (true, after),
        _ => return Ok(None),
    };
    let (name, rest) = match after.strip_prefix('{') {
        Some(inside) => inside
            .split_once('}')
            .ok_or_else(|| RegexError::new(Code::CharRange, text))?,
        None => {
            let length = after.chars().next().map_or(0, char::len_utf8);
            after.split_at_checked(length).unwrap_or((after, ""))
        }
    };
    let plain = name.strip_prefix('^');
    negated ^= plain.is_some();
    match Property::find(plain.unwrap_or(name)) {
        Some(property) => Ok(Some((Item::Property { property, negated }, rest))),
        None => {
            let part = text.strip_suffix(rest).unwrap_or(text);
            Err(RegexError::new(Code::CharRange, part))
        }
    }
}

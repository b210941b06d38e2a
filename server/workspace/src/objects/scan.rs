//! The outline of JSON: brackets, strings and commas, without their meaning.
//!
//! A list of all pods of a cluster is one value of gigabytes. To distribute its elements among
//! cores, their ends must be found, and this module only does that. A syntax error is found when an
//! element is parsed.

use memchr::memchr2;
use std::ops::Range;

/// A token of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `{` or `[`, with its offset.
    Open(usize, u8),
    /// `}` or `]`, with its offset.
    Close(usize, u8),
    /// `,`, with its offset.
    Comma(usize),
    /// A string, including its quotes.
    String(Range<usize>),
}

/// The progress through a text, which may grow and be cut at the front meanwhile.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// The next byte.
    at: usize,
    /// The number of open brackets.
    depth: usize,
    /// The start of the string that contains the next byte.
    string: Option<usize>,
}

impl Outline {
    /// Returns the progress at an offset within some open brackets.
    pub(super) const fn at(at: usize, depth: usize) -> Self {
        Self {
            at,
            depth,
            string: None,
        }
    }

    /// Returns the number of open brackets after the last token.
    pub(super) const fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the offset of the next byte.
    pub(super) const fn offset(&self) -> usize {
        self.at
    }

    /// Adjusts the offsets after bytes were cut off at the front.
    pub(super) const fn cut(&mut self, count: usize) {
        self.at = self.at.saturating_sub(count);
        if let Some(start) = self.string {
            self.string = Some(start.saturating_sub(count));
        }
    }

    /// Returns the next token. `None` if the text ends before it does.
    pub(super) fn next(&mut self, text: &[u8]) -> Option<Token> {
        if let Some(start) = self.string {
            return self.string(text, start);
        }
        let rest = text.get(self.at..)?;
        let Some(found) = rest.iter().position(|byte| is_outline(*byte)) else {
            self.at = text.len();
            return None;
        };
        let offset = self.at + found;
        self.at = offset + 1;
        match *text.get(offset)? {
            b'"' => self.string(text, offset),
            b',' => Some(Token::Comma(offset)),
            byte @ (b'{' | b'[') => {
                self.depth += 1;
                Some(Token::Open(offset, byte))
            }
            byte => {
                self.depth = self.depth.saturating_sub(1);
                Some(Token::Close(offset, byte))
            }
        }
    }

    fn string(&mut self, text: &[u8], start: usize) -> Option<Token> {
        self.string = Some(start);
        loop {
            let rest = text.get(self.at..).unwrap_or_default();
            let Some(found) = memchr2(b'"', b'\\', rest) else {
                self.at = text.len();
                return None;
            };
            let offset = self.at + found;
            if text.get(offset) == Some(&b'"') {
                self.at = offset + 1;
                self.string = None;
                return Some(Token::String(start..self.at));
            }
            if offset + 1 >= text.len() {
                self.at = offset;
                return None;
            }
            self.at = offset + 2;
        }
    }
}

const fn is_outline(byte: u8) -> bool {
    matches!(byte, b'"' | b',' | b'{' | b'}' | b'[' | b']')
}

/// The type of a list, from which the type of its items follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListHead {
    /// `apiVersion`, if it was found.
    pub(super) api_version: Option<String>,
    /// `kind`, if it was found.
    pub(super) kind: Option<String>,
}

impl ListHead {
    /// Returns whether the kind is that of a list, or missing.
    pub(super) fn is_of_list(&self) -> bool {
        self.kind
            .as_deref()
            .is_none_or(|kind| kind.ends_with("List"))
    }

    /// Returns the kind of items without a kind.
    pub(super) fn item_kind(&self) -> Option<&str> {
        let kind = self.kind.as_deref()?.strip_suffix("List")?;
        (!kind.is_empty()).then_some(kind)
    }
}

/// The progress through the fields of an object.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    outline: Outline,
    field: Field,
    /// The fields found so far.
    pub(super) head: ListHead,
}

/// The part of the object that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Key,
    ApiVersion,
    Kind,
    Items,
    Other,
}

/// The position after a step through the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// The end of the text.
    TextEnd,
    /// The byte after the value.
    ValueEnd(usize),
    /// The byte after the `[` of the items.
    Items(usize),
}

impl Fields {
    /// Returns the progress before a value.
    pub(super) fn before(at: usize) -> Self {
        Self {
            outline: Outline::at(at, 0),
            field: Field::Other,
            head: ListHead::default(),
        }
    }

    /// Returns the progress within an object, after one of its values.
    pub(super) fn within(at: usize) -> Self {
        Self {
            outline: Outline::at(at, 1),
            field: Field::Other,
            head: ListHead::default(),
        }
    }

    /// Returns the outline up to here.
    pub(super) const fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Continues to the items or the end of the value. The elements of an array are items.
    pub(super) fn advance(&mut self, text: &[u8]) -> Reached {
        while let Some(token) = self.outline.next(text) {
            let depth = self.outline.depth();
            match token {
                Token::Open(at, b'[') if depth == 1 || depth == 2 && self.field == Field::Items => {
                    return Reached::Items(at + 1);
                }
                Token::Open(..) if depth == 1 => self.field = Field::Key,
                Token::Close(at, _) if depth == 0 => return Reached::ValueEnd(at + 1),
                Token::Comma(_) if depth == 1 => self.field = Field::Key,
                Token::String(range) if depth == 1 => {
                    self.string(text.get(range).unwrap_or_default());
                }
                _ => {}
            }
        }
        Reached::TextEnd
    }

    fn string(&mut self, text: &[u8]) {
        let value = || serde_json::from_slice(text).ok();
        match self.field {
            Field::Key => {
                self.field = match text {
                    b"\"apiVersion\"" => Field::ApiVersion,
                    b"\"kind\"" => Field::Kind,
                    b"\"items\"" => Field::Items,
                    _ => Field::Other,
                };
            }
            Field::ApiVersion => self.head.api_version = value(),
            Field::Kind => self.head.kind = value(),
            Field::Items | Field::Other => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_items_of_a_list_are_found() {
        let text = br#"{"kind": "PodList", "metadata": {"items": []}, "items" : [{}], "apiVersion": "v1"}"#;
        let mut fields = Fields::before(0);
        let Reached::Items(at) = fields.advance(text) else {
            panic!("no items");
        };
        assert_eq!(&text[at - 1..at + 3], b"[{}]");
        assert_eq!(fields.head.kind.as_deref(), Some("PodList"));
        assert_eq!(fields.head.api_version, None);
        let mut fields = Fields::within(at + 3);
        assert_eq!(fields.advance(text), Reached::ValueEnd(text.len()));
        assert_eq!(fields.head.api_version.as_deref(), Some("v1"));
    }

    #[test]
    fn brackets_in_strings_are_text() {
        let text = br#"  {"a": "}\"]", "b": ["items", {"kind": "x"}]} {}"#;
        let mut fields = Fields::before(0);
        assert_eq!(fields.advance(text), Reached::ValueEnd(text.len() - 3));
        assert_eq!(fields.head, ListHead::default());
    }

    #[test]
    fn a_text_may_come_in_parts_of_any_size() {
        let text = r#"{"a\\": "\"😀", "b": [1, {"c": "\\"}], "kind": "X"}"#.as_bytes();
        for size in 1..text.len() {
            let mut fields = Fields::before(0);
            let mut end = 0;
            let reached = loop {
                end = (end + size).min(text.len());
                let reached = fields.advance(&text[..end]);
                if reached != Reached::TextEnd || end == text.len() {
                    break reached;
                }
            };
            assert_eq!(reached, Reached::ValueEnd(text.len()));
            assert_eq!(fields.head.kind.as_deref(), Some("X"));
        }
    }

    #[test]
    fn what_is_passed_can_be_cut_off() {
        let text = br#"[1, "a", {"b": 2}], 3]"#;
        let mut outline = Outline::at(0, 0);
        let mut tokens = 0;
        let mut front = 0;
        while outline.next(&text[front..]).is_some() {
            tokens += 1;
            let offset = outline.offset();
            outline.cut(offset);
            front += offset;
        }
        assert_eq!((tokens, outline.depth()), (10, 0));
    }
}

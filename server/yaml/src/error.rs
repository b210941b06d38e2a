//! The syntax errors of a file.
//!
//! Kubernetes' reader stops at the first error, often far from its cause, and describes it in
//! terms of its own grammar. These errors have the position of the cause, and their messages
//! state what to write instead.

mod message;

use std::fmt;
use text::TextRange;

/// An error in the syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The bytes that are wrong; empty if something is missing.
    pub range: TextRange,
    /// The kind.
    pub kind: SyntaxErrorKind,
}

/// The kinds of syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// A tab in the indentation.
    TabIndentation,
    /// A key without a colon.
    MissingColon,
    /// `key:value`: no space after the colon.
    MissingSpaceAfterColon,
    /// `-item`: no space after the dash.
    MissingSpaceAfterDash,
    /// A colon without a key before it.
    MissingKey,
    /// `: ` within a plain value, so that it reads as another key.
    ColonInValue,
    /// Text after the end of a value, for example after a closing quote.
    TextAfterValue,
    /// Text after the value that makes up the whole document. Kubernetes ignores it.
    TextAfterRoot,
    /// A line whose indentation fits no collection around it.
    BadIndentation,
    /// A quoted value without its closing quote.
    UnclosedQuote(char),
    /// A quote that ends a quoted value although more text follows.
    UnescapedQuote(char),
    /// A `[` or `{` that is not closed.
    UnclosedBracket(char),
    /// Keys of a mapping in braces without the opening brace.
    MissingBrace,
    /// A `]`, `}` or `,` without a collection to close or separate.
    UnexpectedBracket(char),
    /// A `]` or `}` where the other one is needed.
    WrongBracket(char),
    /// A `[`, `{` or `?` within an unquoted scalar in `[…]` or `{…}`.
    BracketInText(char),
    /// No comma between two items in `[…]` or `{…}`.
    MissingComma,
    /// A `- ` where no list item can begin.
    UnexpectedDash,
    /// A key of a mapping among the items of a list, at their indentation.
    KeyInSequence,
    /// An item of a list among the keys of a mapping, at their indentation.
    ItemInMapping,
    /// A character that cannot begin a value.
    UnexpectedCharacter(char),
    /// `{{ … }}` or `{% … %}`.
    Template,
    /// `// …` or `/* … */` in JSON.
    ForeignComment,
    /// A byte order mark after the beginning of the document.
    ByteOrderMark,
    /// A character that YAML does not allow.
    ControlCharacter(char),
    /// An escape that does not exist.
    UnknownEscape(char),
    /// `\x`, `\u` or `\U` without enough hexadecimal digits.
    IncompleteEscape(char),
    /// An escape of an invalid character.
    InvalidEscape(u32),
    /// A surrogate pair in escapes.
    SurrogateEscape,
    /// A header of a block scalar that is more than `|-2`.
    BadBlockHeader,
    /// A first line of a block scalar that is empty but indented more than the content.
    BadBlockIndentation,
    /// A key longer than the reader looks ahead.
    KeyTooLong,
    /// A key that spans several lines.
    KeyOverLines,
    /// A mapping or a list as a key, or null.
    BadKey,
    /// An alias without its anchor.
    UnknownAnchor(String),
    /// An alias within the node that it refers to.
    RecursiveAlias(String),
    /// Aliases that expand to too many nodes.
    ExcessiveAliasing,
    /// `&` or `*` without a name.
    BadAnchor,
    /// A malformed tag, or whose handle is not declared.
    BadTag,
    /// Two tags or two anchors on one node, or a tag or anchor on an alias.
    RepeatedProperty,
    /// A scalar that does not match its tag.
    TagMismatch,
    /// A value to merge that is not a mapping.
    BadMerge,
    /// A `%` line.
    Directive,
    /// A `%YAML` or `%TAG` line after the value of the document, which ends it.
    DirectiveAfterRoot,
    /// Text after `---` on its line.
    TextAfterSeparator,
    /// Text after `...`, which Kubernetes does not read.
    TextAfterEnd,
    /// `...` with no document before it.
    UnexpectedEnd,
    /// Nesting deeper than this.
    TooDeep(usize),
    /// A file that is too large.
    TooLong,
}

impl SyntaxError {
    /// Returns the problem and its remedy, in one or two sentences.
    #[must_use]
    pub fn message(&self) -> String {
        self.kind.to_string()
    }
}

impl SyntaxErrorKind {
    /// Returns whether a missing bracket before the error can be its cause.
    pub(crate) fn is_structural(&self) -> bool {
        matches!(
            self,
            Self::MissingComma
                | Self::MissingBrace
                | Self::MissingKey
                | Self::ColonInValue
                | Self::KeyOverLines
                | Self::UnclosedQuote(_)
                | Self::UnclosedBracket(_)
                | Self::UnexpectedBracket(_)
                | Self::WrongBracket(_)
                | Self::BracketInText(_)
                | Self::UnexpectedCharacter(_)
                | Self::UnexpectedDash
        )
    }
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        message::write(self, f)
    }
}

#[cfg(test)]
mod tests;

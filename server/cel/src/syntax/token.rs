//! Tokens.
//!
//! The tokens of the language with their ranges, including white space and comments: all tokens
//! together reproduce the source byte for byte, however broken it is. Highlighting and formatting
//! read tokens; the parser reads those that are not trivia.

use text::Span;

/// A token and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The range. Only that of [`TokenKind::End`] is empty.
    pub span: Span,
}

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Space, tab, line feed, carriage return, form feed.
    Whitespace,
    /// `//` up to the end of the line, which is not part of it.
    Comment,
    /// A name, reserved or not.
    Ident,
    /// A name in backticks.
    EscapedIdent,
    /// `1`, `0x1F`
    Int,
    /// `1u`
    Uint,
    /// `1.5`, `.5`, `1e3`
    Double,
    /// A string with its quotes and prefix.
    String,
    /// Bytes with their quotes and prefix.
    Bytes,
    /// A string or bytes whose closing quote is missing. One with single quotes ends with its line,
    /// one with triple quotes with the source.
    Unterminated,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// `in`
    In,
    /// `==`
    EqualsEquals,
    /// `!=`
    NotEquals,
    /// `<`
    Less,
    /// `<=`
    LessEquals,
    /// `>`
    Greater,
    /// `>=`
    GreaterEquals,
    /// `&&`
    AmpersandAmpersand,
    /// `||`
    BarBar,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `.`
    Dot,
    /// `,`
    Comma,
    /// `-`
    Minus,
    /// `!`
    Exclamation,
    /// `?`
    Question,
    /// `:`
    Colon,
    /// `+`
    Plus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `=`, `&`, `|`, `^`, `~`, `;` and combinations such as `=>` that CEL lacks.
    Foreign,
    /// Any other character that no token begins with. Consecutive non-ASCII letters are one token,
    /// together with the name that they are part of.
    Unknown,
    /// The end of the source.
    End,
}

impl TokenKind {
    /// Returns whether the parser skips it.
    #[must_use]
    pub const fn is_trivia(self) -> bool {
        matches!(self, TokenKind::Whitespace | TokenKind::Comment)
    }

    /// Returns whether an expression can begin with it.
    #[must_use]
    pub(crate) const fn begins_expression(self) -> bool {
        matches!(
            self,
            TokenKind::Ident
                | TokenKind::EscapedIdent
                | TokenKind::Int
                | TokenKind::Uint
                | TokenKind::Double
                | TokenKind::String
                | TokenKind::Bytes
                | TokenKind::Unterminated
                | TokenKind::True
                | TokenKind::False
                | TokenKind::Null
                | TokenKind::OpenBracket
                | TokenKind::OpenBrace
                | TokenKind::OpenParen
                | TokenKind::Dot
                | TokenKind::Minus
                | TokenKind::Exclamation
        )
    }
}

//! The errors of the syntax.
//!
//! An error is data: a span, a kind that carries the facts and, where it helps, a second span. The
//! message for users is written once, in [`SyntaxError::message`]. The message and the position of
//! cel-go for the same error, which the API server returns and users search for, are next to it.

use super::literal::EscapeError;
use super::macros::MacroKind;
use text::Span;

/// An error in the syntax of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The bytes to underline. Empty if something is missing.
    pub span: Span,
    /// The kind.
    pub kind: SyntaxErrorKind,
    /// A second position that explains the first, such as a bracket that is never closed.
    pub related: Option<Related>,
    pub(super) upstream_offset: Option<u32>,
}

/// A second position that belongs to an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Related {
    /// The bytes of it.
    pub span: Span,
    /// The relation to the error.
    pub message: &'static str,
}

/// The position of a name in backticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapedPlace {
    /// As a variable, which no version of CEL accepts.
    Variable,
    /// After a dot, where cel-go reads it before it rejects it.
    Selection,
    /// As the name of a field between braces, where cel-go does the same.
    Literal,
}

/// A pair of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bracket {
    /// `(` and `)`
    Paren,
    /// `[` and `]`
    Square,
    /// `{` and `}`
    Brace,
}

impl Bracket {
    /// Returns the opening one.
    #[must_use]
    pub const fn open(self) -> char {
        match self {
            Bracket::Paren => '(',
            Bracket::Square => '[',
            Bracket::Brace => '{',
        }
    }

    /// Returns the closing one.
    #[must_use]
    pub const fn close(self) -> char {
        match self {
            Bracket::Paren => ')',
            Bracket::Square => ']',
            Bracket::Brace => '}',
        }
    }
}

/// The kinds of error. `found` is the source of the token at which the error is detected, `None` at
/// the end of the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// The source has only white space and comments.
    Empty,
    /// An operand, argument or element is missing.
    ExpectedExpression {
        /// The token before the gap: an operator, a comma, a bracket.
        after: Option<Box<str>>,
        /// The token found instead.
        found: Option<Box<str>>,
    },
    /// The expression is complete and something follows.
    Unexpected {
        /// The token that follows.
        found: Box<str>,
    },
    /// A bracket is never closed. The related span is the opening one.
    Unclosed(Bracket),
    /// A closing bracket without an opening one.
    Unopened(Bracket),
    /// A closing bracket that does not match the open one. The related span is the opening one.
    WrongCloser {
        /// The open bracket.
        expected: Bracket,
        /// The source text.
        found: Bracket,
    },
    /// Two arguments, elements or entries without a comma between.
    MissingComma {
        /// The second one's first token.
        found: Box<str>,
    },
    /// A comma before the closing parenthesis of a call.
    TrailingComma,
    /// No name after a dot.
    ExpectedField {
        /// The token found instead.
        found: Option<Box<str>>,
    },
    /// A field called `in`, `true`, `false` or `null`.
    KeywordAsField {
        /// The keyword.
        keyword: Box<str>,
    },
    /// A missing field name in a struct.
    ExpectedFieldName {
        /// The token found instead.
        found: Option<Box<str>>,
    },
    /// No `:` between key and value.
    ExpectedColon {
        /// The token found instead.
        found: Option<Box<str>>,
    },
    /// No `:` in `a ? b : c`. The related span is the `?`.
    ConditionalWithoutElse {
        /// The token found instead.
        found: Option<Box<str>>,
    },
    /// `a ? b ? c : d : e`.
    NestedConditional,
    /// `!-a` or `-!a`.
    MixedUnary {
        /// The second operator.
        second: char,
    },
    /// Parentheses after something that is not the name of a function.
    NotCallable,
    /// Braces after something that is not the name of a type.
    NotAType,
    /// An operator or a symbol of another language.
    ForeignOperator {
        /// The source text.
        found: Box<str>,
        /// The advice, as a sentence.
        advice: &'static str,
    },
    /// `=>` or `->` in place of the comma after the variable of a macro.
    Arrow {
        /// The source text.
        found: Box<str>,
    },
    /// A comma in parentheses around an expression, as in `x in ('a', 'b')`.
    ListInParentheses,
    /// A word of another language between or before operands, such as `and`.
    WordOperator {
        /// The source text.
        found: Box<str>,
        /// The advice, as a sentence.
        advice: &'static str,
    },
    /// `#` at the beginning of what looks like a comment.
    HashComment,
    /// `/* … */`
    BlockComment,
    /// A typographic quotation mark.
    SmartQuote(char),
    /// An invisible character, such as a no-break space.
    InvisibleCharacter(char),
    /// A name with letters outside ASCII.
    NonAsciiName {
        /// The name.
        name: Box<str>,
    },
    /// A placeholder of a template language, such as `{{ .Values.x }}`.
    Template {
        /// The opening delimiter.
        open: &'static str,
    },
    /// A quotation mark within a string that ends the string, as in `'it's'`.
    QuoteInString {
        /// The mark.
        quote: char,
    },
    /// Any other character that CEL does not have.
    UnknownCharacter(char),
    /// A name in backticks.
    Backticks {
        /// The name inside; empty if the closing backtick is missing.
        name: Box<str>,
        /// The position of the name.
        place: EscapedPlace,
    },
    /// The closing quote is missing.
    UnterminatedString {
        /// The quote: one or three characters.
        quote: &'static str,
        /// Whether the line ends before the expression does.
        at_line_end: bool,
    },
    /// A wrong escape in a string or in bytes.
    BadEscape(EscapeError),
    /// A prefix of a string that CEL does not have.
    StringPrefix {
        /// The source text.
        found: Box<str>,
    },
    /// A signed integer that does not fit 64 bits.
    IntRange {
        /// Whether it would fit as an unsigned one.
        fits_uint: bool,
    },
    /// An unsigned integer that does not fit 64 bits.
    UintRange,
    /// A floating point number that is too large.
    DoubleRange,
    /// A malformed number, such as `1.`, `0b1` or `1_000`.
    MalformedNumber {
        /// The source text.
        found: Box<str>,
        /// The advice, as a sentence.
        advice: &'static str,
    },
    /// A reserved word as a name.
    Reserved {
        /// The word.
        word: Box<str>,
    },
    /// The argument of `has` is not a field selection.
    HasArgument,
    /// The variable of a macro is not a name.
    MacroVariable(MacroKind),
    /// Both variables of a macro have one name.
    DuplicateVariable {
        /// The name.
        name: Box<str>,
    },
    /// A macro's variable is called `__result__`.
    AccumulatorVariable,
    /// `sortBy` of a value that cannot be sorted.
    SortByTarget,
    /// The expression is longer than the API server accepts.
    TooLong {
        /// Its length in code points.
        code_points: usize,
    },
    /// Brackets or operators are nested deeper than the API server reads.
    NestedTooDeep,
    /// A chain of operators, fields or calls is longer than the API server accepts.
    ChainTooLong,
    /// The source after an error is longer than cel-go skips.
    SkippedTooMuch,
}

impl SyntaxError {
    /// Returns the offset, in bytes, at which cel-go reports the error; `None` if it reports no
    /// position, as for the limits. It can differ from the span: cel-go reports a missing
    /// operand at the token after the gap, or at the very end of the source.
    #[must_use]
    pub const fn upstream_offset(&self) -> Option<u32> {
        self.upstream_offset
    }
}

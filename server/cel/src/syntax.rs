//! The syntax of CEL.
//!
//! [`parse`] turns any text into a tree and a list of what is wrong with it. It accepts what
//! the API server accepts and nothing else, and it gives every node, operator and name its
//! range, also in a text that is half-written.

mod ast;
mod error;
mod expansion;
mod foreign;
mod lexer;
mod limits;
mod literal;
mod macros;
mod message;
mod parser;
mod reserved;
mod scope;
mod token;
mod upstream;
mod walk;

pub use ast::{
    Ast, BinaryOperator, Element, Entry, Expr, ExprId, ExprKind, Field, Literal, Name, Precedence,
    UnaryOperator,
};
pub use error::{Bracket, Related, SyntaxError, SyntaxErrorKind};
pub use lexer::{Tokens, tokens};
pub use limits::{MAX_CODE_POINTS, MAX_ERRORS, MAX_NESTING};
pub use literal::EscapeError;
pub use macros::{MacroCall, MacroKind};
pub use reserved::{RESERVED, has_identifier_form, is_identifier, is_reserved};
pub use scope::{Binding, IdentRole, IdentUse};
pub use token::{Token, TokenKind};
pub use upstream::{UpstreamLocation, upstream_display, upstream_location};
pub use walk::{Children, QualifiedName};

use text::Span;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Parse {
    /// The tree, complete where the text is right.
    pub ast: Ast,
    /// What is wrong, by place.
    pub errors: Vec<SyntaxError>,
    /// The comments, with their `//`, without the end of the line.
    pub comments: Vec<Span>,
}

impl Parse {
    /// Whether the API server accepts the syntax.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.errors.is_empty()
    }
}

/// Parses a text. Never fails: what is wrong is in [`Parse::errors`].
#[must_use]
pub fn parse(text: &str) -> Parse {
    let parsed = parser::parse(text);
    let mut errors = parsed.errors;
    if !parsed.stopped {
        errors.extend(expansion::check(&parsed.ast, parsed.faults));
    }
    errors.sort_by_key(|error| error.span.start());
    errors.truncate(MAX_ERRORS);
    Parse {
        ast: parsed.ast,
        errors,
        comments: parsed.comments,
    }
}

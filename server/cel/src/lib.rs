//! The Common Expression Language.
//!
//! The crate knows CEL as a language and nothing of YAML, of files or of editors. Of
//! Kubernetes it knows only that it follows cel-go as the API server sets it up. A text is
//! parsed by [`syntax::parse`] to a tree that keeps every range, also where the text is
//! broken.

pub mod syntax;

pub use syntax::{Ast, Expr, ExprId, ExprKind, Parse, SyntaxError, parse};

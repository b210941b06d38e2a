//! The Common Expression Language.
//!
//! The crate knows CEL as a language and nothing of YAML, of files or of editors. Of
//! Kubernetes it knows only that it follows cel-go as the API server sets it up. A text is
//! parsed by [`syntax::parse`] to a tree that keeps every range, also where the text is
//! broken. [`expand`] takes its macros away, [`types`] are what the checker gives every node,
//! [`library`] is the shape in which functions are declared, [`stdlib`] and [`ext`] are the
//! functions, [`eval`] runs an expression and
//! [`cost`] says what it takes.

pub mod check;
pub mod cost;
pub mod env;
pub mod eval;
pub mod expand;
pub mod ext;
pub mod library;
pub mod regex;
pub mod stdlib;
pub mod syntax;
pub mod types;
pub mod value;

pub use env::Env;
pub use library::{Function, Library, Overload, Version};
pub use syntax::{Ast, Expr, ExprId, ExprKind, Parse, SyntaxError, parse};
pub use types::Type;
pub use value::Value;

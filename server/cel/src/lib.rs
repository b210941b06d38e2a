//! The Common Expression Language.
//!
//! The crate implements CEL as a language and depends on neither YAML, files nor editors. It
//! follows cel-go as the API server configures it. [`syntax::parse`] turns a string into a tree
//! that keeps every range, even if the string is malformed, and [`expand`] expands the macros.
//! [`check`] finds the [`types`], [`estimate`] the cost before an expression runs, and [`eval`]
//! runs it. Functions are declared in a [`library`]: [`stdlib`] and [`ext`] declare those of CEL.

pub mod changes;
pub mod check;
pub mod cost;
pub mod env;
pub mod estimate;
pub mod eval;
pub mod expand;
pub mod ext;
pub mod format;
pub mod format_string;
pub mod library;
pub mod regex;
pub mod stdlib;
pub mod syntax;
pub mod types;
pub mod value;

pub use env::Env;
pub use library::{Function, Library, Overload, Since};
pub use syntax::{Ast, Expr, ExprId, ExprKind, Parse, SyntaxError, parse};
pub use types::Type;
pub use value::Value;

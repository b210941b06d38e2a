//! YAML as Kubernetes reads it.
//!
//! The crate turns a file into documents and nodes with exact byte ranges, and every scalar
//! into its decoded string with a [`text::SourceMap`]. It continues after an error, because a
//! file in an editor is broken most of the time. It is independent of CEL and of Kubernetes'
//! kinds.
//!
//! [`parse`] returns a [`Stream`]; its [`Document`]s hold [`Node`]s, which are [`Mapping`]s,
//! [`Sequence`]s and [`Scalar`]s.

mod chars;
mod decode;
pub mod edit;
mod error;
mod json;
mod mappings;
mod merge;
mod parser;
mod split;
mod stream;
mod style;
mod tree;
mod value;

pub use error::{SyntaxError, SyntaxErrorKind};
pub use mappings::mappings;
pub use parser::{parse, parse_documents};
pub use split::split;
pub use stream::{
    Comment, Document, Entry, Mapping, Node, NodeId, NodeKind, Scalar, Sequence, Stream,
};
pub use style::{BlockHeader, Chomping, ScalarStyle};
pub use value::Value;

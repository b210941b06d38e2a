//! Text and the positions in it.
//!
//! This crate handles bytes, lines and the map between a decoded string and the file that it
//! was written in. It is independent of YAML, CEL and the Language Server Protocol, so that
//! every other crate can use its offsets.
//!
//! Two kinds of offset exist and never mix: a [`TextRange`] is in a file, a [`Span`] is in a
//! decoded string such as a CEL expression. [`SourceMap`] is the only bridge.

mod base64;
pub mod checkpoint;
pub mod clean;
mod edit;
mod keys;
mod line_index;
pub mod memo;
mod nearest;
mod sentence;
mod source_map;
mod span;
mod surrogates;
mod template;

pub use base64::{decode_base64, encode_base64};
pub use edit::{EditError, TextEdit, apply_edits};
pub use keys::{Key, ValueType, key_of, keys_below};
pub use line_index::{Encoding, LineCol, LineIndex};
pub use nearest::{Suggestions, nearest};
pub use sentence::{capitalized, grouped, listed, listed_names, sentence};
pub use source_map::{SourceMap, SourceMapBuilder};
pub use span::Span;
pub use surrogates::without_lone_surrogates;
pub use template::template_len;
pub use text_size::{TextRange, TextSize};

//! Conversion between the types of the protocol and those of the analysis.
//!
//! This is the only module that converts between positions of the client and offsets, so that the
//! negotiated encoding is respected everywhere.

pub(crate) mod from_lsp;
mod positions;
pub(crate) mod to_lsp;

//! Conversion between the types of the protocol and those of the analysis.
//!
//! The only place where a position of the client becomes an offset and back, so that the negotiated
//! encoding is respected everywhere.

pub(crate) mod from_lsp;
mod positions;
pub(crate) mod to_lsp;

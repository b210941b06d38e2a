//! Messages on the wire: bytes become frames, frames become messages, and back.
//!
//! It implements the base protocol (JSON-RPC 2.0 with headers) independently of documents, so that
//! a malformed message gets its response before any handler runs.

pub(crate) mod framing;
pub(crate) mod message;
pub(crate) mod outgoing;
pub(crate) mod stdout;

pub(crate) use message::error;

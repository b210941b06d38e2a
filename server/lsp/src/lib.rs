//! The Language Server Protocol over standard input and output.
//!
//! The only crate that knows LSP types: it converts, keeps the open documents and asks
//! `ide` everything else. [`run_stdio`] is the server as an editor starts it; [`serve`] is
//! the same over any pair of streams.
//!
//! Invariant: a document changes only where its notification is handled, before that
//! handler waits for anything; every other part works on a [`documents::Snapshot`], which
//! never changes. Findings are published by one task per document, so an older version
//! never follows a newer one. No handler waits for an answer of the client.

mod analysis;
mod candidates;
mod capabilities;
mod client_process;
mod coalescer;
mod commands;
mod configuration;
mod connection;
mod convert;
mod create_input;
mod documents;
mod evaluation;
mod handlers;
mod inputs;
mod log;
mod panics;
mod projects;
mod publish;
mod refresh;
mod samples;
mod server;
mod session;
mod stdio;
mod transport;
mod trial;

pub use analysis::{Analysis, Ide};
pub use connection::{Exit, serve};
pub use session::Options;
pub use stdio::run_stdio;

//! The Language Server Protocol over standard input and output.
//!
//! The only crate with LSP types: it converts them, keeps the open documents and calls `ide`
//! for everything else. [`run_stdio`] is the server as an editor starts it; [`serve`] is the
//! same over any pair of streams.
//!
//! Invariant: a document changes only where its notification is handled, before that handler waits
//! for anything; every other part works on a [`state::documents::Snapshot`], which never changes.
//! Findings are published by one task per document, so an older version never follows a newer one.
//! No handler waits for a response of the client.

mod analysis;
mod capabilities;
mod client_process;
mod coalescer;
mod commands;
mod connection;
mod convert;
mod events;
mod handlers;
mod log;
mod panics;
mod rule_pages;
mod server;
mod session;
mod state;
mod stdio;
mod tasks;
mod transport;
mod workers;

pub use analysis::{Analysis, Ide};
pub use connection::{Exit, serve};
pub use session::Options;
pub use stdio::run_stdio;

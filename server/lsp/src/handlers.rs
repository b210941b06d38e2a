//! What the server does for each message of the client.
//!
//! A handler of a document takes its snapshot before it waits for anything; the analysis
//! runs on another thread. A handler of a notification changes what it has to and starts
//! the rest as a task, so that the next message never waits for it.

pub(crate) mod code_actions;
pub(crate) mod code_lens;
pub(crate) mod completion;
pub(crate) mod configuration;
pub(crate) mod diagnostics;
pub(crate) mod document_symbols;
pub(crate) mod execute_command;
pub(crate) mod hover;
pub(crate) mod initialize;
pub(crate) mod inlay_hints;
pub(crate) mod text_document;
pub(crate) mod workspace_folders;

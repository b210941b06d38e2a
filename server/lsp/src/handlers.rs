//! One handler for each message of the client.
//!
//! A handler takes its snapshot before it waits for anything; the analysis runs on another
//! thread. A handler of a notification applies the change and reports it to [`crate::events`],
//! so that the next message never waits for its effects.

pub(crate) mod call_hierarchy;
pub(crate) mod code_actions;
pub(crate) mod code_lens;
pub(crate) mod completion;
mod create_input;
pub(crate) mod definition;
pub(crate) mod diagnostics;
pub(crate) mod document_highlight;
pub(crate) mod document_link;
pub(crate) mod document_symbols;
mod evaluation;
pub(crate) mod execute_command;
pub(crate) mod folding_range;
pub(crate) mod formatting;
pub(crate) mod hover;
pub(crate) mod initialize;
pub(crate) mod inlay_hints;
mod other_files;
mod param_refs;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod selection_range;
pub(crate) mod semantic_tokens;
pub(crate) mod signature_help;
pub(crate) mod text_document;
pub(crate) mod text_document_content;
pub(crate) mod type_definition;
pub(crate) mod workspace;
pub(crate) mod workspace_diagnostics;
pub(crate) mod workspace_symbol;

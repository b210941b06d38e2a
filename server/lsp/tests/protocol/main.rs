//! Protocol tests with the real server over a stream in memory.
//!
//! One module per feature. The analysis is scripted: a test chooses its findings, when it ends
//! and whether it panics. So the order of events is deterministic.

#![cfg(test)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "JSON reads best written where it is used"
)]

mod analysis;
mod cancellation;
mod code_actions;
mod completion;
mod configuration;
mod diagnostics;
mod document_symbols;
mod edits;
mod encodings;
mod evaluation;
mod every_offset;
mod formatting;
mod hostile;
mod hover;
mod initialize;
mod inputs;
mod live;
mod malformed;
mod many_documents;
mod navigation;
mod panics;
mod projects;
mod publish;
mod scheduling;
mod semantic_tokens;
mod server;
#[path = "../../../../tests/shapes/mod.rs"]
mod shape;
mod shapes;
mod signature_help;
mod text_document;
mod text_document_content;
mod workspace_diagnostics;
mod workspace_folders;

//! One function for each editor feature, from text to plain data.
//!
//! The crate works with byte ranges and strings. It does no I/O and does not depend on the
//! protocol, so the command line, the language server and the tests share it. A [`SourceFile`] is
//! immutable, and every feature borrows it.

mod call_hierarchy;
mod code_actions;
mod code_lens;
mod completion;
mod definition;
pub mod diagnostics;
mod document_links;
mod document_symbols;
mod explain;
mod file;
mod fix_all;
#[cfg(test)]
mod fixture;
mod folding_ranges;
mod formatting;
mod hover;
mod inlay_hints;
mod kind_fields;
mod manifest_schema;
mod new_policy;
mod param_refs;
mod presence;
mod project;
mod references;
mod rename;
mod report;
mod results;
mod schema_lines;
mod selection_ranges;
mod self_schema;
mod semantic_tokens;
mod settings;
mod signature;
mod signature_help;
mod skeleton;
mod suppression;
mod target;
mod units;

pub use call_hierarchy::{
    HierarchyCall, HierarchyItem, hierarchy_item, incoming_calls, outgoing_calls,
};
pub use code_actions::{
    ActionKind, CodeAction, FixableRule, NewFile, binding_file, code_actions, fixable_rules,
    fixed_text, refactorings,
};
pub use code_lens::{CodeLens, LensTarget, NO_INPUT, code_lenses, lens_title};
pub use completion::{Completion, CompletionKind, MAX_COMPLETIONS, completion};
pub use definition::{Access, Definition, Occurrence};
pub use diagnostics::{Rule, diagnose};
pub use document_links::{DocumentLink, LinkTarget, document_links};
pub use document_symbols::{Symbol, SymbolKind, document_symbols};
pub use explain::{Explanation, Topic, explain, explain_custom, find_resource};
pub use file::{FileInputs, SourceFile};
pub use fix_all::{FixAll, Fixed};
pub use folding_ranges::folding_ranges;
pub use formatting::{
    Formatting, LINE_WIDTH, Unformatted, UnformattedReason, format_on_type, formatting,
};
pub use hover::{Hover, hover};
pub use inlay_hints::{HintSettings, InlayHint, InlayHintKind, Tooltip, inlay_hints, type_hints};
pub use new_policy::{INTENTS, Intent, NewPolicy, new_policy};
pub use param_refs::{
    ParamObject, ParamSelection, files_with_param_refs, files_with_params, param_object,
    param_refs, param_selection, params,
};
pub use project::{
    BindingSummary, FileSummary, Location, ObjectSummary, PolicySummary, Project, SelectedNames,
    SymbolSummary, Symbols,
};
pub use references::{files_with_definition, name_at, occurrences, related_files};
pub use rename::{RenameError, prepare_rename, rename};
pub use report::{Diagnostic, Fix, Related, Safety, Severity, Tag};
pub use results::Results;
pub use schema_lines::{SchemaLine, SchemaPath, files_with_schema, schema_line, schema_paths};
pub use selection_ranges::selection_ranges;
pub use semantic_tokens::{
    SemanticModifier, SemanticModifiers, SemanticToken, SemanticTokenKind, semantic_tokens,
};
pub use settings::{CONFIG_FILE, CONFIG_KEYS, LINE_WIDTHS, Level, Settings, line_width};
pub use signature_help::{Parameter, Signature, SignatureHelp, signature_help};
pub use skeleton::{NO_DENIED_INPUT, skeleton};

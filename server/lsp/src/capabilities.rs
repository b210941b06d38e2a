//! The capabilities of the client, read once, and those of the server.
//!
//! The capabilities of a client are a deep tree of optional fields. They are reduced to the
//! questions that the server has, with the default of the protocol for missing fields.

mod file_operations;
mod inlay_hints;

pub(crate) use file_operations::{FileOperationCapabilities, WATCHED};

use crate::commands::COMMANDS;
use crate::rule_pages::RulePages;
use text::Encoding;
use tower_lsp_server::ls_types as lsp;

/// The capabilities of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Capabilities {
    /// The encoding of positions, in both directions.
    pub(crate) encoding: Encoding,
    /// For diagnostics.
    pub(crate) diagnostics: DiagnosticCapabilities,
    /// For responses.
    pub(crate) answers: AnswerCapabilities,
    /// For navigation and renames.
    pub(crate) navigation: NavigationCapabilities,
    /// For the workspace.
    pub(crate) workspace: WorkspaceCapabilities,
    /// For evaluations.
    pub(crate) evaluation: EvaluationCapabilities,
    /// The client shows the progress of long work.
    pub(crate) shows_progress: bool,
}

/// The capabilities for diagnostics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DiagnosticCapabilities {
    /// The client requests diagnostics. It would show pushed diagnostics in addition, so nothing is
    /// pushed.
    pub(crate) pull: bool,
    /// Related locations.
    pub(crate) related: bool,
    /// A link to the page of a rule.
    pub(crate) code_description: bool,
    /// Where the page of a rule is opened.
    pub(crate) rule_pages: RulePages,
    /// Data that is preserved for `textDocument/codeAction`.
    pub(crate) data: bool,
    /// The supported tags.
    pub(crate) tags: Vec<lsp::DiagnosticTag>,
}

/// The capabilities for responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AnswerCapabilities {
    /// Nested symbols.
    pub(crate) nested_symbols: bool,
    /// Code actions with an edit, not only commands.
    pub(crate) code_actions: bool,
    /// Preferred code actions.
    pub(crate) preferred: bool,
    /// Code actions whose edit is requested when they are chosen.
    pub(crate) resolved_edits: bool,
    /// Edits that a user confirms.
    pub(crate) confirmed_edits: bool,
    /// Edits with the version of their document.
    pub(crate) versioned_edits: bool,
    /// Edits that create files.
    pub(crate) creates_files: bool,
    /// Edits that rename files, after versioned edits of documents.
    pub(crate) renames_files: bool,
    /// Edits that the server sends with `workspace/applyEdit`.
    pub(crate) applies_edits: bool,
    /// Markdown in hovers.
    pub(crate) hover_markdown: bool,
    /// Markdown in completions.
    pub(crate) completion_markdown: bool,
    /// Completions whose documentation is requested when they are selected.
    pub(crate) resolved_documentation: bool,
    /// Inlay hints whose tooltip is requested when it is shown.
    pub(crate) resolved_tooltips: bool,
    /// Completions that place the cursor.
    pub(crate) snippets: bool,
    /// For signatures.
    pub(crate) signatures: SignatureCapabilities,
}

/// The capabilities for signature help.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SignatureCapabilities {
    /// Markdown.
    pub(crate) markdown: bool,
    /// Parameters as ranges of the label.
    pub(crate) label_offsets: bool,
    /// An active parameter for each signature.
    pub(crate) active_parameter: bool,
}

/// The capabilities for navigation and renames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NavigationCapabilities {
    /// Definitions with the range of the name that refers to them.
    pub(crate) definition_links: bool,
    /// The same for declarations.
    pub(crate) declaration_links: bool,
    /// The same for definitions of types.
    pub(crate) type_definition_links: bool,
    /// A check before the new name is entered.
    pub(crate) prepares_rename: bool,
}

/// The capabilities for the workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WorkspaceCapabilities {
    /// `workspace/configuration`.
    pub(crate) configuration: bool,
    /// Dynamic registration for changed settings.
    pub(crate) watches_configuration: bool,
    /// Dynamic registration for changed files.
    pub(crate) watches_files: bool,
    /// The operations on files of which the client notifies the server.
    pub(crate) file_operations: FileOperationCapabilities,
    /// `workspace/diagnostic/refresh`.
    pub(crate) diagnostic_refresh: bool,
    /// `workspace/semanticTokens/refresh`.
    pub(crate) semantic_tokens_refresh: bool,
}

/// The capabilities for evaluations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EvaluationCapabilities {
    /// `workspace/codeLens/refresh`.
    pub(crate) refreshes_lenses: bool,
    /// `workspace/inlayHint/refresh`.
    pub(crate) refreshes_hints: bool,
    /// The client shows the results of commands itself: the experimental capability
    /// `admissible.showsResults`.
    pub(crate) shows_results: bool,
}

impl EvaluationCapabilities {
    /// Returns whether lenses or values can be refreshed.
    pub(crate) const fn can_refresh(self) -> bool {
        self.refreshes_lenses || self.refreshes_hints
    }
}

impl Capabilities {
    /// Reads the capabilities that a client has sent.
    pub(crate) fn new(client: &lsp::ClientCapabilities) -> Self {
        let general = client.general.as_ref();
        let offered = general.and_then(|general| general.position_encodings.as_deref());
        Self {
            encoding: encoding(offered.unwrap_or_default()),
            diagnostics: DiagnosticCapabilities {
                rule_pages: RulePages::from_experimental(client.experimental.as_ref()),
                ..diagnostics(client.text_document.as_ref())
            },
            answers: answers(client),
            navigation: navigation(client.text_document.as_ref()),
            workspace: workspace(client.workspace.as_ref()),
            evaluation: evaluation(client),
            shows_progress: client
                .window
                .as_ref()
                .and_then(|window| window.work_done_progress)
                .unwrap_or(false),
        }
    }
}

/// Returns the first encoding of the client that the server supports.
fn encoding(offered: &[lsp::PositionEncodingKind]) -> Encoding {
    let supported = offered.iter().find_map(|kind| match kind.as_str() {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    });
    supported.unwrap_or(Encoding::Utf16)
}

fn diagnostics(client: Option<&lsp::TextDocumentClientCapabilities>) -> DiagnosticCapabilities {
    let Some(client) = client else {
        return DiagnosticCapabilities::default();
    };
    let publish = client.publish_diagnostics.as_ref();
    let has = |field: fn(&lsp::PublishDiagnosticsClientCapabilities) -> Option<bool>| {
        publish.and_then(field).unwrap_or(false)
    };
    DiagnosticCapabilities {
        pull: client.diagnostic.is_some(),
        related: has(|publish| publish.related_information),
        code_description: has(|publish| publish.code_description_support),
        data: has(|publish| publish.data_support),
        tags: publish
            .and_then(|publish| publish.tag_support.as_ref())
            .map(|tags| tags.value_set.clone())
            .unwrap_or_default(),
        ..DiagnosticCapabilities::default()
    }
}

fn answers(client: &lsp::ClientCapabilities) -> AnswerCapabilities {
    let document = client.text_document.as_ref();
    let symbols = document.and_then(|document| document.document_symbol.as_ref());
    let actions = document.and_then(|document| document.code_action.as_ref());
    let workspace = client.workspace.as_ref();
    let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
    let hover = document.and_then(|document| document.hover.as_ref());
    let hover_formats = hover.and_then(|hover| hover.content_format.as_deref());
    let completion = document.and_then(|document| document.completion.as_ref());
    let items = completion.and_then(|completion| completion.completion_item.as_ref());
    let documentation = items.and_then(|item| item.documentation_format.as_deref());
    let operations = edits.and_then(|edits| edits.resource_operations.as_deref());
    let operations = operations.unwrap_or_default();
    let versioned_edits = edits
        .and_then(|edits| edits.document_changes)
        .unwrap_or(false);
    AnswerCapabilities {
        nested_symbols: symbols
            .and_then(|symbols| symbols.hierarchical_document_symbol_support)
            .unwrap_or(false),
        code_actions: actions.is_some_and(|it| it.code_action_literal_support.is_some()),
        preferred: actions
            .and_then(|actions| actions.is_preferred_support)
            .unwrap_or(false),
        resolved_edits: actions.is_some_and(resolves_edits),
        confirmed_edits: edits.is_some_and(|edits| edits.change_annotation_support.is_some()),
        versioned_edits,
        creates_files: operations.contains(&lsp::ResourceOperationKind::Create),
        renames_files: versioned_edits && operations.contains(&lsp::ResourceOperationKind::Rename),
        applies_edits: workspace
            .and_then(|workspace| workspace.apply_edit)
            .unwrap_or(false),
        hover_markdown: markdown(hover_formats),
        completion_markdown: markdown(documentation),
        resolved_documentation: items
            .and_then(|item| item.resolve_support.as_ref())
            .is_some_and(|it| it.properties.iter().any(|it| it == "documentation")),
        resolved_tooltips: inlay_hints::resolves_tooltips(document),
        snippets: items.and_then(|item| item.snippet_support).unwrap_or(false),
        signatures: signatures(document.and_then(|document| document.signature_help.as_ref())),
    }
}

fn markdown(formats: Option<&[lsp::MarkupKind]>) -> bool {
    formats.is_some_and(|formats| formats.contains(&lsp::MarkupKind::Markdown))
}

fn signatures(client: Option<&lsp::SignatureHelpClientCapabilities>) -> SignatureCapabilities {
    let Some(client) = client.and_then(|client| client.signature_information.as_ref()) else {
        return SignatureCapabilities::default();
    };
    let parameters = client.parameter_information.as_ref();
    SignatureCapabilities {
        markdown: markdown(client.documentation_format.as_deref()),
        label_offsets: parameters
            .and_then(|parameters| parameters.label_offset_support)
            .unwrap_or(false),
        active_parameter: client.active_parameter_support.unwrap_or(false),
    }
}

fn navigation(client: Option<&lsp::TextDocumentClientCapabilities>) -> NavigationCapabilities {
    let Some(client) = client else {
        return NavigationCapabilities::default();
    };
    let links = |capability: Option<lsp::GotoCapability>| {
        capability.and_then(|it| it.link_support).unwrap_or(false)
    };
    let rename = client.rename.as_ref();
    NavigationCapabilities {
        definition_links: links(client.definition),
        declaration_links: links(client.declaration),
        type_definition_links: links(client.type_definition),
        prepares_rename: rename.and_then(|it| it.prepare_support).unwrap_or(false),
    }
}

fn resolves_edits(actions: &lsp::CodeActionClientCapabilities) -> bool {
    let resolved = actions.resolve_support.as_ref();
    let has_edit = resolved.is_some_and(|it| it.properties.iter().any(|it| it == "edit"));
    has_edit && actions.data_support == Some(true)
}

fn workspace(client: Option<&lsp::WorkspaceClientCapabilities>) -> WorkspaceCapabilities {
    let Some(client) = client else {
        return WorkspaceCapabilities::default();
    };
    let settings = client.did_change_configuration.as_ref();
    let files = client.did_change_watched_files.as_ref();
    let diagnostics = client.diagnostics.as_ref();
    let tokens = client.semantic_tokens.as_ref();
    WorkspaceCapabilities {
        configuration: client.configuration.unwrap_or(false),
        watches_configuration: settings
            .and_then(|settings| settings.dynamic_registration)
            .unwrap_or(false),
        watches_files: files
            .and_then(|files| files.dynamic_registration)
            .unwrap_or(false),
        file_operations: file_operations::of_client(client.file_operations.as_ref()),
        diagnostic_refresh: diagnostics
            .and_then(|diagnostics| diagnostics.refresh_support)
            .unwrap_or(false),
        semantic_tokens_refresh: tokens
            .and_then(|tokens| tokens.refresh_support)
            .unwrap_or(false),
    }
}

/// The characters after which a client requests completions: a field comes after a dot or a brace,
/// a string after a quote, a part of a JSON pointer after a slash, an element after a bracket.
const TRIGGERS: [&str; 6] = [".", "'", "\"", "{", "/", "["];

/// The characters after which a client requests signatures.
const SIGNATURE_TRIGGERS: [&str; 3] = ["(", ",", "{"];

/// The characters after which a client requests signatures again while it shows some.
const SIGNATURE_RETRIGGERS: [&str; 2] = [")", "}"];

fn evaluation(client: &lsp::ClientCapabilities) -> EvaluationCapabilities {
    let workspace = client.workspace.as_ref();
    let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
    let hints = workspace.and_then(|workspace| workspace.inlay_hint.as_ref());
    let ours = client.experimental.as_ref();
    let shows = ours.and_then(|ours| ours.get("admissible")?.get("showsResults"));
    EvaluationCapabilities {
        refreshes_lenses: lenses
            .and_then(|lenses| lenses.refresh_support)
            .unwrap_or(false),
        refreshes_hints: hints
            .and_then(|hints| hints.refresh_support)
            .unwrap_or(false),
        shows_results: shows.and_then(serde_json::Value::as_bool).unwrap_or(false),
    }
}

/// Returns the capabilities of the server. `tokens` is the legend of the semantic tokens.
pub(crate) fn server(
    client: &Capabilities,
    tokens: lsp::SemanticTokensLegend,
) -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        position_encoding: Some(match client.encoding {
            Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
            Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
            Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
        }),
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(synchronization())),
        document_symbol_provider: Some(lsp::OneOf::Left(true)),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(TRIGGERS.map(str::to_owned).to_vec()),
            resolve_provider: Some(client.answers.resolved_documentation),
            ..lsp::CompletionOptions::default()
        }),
        signature_help_provider: Some(signature_help()),
        semantic_tokens_provider: Some(semantic_tokens(tokens).into()),
        code_action_provider: code_actions(client),
        diagnostic_provider: Some(lsp::DiagnosticServerCapabilities::Options(
            lsp::DiagnosticOptions {
                identifier: Some("admissible".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                ..lsp::DiagnosticOptions::default()
            },
        )),
        code_lens_provider: Some(lsp::CodeLensOptions {
            resolve_provider: Some(true),
        }),
        inlay_hint_provider: Some(inlay_hints::of_server(client)),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: COMMANDS.map(str::to_owned).to_vec(),
            ..lsp::ExecuteCommandOptions::default()
        }),
        workspace: Some(folders(client)),
        ..navigation_of_server(client)
    }
}

/// Returns the capabilities for navigation, and no others.
fn navigation_of_server(client: &Capabilities) -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        definition_provider: Some(lsp::OneOf::Left(true)),
        declaration_provider: Some(lsp::DeclarationCapability::Simple(true)),
        type_definition_provider: Some(lsp::TypeDefinitionProviderCapability::Simple(true)),
        references_provider: Some(lsp::OneOf::Left(true)),
        workspace_symbol_provider: Some(lsp::OneOf::Left(true)),
        document_link_provider: Some(lsp::DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
        }),
        folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(lsp::SelectionRangeProviderCapability::Simple(true)),
        call_hierarchy_provider: Some(lsp::CallHierarchyServerCapability::Simple(true)),
        document_highlight_provider: Some(lsp::OneOf::Left(true)),
        rename_provider: Some(rename(client)),
        ..formatting()
    }
}

/// Returns the capabilities for formatting. Only a new line is formatted while typing.
fn formatting() -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        document_formatting_provider: Some(lsp::OneOf::Left(true)),
        document_range_formatting_provider: Some(lsp::OneOf::Left(true)),
        document_on_type_formatting_provider: Some(lsp::DocumentOnTypeFormattingOptions {
            first_trigger_character: "\n".to_owned(),
            more_trigger_character: None,
        }),
        ..lsp::ServerCapabilities::default()
    }
}

fn signature_help() -> lsp::SignatureHelpOptions {
    lsp::SignatureHelpOptions {
        trigger_characters: Some(SIGNATURE_TRIGGERS.map(str::to_owned).to_vec()),
        retrigger_characters: Some(SIGNATURE_RETRIGGERS.map(str::to_owned).to_vec()),
        ..lsp::SignatureHelpOptions::default()
    }
}

fn semantic_tokens(legend: lsp::SemanticTokensLegend) -> lsp::SemanticTokensOptions {
    lsp::SemanticTokensOptions {
        legend,
        range: Some(true),
        full: Some(lsp::SemanticTokensFullOptions::Delta { delta: Some(true) }),
        ..lsp::SemanticTokensOptions::default()
    }
}

/// The kind of the action that applies all safe fixes.
pub(crate) const FIX_ALL: &str = "source.fixAll.admissible";

fn code_actions(client: &Capabilities) -> Option<lsp::CodeActionProviderCapability> {
    let mut kinds = vec![
        lsp::CodeActionKind::QUICKFIX,
        FIX_ALL.into(),
        lsp::CodeActionKind::REFACTOR_EXTRACT,
        lsp::CodeActionKind::REFACTOR_INLINE,
        lsp::CodeActionKind::REFACTOR_REWRITE,
    ];
    if client.answers.creates_files {
        kinds.push(lsp::CodeActionKind::REFACTOR);
    }
    let options = lsp::CodeActionOptions {
        code_action_kinds: Some(kinds),
        resolve_provider: Some(client.answers.resolved_edits),
        ..lsp::CodeActionOptions::default()
    };
    let provider = lsp::CodeActionProviderCapability::Options(options);
    client.answers.code_actions.then_some(provider)
}

/// A client that does not prepare renames rejects the option.
fn rename(client: &Capabilities) -> lsp::OneOf<bool, lsp::RenameOptions> {
    if !client.navigation.prepares_rename {
        return lsp::OneOf::Left(true);
    }
    lsp::OneOf::Right(lsp::RenameOptions {
        prepare_provider: Some(true),
        work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
    })
}

fn folders(client: &Capabilities) -> lsp::WorkspaceServerCapabilities {
    lsp::WorkspaceServerCapabilities {
        workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(lsp::OneOf::Left(true)),
        }),
        file_operations: file_operations::of_server(client.workspace),
    }
}

fn synchronization() -> lsp::TextDocumentSyncOptions {
    lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
        // The saved text repairs a document that is out of sync.
        save: Some(lsp::TextDocumentSyncSaveOptions::SaveOptions(
            lsp::SaveOptions {
                include_text: Some(true),
            },
        )),
        ..lsp::TextDocumentSyncOptions::default()
    }
}

#[cfg(test)]
mod tests;

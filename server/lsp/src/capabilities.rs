//! The capabilities of the client, read once, and those of the server.
//!
//! The capabilities of a client are a deep tree of optional fields. They are reduced to the facts
//! that the server needs, with the default of the protocol for missing fields.

mod file_operations;

pub(crate) use file_operations::{FileOperationCapabilities, WATCHED};

use crate::commands::COMMANDS;
use crate::rule_pages::RulePages;
use serde::Deserialize;
use serde_json::Value;
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
    /// Whether links are supported for declarations.
    pub(crate) declaration_links: bool,
    /// Whether links are supported for definitions of types.
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

/// The capabilities as a client has sent them, by their names in the protocol.
#[derive(Clone, Copy)]
struct Sent<'c>(&'c Value);

impl Sent<'_> {
    /// Returns whether the client has named something at all.
    fn names(&self, path: &str) -> bool {
        self.0.pointer(path).is_some_and(|it| !it.is_null())
    }

    /// Returns whether the client supports something.
    fn supports(&self, path: &str) -> bool {
        self.0.pointer(path).is_some_and(|it| *it == true)
    }

    /// Returns a list of the client.
    fn list(&self, path: &str) -> &[Value] {
        let list = self.0.pointer(path).and_then(Value::as_array);
        list.map_or(&[], Vec::as_slice)
    }

    /// Returns whether a list of the client contains a string.
    fn lists(&self, path: &str, word: &str) -> bool {
        self.list(path).iter().any(|it| it == word)
    }
}

impl Capabilities {
    /// Reads the capabilities that a client has sent, as the field `capabilities` of `initialize`.
    pub(crate) fn new(client: &Value) -> Self {
        let sent = Sent(client);
        Self {
            encoding: encoding(sent),
            diagnostics: diagnostics(sent),
            answers: answers(sent),
            navigation: NavigationCapabilities {
                definition_links: sent.supports("/textDocument/definition/linkSupport"),
                declaration_links: sent.supports("/textDocument/declaration/linkSupport"),
                type_definition_links: sent.supports("/textDocument/typeDefinition/linkSupport"),
                prepares_rename: sent.supports("/textDocument/rename/prepareSupport"),
            },
            workspace: workspace(sent),
            evaluation: EvaluationCapabilities {
                refreshes_lenses: sent.supports("/workspace/codeLens/refreshSupport"),
                refreshes_hints: sent.supports("/workspace/inlayHint/refreshSupport"),
                shows_results: sent.supports("/experimental/admissible/showsResults"),
            },
            shows_progress: sent.supports("/window/workDoneProgress"),
        }
    }
}

/// Returns the first encoding of the client that the server supports.
fn encoding(sent: Sent<'_>) -> Encoding {
    let offered = sent.list("/general/positionEncodings").iter();
    let mut supported = offered.filter_map(|kind| match kind.as_str()? {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    });
    let supported = supported.next();
    supported.unwrap_or(Encoding::Utf16)
}

fn diagnostics(sent: Sent<'_>) -> DiagnosticCapabilities {
    let publish = |name: &str| sent.supports(&format!("/textDocument/publishDiagnostics/{name}"));
    let tags = sent.list("/textDocument/publishDiagnostics/tagSupport/valueSet");
    let tags = tags.iter().map(lsp::DiagnosticTag::deserialize);
    DiagnosticCapabilities {
        pull: sent.names("/textDocument/diagnostic"),
        related: publish("relatedInformation"),
        code_description: publish("codeDescriptionSupport"),
        data: publish("dataSupport"),
        rule_pages: if sent.supports("/experimental/admissible/opensRulePages") {
            RulePages::Editor
        } else {
            RulePages::Web
        },
        tags: tags.filter_map(Result::ok).collect(),
    }
}

fn answers(sent: Sent<'_>) -> AnswerCapabilities {
    let document = |path: &str| format!("/textDocument/{path}");
    let supports = |path: &str| sent.supports(&document(path));
    let lists = |path: &str, word: &str| sent.lists(&document(path), word);
    let signature = |name: &str| supports(&format!("signatureHelp/signatureInformation/{name}"));
    let edits = |kind: &str| sent.lists("/workspace/workspaceEdit/resourceOperations", kind);
    let resolves =
        |path: &str, property: &str| lists(&format!("{path}/resolveSupport/properties"), property);
    let versioned_edits = sent.supports("/workspace/workspaceEdit/documentChanges");
    AnswerCapabilities {
        nested_symbols: supports("documentSymbol/hierarchicalDocumentSymbolSupport"),
        code_actions: sent.names("/textDocument/codeAction/codeActionLiteralSupport"),
        preferred: supports("codeAction/isPreferredSupport"),
        resolved_edits: resolves("codeAction", "edit") && supports("codeAction/dataSupport"),
        confirmed_edits: sent.names("/workspace/workspaceEdit/changeAnnotationSupport"),
        versioned_edits,
        creates_files: edits("create"),
        renames_files: versioned_edits && edits("rename"),
        applies_edits: sent.supports("/workspace/applyEdit"),
        hover_markdown: lists("hover/contentFormat", "markdown"),
        completion_markdown: lists("completion/completionItem/documentationFormat", "markdown"),
        resolved_documentation: resolves("completion/completionItem", "documentation"),
        resolved_tooltips: resolves("inlayHint", "tooltip"),
        snippets: supports("completion/completionItem/snippetSupport"),
        signatures: SignatureCapabilities {
            markdown: lists(
                "signatureHelp/signatureInformation/documentationFormat",
                "markdown",
            ),
            label_offsets: signature("parameterInformation/labelOffsetSupport"),
            active_parameter: signature("activeParameterSupport"),
        },
    }
}

fn workspace(sent: Sent<'_>) -> WorkspaceCapabilities {
    let supports = |path: &str| sent.supports(&format!("/workspace/{path}"));
    WorkspaceCapabilities {
        configuration: supports("configuration"),
        watches_configuration: supports("didChangeConfiguration/dynamicRegistration"),
        watches_files: supports("didChangeWatchedFiles/dynamicRegistration"),
        file_operations: FileOperationCapabilities {
            create: supports("fileOperations/didCreate"),
            rename: supports("fileOperations/didRename"),
            delete: supports("fileOperations/didDelete"),
        },
        diagnostic_refresh: supports("diagnostics/refreshSupport"),
        semantic_tokens_refresh: supports("semanticTokens/refreshSupport"),
    }
}

/// The characters after which a client requests completions: a field comes after a dot or a brace,
/// a string after a quote, a part of a JSON pointer after a slash, an element after a bracket.
const TRIGGERS: [&str; 6] = [".", "'", "\"", "{", "/", "["];

/// The characters after which a client requests signatures.
const SIGNATURE_TRIGGERS: [&str; 3] = ["(", ",", "{"];

/// The characters after which a client requests signatures again while it shows some.
const SIGNATURE_RETRIGGERS: [&str; 2] = [")", "}"];

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
        inlay_hint_provider: Some(lsp::OneOf::Right(inlay_hints(client))),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: COMMANDS.map(str::to_owned).to_vec(),
            ..lsp::ExecuteCommandOptions::default()
        }),
        workspace: Some(folders(client)),
        ..navigation_of_server(client)
    }
}

fn inlay_hints(client: &Capabilities) -> lsp::InlayHintServerCapabilities {
    lsp::InlayHintServerCapabilities::Options(lsp::InlayHintOptions {
        resolve_provider: Some(client.answers.resolved_tooltips),
        ..lsp::InlayHintOptions::default()
    })
}

/// Returns only the capabilities for navigation.
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

/// Returns the rename capability. A client that does not prepare renames rejects the option.
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

//! The methods of the server, each with its handler.
//!
//! A request that is not in [`METHODS`] receives an error response, and a notification without a
//! handler is ignored.

use crate::handlers::text_document_content::{Content, ContentParams};
use crate::handlers::{
    call_hierarchy, code_actions, code_lens, completion, definition, diagnostics,
    document_highlight, document_link, document_symbols, execute_command, folding_range,
    formatting, hover, initialize, inlay_hints, references, rename, selection_range,
    semantic_tokens, signature_help, text_document, text_document_content, type_definition,
    workspace, workspace_diagnostics, workspace_symbol,
};
use crate::rule_pages;
use crate::session::{Options, Session};
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;
use tower_lsp_server::{Client, LanguageServer};

/// The requests that have a handler.
pub(crate) const METHODS: &[&str] = &[
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "codeAction/resolve",
    "codeLens/resolve",
    "completionItem/resolve",
    "inlayHint/resolve",
    "initialize",
    "shutdown",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/completion",
    "textDocument/declaration",
    "textDocument/definition",
    "textDocument/diagnostic",
    "textDocument/documentHighlight",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/onTypeFormatting",
    "textDocument/prepareCallHierarchy",
    "textDocument/prepareRename",
    "textDocument/rangeFormatting",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/semanticTokens/range",
    "textDocument/signatureHelp",
    "textDocument/typeDefinition",
    "workspace/diagnostic",
    "workspace/executeCommand",
    "workspace/symbol",
    rule_pages::METHOD,
];

/// The server for one client.
pub(crate) struct Server {
    session: Arc<Session>,
}

impl Server {
    pub(crate) fn new(client: Client, options: Options) -> Self {
        Self {
            session: Arc::new(Session::new(client, options)),
        }
    }

    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.session
    }

    pub(crate) async fn set_trace(&self, params: lsp::SetTraceParams) {
        self.session.log.set_trace(params.value);
    }

    pub(crate) async fn text_document_content(&self, params: ContentParams) -> Result<Content> {
        text_document_content::text_document_content(&params)
    }

    pub(crate) async fn cancel_progress(&self, params: lsp::WorkDoneProgressCancelParams) {
        workspace::cancel_progress(&self.session, &params.token).await;
    }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        initialize::initialize(&self.session, params).await
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        initialize::initialized(&self.session).await;
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        text_document::did_open(&self.session, params).await;
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        text_document::did_change(&self.session, params).await;
    }

    async fn did_save(&self, params: lsp::DidSaveTextDocumentParams) {
        text_document::did_save(&self.session, params).await;
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        text_document::did_close(&self.session, params).await;
    }

    async fn diagnostic(
        &self,
        params: lsp::DocumentDiagnosticParams,
    ) -> Result<lsp::DocumentDiagnosticReportResult> {
        diagnostics::diagnostics(&self.session, params).await
    }

    async fn workspace_diagnostic(
        &self,
        params: lsp::WorkspaceDiagnosticParams,
    ) -> Result<lsp::WorkspaceDiagnosticReportResult> {
        workspace_diagnostics::workspace_diagnostics(&self.session, params).await
    }

    async fn document_symbol(
        &self,
        params: lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>> {
        document_symbols::document_symbols(&self.session, params).await
    }

    async fn code_action(
        &self,
        params: lsp::CodeActionParams,
    ) -> Result<Option<lsp::CodeActionResponse>> {
        code_actions::code_actions(&self.session, params).await
    }

    async fn code_action_resolve(&self, action: lsp::CodeAction) -> Result<lsp::CodeAction> {
        code_actions::resolve(&self.session, action).await
    }

    async fn formatting(
        &self,
        params: lsp::DocumentFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        formatting::formatting(&self.session, params).await
    }

    async fn range_formatting(
        &self,
        params: lsp::DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        formatting::range_formatting(&self.session, params).await
    }

    async fn on_type_formatting(
        &self,
        params: lsp::DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        formatting::on_type_formatting(&self.session, params).await
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        hover::hover(&self.session, params).await
    }

    async fn goto_definition(
        &self,
        params: lsp::GotoDefinitionParams,
    ) -> Result<Option<lsp::GotoDefinitionResponse>> {
        definition::definition(&self.session, params).await
    }

    async fn goto_declaration(
        &self,
        params: lsp::request::GotoDeclarationParams,
    ) -> Result<Option<lsp::request::GotoDeclarationResponse>> {
        definition::declaration(&self.session, params).await
    }

    async fn goto_type_definition(
        &self,
        params: lsp::request::GotoTypeDefinitionParams,
    ) -> Result<Option<lsp::request::GotoTypeDefinitionResponse>> {
        type_definition::type_definition(&self.session, params).await
    }

    async fn symbol(
        &self,
        params: lsp::WorkspaceSymbolParams,
    ) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
        workspace_symbol::workspace_symbol(&self.session, params).await
    }

    async fn document_link(
        &self,
        params: lsp::DocumentLinkParams,
    ) -> Result<Option<Vec<lsp::DocumentLink>>> {
        document_link::document_link(&self.session, params).await
    }

    async fn folding_range(
        &self,
        params: lsp::FoldingRangeParams,
    ) -> Result<Option<Vec<lsp::FoldingRange>>> {
        folding_range::folding_range(&self.session, params).await
    }

    async fn selection_range(
        &self,
        params: lsp::SelectionRangeParams,
    ) -> Result<Option<Vec<lsp::SelectionRange>>> {
        selection_range::selection_range(&self.session, params).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: lsp::CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyItem>>> {
        call_hierarchy::prepare(&self.session, params).await
    }

    async fn incoming_calls(
        &self,
        params: lsp::CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyIncomingCall>>> {
        call_hierarchy::incoming(&self.session, params).await
    }

    async fn outgoing_calls(
        &self,
        params: lsp::CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyOutgoingCall>>> {
        call_hierarchy::outgoing(&self.session, params).await
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        references::references(&self.session, params).await
    }

    async fn document_highlight(
        &self,
        params: lsp::DocumentHighlightParams,
    ) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
        document_highlight::document_highlight(&self.session, params).await
    }

    async fn prepare_rename(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>> {
        rename::prepare_rename(&self.session, params).await
    }

    async fn rename(&self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
        rename::rename(&self.session, params).await
    }

    async fn completion(
        &self,
        params: lsp::CompletionParams,
    ) -> Result<Option<lsp::CompletionResponse>> {
        completion::completion(&self.session, params).await
    }

    async fn completion_resolve(&self, item: lsp::CompletionItem) -> Result<lsp::CompletionItem> {
        Ok(completion::resolve(&self.session, item))
    }

    async fn signature_help(
        &self,
        params: lsp::SignatureHelpParams,
    ) -> Result<Option<lsp::SignatureHelp>> {
        signature_help::signature_help(&self.session, params).await
    }

    async fn semantic_tokens_full(
        &self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokensResult>> {
        semantic_tokens::full(&self.session, params).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: lsp::SemanticTokensDeltaParams,
    ) -> Result<Option<lsp::SemanticTokensFullDeltaResult>> {
        semantic_tokens::delta(&self.session, params).await
    }

    async fn semantic_tokens_range(
        &self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokensRangeResult>> {
        semantic_tokens::range(&self.session, params).await
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        code_lens::code_lens(&self.session, params).await
    }

    async fn code_lens_resolve(&self, lens: lsp::CodeLens) -> Result<lsp::CodeLens> {
        code_lens::resolve(&self.session, lens).await
    }

    async fn inlay_hint(
        &self,
        params: lsp::InlayHintParams,
    ) -> Result<Option<Vec<lsp::InlayHint>>> {
        inlay_hints::inlay_hints(&self.session, params).await
    }

    async fn inlay_hint_resolve(&self, hint: lsp::InlayHint) -> Result<lsp::InlayHint> {
        Ok(inlay_hints::resolve(&self.session, hint))
    }

    async fn execute_command(
        &self,
        params: lsp::ExecuteCommandParams,
    ) -> Result<Option<lsp::LSPAny>> {
        execute_command::execute_command(&self.session, params).await
    }

    async fn did_change_configuration(&self, params: lsp::DidChangeConfigurationParams) {
        workspace::did_change_configuration(&self.session, &params.settings).await;
    }

    async fn did_change_workspace_folders(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        workspace::did_change_folders(&self.session, params.event);
    }

    async fn did_create_files(&self, params: lsp::CreateFilesParams) {
        workspace::did_create_files(&self.session, &params);
    }

    async fn did_rename_files(&self, params: lsp::RenameFilesParams) {
        workspace::did_rename_files(&self.session, &params);
    }

    async fn did_delete_files(&self, params: lsp::DeleteFilesParams) {
        workspace::did_delete_files(&self.session, &params);
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        workspace::did_change_watched_files(&self.session, params.changes);
    }
}

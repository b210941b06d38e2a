//! The features of the editor, as the server calls them.
//!
//! A protocol test can replace each of them, to choose when it ends and whether it panics,
//! without a trace of that in the product.

use admission::Resources;
use evaluation::input::InputKey;
use evaluation::run::{Evaluator, ExpressionEvaluation};
use evaluation::samples::Sample;
use ide::{
    CodeAction, CodeLens, Completion, Definition, Diagnostic, DocumentLink, FixAll, FixableRule,
    HierarchyCall, HierarchyItem, HintSettings, Hover, InlayHint, LensTarget, NewFile, Occurrence,
    ParamObject, ParamSelection, Project, RenameError, SchemaLine, SchemaPath, SemanticToken,
    Settings, SignatureHelp, SourceFile, Symbol,
};
use policy::{ParsedFile, Results};
use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use text::{TextEdit, TextRange, TextSize};

/// Features of the analysis. The default implementations are those of `ide`.
pub trait Analysis: Debug + Send + Sync + 'static {
    /// Parses the next version of a file of a project.
    fn parse(&self, text: String, project: Arc<Project>, results: Arc<Results>) -> SourceFile {
        SourceFile::next(text, project, results)
    }

    /// Returns the findings in a file.
    fn diagnostics(&self, file: &SourceFile, settings: &Settings) -> Vec<Diagnostic> {
        ide::diagnose(file, settings)
    }

    /// Returns the outline of a file.
    fn document_symbols(&self, file: &SourceFile) -> Vec<Symbol> {
        ide::document_symbols(file)
    }

    /// Returns the edits that format the expressions of a file; with a range, those in it.
    fn formatting(
        &self,
        file: &SourceFile,
        width: usize,
        range: Option<TextRange>,
    ) -> Vec<TextEdit> {
        ide::formatting(file, width, range).edits
    }

    /// Returns the edit that indents a new line at an offset.
    fn format_on_type(&self, file: &SourceFile, offset: TextSize) -> Option<TextEdit> {
        ide::format_on_type(file, offset)
    }

    /// Returns the quick fixes in a range.
    fn code_actions(
        &self,
        file: &SourceFile,
        settings: &Settings,
        range: TextRange,
    ) -> Vec<CodeAction> {
        ide::code_actions(file, settings, range)
    }

    /// Returns the refactorings at a range.
    fn refactorings(&self, file: &SourceFile, range: TextRange) -> Vec<CodeAction> {
        ide::refactorings(file, range)
    }

    /// Returns the file with a binding for the policy at an offset.
    fn binding_file(&self, file: &SourceFile, offset: TextSize) -> Option<NewFile> {
        ide::binding_file(file, offset)
    }

    /// Returns the rules in a range that have several findings with fixes.
    fn fixable_rules(
        &self,
        file: &SourceFile,
        settings: &Settings,
        range: TextRange,
    ) -> Vec<FixableRule> {
        ide::fixable_rules(file, settings, range)
    }

    /// Returns the text of a file with its fixes. `None` if nothing changes.
    fn fixed_text(&self, file: &SourceFile, fix: FixAll<'_>) -> Option<String> {
        ide::fixed_text(file, fix)
    }

    /// Returns the completions at an offset.
    fn completion(
        &self,
        file: &SourceFile,
        offset: TextSize,
        samples: &[Sample],
        resources: &Resources,
    ) -> Vec<Completion> {
        ide::completion(file, offset, samples, resources)
    }

    /// Returns the documentation at an offset.
    fn hover(&self, file: &SourceFile, offset: TextSize) -> Option<Hover> {
        ide::hover(file, offset)
    }

    /// Returns the signatures at an offset. `chosen` is the label of the selected one.
    fn signature_help(
        &self,
        file: &SourceFile,
        offset: TextSize,
        chosen: Option<&str>,
    ) -> Option<SignatureHelp> {
        ide::signature_help(file, offset, chosen)
    }

    /// Returns the semantic tokens in a range.
    fn semantic_tokens(&self, file: &SourceFile, range: TextRange) -> Vec<SemanticToken> {
        ide::semantic_tokens(file, range)
    }

    /// Returns the name at an offset.
    fn name_at<'f>(&self, file: &'f SourceFile, offset: TextSize) -> Option<&'f Occurrence> {
        ide::name_at(file, offset)
    }

    /// Returns where a name occurs in a file.
    fn occurrences<'f>(&self, file: &'f SourceFile, of: &'f Definition) -> Vec<&'f Occurrence> {
        ide::occurrences(file, of).collect()
    }

    /// Returns the other files in which a name can have its definition.
    fn files_with_definition(&self, file: &SourceFile, of: &Definition) -> Vec<Arc<Path>> {
        ide::files_with_definition(file, of)
    }

    /// Returns the other files in which a name can occur.
    fn related_files(&self, file: &SourceFile, of: &Definition) -> Vec<Arc<Path>> {
        ide::related_files(file, of)
    }

    /// Returns the name at an offset and the schemas that describe it.
    fn schema_paths(
        &self,
        file: &SourceFile,
        offset: TextSize,
        follow: bool,
    ) -> Option<(TextRange, Vec<SchemaPath>)> {
        ide::schema_paths(file, offset, follow)
    }

    /// Returns the other files with the definition of a schema.
    fn files_with_schema(&self, file: &SourceFile, of: &SchemaPath) -> Vec<Arc<Path>> {
        ide::files_with_schema(file, of)
    }

    /// Returns a schema in a file.
    fn schema_line(&self, file: &SourceFile, of: &SchemaPath) -> Option<SchemaLine> {
        ide::schema_line(file, of)
    }

    /// Returns the part of `paramRef` at an offset, and the objects that it selects.
    fn param_selection(
        &self,
        file: &SourceFile,
        offset: TextSize,
    ) -> Option<(TextRange, ParamSelection)> {
        ide::param_selection(file, offset)
    }

    /// Returns the other files that may have parameters.
    fn files_with_params(&self, file: &SourceFile, of: &ParamSelection) -> Vec<Arc<Path>> {
        ide::files_with_params(file, of)
    }

    /// Returns the parameters in a file.
    fn params(&self, file: &SourceFile, of: &ParamSelection) -> Vec<ParamObject> {
        ide::params(file, of)
    }

    /// Returns the object whose name is at an offset.
    fn param_object(&self, file: &SourceFile, offset: TextSize) -> Option<ParamObject> {
        ide::param_object(file, offset)
    }

    /// Returns the other files with bindings that may select parameters.
    fn files_with_param_refs(&self, file: &SourceFile) -> Vec<Arc<Path>> {
        ide::files_with_param_refs(file)
    }

    /// Returns where the bindings of a file select an object.
    fn param_refs(&self, file: &SourceFile, object: &ParamObject) -> Vec<TextRange> {
        ide::param_refs(file, object)
    }

    /// Returns the links in a file.
    fn document_links(&self, file: &SourceFile) -> Vec<DocumentLink> {
        ide::document_links(file)
    }

    /// Returns what an editor can fold.
    fn folding_ranges(&self, file: &SourceFile) -> Vec<TextRange> {
        ide::folding_ranges(file)
    }

    /// Returns the parts around an offset.
    fn selection_ranges(&self, file: &SourceFile, offset: TextSize) -> Vec<TextRange> {
        ide::selection_ranges(file, offset)
    }

    /// Returns the variable or the expression at an offset.
    fn hierarchy_item(&self, file: &SourceFile, offset: TextSize) -> Option<HierarchyItem> {
        ide::hierarchy_item(file, offset)
    }

    /// Returns the expressions that use the variable at an offset.
    fn incoming_calls(&self, file: &SourceFile, offset: TextSize) -> Vec<HierarchyCall> {
        ide::incoming_calls(file, offset)
    }

    /// Returns the variables that are used at an offset.
    fn outgoing_calls(&self, file: &SourceFile, offset: TextSize) -> Vec<HierarchyCall> {
        ide::outgoing_calls(file, offset)
    }

    /// Returns the name at an offset if it can be changed.
    fn prepare_rename<'f>(
        &self,
        file: &'f SourceFile,
        offset: TextSize,
    ) -> Result<Option<&'f Occurrence>, RenameError> {
        ide::prepare_rename(file, offset)
    }

    /// Returns the edits that change a name in a file.
    fn rename(
        &self,
        file: &SourceFile,
        of: &Definition,
        new: &str,
    ) -> Result<Vec<TextEdit>, RenameError> {
        ide::rename(file, of, new)
    }

    /// Returns the lenses of a file.
    fn code_lenses(&self, evaluator: &Evaluator<'_>) -> Vec<CodeLens> {
        ide::code_lenses(evaluator)
    }

    /// Returns the title of a lens. `None` without an input.
    fn lens_title(
        &self,
        evaluator: &Evaluator<'_>,
        target: LensTarget,
        wanted: Option<&InputKey>,
    ) -> Option<String> {
        ide::lens_title(evaluator, target, wanted)
    }

    /// Returns the types of variables, and the costs near the budget, in a range.
    fn type_hints(
        &self,
        file: &SourceFile,
        range: TextRange,
        settings: HintSettings,
    ) -> Vec<InlayHint> {
        ide::type_hints(file, range, settings)
    }

    /// Returns the values of an expression and of its parts.
    fn inlay_hints(
        &self,
        file: &ParsedFile,
        evaluation: &ExpressionEvaluation,
        input: &str,
    ) -> Vec<InlayHint> {
        ide::inlay_hints(file, evaluation, input)
    }

    /// Returns a new input for a policy. `None` if the policy matches no request.
    fn skeleton(
        &self,
        file: &SourceFile,
        evaluator: &Evaluator<'_>,
        policy: usize,
    ) -> Option<String> {
        ide::skeleton(file, evaluator, policy)
    }
}

/// The analysis of the product.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ide;

impl Analysis for Ide {}

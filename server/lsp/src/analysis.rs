//! The features of the editor that protocol tests replace.
//!
//! A test chooses what the parser, the findings and the outline return, when they end and whether
//! they panic, without any effect on the product. All other features are functions of `ide`, which
//! handlers call directly.

use ide::{CodeAction, Diagnostic, Project, Results, Settings, SourceFile, Symbol};
use std::fmt::Debug;
use std::sync::Arc;
use text::TextRange;

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

    /// Returns the quick fixes of the findings in a range.
    fn code_actions(
        &self,
        file: &SourceFile,
        settings: &Settings,
        range: TextRange,
    ) -> Vec<CodeAction> {
        ide::code_actions(file, settings, range)
    }

    /// Returns the outline of a file.
    fn document_symbols(&self, file: &SourceFile) -> Vec<Symbol> {
        ide::document_symbols(file)
    }
}

/// The analysis of the product.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ide;

impl Analysis for Ide {}

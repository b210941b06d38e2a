//! The features that tests can replace.
//!
//! A protocol test chooses when an analysis ends and whether it panics, without a trace of that
//! in the product. These features are enough for it; all others call `ide` directly.

use ide::{CodeAction, Diagnostic, Project, Settings, SourceFile, Symbol};
use policy::Results;
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
        ide::diagnostics(file, settings)
    }

    /// Returns the outline of a file.
    fn document_symbols(&self, file: &SourceFile) -> Vec<Symbol> {
        ide::document_symbols(file)
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
}

/// The analysis of the product.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ide;

impl Analysis for Ide {}

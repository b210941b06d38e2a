//! The outline of a file.

use crate::SourceFile;
use text::TextRange;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A whole policy, binding, webhook configuration or custom resource definition.
    Document,
    /// A group of entries, such as `validations`.
    Group,
    /// A variable.
    Variable,
    /// An expression that decides: a validation, a match condition, a rule, a mutation.
    Expression,
    /// An audit annotation.
    Annotation,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name to show.
    pub name: String,
    /// More about it, such as the kind of a document or the text of an expression.
    pub detail: Option<String>,
    /// What it stands for.
    pub kind: SymbolKind,
    /// All of it.
    pub range: TextRange,
    /// Its name in the file, inside `range`.
    pub selection: TextRange,
    /// What is inside it.
    pub children: Vec<Symbol>,
}

/// The outline of the policies in a file, in the order of the file.
#[must_use]
pub fn document_symbols(file: &SourceFile) -> Vec<Symbol> {
    let _ = file;
    Vec::new()
}

//! Quick fixes at a place.

use crate::diagnostics::diagnostics;
use crate::file::SourceFile;
use crate::report::{Diagnostic, Fix};
use crate::settings::Settings;
use text::TextRange;

/// A quick fix and the finding that it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAction {
    /// The change.
    pub fix: Fix,
    /// The finding.
    pub diagnostic: Diagnostic,
}

/// The quick fixes for the findings that `range` touches; a cursor just before or after the
/// characters at fault touches them.
#[must_use]
pub fn code_actions(file: &SourceFile, settings: &Settings, range: TextRange) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    for diagnostic in diagnostics(file, settings) {
        if diagnostic.range.intersect(range).is_none() {
            continue;
        }
        for fix in &diagnostic.fixes {
            actions.push(CodeAction {
                fix: fix.clone(),
                diagnostic: diagnostic.clone(),
            });
        }
    }
    actions
}

#[cfg(test)]
mod tests;

//! Changes that an author can choose at a position: quick fixes, comments that suppress a finding,
//! and refactorings.

mod ignore;
mod refactorings;

pub use refactorings::{binding_file, refactorings};

use crate::diagnostics::diagnose;
use crate::file::{FileInputs, SourceFile};
use crate::fix_all::FixAll;
use crate::report::{Diagnostic, Safety};
use crate::settings::Settings;
use text::{TextEdit, TextRange};

/// The kind of a code action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// It ends a finding.
    QuickFix,
    /// It extracts a part of an expression to a variable.
    Extract,
    /// It replaces a name with its definition.
    Inline,
    /// It rewrites code and introduces no name.
    Rewrite,
}

/// A change that an author can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAction {
    /// The title, in the imperative.
    pub title: String,
    /// The kind.
    pub kind: ActionKind,
    /// The edits, which do not overlap.
    pub edits: Vec<TextEdit>,
    /// The finding that it fixes.
    pub finding: Option<Diagnostic>,
    /// Whether it can be applied without review.
    pub safety: Safety,
    /// Whether it is the best one for its finding.
    pub is_preferred: bool,
}

/// A file that an author can choose to create, in the folder of the file with the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// The title of the action, in the imperative.
    pub title: String,
    /// The name of the file, without a folder.
    pub name: String,
    /// The content.
    pub text: String,
}

/// A rule with several findings that have fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixableRule {
    /// The code of the rule.
    pub code: &'static str,
    /// The number of findings.
    pub count: usize,
    /// The safety level that fixes all of them.
    pub safety: Safety,
}

/// Returns the quick fixes for the findings that `range` touches; a cursor just before or after
/// the characters at fault touches them. Comments that suppress the findings come last.
#[must_use]
pub fn code_actions(file: &SourceFile, settings: &Settings, range: TextRange) -> Vec<CodeAction> {
    let found = diagnose(file, settings);
    let touched: Vec<&Diagnostic> = touched(&found, range).collect();
    let mut actions = Vec::new();
    for finding in &touched {
        actions.extend(finding.fixes.iter().map(|fix| CodeAction {
            title: fix.title.clone(),
            kind: ActionKind::QuickFix,
            edits: fix.edits.clone(),
            finding: Some((*finding).clone()),
            safety: fix.safety,
            is_preferred: fix.safety == Safety::Safe,
        }));
    }
    actions.extend(ignore::actions(file, &touched));
    actions
}

/// Returns the rules that `range` touches and that have several findings with fixes.
#[must_use]
pub fn fixable_rules(file: &SourceFile, settings: &Settings, range: TextRange) -> Vec<FixableRule> {
    let found = diagnose(file, settings);
    let mut rules: Vec<FixableRule> = Vec::new();
    for finding in touched(&found, range) {
        let code = finding.code;
        let of_rule = found.iter().filter(|it| it.code == code);
        let best: Vec<Safety> = of_rule
            .filter_map(|it| it.fixes.iter().map(|fix| fix.safety).min())
            .collect();
        let is_known = rules.iter().any(|rule| rule.code == code);
        if best.len() > 1 && !is_known && !finding.fixes.is_empty() {
            rules.push(FixableRule {
                code,
                count: best.len(),
                safety: best.into_iter().max().unwrap_or(Safety::Unsafe),
            });
        }
    }
    rules
}

/// Returns the text of a file with its fixes. `None` if nothing changes.
#[must_use]
pub fn fixed_text(file: &SourceFile, fix: FixAll<'_>) -> Option<String> {
    // The errors in inputs have ranges in this text only.
    let inputs = FileInputs {
        is_inputs_file: file.inputs().is_inputs_file,
        errors: Vec::new(),
    };
    let parse = |text: String| file.edited(text).with_inputs(inputs.clone());
    Some(fix.apply(file, parse)?.text)
}

fn touched(found: &[Diagnostic], range: TextRange) -> impl Iterator<Item = &Diagnostic> {
    let is_touched = move |it: &&Diagnostic| it.range.intersect(range).is_some();
    found.iter().filter(is_touched)
}

#[cfg(test)]
mod tests;

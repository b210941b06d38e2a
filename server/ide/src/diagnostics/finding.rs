//! A finding as a rule creates it, before it has a code and a severity.

use super::{Diagnostic, Fix, Related, Rule, Safety, Severity, Tag};
use crate::file::SourceFile;
use crate::project::Location;
use text::{TextEdit, TextRange};

/// A finding of a rule.
#[derive(Debug)]
pub(super) struct Finding {
    range: TextRange,
    message: String,
    severity: Option<Severity>,
    upstream: Option<String>,
    related: Vec<Related>,
    fixes: Vec<Fix>,
    tag: Option<Tag>,
}

impl Finding {
    pub(super) fn new(range: TextRange, message: impl Into<String>) -> Self {
        Self {
            range,
            message: message.into(),
            severity: None,
            upstream: None,
            related: Vec::new(),
            fixes: Vec::new(),
            tag: None,
        }
    }

    pub(super) fn range(&self) -> TextRange {
        self.range
    }

    /// Adds a sentence to the message.
    pub(super) fn advice(self, sentence: &str) -> Self {
        Self {
            message: format!("{} {sentence}", self.message),
            ..self
        }
    }

    /// Sets a severity that differs from the severity of the rule.
    pub(super) fn severity(self, severity: Severity) -> Self {
        Self {
            severity: Some(severity),
            ..self
        }
    }

    /// Makes the finding an error if it is certain, and a warning otherwise.
    pub(super) fn certain(self, is_certain: bool) -> Self {
        self.severity(if is_certain {
            Severity::Error
        } else {
            Severity::Warning
        })
    }

    /// Sets Kubernetes' message.
    pub(super) fn upstream(self, words: impl Into<String>) -> Self {
        Self {
            upstream: Some(words.into()),
            ..self
        }
    }

    pub(super) fn tag(self, tag: Tag) -> Self {
        Self {
            tag: Some(tag),
            ..self
        }
    }

    pub(super) fn related(mut self, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push(Related {
            range,
            elsewhere: None,
            message: message.into(),
        });
        self
    }

    /// Adds a related location in any file of the project.
    pub(super) fn related_location(
        mut self,
        location: &Location,
        file: &SourceFile,
        message: impl Into<String>,
    ) -> Self {
        let is_elsewhere = location.file != *file.path();
        self.related.push(Related {
            range: location.range,
            elsewhere: is_elsewhere.then(|| location.clone()),
            message: message.into(),
        });
        self
    }

    /// Adds a change that keeps the meaning or is certainly intended, as a safe fix.
    pub(super) fn fix(self, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        self.add_fix(title.into(), edits, Safety::Safe)
    }

    /// Adds a change that the author must review, as an unsafe fix.
    pub(super) fn unsafe_fix(self, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        self.add_fix(title.into(), edits, Safety::Unsafe)
    }

    /// Adds fixes that the author must review, each with its title.
    pub(super) fn unsafe_fixes(
        self,
        fixes: impl IntoIterator<Item = (String, Vec<TextEdit>)>,
    ) -> Self {
        let fixes = fixes.into_iter();
        fixes.fold(self, |finding, (title, edits)| {
            finding.unsafe_fix(title, edits)
        })
    }

    fn add_fix(mut self, title: String, edits: Vec<TextEdit>, safety: Safety) -> Self {
        self.fixes.push(Fix {
            title,
            edits,
            safety,
        });
        self
    }

    pub(super) fn into_diagnostic(self, rule: &Rule) -> Diagnostic {
        debug_assert!(
            self.fixes
                .iter()
                .all(|fix| rule.fixes.contains(&fix.safety)),
            "the row of {} lacks the safety of a fix",
            rule.code
        );
        Diagnostic {
            code: rule.code,
            severity: self.severity.unwrap_or(rule.severity),
            range: self.range,
            message: self.message,
            upstream: self.upstream,
            related: self.related,
            fixes: self.fixes,
            tag: self.tag,
        }
    }
}

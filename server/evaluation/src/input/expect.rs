//! The expected outcome of a test.

use cel::Value;
use std::path::Path;
use std::sync::Arc;
use text::TextRange;

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It is allowed, whatever policies warn of or write into the audit log.
    Allow,
    /// It is denied.
    Deny,
    /// It is allowed, and a validation of a binding with the action `Warn` is false.
    Warn,
    /// It is allowed, and a validation of a binding with the action `Audit` is false.
    Audit,
    /// No policy matches it, because of its match constraints or a match condition.
    Skip,
    /// An expression fails.
    Error,
}

/// The expected outcome of a request. `None` matches anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    /// The outcome.
    pub decision: Option<Decision>,
    /// A denial, or a warning where the decision is [`Decision::Warn`], has exactly this
    /// message.
    pub message: Option<String>,
    /// The message of a denial or a warning contains this string.
    pub message_contains: Option<String>,
    /// The reason for the denial, such as `Forbidden`.
    pub reason: Option<String>,
    /// The HTTP status code of the denial.
    pub code: Option<u16>,
    /// All warnings, in their order.
    pub warnings: Option<Vec<String>>,
    /// Audit annotations that are written: key and value. Others may be there.
    pub audit_annotations: Option<Vec<(String, String)>>,
    /// The object after all mutations.
    pub object: Option<Value>,
    /// The range of each of them.
    pub ranges: ExpectRanges,
}

/// A part of the expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpectField {
    /// [`Expect::decision`].
    Decision,
    /// [`Expect::message`].
    Message,
    /// [`Expect::message_contains`].
    MessageContains,
    /// [`Expect::reason`].
    Reason,
    /// [`Expect::code`].
    Code,
    /// [`Expect::warnings`].
    Warnings,
    /// [`Expect::audit_annotations`].
    AuditAnnotations,
    /// [`Expect::object`].
    Object,
}

/// The range in the file of each part of an [`Expect`]. A missing part has the range of all of
/// `expect`; in a file of kat it has that of the whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectRanges {
    /// All of `expect`.
    pub whole: TextRange,
    /// [`Expect::decision`].
    pub decision: TextRange,
    /// [`Expect::message`].
    pub message: TextRange,
    /// [`Expect::message_contains`].
    pub message_contains: TextRange,
    /// [`Expect::reason`].
    pub reason: TextRange,
    /// [`Expect::code`].
    pub code: TextRange,
    /// [`Expect::warnings`].
    pub warnings: TextRange,
    /// [`Expect::audit_annotations`].
    pub audit_annotations: TextRange,
    /// [`Expect::object`].
    pub object: TextRange,
    /// The files of the parts that are not in the file of the input's key.
    pub files: Vec<(ExpectField, Arc<Path>)>,
}

impl Decision {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Allow,
        Self::Deny,
        Self::Warn,
        Self::Audit,
        Self::Skip,
        Self::Error,
    ];

    /// The word for it in a document.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Warn => "warn",
            Self::Audit => "audit",
            Self::Skip => "skip",
            Self::Error => "error",
        }
    }

    /// The decision of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|decision| decision.as_str() == word)
    }
}

impl ExpectField {
    /// Its key in a document.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            ExpectField::Decision => "decision",
            ExpectField::Message => "message",
            ExpectField::MessageContains => "messageContains",
            ExpectField::Reason => "reason",
            ExpectField::Code => "code",
            ExpectField::Warnings => "warnings",
            ExpectField::AuditAnnotations => "auditAnnotations",
            ExpectField::Object => "object",
        }
    }
}

impl Expect {
    /// Returns where a part is: in that file, or in the file of the input's key, and its range.
    #[must_use]
    pub fn location(&self, field: ExpectField) -> (Option<&Arc<Path>>, TextRange) {
        let ranges = &self.ranges;
        let range = match field {
            ExpectField::Decision => ranges.decision,
            ExpectField::Message => ranges.message,
            ExpectField::MessageContains => ranges.message_contains,
            ExpectField::Reason => ranges.reason,
            ExpectField::Code => ranges.code,
            ExpectField::Warnings => ranges.warnings,
            ExpectField::AuditAnnotations => ranges.audit_annotations,
            ExpectField::Object => ranges.object,
        };
        let file = ranges.files.iter().find(|(of, _)| *of == field);
        (file.map(|(_, path)| path), range)
    }
}

impl ExpectRanges {
    /// One place for everything.
    #[must_use]
    pub fn all(whole: TextRange) -> Self {
        Self {
            whole,
            decision: whole,
            message: whole,
            message_contains: whole,
            reason: whole,
            code: whole,
            warnings: whole,
            audit_annotations: whole,
            object: whole,
            files: Vec::new(),
        }
    }
}

//! The expected outcome of a test.

use cel::Value;
use std::path::Path;
use std::sync::Arc;
use text::TextRange;

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It is allowed, regardless of warnings and audit annotations.
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
    /// A denial, or a warning if the decision is [`Decision::Warn`], has exactly this message.
    pub message: Option<String>,
    /// The message of a denial or a warning contains this string.
    pub message_contains: Option<String>,
    /// The reason for the denial, such as `Forbidden`.
    pub reason: Option<String>,
    /// The HTTP status code of the denial.
    pub code: Option<u16>,
    /// All warnings, in their order.
    pub warnings: Option<Vec<String>>,
    /// Expected audit annotations: key and value. There may be others.
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

/// The ranges of an [`Expect`]. A missing part has the range of all of `expect`; in a file of kat
/// it has that of the whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectRanges {
    /// All of `expect`.
    pub whole: TextRange,
    /// The range of each part, and its file if that is not the file of the input's key.
    pub parts: Vec<(ExpectField, Option<Arc<Path>>, TextRange)>,
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

    /// Returns its name in a document.
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

    /// Returns the decision with a name.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|decision| decision.as_str() == word)
    }
}

impl ExpectField {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Decision,
        Self::Message,
        Self::MessageContains,
        Self::Reason,
        Self::Code,
        Self::Warnings,
        Self::AuditAnnotations,
        Self::Object,
    ];

    /// Returns its key in a document.
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
    /// Returns the file of a part, if it is not that of the input's key, and its range.
    #[must_use]
    pub fn location(&self, field: ExpectField) -> (Option<&Arc<Path>>, TextRange) {
        let ExpectRanges { whole, parts } = &self.ranges;
        let part = parts.iter().find(|(of, ..)| *of == field);
        part.map_or((None, *whole), |(_, file, range)| (file.as_ref(), *range))
    }
}

impl ExpectRanges {
    /// Returns one range for all parts.
    #[must_use]
    pub fn all(whole: TextRange) -> Self {
        Self {
            whole,
            parts: Vec::new(),
        }
    }
}

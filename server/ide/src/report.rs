//! A finding as every consumer sees it: a code, a severity, a range, a message and fixes.
//!
//! It is below files and settings, which store findings and severities without depending on the
//! rules.

use crate::project::Location;
use text::{TextEdit, TextRange};

/// How bad a finding is. The order is from mild to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// An idea; editors show it faintly.
    Hint,
    /// Worth knowing, harmless.
    Information,
    /// Suspicious, or fails in some cases.
    Warning,
    /// The API server rejects it, or it always fails.
    Error,
}

impl Severity {
    /// All severities, in their order.
    pub const ALL: [Self; 4] = [Self::Hint, Self::Information, Self::Warning, Self::Error];

    /// Returns the name, as settings and reports have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Information => "information",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Returns the severity of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}

/// How an editor may draw the range of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The code has no effect: drawn faded.
    Unnecessary,
    /// The code is deprecated: drawn struck through.
    Deprecated,
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The range, in the same file unless `elsewhere` names another.
    pub range: TextRange,
    /// The place, where it is in another file of the project.
    pub elsewhere: Option<Location>,
    /// The message at the place.
    pub message: String,
}

/// Whether a fix can be applied without review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// It keeps the meaning, or is certainly intended.
    Safe,
    /// It may change which requests are denied, or is one of several possible changes.
    Unsafe,
}

impl Safety {
    /// Returns the name, as reports have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// A change that ends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title, in the imperative: "Quote the value".
    pub title: String,
    /// The edits, which do not overlap.
    pub edits: Vec<TextEdit>,
    /// Whether it can be applied without review.
    pub safety: Safety,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of the rule.
    pub code: &'static str,
    /// How bad it is, after settings.
    pub severity: Severity,
    /// The exact place.
    pub range: TextRange,
    /// The message: what is wrong and what to do, in one or two sentences.
    pub message: String,
    /// Kubernetes' own message for it, where it has one.
    pub upstream: Option<String>,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// Changes that end it.
    pub fixes: Vec<Fix>,
    /// How to draw it.
    pub tag: Option<Tag>,
}

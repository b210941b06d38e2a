//! The effects of a policy on an object.

use serde::{Deserialize, Serialize};

/// The effect of a policy on an object.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Effect {
    /// The request is denied.
    Denied,
    /// The response has a warning.
    Warned,
    /// The audit event has an annotation.
    Audited,
    /// The policy fails, and its failure policy is Ignore.
    Ignored,
    /// The object is changed.
    Mutated,
    /// It depends on an object that is missing from the dump.
    Unknown,
}

impl Effect {
    pub(super) const ALL: [Self; 6] = [
        Self::Denied,
        Self::Warned,
        Self::Audited,
        Self::Ignored,
        Self::Mutated,
        Self::Unknown,
    ];

    /// Returns its name.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Warned => "warned",
            Self::Audited => "audited",
            Self::Ignored => "ignored",
            Self::Mutated => "mutated",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the effect of a validation action.
    pub(super) fn from_action(action: &str) -> Option<Self> {
        match action {
            "Deny" => Some(Self::Denied),
            "Warn" => Some(Self::Warned),
            "Audit" => Some(Self::Audited),
            _ => None,
        }
    }
}

//! The warnings of the API server.
//!
//! Clients only get the message. Its subject is data here, so that a finding has the position of
//! the field, and an expectation can leave out the name of the policy.

use kubernetes::defaults::UnknownField;
use std::fmt;

/// How the warning of a validation begins; the name of the policy follows.
pub const VALIDATION_FAILED: &str = "Validation failed for ValidatingAdmissionPolicy '";

/// A warning of a response. It is displayed as its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The message of the API server.
    pub message: String,
    /// The subject of the message.
    pub subject: WarningSubject,
}

/// The subject of a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WarningSubject {
    /// The request as a whole.
    Request,
    /// The value of a field, by its path.
    Field(String),
    /// A field that the server drops, by its path.
    UnknownField(String),
    /// A validation with the action `Warn`.
    Validation {
        /// The length of the message's prefix that names the policy, in bytes.
        prefix: usize,
    },
}

impl Warning {
    pub(super) const fn from_request(message: String) -> Self {
        Self {
            message,
            subject: WarningSubject::Request,
        }
    }

    /// Returns the warning `FIELD: DETAIL`.
    pub(super) fn of_field(field: String, detail: &str) -> Self {
        Self {
            message: format!("{field}: {detail}"),
            subject: WarningSubject::Field(field),
        }
    }

    /// Returns the warning of a validation. The binding is as messages have it.
    pub(super) fn of_validation(policy: &str, binding: &str, message: &str) -> Self {
        let mut text = format!("{VALIDATION_FAILED}{policy}'{binding}: ");
        let prefix = text.len();
        text.push_str(message);
        Self {
            message: text,
            subject: WarningSubject::Validation { prefix },
        }
    }

    /// Returns the message without the prefix that names the policy.
    #[must_use]
    pub fn without_policy(&self) -> &str {
        let start = match self.subject {
            WarningSubject::Validation { prefix } => prefix,
            _ => 0,
        };
        self.message.get(start..).unwrap_or(&self.message)
    }
}

impl From<&UnknownField> for Warning {
    fn from(unknown: &UnknownField) -> Self {
        Self {
            message: unknown.message.clone(),
            subject: WarningSubject::UnknownField(unknown.path.clone()),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

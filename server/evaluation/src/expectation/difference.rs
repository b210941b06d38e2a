//! Differences between an answer and the expected outcome.

use super::RequestOutcome;
use crate::input::{Decision, ExpectField};
use std::fmt;

/// A part of an answer that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The part of the expectation that differs, which determines its range.
    pub field: ExpectField,
    /// How it differs.
    pub difference: Difference,
}

/// How a part of an answer differs from the expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Something else became of the request.
    Decision {
        /// The expected outcome.
        expected: Decision,
        /// The actual outcome.
        outcome: RequestOutcome,
        /// The message of the API server if it rejects the request itself.
        rejection: Option<String>,
    },
    /// No message is this one.
    Message {
        /// The message.
        expected: String,
        /// The actual messages.
        found: Vec<String>,
    },
    /// No message contains this string.
    MessageContains {
        /// The expected words.
        expected: String,
        /// The actual messages.
        found: Vec<String>,
    },
    /// The reason differs.
    Reason {
        /// The reason.
        expected: String,
        /// The actual one. `None` if the request is allowed.
        found: Option<String>,
    },
    /// The code differs.
    Code {
        /// The code.
        expected: u16,
        /// The actual one. `None` if the request is allowed.
        found: Option<u16>,
    },
    /// The warnings differ.
    Warnings {
        /// The warnings.
        expected: Vec<String>,
        /// The actual warnings.
        found: Vec<String>,
    },
    /// An audit annotation has another value, or is missing.
    Annotation {
        /// Its key.
        key: String,
        /// Its value.
        expected: String,
        /// The value that it has.
        found: Option<String>,
    },
    /// The object after the mutations differs.
    Object {
        /// The object, as YAML.
        expected: String,
        /// The actual one. `None` if there is none.
        found: Option<String>,
    },
}

impl Difference {
    /// Returns the expected and the actual value as strings.
    #[must_use]
    pub fn expected_and_found(&self) -> (String, Option<String>) {
        let lines = |texts: &[String]| (!texts.is_empty()).then(|| texts.join("\n"));
        match self {
            Self::Decision {
                expected, outcome, ..
            } => (expected.as_str().to_owned(), Some(outcome.to_string())),
            Self::Message { expected, found } | Self::MessageContains { expected, found } => {
                (expected.clone(), lines(found))
            }
            Self::Reason { expected, found } => (expected.clone(), found.clone()),
            Self::Code { expected, found } => {
                (expected.to_string(), found.map(|code| code.to_string()))
            }
            Self::Warnings { expected, found } => (expected.join("\n"), lines(found)),
            Self::Annotation {
                expected, found, ..
            }
            | Self::Object { expected, found } => (expected.clone(), found.clone()),
        }
    }
}

impl fmt::Display for Difference {
    /// Formats the difference in one line, without the compared values.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decision {
                expected,
                outcome,
                rejection,
            } => out.write_str(&decision(*expected, *outcome, rejection.as_deref())),
            Self::Message { found, .. } | Self::MessageContains { found, .. }
                if found.is_empty() =>
            {
                out.write_str("expected a message, but there is none")
            }
            Self::Message { .. } => out.write_str("the message differs"),
            Self::MessageContains { .. } => out.write_str("no message contains the expected text"),
            Self::Reason { expected, found } => {
                let found = found.as_deref().unwrap_or(NONE);
                write!(out, "expected reason {expected}, found {found}")
            }
            Self::Code { expected, found } => {
                let found = found.map_or(NONE.to_owned(), |code| code.to_string());
                write!(out, "expected status code {expected}, found {found}")
            }
            Self::Warnings { found, .. } if found.is_empty() => {
                out.write_str("expected warnings, but there are none")
            }
            Self::Warnings { expected, .. } if expected.is_empty() => {
                out.write_str("expected no warnings, but there are some")
            }
            Self::Warnings { .. } => out.write_str("the warnings differ"),
            Self::Annotation { key, found, .. } => match found {
                Some(_) => write!(out, "audit annotation {key} has a different value"),
                None => write!(out, "audit annotation {key} is missing"),
            },
            Self::Object { found: None, .. } => {
                out.write_str("expected an object, but the request has none")
            }
            Self::Object { .. } => out.write_str("the object differs"),
        }
    }
}

/// Returns how the outcome differs from the expected decision, with the message of the API server if
/// it rejects the request itself.
fn decision(expected: Decision, outcome: RequestOutcome, rejection: Option<&str>) -> String {
    let rejection = rejection.map_or_else(String::new, |message| format!(": {message}"));
    format!(
        "expected decision `{}`, but the request is {outcome}{rejection}{}",
        expected.as_str(),
        advice(expected, outcome)
    )
}

/// The actual value instead of a reason or a status code.
const NONE: &str = "no denial";

/// Returns a hint if a failing expression was expected to decide, or if the API server rejects the
/// object.
fn advice(expected: Decision, outcome: RequestOutcome) -> &'static str {
    match (expected, outcome) {
        (
            Decision::Deny | Decision::Warn | Decision::Audit,
            RequestOutcome::Failed | RequestOutcome::Ignored,
        ) => {
            ". A failing expression is not a denial. To expect the failure, write `decision: \
             error` or the message of the error"
        }
        (Decision::Allow, RequestOutcome::Ignored) => {
            ". To expect the failure, write `decision: error`"
        }
        (_, RequestOutcome::DeniedByKind) => {
            ". Correct the input, or write `raw: true` to use its object as written"
        }
        _ => "",
    }
}

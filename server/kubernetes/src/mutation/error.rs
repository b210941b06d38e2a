//! Why a mutation is not applied.

use std::fmt;

/// The error of the API server for a mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MutationError {
    /// The mutation fails, and the failure policy decides; the message.
    Failed(String),
    /// The request ends with an internal error of the server; its cause.
    Internal(String),
}

impl From<String> for MutationError {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

/// Upstream: kubernetes/apimachinery, pkg/api/errors/errors.go, NewInternalError.
impl fmt::Display for MutationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message) => out.write_str(message),
            Self::Internal(cause) => write!(out, "Internal error occurred: {cause}"),
        }
    }
}

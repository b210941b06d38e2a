//! Why a change of a document was not applied.
//!
//! The client and the server then have different texts, so nothing is shown until they agree.

use super::EditError;
use std::fmt;

/// The reason why a change was not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncError {
    /// The document was never opened, or is closed.
    NotOpen,
    /// An earlier change failed, and this one does not replace the whole text.
    Lost,
    /// The change does not fit the text.
    Edit(EditError),
    /// The text is larger than the limit of the analysis.
    TooLarge,
}

impl fmt::Display for SyncError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyncError::NotOpen => f.write_str("the document is not open"),
            SyncError::Lost => f.write_str("an earlier change could not be applied"),
            SyncError::Edit(error) => write!(f, "a change does not fit the text: {error}"),
            SyncError::TooLarge => write!(
                f,
                "the text is larger than {} MiB",
                workspace::MAX_FILE_SIZE / (1024 * 1024)
            ),
        }
    }
}

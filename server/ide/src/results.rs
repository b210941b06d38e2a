//! The results for one file that its versions share.

use std::sync::Arc;

/// The results for the versions of one file.
#[derive(Debug, Default)]
pub struct Results {
    /// The results for its expressions.
    pub(crate) expressions: Arc<policy::Results>,
}

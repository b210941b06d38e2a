//! A file with its inputs.
//!
//! Inputs change without the text of their policy, so their findings are kept apart from those of
//! the text alone.

use super::Snapshot;
use ide::{FileInputs, SourceFile};
use std::sync::{Arc, MutexGuard, OnceLock, PoisonError};

/// A file with its inputs, and the findings in it.
#[derive(Debug)]
pub(crate) struct WithInputs {
    pub(crate) file: SourceFile,
    pub(super) findings: OnceLock<Vec<ide::Diagnostic>>,
}

impl Snapshot {
    /// Sets the inputs, or none. Equal inputs keep their findings.
    pub(super) fn set_inputs(&self, inputs: FileInputs) -> Option<Arc<WithInputs>> {
        let mut cached = self.with_inputs();
        if inputs == FileInputs::default() {
            *cached = None;
        } else if cached.as_ref().is_none_or(|it| *it.file.inputs() != inputs) {
            *cached = Some(Arc::new(WithInputs {
                file: self.file().with_inputs(inputs),
                findings: OnceLock::new(),
            }));
        }
        cached.clone()
    }

    /// Returns the file with its inputs, if it had any when its findings were requested.
    pub(crate) fn with_inputs(&self) -> MutexGuard<'_, Option<Arc<WithInputs>>> {
        // A pointer is never half-written.
        let cached = self.with_inputs.lock();
        cached.unwrap_or_else(PoisonError::into_inner)
    }
}

//! What stands in the way of a replay.

use crate::report::{Source, shown};
use ide::SourceFile;
use std::path::Path;
use text::TextRange;
use workspace::StreamPosition;

/// What is wrong with policies and objects.
#[derive(Debug, Default)]
pub(super) struct Problems(pub(super) Vec<Problem>);

/// What is wrong.
#[derive(Debug)]
pub(super) struct Problem {
    /// The path, as it is shown.
    pub(super) path: String,
    pub(super) place: Option<Place>,
    /// What is wrong, and what to do.
    pub(super) message: String,
}

/// Where.
#[derive(Debug)]
pub(super) enum Place {
    /// In a policy.
    Policy(Source, TextRange),
    /// In objects.
    Objects(StreamPosition),
}

impl Problems {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, path: &Path, message: String) {
        self.0.push(Problem {
            path: shown(path),
            place: None,
            message,
        });
    }

    pub(super) fn add_at(
        &mut self,
        path: &Path,
        file: &SourceFile,
        range: TextRange,
        message: String,
    ) {
        let source = Source {
            text: file.text().into(),
            lines: file.line_index().clone(),
        };
        self.0.push(Problem {
            path: shown(path),
            place: Some(Place::Policy(source, range)),
            message,
        });
    }
}

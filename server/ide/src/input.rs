//! Admission inputs: documents that describe a request on which a policy is tried.
//!
//! A manifest says what an object looks like, not who changes it, what it was before or what
//! the parameters are. An input says all of it in one YAML document, and with `expect` also
//! what the answer has to be: then it is a test. An [`Input`] is what such a document means,
//! wherever it comes from; [`RequestInput::request`] makes of it the request that admission
//! sees.

mod error;
mod expect;
mod kat;
mod named;
mod policies;
mod read;
mod request;

pub use error::{ExpectedType, Hint, InputError, InputErrorKind, Mismatch, StructureError};
pub use expect::{Decision, Expect, ExpectField, ExpectRanges};
pub use kat::{KatFiles, KatName, KatPart, kat, kat_name};
pub use named::{NamedInput, named};
pub use policies::{PolicyName, unknown_policies};
pub use read::{InputFile, read};
pub use request::{RequestError, RequestInput};

use crate::samples::Sample;
use std::path::Path;
use std::sync::Arc;

/// What names an input as long as it stays where it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputKey {
    /// The file. Of kat's files for one test, that which says most: the object, the old
    /// object, the request.
    pub path: Arc<Path>,
    /// The place of the document in the file, from 0.
    pub document: usize,
    /// What the input is called.
    pub name: String,
}

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A document that describes a request.
    Document,
    /// Files that are named as the tool kat names them.
    Kat,
    /// A manifest, which stands for its creation.
    Sample,
}

/// A request on which a policy is tried, and what has to come of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// What names it.
    pub key: InputKey,
    /// Where it comes from.
    pub origin: Origin,
    /// The names of the policies that it is for. `None`: every policy beside which it lies.
    pub policies: Option<Vec<PolicyName>>,
    /// The request.
    pub request: RequestInput,
    /// What has to come of it. Without it, the input is no test.
    pub expect: Option<Expect>,
}

impl Input {
    /// The input that a manifest stands for: its creation.
    #[must_use]
    pub fn from_sample(sample: &Sample) -> Self {
        let key = InputKey {
            path: Arc::from(sample.path.as_path()),
            document: sample.document,
            name: sample.label(),
        };
        Self {
            key,
            origin: Origin::Sample,
            policies: None,
            request: RequestInput {
                object: Some(sample.value.clone()),
                ..RequestInput::default()
            },
            expect: None,
        }
    }

    /// What people call it.
    #[must_use]
    pub fn label(&self) -> String {
        self.key.name.clone()
    }

    /// Whether it is for the policy of that name.
    #[must_use]
    pub fn is_for(&self, policy: &str) -> bool {
        let policies = self.policies.as_ref();
        policies.is_none_or(|names| names.iter().any(|it| it.name == policy))
    }
}

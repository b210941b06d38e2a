//! Admission inputs: documents that describe a request to evaluate policies against.
//!
//! A manifest contains an object, but not the user, the old object or the parameters. An input
//! contains all of them in one YAML document and, with `expect`, the expected outcome of a test.
//! [`Input`] is the parsed form, regardless of its origin; [`RequestInput::request`] builds the
//! admission request.

mod error;
mod expect;
mod kat;
mod named;
mod policies;
mod read;
mod request;

pub use error::{
    CommentError, ExpectedType, Hint, InputError, InputErrorKind, Mismatch, StructureError,
};
pub use expect::{Decision, Expect, ExpectField, ExpectRanges};
pub use kat::{KatFiles, KatName, KatPart, kat, kat_name};
pub use named::{NamedInput, named};
pub use policies::{PolicyName, unknown_policies};
pub use read::{InputFile, keys, read, values};
pub(crate) use request::{DEFAULT_NAMESPACE, set_namespace};
pub use request::{RequestError, RequestInput};

use crate::samples::Sample;
use std::path::Path;
use std::sync::Arc;

/// The key of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputKey {
    /// The file. Of kat's files for one test, the most specific one: the object, the old
    /// object, the request.
    pub path: Arc<Path>,
    /// The index of the document in the file, from 0.
    pub document: usize,
    /// The name of the input.
    pub name: String,
}

/// The origin of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A document that describes a request.
    Document,
    /// Files with the names of kat tests.
    Kat,
    /// A manifest, which describes its creation.
    Sample,
}

/// A request against which a policy is evaluated, and the expected outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The key by which it is found.
    pub key: InputKey,
    /// Its origin.
    pub origin: Origin,
    /// The names of the policies to evaluate. `None`: every policy of its policy file.
    pub policies: Option<Vec<PolicyName>>,
    /// The request.
    pub request: RequestInput,
    /// The expected outcome. Without it, the input is not a test.
    pub expect: Option<Expect>,
}

impl Input {
    /// Returns the input that a manifest describes: its creation.
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

    /// Returns its name.
    #[must_use]
    pub fn label(&self) -> String {
        self.key.name.clone()
    }

    /// Returns whether it is for the policy of that name.
    #[must_use]
    pub fn is_for(&self, policy: &str) -> bool {
        let policies = self.policies.as_ref();
        policies.is_none_or(|names| names.iter().any(|it| it.name == policy))
    }
}

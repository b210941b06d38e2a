//! The Kubernetes kinds that carry CEL, and their rules.
//!
//! The crate finds policies in a YAML stream, validates their fields, finds the expressions in
//! them, and resolves each name in an expression as Kubernetes does. It returns plain data with
//! ranges in the file: messages for users are written in higher layers, except for those of the API
//! server.
//!
//! [`recognize`] returns [`PolicyDocument`]s, each with its [`Expression`]s.

pub mod availability;
pub mod cost;
pub mod crd;
pub mod directive;
mod document;
pub mod environment;
mod expression;
pub mod field_error;
mod field_path;
pub mod json_schema;
mod kind;
pub mod library;
pub mod manifest;
pub mod nesting;
pub mod object_meta;
mod parsed_file;
pub mod parts;
mod policy_document;
mod recognition;
mod results;
pub mod schema;
pub mod typecheck;
pub mod validation;
pub mod variables;

pub use document::{Document, STATIC_SUFFIX};
pub use expression::{Expression, Role};
pub use field_path::{FieldPath, FieldStep, Resolved};
pub use json_schema::JsonSchema;
pub use kind::{ApiVersion, Kind};
pub use parsed_file::ParsedFile;
pub use policy_document::PolicyDocument;
pub use recognition::{
    NearMiss, NearMissKind, Recognition, Unsupported, documents, may_hold_policy,
    possible_documents, recognize, recognize_for,
};
pub use results::{Results, Source};
pub use typecheck::{Problem, ProblemKind, Receiver, instantiation_failure};

//! The Kubernetes kinds that carry CEL, and their rules.
//!
//! The crate finds policies in a YAML stream, knows what their fields may hold, finds the
//! expressions in them, and says of each name in an expression whether Kubernetes knows it.
//! It gives plain data with places in the file: what a user should read about it is decided
//! further up, but for the API server's own words, which live here.
//!
//! [`recognise`] gives [`PolicyDocument`]s, each with its [`Expression`]s.

pub mod admission;
pub mod availability;
pub mod cost;
mod crd;
pub mod defaults;
mod document;
mod entries;
pub mod environment;
mod expression;
mod field_path;
mod json_schema;
mod kind;
pub mod library;
pub mod manifest;
pub mod mutation;
pub mod names;
pub mod openapi;
mod quantity;
mod quote;
pub mod schema;
pub mod typecheck;
pub mod validation;
pub mod variables;
pub mod versions;

pub use document::{
    NearMiss, NearMissKind, PolicyDocument, Recognition, Unsupported, candidates, documents,
    may_hold_policy, recognise, recognise_for,
};
pub use expression::{Expression, Role};
pub use field_path::{FieldPath, Resolved, Step};
pub use json_schema::{CelType, JsonSchema};
pub use kind::{Kind, Version};
pub use typecheck::{Problem, ProblemKind, Receiver, instantiation_failure};
pub use versions::{Target, TargetError};

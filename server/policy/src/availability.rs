//! Availability by server version: API versions, fields of a kind, functions and syntax.
//!
//! An older or a newer server may reject a policy that another one accepts, or drop a part of it.
//! Kinds and fields follow from the descriptions of all versions, [`kubernetes::openapi`];
//! functions and macros from the tables of the libraries. Feature gates are tables here, changes in
//! behavior and bugs in [`kubernetes::versions`]. `cargo xtask docs` writes all of them into
//! `docs/versions.md`.

mod additions;
mod api;
mod expressions;
mod fields;

pub use additions::{Addition, additions};
pub use api::{GATES, Gate, Service, gate, served, service};
pub use expressions::{Feature, Signature, Unavailable, macro_since};
pub use fields::{UnavailableField, unavailable_fields};

pub(crate) use expressions::{Difference, of_expressions};

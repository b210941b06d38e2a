//! Which server has what: versions of the API, fields of a kind, functions and syntax.
//!
//! A policy that one server takes, an older or a newer one may refuse, or take without a
//! part of it. The facts about kinds and fields come from the descriptions of all versions,
//! [`crate::openapi`]; those about functions from the tables of the libraries; what stands
//! here beside them are the feature gates and the changes in behavior, of which no description
//! speaks.

mod api;
pub mod bugs;
pub mod changes;
mod expressions;
mod fields;

pub use api::{Gate, Service, gate, served, service};
pub use expressions::{Feature, Signature, Unavailable, macro_since};
pub use fields::{UnavailableField, unavailable_fields};

pub(crate) use expressions::{Difference, of_expressions};

//! The Kubernetes model of objects: names, kinds and schemas, defaults, merges.
//!
//! Nothing here depends on policies. Objects are values of CEL, since policies read and change
//! those: defaults and patches work on them without a conversion.

pub mod defaults;
mod entries;
mod field_table;
pub mod mutation;
pub mod names;
mod object;
pub mod openapi;
mod quantity;
pub mod quote;
mod type_meta;
pub mod versions;

pub use entries::entries;
pub use field_table::FieldTable;
pub use object::{field, is_of_kind, metadata_field, number, object, string_field};
pub use quantity::Quantity;
pub use type_meta::{TypeMeta, items, metadata};
pub use versions::{EnvironmentVersion, ServerVersion, Target, TargetError};

//! The CEL view of the schemas in a CustomResourceDefinition.
//!
//! A rule reads `self`, whose type is the schema around the rule. The schema is read the way
//! Kubernetes converts it into CEL types.

mod context;
mod declared;
pub mod embedded;
mod failure;
mod preserved;
#[cfg(test)]
mod tests;
mod types;
mod value;
mod value_schema;

pub(crate) use context::{RuleContext, SchemaStep, rule_contexts};
pub(crate) use declared::{Declared, RuleTypes};
pub use failure::{is_over, refusal};
pub(crate) use types::{SELF_TYPE, SchemaSizes, env as rule_env};
pub use value::typed;
pub use value_schema::{Formats, ValueSchema};
pub(crate) use value_schema::{Reader, Reason};

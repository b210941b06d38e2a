//! The CEL view of the schemas in a CustomResourceDefinition.
//!
//! A rule reads `self`, whose type is the schema around the rule. The schema is read the way
//! Kubernetes converts it into CEL types.

mod context;
mod declared;
#[cfg(test)]
mod tests;
mod types;

pub(crate) use context::{Inside, RuleContext};
pub(crate) use declared::Declared;
pub(crate) use types::{SELF_TYPE, SchemaSizes, env as rule_env};

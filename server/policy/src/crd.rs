//! What the rules of a CustomResourceDefinition see of its schemas.
//!
//! A rule speaks of `self`, whose type is the schema around the rule. The schema is read the
//! way Kubernetes turns it into CEL types.

mod context;
mod declared;
#[cfg(test)]
mod tests;
mod types;

pub(crate) use context::{Inside, RuleContext};
pub(crate) use declared::Declared;
pub(crate) use types::{SELF_TYPE, SchemaSizes, env as rule_env};

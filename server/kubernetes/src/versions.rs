//! The versions of Kubernetes: which servers a policy is for, and how their behavior differs.

pub mod bugs;
pub mod changes;
pub mod deprecations;
mod target;
mod version;

pub use target::{Target, TargetError};
pub use version::{EnvironmentVersion, ServerVersion};

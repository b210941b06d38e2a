//! Kubernetes' libraries of CEL functions.
//!
//! One library is one file: its functions with their signatures, documentation, implementation
//! and cost. The libraries of the language itself are in the crate `cel`;
//! [`crate::environment`] assigns the libraries to environments.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library.

mod argument;
mod authorizer;
mod cidr;
mod cost;
mod estimate;
pub(crate) mod format;
mod ip;
mod json_patch;
mod lists;
mod quantity;
mod regex;
mod semver;
pub(crate) mod url;

use cel::library::Library;
use cel::{ext, stdlib};

pub(crate) use authorizer::AUTHORIZER;
pub use authorizer::{
    Answer, AuthorizationRequest, Authorizer, AuthorizerValue, Decision, Resource, Target, User,
};
pub use cidr::{CIDR, Cidr};
pub use format::{FORMAT, NamedFormat, format_names};
pub use ip::{IP, Ip};
pub(crate) use json_patch::JSONPATCH;
pub use lists::LISTS;
pub(crate) use quantity::QUANTITY;
pub use quantity::QuantityValue;
pub(crate) use regex::REGEX;
pub(crate) use semver::SEMVER;
pub use semver::Semver;
pub use url::{URL, Url};

pub(crate) use estimate::equality as equality_estimate;

/// The libraries of the language, as Kubernetes has them.
///
/// Upstream: kubernetes/apiserver, pkg/cel/environment/base.go, baseOpts.
pub const LANGUAGE: &[&Library] = &[
    &stdlib::LIBRARY,
    &ext::optionals::LIBRARY,
    &ext::strings::LIBRARY,
    &ext::format::LIBRARY,
    &ext::sets::LIBRARY,
    &ext::comprehensions::LIBRARY,
    &ext::lists::LIBRARY,
];

/// The libraries of Kubernetes that every expression has.
///
/// Upstream: kubernetes/apiserver, pkg/cel/environment/base.go, baseOpts.
pub const KUBERNETES: &[&Library] = &[
    &URL,
    &REGEX,
    &LISTS,
    &AUTHORIZER,
    &QUANTITY,
    &IP,
    &CIDR,
    &FORMAT,
    &SEMVER,
];

/// The library that mutations have besides.
pub const MUTATION: &[&Library] = &[&JSONPATCH];

#[cfg(test)]
mod tests;

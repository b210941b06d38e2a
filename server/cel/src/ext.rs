//! The extension libraries of CEL that Kubernetes has.
//!
//! Upstream: cel-go, ext; cel/library.go for optional values. Which version of Kubernetes has
//! what: kubernetes/apiserver, pkg/cel/environment/base.go.

pub mod comprehensions;
pub mod format;
pub mod lists;
pub mod optionals;
pub mod sets;
pub mod strings;
#[cfg(test)]
mod tests;

use crate::library::Library;

/// The libraries of an environment of plain CEL, as required by the conformance suite of the
/// specification, without protocol buffers, mathematics, encoders and networks.
pub static PLAIN_CEL: [&Library; 7] = [
    &crate::stdlib::LIBRARY,
    &optionals::LIBRARY,
    &strings::LIBRARY,
    &format::PLAIN_CEL,
    &sets::LIBRARY,
    &lists::LIBRARY,
    &comprehensions::LIBRARY,
];

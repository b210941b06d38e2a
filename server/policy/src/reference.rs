//! What the names in an expression refer to, and which refer to nothing.
//!
//! This is the part of Kubernetes' compiler that needs no overloads: root names, functions,
//! fields of objects whose type is known. A value that passes through anything else is of
//! unknown type, and nothing is said about it.
//!
//! Upstream: cel-go, checker/checker.go. Kubernetes prints every error of an expression
//! together, so what is found here must be found in cel-go's own order and words.

mod call;
mod check;
mod infer;
mod problem;
mod value;

pub use problem::{Problem, ProblemKind, Receiver};

pub(crate) use check::{Checked, check_all};

#[cfg(test)]
mod tests;

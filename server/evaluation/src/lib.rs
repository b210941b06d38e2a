//! Policies evaluated against admission inputs.
//!
//! The editors, `eval`, `test` and `replay` share the code that leads from a document to a result.
//! The crate does no IO: callers find the files.

pub mod coverage;
pub mod expectation;
pub mod input;
pub mod run;
pub mod samples;

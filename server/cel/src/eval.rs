//! Running an expression.
//!
//! An expression is compiled once to a form that runs many times: over every object of a cluster,
//! and at every keystroke. Its results, failures and costs are those of the API server.

mod activation;
mod attribute;
mod call;
mod code;
mod coverage;
mod field;
mod frame;
mod instantiation;
mod limits;
mod loops;
mod messages;
mod operators;
mod plan;
mod program;
mod record;
mod run;
#[cfg(test)]
mod tests;
mod trace;

pub use activation::{Activation, Bindings};
pub use coverage::{Coverage, OutcomeSet};
pub use limits::{Limits, Outcome};
pub use program::{Program, ProgramError};
pub use trace::Trace;

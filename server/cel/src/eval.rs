//! Running an expression.
//!
//! An expression is compiled once to a form that runs many times: over every object of a
//! cluster, and at every keystroke. It answers, fails and costs as it does in the API
//! server.

mod activation;
mod attribute;
mod call;
mod code;
mod context;
mod coverage;
mod error;
mod frame;
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
mod text;
mod trace;

pub use activation::{Activation, Bindings};
pub use context::Context;
pub use coverage::{Coverage, Seen};
pub use error::{EvalError, EvalErrorKind};
pub use limits::{Limits, Outcome};
pub use program::{Program, ProgramError};
pub use trace::Trace;

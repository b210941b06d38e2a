//! Admission: what the API server does with a request and a policy.
//!
//! The rules of a policy say whether it looks at a request at all; its match conditions say
//! it once more; its validations decide; its messages and audit annotations speak. All of it
//! happens here as it does in the server, without one.
//!
//! A [`Request`] is what comes in, [`matching`] is the first question and a
//! [`CompiledPolicy`] answers the rest.
//!
//! Limit: an object is taken as it is written, without the defaults of its kind; a rule for
//! another version of the kind is not taken for this one; the authorizer has no opinion.

mod compiled;
mod decision;
mod evaluate;
mod limits;
pub mod matching;
mod namespace;
mod object;
mod request;
mod resource;
mod tables;
mod variables;

pub use compiled::CompiledPolicy;
pub use decision::{AuditAnnotation, Decision, Outcome};
pub use evaluate::{Evaluation, ExpressionResult, Failure, Verdict};
pub use limits::{EvaluationLimits, MATCH_CONDITIONS, PER_CALL, VALIDATIONS};
pub use object::object;
pub use request::{Inputs, Operation, Request, RequestError};
pub use resource::{Resource, Resources};

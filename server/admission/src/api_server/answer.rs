//! The result of each policy of a server, for one request.
//!
//! The response has only the first reason for a denial. An author needs all of them, and why a
//! policy does not match.

use super::response::Response;
use crate::evaluate::Evaluation;
use crate::matching::Mismatch;
use crate::mutate::Mutation;
use crate::request::Request;
use std::sync::Arc;

/// The answer to a request, with its explanation.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The response to the client.
    pub response: Response,
    /// The result of each policy, in the order of evaluation: mutating policies first, with
    /// another result if they are reinvoked. If a mutation or a rule of the kind denies the
    /// request, no validating policy is evaluated.
    pub results: Vec<PolicyResult>,
    /// The request as the rules of its kind and the validating policies see it, after all
    /// mutations. `None` if a mutating policy denies it.
    pub mutated: Option<Arc<Request>>,
    /// The reason if the rules of the kind were stopped by a limit that an API server does not
    /// have. The response then assumes that the other rules hold.
    pub stopped_rules: Option<&'static str>,
}

impl Answer {
    /// Returns the answer to a request that does not reach admission, with a status code and a
    /// reason.
    pub(super) fn refused(request: &Request, (code, reason): (u16, &str), message: &str) -> Self {
        Self {
            response: Response::denied(code, reason, message.to_owned(), Vec::new()),
            results: Vec::new(),
            mutated: Some(Arc::new(request.clone())),
            stopped_rules: None,
        }
    }
}

/// The result of a policy with one binding and one parameter object.
#[derive(Clone, Debug)]
pub struct PolicyResult {
    /// The index of the policy in the cluster.
    pub policy: usize,
    /// The index of the binding, for [`ApiServer::binding`](super::ApiServer::binding).
    /// `None` for a policy that is evaluated without a binding, or not at all.
    pub binding: Option<usize>,
    /// The request as the policy sees it: with its parameters, in the version that its rule names,
    /// after the mutations before it. The original request if it was not evaluated.
    pub request: Arc<Request>,
    /// The outcome.
    pub outcome: PolicyResultKind,
}

/// The outcome of a policy.
#[derive(Clone, Debug)]
pub enum PolicyResultKind {
    /// Its own rules leave the request out.
    Mismatch(Mismatch),
    /// The rules of the binding leave the request out.
    BindingMismatch(Mismatch),
    /// It has no binding, so it is not evaluated.
    Unbound,
    /// The binding selects no parameters, and its `parameterNotFoundAction` is Allow.
    NoParams,
    /// The outcome is unknown: why, and which information is missing.
    Unknown(String),
    /// It was stopped by a limit that an API server does not have; why.
    Stopped(&'static str),
    /// It could not be evaluated.
    NotConfigured {
        /// The message of the server.
        message: String,
        /// Whether the binding selects parameters that do not exist.
        lacks_params: bool,
    },
    /// It was evaluated as a validation. All bindings share the result for one parameter object.
    Validated(Arc<Evaluation>),
    /// It was evaluated as a mutation.
    Mutated(Mutation),
}

//! What became of each policy that a server has, for one request.
//!
//! The user of the API sees the first reason for a denial. An author wants all of them, and
//! why a policy was not even asked.

use super::response::Response;
use crate::admission::evaluate::Evaluation;
use crate::admission::matching::Mismatch;
use crate::admission::mutate::Mutation;
use crate::admission::request::Request;
use std::sync::Arc;

/// The answer to a request, and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the user of the API gets.
    pub response: Response,
    /// What became of each policy, in the order in which the server looked at them: the
    /// mutating ones first, once more where they are asked again. Where a mutation denies
    /// the request, or a rule of its kind, no validating policy is asked.
    pub results: Vec<PolicyResult>,
    /// The request as the rules of its kind and the validating policies see it, after all
    /// mutations. `None` where a mutating policy denies it.
    pub mutated: Option<Arc<Request>>,
}

/// What became of a policy with one binding and one object of parameters.
#[derive(Clone, Debug)]
pub struct PolicyResult {
    /// The place of the policy in the cluster.
    pub policy: usize,
    /// The place of the binding in the cluster, for [`ApiServer::binding`](super::ApiServer::binding).
    /// `None` for a policy that is asked without one, or not at all.
    pub binding: Option<usize>,
    /// The request as the policy sees it: with its parameters, in the version that its rule
    /// names, after the mutations before it. Where it was not evaluated, as it came.
    pub request: Arc<Request>,
    /// What became of it.
    pub outcome: PolicyResultKind,
}

/// What became of a policy.
#[derive(Clone, Debug)]
pub enum PolicyResultKind {
    /// Its own rules leave the request out.
    Mismatch(Mismatch),
    /// The rules of the binding leave the request out.
    BindingMismatch(Mismatch),
    /// It has no binding, and nothing asks it.
    Unbound,
    /// The binding names no object of parameters, and says to go on without.
    NoParams,
    /// What is at hand does not tell what the policy does: why, and what is missing.
    Unknown(String),
    /// It could not be evaluated, in the words of the server.
    NotConfigured(String),
    /// It was asked for its opinion.
    Validated(Evaluation),
    /// It was asked for changes.
    Mutated(Mutation),
}

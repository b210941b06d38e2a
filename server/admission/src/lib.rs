//! Admission: how the API server processes a request with its policies.
//!
//! The rules and match conditions of a policy decide whether it matches a request, its validations
//! decide about the request, and its messages and audit annotations report it. This crate does all
//! of it as the server does, without a server.
//!
//! A [`Request`] is the input, [`matching`] is the first step, and a [`CompiledPolicy`] does
//! the rest. An [`ApiServer`] holds policies with their bindings and returns the response of
//! the server.
//!
//! Limit: an object is used as written, without the defaults of its kind; a rule for another
//! version of the kind does not match this one.

mod answers;
mod api_server;
mod audit_annotations;
mod compiled;
mod coverage;
mod crd_validation;
mod create_defaults;
mod decision;
mod evaluate;
mod failure_policy;
mod fields;
mod inspection;
mod json;
mod kind_validation;
mod limits;
mod map;
mod match_conditions;
pub mod matching;
mod message_expression;
mod mutate;
mod namespace;
mod object_meta;
mod objects;
mod plugins;
mod pods;
mod request;
mod request_view;
mod resource;
mod strategy;
mod user;
mod variables;
mod warning;

pub use answers::{AuthorizerRow, AuthorizerTable, Otherwise, RowAnswer};
pub use api_server::{
    Answer, ApiServer, Called, Cause, Caveat, CustomKind, CustomResources, OmittedKinds,
    PolicyResult, PolicyResultKind, Response, WebhookCall, denial, forbidden_name, status_code,
};
pub use audit_annotations::AuditAnnotation;
pub use compiled::CompiledPolicy;
pub use coverage::PolicyCoverage;
pub use crd_validation::{CrdInspection, CrdValidator};
pub use decision::{Decision, DecisionOutcome, Verdict};
pub use evaluate::{Evaluation, ExpressionResult, Failure};
pub use inspection::Inspection;
pub use json::{JsonError, JsonReader, ObjectType, PartTexts, ReadParts, SelectParts};
pub use limits::{EvaluationLimits, TAKES_TOO_LONG, stopped};
pub use match_conditions::Matched;
pub use mutate::{Mutation, MutationStep, is_larger};
pub use namespace::UNKNOWN_NAMESPACE;
pub use plugins::PLUGIN_KINDS;
pub use request::{Inputs, Operation, Request, RequestError};
pub use resource::{Resource, Resources};
pub use user::UserInfo;
pub use warning::{VALIDATION_FAILED, Warning, WarningSubject};

//! The checks and decisions of an authorizer.
//!
//! Upstream: kubernetes/apiserver, pkg/authorization/authorizer/interfaces.go.

use std::fmt;
use std::sync::Arc;

/// Decides whether a user may perform an action. The caller of an evaluation provides one.
pub trait Authorizer: fmt::Debug + Send + Sync {
    /// Returns the answer to a question.
    fn authorize(&self, request: &AuthorizationRequest<'_>) -> Answer;
}

/// The user of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub name: Arc<str>,
    /// The groups.
    pub groups: Vec<Arc<str>>,
}

impl User {
    /// Returns a service account.
    ///
    /// Upstream: kubernetes/apiserver, pkg/authentication/serviceaccount/util.go, UserInfo.
    #[must_use]
    pub fn service_account(namespace: &str, name: &str) -> Self {
        Self {
            name: format!("system:serviceaccount:{namespace}:{name}").into(),
            groups: vec![
                "system:serviceaccounts".into(),
                format!("system:serviceaccounts:{namespace}").into(),
            ],
        }
    }
}

/// May the user do this?
#[derive(Clone, Copy, Debug)]
pub struct AuthorizationRequest<'a> {
    /// The user.
    pub user: &'a User,
    /// The verb: that of the API, or for paths an HTTP method in lowercase.
    pub verb: &'a str,
    /// The target.
    pub target: Target<'a>,
}

/// The target of a check.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A non-resource path, such as `/healthz`.
    Path(&'a str),
    /// A resource.
    Resource(&'a Resource),
}

/// A resource. Empty fields match all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    /// The API group, empty for the core group.
    pub group: Arc<str>,
    /// The plural name.
    pub resource: Arc<str>,
    /// The subresource.
    pub subresource: Arc<str>,
    /// The namespace.
    pub namespace: Arc<str>,
    /// The name of the object.
    pub name: Arc<str>,
    /// The field selector as written.
    pub field_selector: Arc<str>,
    /// The label selector as written.
    pub label_selector: Arc<str>,
}

/// The answer of an authorizer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The decision.
    pub decision: Decision,
    /// The reason, which may be empty.
    pub reason: Arc<str>,
    /// The error, if it failed.
    pub error: Option<Arc<str>>,
}

/// The decision of an authorizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decision {
    /// Yes.
    Allow,
    /// No.
    Deny,
    /// No opinion, which does not allow the action.
    #[default]
    NoOpinion,
}

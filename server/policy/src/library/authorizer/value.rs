//! The values that make up an authorization check, and its decision.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/authz.go.

use super::check::{Answer, AuthorizationRequest, Authorizer, Resource, Target, User};
use cel::types::Type;
use cel::value::{EvalError, Opaque, Value};
use std::sync::Arc;

/// The variable `authorizer`: an authorizer and a user.
#[derive(Clone, Debug)]
pub struct AuthorizerValue {
    /// The user.
    pub user: Arc<User>,
    /// The authorizer.
    pub authorizer: Arc<dyn Authorizer>,
}

impl AuthorizerValue {
    /// Returns a question about a resource, as in `authorizer.requestResource`.
    #[must_use]
    pub fn resource(&self, resource: Resource) -> Value {
        Value::opaque(ResourceCheck {
            authorizer: self.clone(),
            resource,
        })
    }

    fn authorize(&self, verb: &str, target: Target<'_>) -> Value {
        let request = AuthorizationRequest {
            user: &self.user,
            verb,
            target,
        };
        Value::opaque(DecisionValue(self.authorizer.authorize(&request)))
    }
}

/// A question about a path.
#[derive(Clone, Debug)]
pub(super) struct PathCheck {
    pub(super) authorizer: AuthorizerValue,
    pub(super) path: Arc<str>,
}

impl PathCheck {
    pub(super) fn check(&self, verb: &str) -> Value {
        self.authorizer.authorize(verb, Target::Path(&self.path))
    }
}

/// A check of a group that still needs a resource.
#[derive(Clone, Debug)]
pub(super) struct GroupCheck {
    pub(super) authorizer: AuthorizerValue,
    pub(super) group: Arc<str>,
}

/// A question about a resource.
#[derive(Clone, Debug)]
pub(super) struct ResourceCheck {
    pub(super) authorizer: AuthorizerValue,
    pub(super) resource: Resource,
}

impl ResourceCheck {
    pub(super) fn check(&self, verb: &str) -> Value {
        self.authorizer
            .authorize(verb, Target::Resource(&self.resource))
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct DecisionValue(pub(super) Answer);

/// Implements `Opaque` for values that the server cannot compare: `==` with them is an error.
macro_rules! opaque {
    ($type:ty, $name:literal, $go:literal) => {
        impl Opaque for $type {
            fn ty(&self) -> Type {
                Type::object(concat!("kubernetes.authorization.", $name))
            }

            fn equals(&self, _: &dyn Opaque) -> bool {
                false
            }

            fn equals_value(&self, _: &Value) -> Option<bool> {
                None
            }

            fn display(&self) -> String {
                self.describe()
            }

            fn go_type(&self) -> &'static str {
                concat!("library.", $go)
            }

            fn renewed(&self) -> Option<Result<Value, EvalError>> {
                Some(Err(EvalError::no_such_overload()))
            }
        }
    };
}

opaque!(AuthorizerValue, "Authorizer", "authorizerVal");
opaque!(PathCheck, "PathCheck", "pathCheckVal");
opaque!(GroupCheck, "GroupCheck", "groupCheckVal");
opaque!(ResourceCheck, "ResourceCheck", "resourceCheckVal");
opaque!(DecisionValue, "Decision", "decisionVal");

impl AuthorizerValue {
    fn describe(&self) -> String {
        self.user.name.to_string()
    }
}

impl PathCheck {
    fn describe(&self) -> String {
        self.path.to_string()
    }
}

impl GroupCheck {
    fn describe(&self) -> String {
        self.group.to_string()
    }
}

impl ResourceCheck {
    fn describe(&self) -> String {
        let resource = &self.resource;
        let parts = [
            &resource.group,
            &resource.resource,
            &resource.subresource,
            &resource.namespace,
            &resource.name,
        ]
        .into_iter()
        .filter(|part| !part.is_empty());
        parts.map(|part| &**part).collect::<Vec<_>>().join("/")
    }
}

impl DecisionValue {
    fn describe(&self) -> String {
        let word = match self.0.decision {
            super::check::Decision::Allow => "allow",
            super::check::Decision::Deny => "deny",
            super::check::Decision::NoOpinion => "no opinion",
        };
        match (&self.0.error, &*self.0.reason) {
            (Some(error), _) => format!("error: {error}"),
            (None, "") => word.to_owned(),
            (None, reason) => format!("{word}: {reason}"),
        }
    }
}

//! A request as expressions see it.
//!
//! Many policies are evaluated against one request, and most expressions read little more than
//! `object`. So a root variable is created when an expression first reads it, and then kept for all
//! of them.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/activation.go, newActivation.

use super::namespace::{assumed, namespace_object};
use super::request::Request;
use cel::Value;
use cel::eval::Activation;
use cel::value::EvalError;
use std::sync::{Arc, OnceLock};

/// A request with the variables derived from it.
#[derive(Debug)]
pub(super) struct RequestView {
    request: Arc<Request>,
    variable: OnceLock<Value>,
    /// `request` as match conditions see it, if it differs.
    unmatched: OnceLock<Value>,
    namespace: OnceLock<Value>,
    /// `authorizer` and `authorizer.requestResource`.
    authorizer: OnceLock<(Value, Value)>,
}

/// The root variables that the expressions of a filter see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Everything.
    All,
    /// Not the authorizer.
    NoAuthorizer,
    /// The authorizer, but not the namespace.
    NoNamespace,
}

/// The roots that an expression can read.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    pub(super) view: Arc<RequestView>,
    pub(super) visibility: Visibility,
    /// `variables`. `None` for a policy without any.
    pub(super) variables: Option<Value>,
}

/// The value of a variable that the request does not have.
static NULL: Value = Value::Null;

impl RequestView {
    pub(super) fn new(request: Arc<Request>) -> Arc<Self> {
        Arc::new(Self {
            request,
            variable: OnceLock::new(),
            unmatched: OnceLock::new(),
            namespace: OnceLock::new(),
            authorizer: OnceLock::new(),
        })
    }

    /// Returns the request.
    pub(super) fn request(&self) -> &Arc<Request> {
        &self.request
    }

    fn namespace(&self) -> &Value {
        self.namespace
            .get_or_init(|| match &self.request.inputs.namespace_object {
                Some(namespace) => namespace_object(namespace),
                None if self.request.assumes_namespace => assumed(&self.request.namespace),
                None => Value::Null,
            })
    }

    fn authorizer(&self) -> &(Value, Value) {
        self.authorizer.get_or_init(|| self.request.authorizers())
    }
}

impl Activation for Roots {
    fn resolve(&self, name: &str) -> Option<Result<&Value, EvalError>> {
        let view = &*self.view;
        let inputs = &view.request.inputs;
        let input = |input| Option::<&Value>::unwrap_or(input, &NULL);
        let has_authorizer = self.visibility != Visibility::NoAuthorizer;
        Some(Ok(match name {
            "object" => input(inputs.object.as_ref()),
            "oldObject" => input(inputs.old_object.as_ref()),
            "params" => input(inputs.params.as_ref()),
            "namespaceObject" if self.visibility == Visibility::NoNamespace => &NULL,
            "namespaceObject" => view.namespace(),
            "request"
                if self.visibility == Visibility::NoNamespace
                    && view.request.equivalent.is_some() =>
            {
                view.unmatched
                    .get_or_init(|| view.request.variable_of_conditions())
            }
            "request" => view.variable.get_or_init(|| view.request.variable()),
            "authorizer" if has_authorizer => &view.authorizer().0,
            "authorizer.requestResource" if has_authorizer => &view.authorizer().1,
            "variables" => self.variables.as_ref()?,
            _ => return None,
        }))
    }
}

//! The answer that the user of the API gets.

use crate::admission::request::{Operation, Request};
use cel::Value;

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Response {
    /// Whether the request goes on.
    pub allowed: bool,
    /// The code of HTTP.
    pub code: u16,
    /// Why it does not go on. Empty where it does.
    pub message: String,
    /// The reason for programs. Empty where it goes on.
    pub reason: String,
    /// The causes that the answer lists.
    pub causes: Vec<String>,
    /// The warnings that come with it.
    pub warnings: Vec<String>,
    /// What is written to the audit log, by its key.
    pub audit_annotations: Vec<(String, String)>,
    /// The object after all mutations.
    pub object: Option<Value>,
}

impl Response {
    /// The request goes on.
    pub(super) fn allowed(request: &Request) -> Self {
        let code = match request.operation {
            Operation::Create if request.subresource.is_empty() => 201,
            _ => 200,
        };
        Self {
            allowed: true,
            code,
            message: String::new(),
            reason: String::new(),
            causes: Vec::new(),
            warnings: Vec::new(),
            audit_annotations: Vec::new(),
            object: request.inputs.object.clone(),
        }
    }

    /// The request is denied.
    pub(super) fn denied(code: u16, reason: &str, message: String, causes: Vec<String>) -> Self {
        Self {
            allowed: false,
            code,
            message,
            reason: reason.to_owned(),
            causes,
            warnings: Vec::new(),
            audit_annotations: Vec::new(),
            object: None,
        }
    }
}

/// The code of HTTP that goes with a reason.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/policy_decision.go,
/// reasonToCode.
pub(super) fn code(reason: &str) -> u16 {
    match reason {
        "Forbidden" => 403,
        "Unauthorized" => 401,
        "RequestEntityTooLarge" => 413,
        _ => 422,
    }
}

/// What is denied: `deployments.apps "web" is forbidden`.
///
/// Upstream: kubernetes/apiserver, pkg/admission/errors.go, NewForbidden.
pub(super) fn forbidden(request: &Request, message: &str) -> String {
    let resource = &request.resource;
    let group = if resource.group.is_empty() {
        String::new()
    } else {
        format!(".{}", resource.group)
    };
    let name = crate::library::quote::quote(&request.name);
    format!("{}{group} {name} is forbidden: {message}", resource.plural)
}

//! The response that a client of the API receives.

use crate::request::{Operation, Request};
use crate::resource::Resource;
use crate::warning::Warning;
use cel::Value;
use kubernetes::metadata_field;
use policy::field_error::{ErrorSource, FieldError};
use std::collections::HashSet;
use std::fmt;

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Response {
    /// Whether the request is allowed.
    pub allowed: bool,
    /// The HTTP status code.
    pub code: u16,
    /// The reason for the denial; empty if it is allowed.
    pub message: String,
    /// The reason, for programs. Empty if the request is allowed.
    pub reason: String,
    /// The causes that the answer lists.
    pub causes: Vec<Cause>,
    /// Its warnings.
    pub warnings: Vec<Warning>,
    /// The audit annotations: keys and values.
    pub audit_annotations: Vec<(String, String)>,
    /// The object after all mutations.
    pub object: Option<Value>,
    /// The open points of the response.
    pub caveats: Vec<Caveat>,
    /// The built-in admission plugin that denies the request, if one does.
    pub plugin: Option<&'static str>,
}

/// A point that a response leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caveat {
    /// The API server validates an object of a built-in kind before it evaluates the validating
    /// policies. These parts of it are not validated here.
    NotValidated(&'static str),
    /// Several policies deny the request.
    AnyDenial,
    /// The object depends on the order of the mutating policies.
    AnyOrder,
    /// The response depends on the order in which an expression visits the keys of a map.
    AnyKeyOrder,
    /// An object of this kind that the request names is missing, and assumed to exist.
    Assumed(&'static str),
}

impl Caveat {
    /// Returns the name for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Caveat::NotValidated(_) => "notValidated",
            Caveat::AnyDenial => "anyDenial",
            Caveat::AnyOrder => "anyOrder",
            Caveat::AnyKeyOrder => "anyKeyOrder",
            Caveat::Assumed(_) => "assumedObject",
        }
    }
}

impl fmt::Display for Caveat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Caveat::Assumed(kind) => {
                return write!(
                    out,
                    "the project does not have the {kind} of the pod; if the cluster does not \
                     have it either, the API server denies the request"
                );
            }
            Caveat::NotValidated(parts) => return write!(out, "not validated here: {parts}"),
            Caveat::AnyDenial => {
                "several policies deny the request; the API server reports any one of them"
            }
            Caveat::AnyOrder => {
                "the object depends on the order of the mutating policies, which is random"
            }
            Caveat::AnyKeyOrder => {
                "the response depends on the order of the keys of a map, which is random"
            }
        })
    }
}

/// A cause of a denial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The message.
    pub message: String,
    /// The type of an error in a field. Empty for that of a policy.
    pub reason: &'static str,
    /// The field, if the cause is about one.
    pub field: String,
    /// Whether the cause follows from the others: rules are not evaluated because of them.
    pub follows: bool,
}

impl Cause {
    /// Returns a cause from a policy.
    pub(super) fn from_message(message: String) -> Self {
        Self {
            message,
            reason: "",
            field: String::new(),
            follows: false,
        }
    }
}

impl Response {
    /// Returns the response that allows the request.
    pub(super) fn allowed(request: &Request) -> Self {
        let code = match request.operation {
            Operation::Create => 201,
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
            caveats: Vec::new(),
            plugin: None,
        }
    }

    /// Returns a response that denies the request.
    pub(super) fn denied(code: u16, reason: &str, message: String, causes: Vec<Cause>) -> Self {
        Self {
            allowed: false,
            code,
            message,
            reason: reason.to_owned(),
            causes,
            warnings: Vec::new(),
            audit_annotations: Vec::new(),
            object: None,
            caveats: Vec::new(),
            plugin: None,
        }
    }
}

/// Limit: the total characters of warnings above which each is truncated.
const MAX_WARNINGS: usize = 4 * 1024;

/// Limit: the characters of a truncated warning.
const MAX_WARNING: usize = 256;

/// Returns the warnings that reach the client: each once, without those that contain a control
/// character such as a line break, which a header cannot contain, and truncated if they are too
/// long in total.
///
/// Upstream: kubernetes/apiserver, pkg/endpoints/filters/warning.go, AddWarning;
/// kubernetes/apimachinery, pkg/util/net/http.go, NewWarningHeader.
pub(super) fn recorded(warnings: Vec<Warning>) -> Vec<Warning> {
    let mut known = HashSet::new();
    let mut unique = warnings;
    unique.retain(|Warning { message, .. }| {
        let is_text = !message.is_empty() && !message.contains(char::is_control);
        is_text && known.insert(message.clone())
    });
    let length = |it: &Warning| it.message.chars().count();
    if unique.iter().map(length).sum::<usize>() <= MAX_WARNINGS {
        return unique;
    }
    let mut written = 0;
    let mut cut = Vec::new();
    for warning in unique {
        if written >= MAX_WARNINGS {
            break;
        }
        let message = warning.message.chars().take(MAX_WARNING).collect();
        let short = Warning { message, ..warning };
        written += length(&short);
        cut.push(short);
    }
    cut
}

/// Returns the HTTP status code of a reason.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/policy_decision.go,
/// reasonToCode.
#[must_use]
pub fn status_code(reason: &str) -> u16 {
    match reason {
        "Forbidden" => 403,
        "Unauthorized" => 401,
        "RequestEntityTooLarge" => 413,
        _ => 422,
    }
}

/// Returns the message of a denial: `deployments.apps "web" is forbidden: ...`.
pub(super) fn forbidden(request: &Request, message: &str) -> String {
    let object = request.inputs.object.as_ref();
    let written = |field| object.and_then(|object| metadata_field(object, field));
    let name = Some(request.name.as_str())
        .filter(|name| !name.is_empty())
        .or_else(|| written("name"))
        .or_else(|| written("generateName"));
    forbidden_name(&request.resource, name, message)
}

/// Returns the message of the denial of an object by its name, if it has one.
///
/// Upstream: kubernetes/apiserver, pkg/admission/errors.go, NewForbidden.
#[must_use]
pub fn forbidden_name(resource: &Resource, name: Option<&str>, message: &str) -> String {
    let name = kubernetes::quote::quote(name.unwrap_or("Unknown"));
    format!("{} {name} is forbidden: {message}", resource.qualified())
}

/// Returns the answer to an object that breaks the rules of its kind.
///
/// Upstream: kubernetes/apimachinery, pkg/api/errors/errors.go, NewInvalid.
pub(super) fn invalid(request: &Request, errors: &[FieldError]) -> Response {
    let resource = &request.resource;
    let name = request
        .inputs
        .object
        .as_ref()
        .and_then(|it| metadata_field(it, "name"));
    let name = kubernetes::quote::quote(name.unwrap_or_default());
    let mut details: Vec<String> = Vec::with_capacity(errors.len());
    for error in errors {
        let text = format!("{}: {}", error.field, error.message);
        if !details.contains(&text) {
            details.push(text);
        }
    }
    let details = match details.as_slice() {
        [one] => one.clone(),
        all => format!("[{}]", all.join(", ")),
    };
    let causes = errors.iter().map(|error| Cause {
        message: error.message.clone(),
        reason: error.kind.as_str(),
        field: error.field.clone(),
        follows: error.source == ErrorSource::UncheckedRules,
    });
    let kind = match resource.group.as_str() {
        "" => resource.kind.clone(),
        group => format!("{}.{group}", resource.kind),
    };
    let message = format!("{kind} {name} is invalid: {details}");
    Response::denied(422, "Invalid", message, causes.collect())
}

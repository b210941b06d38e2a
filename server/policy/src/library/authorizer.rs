//! Authorization checks.
//!
//! An expression can check whether the user of the request, or a service account, may do
//! something.

mod check;
mod value;

pub use check::{Answer, AuthorizationRequest, Authorizer, Decision, Resource, Target, User};
pub use value::AuthorizerValue;

use super::argument::{opaque, string};
use super::cost::nominal;
use cel::cost::{CREATE_LIST, CREATE_STRUCT, STRING_TRAVERSAL, actual};
use cel::library::{Context, Function, Library, overloads};
use cel::value::{EvalError, Value};
use kubernetes::names::format::{dns_1123_label, dns_subdomain};
use std::sync::Arc;
use value::{DecisionValue, GroupCheck, PathCheck, ResourceCheck};

/// Questions to the authorizer.
pub(crate) static AUTHORIZER: Library = Library {
    name: "authorizer",
    macros: &[],
    functions: &[
        Function {
            doc: "Returns a check for a non-resource path, such as `/healthz`.",
            example: "authorizer.path('/healthz').check('get').allowed()",
            overloads: overloads![
                member "authorizer_path" since 27:
                    "struct(kubernetes.authorization.Authorizer), string"
                    -> "struct(kubernetes.authorization.PathCheck)";
            ],
            implementation: Some(path),
            ..nominal("path")
        },
        Function {
            doc: "Returns a check for the resources of an API group. The core group is the empty string.",
            example: "authorizer.group('apps').resource('deployments').check('create').allowed()",
            overloads: overloads![
                member "authorizer_group" since 27:
                    "struct(kubernetes.authorization.Authorizer), string"
                    -> "struct(kubernetes.authorization.GroupCheck)";
            ],
            implementation: Some(group),
            ..nominal("group")
        },
        Function {
            doc: "Returns an authorizer for a service account, by namespace and name, instead of the user of the request.",
            example: "authorizer.serviceAccount('default', 'builder').group('').resource('pods').check('list').allowed()",
            overloads: overloads![
                member "authorizer_serviceaccount" since 27:
                    "struct(kubernetes.authorization.Authorizer), string, string"
                    -> "struct(kubernetes.authorization.Authorizer)";
            ],
            implementation: Some(service_account),
            ..nominal("serviceAccount")
        },
        Function {
            doc: "Returns a check for a resource of the group, by its plural name.",
            example: "authorizer.group('').resource('pods').check('list').allowed()",
            overloads: overloads![
                member "groupcheck_resource" since 27:
                    "struct(kubernetes.authorization.GroupCheck), string"
                    -> "struct(kubernetes.authorization.ResourceCheck)";
            ],
            implementation: Some(resource),
            ..nominal("resource")
        },
        Function {
            doc: "Limits the check to a subresource.",
            example: "authorizer.group('').resource('pods').subresource('log').check('get').allowed()",
            overloads: overloads![
                member "resourcecheck_subresource" since 27:
                    "struct(kubernetes.authorization.ResourceCheck), string"
                    -> "struct(kubernetes.authorization.ResourceCheck)";
            ],
            implementation: Some(subresource),
            ..nominal("subresource")
        },
        Function {
            doc: "Limits the check to a namespace. Without it, the check applies to all namespaces.",
            example: "authorizer.group('').resource('pods').namespace('default').check('list').allowed()",
            overloads: overloads![
                member "resourcecheck_namespace" since 27:
                    "struct(kubernetes.authorization.ResourceCheck), string"
                    -> "struct(kubernetes.authorization.ResourceCheck)";
            ],
            implementation: Some(namespace),
            ..nominal("namespace")
        },
        Function {
            doc: "Limits the check to the object with a name. Without it, the check applies to all objects.",
            example: "authorizer.group('').resource('pods').namespace('default').name('web').check('get').allowed()",
            overloads: overloads![
                member "resourcecheck_name" since 27:
                    "struct(kubernetes.authorization.ResourceCheck), string"
                    -> "struct(kubernetes.authorization.ResourceCheck)";
            ],
            implementation: Some(name),
            ..nominal("name")
        },
        Function {
            doc: "Limits the check to the objects that a field selector matches.",
            example: "authorizer.group('').resource('pods').fieldSelector('spec.nodeName=a').check('list').allowed()",
            overloads: overloads![
                member "authorizer_fieldselector" since 24:
                    "struct(kubernetes.authorization.ResourceCheck), string"
                    -> "struct(kubernetes.authorization.ResourceCheck)";
            ],
            estimate: Some(super::estimate::selector),
            implementation: Some(field_selector),
            cost: Some(selector_cost),
            ..Function::named("fieldSelector")
        },
        Function {
            doc: "Limits the check to the objects that a label selector matches.",
            example: "authorizer.group('').resource('pods').labelSelector('app=web').check('list').allowed()",
            overloads: overloads![
                member "authorizer_labelselector" since 24:
                    "struct(kubernetes.authorization.ResourceCheck), string"
                    -> "struct(kubernetes.authorization.ResourceCheck)";
            ],
            estimate: Some(super::estimate::selector),
            implementation: Some(label_selector),
            cost: Some(selector_cost),
            ..Function::named("labelSelector")
        },
        Function {
            doc: "Returns the decision of the authorizer for a verb.",
            example: "authorizer.group('').resource('pods').check('list').allowed()",
            overloads: overloads![
                member "pathcheck_check" since 27:
                    "struct(kubernetes.authorization.PathCheck), string"
                    -> "struct(kubernetes.authorization.Decision)", runs check_path;
                member "resourcecheck_check" since 27:
                    "struct(kubernetes.authorization.ResourceCheck), string"
                    -> "struct(kubernetes.authorization.Decision)", runs check_resource;
            ],
            estimate: Some(super::estimate::check),
            cost: Some(check_cost),
            ..Function::named("check")
        },
        Function {
            doc: "Returns whether the authorizer failed.",
            example: "!authorizer.path('/healthz').check('get').errored()",
            overloads: overloads![
                member "decision_errored" since 27:
                    "struct(kubernetes.authorization.Decision)" -> "bool";
            ],
            implementation: Some(errored),
            ..nominal("errored")
        },
        Function {
            doc: "Returns the error of the authorizer, empty if there is none.",
            example: "authorizer.path('/healthz').check('get').error() == ''",
            overloads: overloads![
                member "decision_error" since 27:
                    "struct(kubernetes.authorization.Decision)" -> "string";
            ],
            implementation: Some(error),
            ..nominal("error")
        },
        Function {
            doc: "Returns whether the authorizer allows the verb. An error or no opinion returns false.",
            example: "authorizer.path('/healthz').check('get').allowed()",
            overloads: overloads![
                member "decision_allowed" since 27:
                    "struct(kubernetes.authorization.Decision)" -> "bool";
            ],
            implementation: Some(allowed),
            ..nominal("allowed")
        },
        Function {
            doc: "Returns the reason for the decision, which may be empty.",
            example: "authorizer.path('/healthz').check('get').reason() == ''",
            overloads: overloads![
                member "decision_reason" since 27:
                    "struct(kubernetes.authorization.Decision)" -> "string";
            ],
            implementation: Some(reason),
            ..nominal("reason")
        },
    ],
};

fn path(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (authorizer, path) = (opaque::<AuthorizerValue>(args, 0)?, string(args, 1)?);
    if path.trim().is_empty() {
        return Err(EvalError::message("path must not be empty"));
    }
    Ok(Value::opaque(PathCheck {
        authorizer: authorizer.clone(),
        path: path.into(),
    }))
}

fn group(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::opaque(GroupCheck {
        authorizer: opaque::<AuthorizerValue>(args, 0)?.clone(),
        group: string(args, 1)?.into(),
    }))
}

fn service_account(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let authorizer = opaque::<AuthorizerValue>(args, 0)?;
    let (namespace, name) = (string(args, 1)?, string(args, 2)?);
    if !dns_subdomain(name).is_empty() {
        return Err(EvalError::message("Invalid service account name"));
    }
    if !dns_1123_label(namespace).is_empty() {
        return Err(EvalError::message("Invalid service account namespace"));
    }
    Ok(Value::opaque(AuthorizerValue {
        user: Arc::new(User::service_account(namespace, name)),
        authorizer: Arc::clone(&authorizer.authorizer),
    }))
}

fn resource(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (check, resource) = (opaque::<GroupCheck>(args, 0)?, string(args, 1)?);
    if resource.trim().is_empty() {
        return Err(EvalError::message("resource must not be empty"));
    }
    Ok(check.authorizer.resource(Resource {
        group: Arc::clone(&check.group),
        resource: resource.into(),
        ..Resource::default()
    }))
}

/// Returns the check with one more attribute set.
fn with(
    args: &[Value],
    field: impl FnOnce(&mut Resource) -> &mut Arc<str>,
) -> Result<Value, EvalError> {
    let mut check = opaque::<ResourceCheck>(args, 0)?.clone();
    *field(&mut check.resource) = string(args, 1)?.into();
    Ok(Value::opaque(check))
}

fn subresource(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    with(args, |resource| &mut resource.subresource)
}

fn namespace(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    with(args, |resource| &mut resource.namespace)
}

fn name(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    with(args, |resource| &mut resource.name)
}

fn field_selector(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    with(args, |resource| &mut resource.field_selector)
}

fn label_selector(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    with(args, |resource| &mut resource.label_selector)
}

fn check_path(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(opaque::<PathCheck>(args, 0)?.check(string(args, 1)?))
}

fn check_resource(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(opaque::<ResourceCheck>(args, 0)?.check(string(args, 1)?))
}

fn answer(args: &[Value]) -> Result<&Answer, EvalError> {
    Ok(&opaque::<DecisionValue>(args, 0)?.0)
}

fn errored(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(answer(args)?.error.is_some()))
}

fn error(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let error = answer(args)?.error.clone();
    Ok(Value::String(error.unwrap_or_default()))
}

fn allowed(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(answer(args)?.decision == Decision::Allow))
}

fn reason(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::String(Arc::clone(&answer(args)?.reason)))
}

/// Limit: this cost allows an expression only two checks.
fn check_cost(_: &str, _: &[Value], _: &Value) -> Option<u64> {
    Some(350_000)
}

/// Costs reading the selector, and a structure and a list for every two of its characters.
///
/// Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, selectorCostEstimate.
fn selector_cost(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    let length = args.get(1)?.size();
    let requirements = actual::part(length, 0.5) * (CREATE_LIST + CREATE_STRUCT);
    Some(CREATE_LIST + actual::part(length, STRING_TRAVERSAL) + requirements)
}

#[cfg(test)]
mod tests;

//! Questions to the authorizer.
//!
//! An expression can ask whether the user of the request, or a service account, may do something.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// Questions to the authorizer.
pub static AUTHORIZER: Library = Library {
    name: "authorizer",
    macros: &[],
    functions: &[
        Function {
            doc: "A question about a path that is no resource, such as `/healthz`.",
            example: "authorizer.path('/healthz').check('get').allowed()",
            overloads: &[Overload::member(
                "authorizer_path",
                "struct(kubernetes.authorization.Authorizer), string",
                "struct(kubernetes.authorization.PathCheck)",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("path")
        },
        Function {
            doc: "A question about the resources of an API group. The core group is the empty string.",
            example: "authorizer.group('apps').resource('deployments').check('create').allowed()",
            overloads: &[Overload::member(
                "authorizer_group",
                "struct(kubernetes.authorization.Authorizer), string",
                "struct(kubernetes.authorization.GroupCheck)",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("group")
        },
        Function {
            doc: "Asks for a service account, by its namespace and name, in place of the user of the request.",
            example: "authorizer.serviceAccount('default', 'builder').group('').resource('pods').check('list').allowed()",
            overloads: &[Overload::member(
                "authorizer_serviceaccount",
                "struct(kubernetes.authorization.Authorizer), string, string",
                "struct(kubernetes.authorization.Authorizer)",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("serviceAccount")
        },
        Function {
            doc: "A question about a resource of the group, by its plural name.",
            example: "authorizer.group('').resource('pods').check('list').allowed()",
            overloads: &[Overload::member(
                "groupcheck_resource",
                "struct(kubernetes.authorization.GroupCheck), string",
                "struct(kubernetes.authorization.ResourceCheck)",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("resource")
        },
        Function {
            doc: "The same question about a subresource.",
            example: "authorizer.group('').resource('pods').subresource('log').check('get').allowed()",
            overloads: &[Overload::member(
                "resourcecheck_subresource",
                "struct(kubernetes.authorization.ResourceCheck), string",
                "struct(kubernetes.authorization.ResourceCheck)",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("subresource")
        },
        Function {
            doc: "The same question within a namespace. Without one it is about all of them.",
            example: "authorizer.group('').resource('pods').namespace('default').check('list').allowed()",
            overloads: &[Overload::member(
                "resourcecheck_namespace",
                "struct(kubernetes.authorization.ResourceCheck), string",
                "struct(kubernetes.authorization.ResourceCheck)",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("namespace")
        },
        Function {
            doc: "The same question about the object of that name. Without one it is about all of them.",
            example: "authorizer.group('').resource('pods').namespace('default').name('web').check('get').allowed()",
            overloads: &[Overload::member(
                "resourcecheck_name",
                "struct(kubernetes.authorization.ResourceCheck), string",
                "struct(kubernetes.authorization.ResourceCheck)",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("name")
        },
        Function {
            doc: "The same question about the objects that a field selector picks.",
            example: "authorizer.group('').resource('pods').fieldSelector('spec.nodeName=a').check('list').allowed()",
            overloads: &[Overload::member(
                "authorizer_fieldselector",
                "struct(kubernetes.authorization.ResourceCheck), string",
                "struct(kubernetes.authorization.ResourceCheck)",
                Version(24),
            )],
            estimate: Some(super::estimate::selector),
            ..Function::named("fieldSelector")
        },
        Function {
            doc: "The same question about the objects that a label selector picks.",
            example: "authorizer.group('').resource('pods').labelSelector('app=web').check('list').allowed()",
            overloads: &[Overload::member(
                "authorizer_labelselector",
                "struct(kubernetes.authorization.ResourceCheck), string",
                "struct(kubernetes.authorization.ResourceCheck)",
                Version(24),
            )],
            estimate: Some(super::estimate::selector),
            ..Function::named("labelSelector")
        },
        Function {
            doc: "The answer to the question for a verb.",
            example: "authorizer.group('').resource('pods').check('list').allowed()",
            overloads: &[
                Overload::member(
                    "pathcheck_check",
                    "struct(kubernetes.authorization.PathCheck), string",
                    "struct(kubernetes.authorization.Decision)",
                    Version(27),
                ),
                Overload::member(
                    "resourcecheck_check",
                    "struct(kubernetes.authorization.ResourceCheck), string",
                    "struct(kubernetes.authorization.Decision)",
                    Version(27),
                ),
            ],
            estimate: Some(super::estimate::check),
            ..Function::named("check")
        },
        Function {
            doc: "Whether the authorizer failed to answer.",
            example: "!authorizer.path('/healthz').check('get').errored()",
            overloads: &[Overload::member(
                "decision_errored",
                "struct(kubernetes.authorization.Decision)",
                "bool",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("errored")
        },
        Function {
            doc: "Why the authorizer failed to answer. Empty if it did not.",
            example: "authorizer.path('/healthz').check('get').error() == ''",
            overloads: &[Overload::member(
                "decision_error",
                "struct(kubernetes.authorization.Decision)",
                "string",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("error")
        },
        Function {
            doc: "Whether the authorizer allows it. An error and no opinion are no permission.",
            example: "authorizer.path('/healthz').check('get').allowed()",
            overloads: &[Overload::member(
                "decision_allowed",
                "struct(kubernetes.authorization.Decision)",
                "bool",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("allowed")
        },
        Function {
            doc: "Why the authorizer decided so, if it says.",
            example: "authorizer.path('/healthz').check('get').reason() == ''",
            overloads: &[Overload::member(
                "decision_reason",
                "struct(kubernetes.authorization.Decision)",
                "string",
                Version(27),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("reason")
        },
    ],
};

//! The server accepts the objects of new inputs.

use super::{policy, written};
use admission::{ApiServer, EvaluationLimits, Resources};
use evaluation::input::read;
use kubernetes::ServerVersion;
use kubernetes::openapi::{Catalog, Resource};
use std::path::Path;
use std::sync::Arc;

/// The rules of validation, whose groups name the kinds.
const RULES: &str = include_str!("../../../../admission/src/kind_validation/rules.txt");

/// Returns the resources of the kinds that are validated.
fn validated(catalog: &Catalog) -> Vec<Resource<'_>> {
    let heads = RULES.lines().filter_map(|it| it.strip_prefix('['));
    let names = heads.filter_map(|it| Some(it.split_once(']')?.0));
    let names = names.map(|name| name.split_once('.').unwrap_or((name, "")));
    let of = |(kind, group): (&str, &str)| {
        let mut resources = catalog.resources();
        resources.find(|it| it.kind == kind && it.group == group)
    };
    names.filter_map(of).collect()
}

/// Returns the answers of the server to the inputs of a policy that it does not know.
fn refusals(catalog: &Arc<Catalog>, text: &str) -> Vec<String> {
    let inputs = written(text, 0).unwrap_or_default();
    let server = ApiServer::new(Arc::clone(catalog), Resources::default());
    let file = read(Path::new("p.inputs.yaml"), &inputs);
    if file.inputs.is_empty() || !file.errors.is_empty() {
        return vec![format!("no inputs: {inputs}")];
    }
    let responses = file.inputs.iter().map(|input| {
        let request = input.request.request(catalog, &Resources::default());
        server.admit(&request.unwrap(), &EvaluationLimits::default())
    });
    let refused = responses.filter(|it| !it.allowed);
    refused
        .map(|it| format!("{}\n{inputs}", it.message))
        .collect()
}

/// Checks policies for each kind that is validated, with one condition.
#[track_caller]
fn check(operation: &str, condition: &str) {
    let catalog = Arc::new(Catalog::built_in(ServerVersion::NEWEST));
    let mut found = String::new();
    for resource in validated(&catalog) {
        let rule = format!(
            "{{apiGroups: ['{}'], apiVersions: [{}], operations: [{operation}], resources: [{}]}}",
            resource.group, resource.version, resource.plural
        );
        let rest = format!("  validations:\n  - expression: \"{condition}\"\n");
        let text = policy(&rule, &rest);
        for refusal in refusals(&catalog, &text) {
            found.push_str(&format!("{}: {refusal}\n", resource.kind));
        }
    }
    assert_eq!(found, "");
}

#[test]
fn new_objects_of_every_kind_are_valid() {
    check("CREATE", "object.metadata.name != ''");
}

#[test]
fn updates_of_objects_of_every_kind_are_valid() {
    check(
        "UPDATE",
        "object.metadata.labels['a'] == oldObject.metadata.labels['a']",
    );
}

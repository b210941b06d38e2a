//! Values of admission inputs: of the request, the authorizer's decisions and the expected outcome.

use super::super::{arguments, fixed_values::fixed_values, subjects, verbs};
use super::{ManifestContext, ManifestList, references};
use kubernetes::TypeMeta;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Resource};
use std::collections::BTreeSet;
use std::iter;
use yaml::Node;

/// The type of the validations of a policy, whose reasons are those of denials.
const VALIDATION: &str = "io.k8s.api.admissionregistration.v1.Validation";

/// Offers the values of a key of an admission input. Returns whether there are any.
pub(super) fn add(
    context: &ManifestContext<'_>,
    (owner, key): (Node<'_>, &str),
    list: &mut ManifestList,
) -> bool {
    let Some(path) = context.input_path(owner) else {
        return false;
    };
    for value in evaluation::input::values(&path, key) {
        list.value(context, value, None);
    }
    match (&*path, key) {
        ([], "policy") => references::add_all_policies(context, list),
        ([], "raw") | (["request"], "dryRun") => {
            ["true", "false"]
                .iter()
                .for_each(|value| list.keyword(context, value));
        }
        (["expect"], "code") => {
            for code in codes(context.catalog, owner) {
                list.keyword(context, &code.to_string());
            }
        }
        _ => {
            for value in strings(context, owner, (&path, key)) {
                list.value(context, &value, None);
            }
        }
    }
    !list.items.is_empty()
}

/// Returns the possible strings of a key at a path.
fn strings(
    context: &ManifestContext<'_>,
    owner: Node<'_>,
    (path, key): (&[&str], &str),
) -> Vec<String> {
    let catalog = context.catalog;
    match (path, key) {
        (["expect"], "reason") => reasons(catalog).map(str::to_owned).collect(),
        (["request"], "subResource") => {
            let object = object_of(owner.parent().unwrap_or(owner), catalog);
            let of = object.map(|it| (it.group, it.plural)).unzip();
            arguments::subresources(catalog, of.0, of.1)
        }
        (["request", "userInfo"], "username") => subjects::users(context.samples),
        // Only requests of authenticated users reach admission.
        (["request", "userInfo"], "groups") => iter::once("system:authenticated".to_owned())
            .chain(subjects::groups(context.samples))
            .collect(),
        (["request", "kind" | "resource"], "group") => groups(context),
        (["request", "kind" | "resource"], _) => names(catalog, owner, key),
        (["authorizer"], "group") => groups(context),
        (["authorizer"], "user") => subjects::users(context.samples),
        (["authorizer"], _) => of_check(catalog, owner, key),
        _ => Vec::new(),
    }
}

/// Returns the reasons of denials.
fn reasons(catalog: &Catalog) -> impl Iterator<Item = &'static str> {
    let validation = catalog.named(VALIDATION);
    let reasons = validation.and_then(|it| fixed_values(it, "reason"));
    reasons.into_iter().flat_map(|it| it.split(' '))
}

/// Returns the status codes of denials: that of the expected reason, if it is written.
fn codes(catalog: &Catalog, expect: Node<'_>) -> Vec<u16> {
    match expect.get("reason").and_then(Node::as_str) {
        Some(reason) => vec![admission::status_code(reason)],
        None => {
            let mut codes: Vec<u16> = reasons(catalog).map(admission::status_code).collect();
            codes.dedup();
            codes
        }
    }
}

/// Returns the group of the object of the input, then those most often matched.
fn groups(context: &ManifestContext<'_>) -> Vec<String> {
    let own = object_of(context.node.outermost(), context.catalog).map(|it| it.group);
    arguments::groups(context.catalog, own.into_iter())
}

/// Returns the resource of the object of an input.
fn object_of<'c>(root: Node<'_>, catalog: &'c Catalog) -> Option<Resource<'c>> {
    let objects = ["object", "oldObject"].map(|key| root.get(key));
    objects.into_iter().flatten().find_map(|object| {
        let (GroupVersion { group, version }, kind) = TypeMeta::read(object).names()?;
        catalog.kind(group, version, kind)
    })
}

/// Returns the versions, resources or kinds that fit the written names of a request's kind or
/// resource.
fn names(catalog: &Catalog, owner: Node<'_>, key: &str) -> Vec<String> {
    let fits = |name: &str, value: &str| {
        let written = owner.get(name).filter(|_| name != key);
        written.and_then(Node::as_str).is_none_or(|it| it == value)
    };
    let resources = catalog.resources().filter(|it| {
        fits("group", it.group)
            && fits("version", it.version)
            && fits("resource", it.plural)
            && fits("kind", it.kind)
    });
    let names: BTreeSet<&str> = resources
        .map(|it| match key {
            "version" => it.version,
            "kind" => it.kind,
            _ => it.plural,
        })
        .collect();
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    // Stable versions come first: their names are the shortest.
    if key == "version" {
        names.sort_by_key(String::len);
    }
    names
}

/// Returns the possible values of a key of a decision of the authorizer.
fn of_check(catalog: &Catalog, decision: Node<'_>, key: &str) -> Vec<String> {
    // An empty string and `*` mean any.
    let written = |key| {
        let value = decision.get(key).and_then(Node::as_str);
        value.filter(|it| !matches!(*it, "" | "*"))
    };
    let group = written("group");
    match key {
        "verb" => {
            let of = (group, written("resource"), written("subresource"));
            verbs::of_resource(catalog, of).map(str::to_owned).collect()
        }
        "resource" => arguments::resources(catalog, group),
        "subresource" => arguments::subresources(catalog, group, written("resource")),
        _ => Vec::new(),
    }
}

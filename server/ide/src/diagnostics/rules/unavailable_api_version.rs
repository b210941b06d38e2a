#![doc = include_str!("unavailable_api_version.md")]

use crate::diagnostics::document_facts::begin_of;
use crate::diagnostics::{Finding, RuleContext, Severity};
use kubernetes::{ServerVersion, Target};
use policy::availability::{Gate, gate, served, service, unavailable_fields};
use policy::schema::{self, MismatchKind};
use policy::{ApiVersion, Kind, NearMissKind, PolicyDocument};
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let documents = context.policies().map(|facts| facts.document);
    let chosen = documents.filter(|document| document.target().is_chosen());
    found.extend(chosen.filter_map(finding));
    let misses = context.file.near_misses().iter();
    let removed = misses.filter(|miss| miss.kind == NearMissKind::RemovedVersion);
    let is_chosen = context.file.project().target().is_chosen();
    found.extend(removed.map(|miss| {
        let message = "Kubernetes 1.21 is the last version to serve `CustomResourceDefinition` in \
                       `apiextensions.k8s.io/v1beta1`. Convert it to `apiextensions.k8s.io/v1`.";
        Finding::new(miss.range, message)
            .certain(is_chosen)
            .upstream(
                "no matches for kind \"CustomResourceDefinition\" in version \
             \"apiextensions.k8s.io/v1beta1\"",
            )
    }));
}

fn finding(document: &PolicyDocument) -> Option<Finding> {
    let node = document.type_meta().api_version?;
    let (kind, version, target) = (document.kind(), document.version(), document.target());
    let better = better(document);
    let mut finding = if is_served(kind, version, target) {
        let gate = gate(kind, version)?;
        let severity = match better {
            Some(_) => Severity::Warning,
            None => Severity::Information,
        };
        let message = switched_off(kind, version, target, gate);
        Finding::new(node.range(), message).severity(severity)
    } else {
        let message = format!(
            "{} {}",
            not_served(kind, version, target),
            advice(kind, target, better)
        );
        let name = api_version(kind, version);
        Finding::new(node.range(), message).upstream(format!(
            "no matches for kind \"{kind}\" in version \"{name}\""
        ))
    };
    if let Some(better) = better {
        let right = api_version(kind, better);
        if let Some(edit) = replace_word(node, &right) {
            finding = finding.fix(format!("Change to `{right}`"), vec![edit]);
        }
    }
    Some(finding)
}

/// Returns whether all servers of a target can serve an API version of a kind.
fn is_served(kind: Kind, version: ApiVersion, target: Target) -> bool {
    let mut servers = target.servers();
    servers.all(|server| served(kind, version, server))
}

/// Returns an API version that all servers of the target serve by default and for which the
/// document is valid.
fn better(document: &PolicyDocument) -> Option<ApiVersion> {
    let (kind, target) = (document.kind(), document.target());
    let others = kind.versions().iter().copied();
    let mut others = others.filter(|version| *version != document.version());
    others.find(|version| {
        gate(kind, *version).is_none()
            && is_served(kind, *version, target)
            && fits(document, *version)
    })
}

/// Returns whether an API version has all fields of a document.
fn fits(document: &PolicyDocument, version: ApiVersion) -> bool {
    let Some(schema) = schema::of_kind(document.kind(), version) else {
        return false;
    };
    let mismatches = schema::check(document.root(), document.base(), schema);
    let is_unknown = |kind: &MismatchKind| matches!(kind, MismatchKind::UnknownField { .. });
    !mismatches.iter().any(|mismatch| is_unknown(&mismatch.kind))
        && unavailable_fields(document, document.target().oldest()).is_empty()
}

fn not_served(kind: Kind, version: ApiVersion, target: Target) -> String {
    let name = api_version(kind, version);
    let Some(service) = service(kind, version) else {
        let oldest = ServerVersion::OLDEST;
        return format!("Kubernetes {oldest} and later do not serve `{kind}` in `{name}`.");
    };
    if service.first > target.oldest() {
        let first = service.first;
        let begin = begin_of(target);
        return format!("`{kind}` in `{name}` requires Kubernetes {first} or later. {begin}");
    }
    let last = service.last;
    let end = if target.is_range() {
        format!("The newest target version is {}.", target.newest())
    } else {
        format!("The target version is {target}.")
    };
    format!("Kubernetes {last} is the last version to serve `{kind}` in `{name}`. {end}")
}

fn advice(kind: Kind, target: Target, better: Option<ApiVersion>) -> String {
    if let Some(better) = better {
        return format!("Use `{}`.", api_version(kind, better));
    }
    let versions = kind.versions().iter();
    let served: Vec<String> = versions
        .filter(|version| is_served(kind, **version, target))
        .map(|version| format!("`{}`", api_version(kind, *version)))
        .collect();
    match served.as_slice() {
        [] if target.is_range() => {
            format!("No API version of it is served by all of {target}.")
        }
        [] => format!("Kubernetes {target} does not serve any API version of it."),
        served => format!(
            "All target versions can serve {}, which is off by default.",
            served.join(" or ")
        ),
    }
}

/// Returns a sentence with the requirements of an API version that is off by default.
fn switched_off(kind: Kind, version: ApiVersion, target: Target, gate: Gate) -> String {
    let name = api_version(kind, version);
    let flag = format!(
        "`{name}` is off unless the API server runs with \
                        `--runtime-config={name}=true`"
    );
    if gate.on_since <= target.oldest() {
        return format!("{flag}.");
    }
    let until = if gate.on_since <= target.newest() {
        format!(", before Kubernetes {},", gate.on_since)
    } else {
        String::new()
    };
    format!("{flag} and{until} the feature gate `{}`.", gate.name)
}

fn api_version(kind: Kind, version: ApiVersion) -> String {
    format!("{}/{version}", kind.group())
}

#[cfg(test)]
mod tests;

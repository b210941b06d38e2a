#![doc = include_str!("static_manifest.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::project::Surroundings;
use kubernetes::versions::changes::STATIC_MANIFESTS;
use policy::manifest::text_of;
use policy::{Kind, PolicyDocument, STATIC_SUFFIX as SUFFIX};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    if !STATIC_MANIFESTS.applies(context.file.project().target().newest()) {
        return;
    }
    let policies = || context.policies().filter(|facts| is_loaded(facts.document));
    let has_static = policies().any(|facts| facts.document.is_static());
    for facts in policies() {
        let document = facts.document;
        match document.name() {
            _ if document.is_static() => {
                of_policy(document, found);
                of_webhooks(document, found);
                of_binding(context, facts, found);
            }
            Some(name) if has_static && !name.contains("{{") => {
                let message = format!(
                    "`{name}` must end in `{SUFFIX}` like other names in this file: the API \
                     server loads such files from its manifest directory, where every name needs \
                     this suffix. Move this document to another file."
                );
                let upstream = format!("\"{name}\" must have a name ending with \"{SUFFIX}\"");
                let finding = Finding::new(document.name_range(), message);
                found.push(finding.severity(Severity::Warning).upstream(upstream));
            }
            _ => {}
        }
        if !document.is_static() {
            found.extend(names_static_policy(document));
        }
    }
}

/// Returns whether the server loads documents of this kind from its directory.
fn is_loaded(document: &PolicyDocument) -> bool {
    document.kind() != Kind::CustomResourceDefinition
}

fn of_policy(document: &PolicyDocument, found: &mut Vec<Finding>) {
    let kind = document.kind();
    let params = document.policy().and_then(|it| it.param_kind.as_ref());
    if let (Some(params), Some(name)) = (params, document.name()) {
        let message = "A policy in the manifest directory of an API server cannot have \
                       parameters. Remove `paramKind`.";
        found.push(Finding::new(params.key.range, message).upstream(format!(
            "{kind} \"{name}\": spec.paramKind is not supported for static manifests"
        )));
    }
}

fn of_binding(context: &RuleContext<'_>, facts: &DocumentFacts<'_>, found: &mut Vec<Finding>) {
    let document = facts.document;
    let surroundings = context.file.surroundings();
    let (Some(binding), Some(spec)) = (surroundings.binding(document), document.binding()) else {
        return;
    };
    let name = document.name().unwrap_or_default();
    if let Some(reference) = &spec.param_ref {
        let message = "A binding in the manifest directory of an API server cannot have \
                       parameters. Remove `paramRef`.";
        found.push(Finding::new(reference.key.range, message).upstream(format!(
            "binding \"{name}\": spec.paramRef is not supported for static manifests"
        )));
    }
    let (Some(policy), Some(written)) = (&binding.policy, &spec.policy_name) else {
        return;
    };
    if !policy.ends_with(SUFFIX) {
        let message = format!(
            "A binding in the manifest directory of an API server can only bind policies from the \
             same directory, whose names end in `{SUFFIX}`. `{policy}` does not."
        );
        found.push(Finding::new(written.at.range, message).upstream(format!(
            "binding \"{name}\": spec.policyName \"{policy}\" must end with \"{SUFFIX}\""
        )));
    } else if !is_beside(surroundings, binding.policy_kind(), policy) {
        let message = format!(
            "No file in this directory defines the {} `{policy}`, without which the API server \
             does not load the binding.",
            binding.policy_kind()
        );
        let upstream = format!(
            "binding \"{name}\" references policy \"{policy}\" which does not exist in the \
             manifest directory"
        );
        let finding = Finding::new(written.at.range, message);
        found.push(finding.severity(Severity::Warning).upstream(upstream));
    }
}

/// Returns whether the directory of the file contains the policy, or is incomplete.
fn is_beside(surroundings: Surroundings<'_>, kind: Kind, policy: &str) -> bool {
    let mut policies = surroundings.policies(kind, Some(policy)).into_iter();
    !surroundings.project().is_whole() || policies.any(|it| surroundings.is_beside(&it.location))
}

/// Reports a binding in the API that names a policy of the directory.
fn names_static_policy(document: &PolicyDocument) -> Option<Finding> {
    let policy = document.binding()?.policy_name.as_ref()?;
    policy.text.ends_with(SUFFIX).then(|| {
        let message = format!(
            "This binding has no effect. A policy whose name ends in `{SUFFIX}` can only be bound \
             by a binding with the same suffix, from the same manifest directory."
        );
        Finding::new(policy.at.range, message).severity(Severity::Warning)
    })
}

fn of_webhooks(document: &PolicyDocument, found: &mut Vec<Finding>) {
    let name = document.name().unwrap_or_default();
    for webhook in document.webhooks() {
        if let Some(service) = webhook.service {
            let message = "A webhook in the manifest directory of an API server cannot be called \
                           through a service. Write `url` instead of `service`.";
            let webhook = text_of(webhook.name.as_ref());
            found.push(Finding::new(service.range, message).upstream(format!(
                "webhook \"{webhook}\" in \"{name}\": clientConfig.service is not supported \
                 for static manifests; use clientConfig.url instead"
            )));
        }
    }
}

#[cfg(test)]
mod tests;

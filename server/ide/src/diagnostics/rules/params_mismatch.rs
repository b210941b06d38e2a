#![doc = include_str!("params_mismatch.md")]

use super::unknown_param_kind::outcome;
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::file::SourceFile;
use crate::project::Surroundings;
use crate::project::{BindingSummary, PolicySummary};
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Resource};
use policy::manifest::{FailurePolicy, ParamKind, ParamRef, Rule, StringField};

const NO_NAMESPACE: &str = "failed to configure binding: paramRef.namespace must not be \
                            provided for a cluster-scoped `paramKind`";
const NEEDS_NAMESPACE: &str = "failed to configure binding: cannot use namespaced paramRef in \
                               policy binding that matches cluster-scoped resources";

/// A binding and the policies to which it can refer.
struct BoundPolicies<'a> {
    file: &'a SourceFile,
    facts: &'a DocumentFacts<'a>,
    binding: &'a BindingSummary,
    policies: Vec<&'a PolicySummary>,
    surroundings: Surroundings<'a>,
}

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let surroundings = context.file.surroundings();
    for facts in context.policies() {
        let Some(binding) = surroundings.binding(facts.document) else {
            continue;
        };
        let policies = surroundings.bound_by(binding);
        if policies.is_empty() {
            continue;
        }
        let bound = BoundPolicies {
            file: context.file,
            facts,
            binding,
            policies,
            surroundings,
        };
        found.extend(bound.check());
    }
}

impl BoundPolicies<'_> {
    fn check(&self) -> Option<Finding> {
        let document = self.facts.document;
        let binding = document.binding()?;
        let Some(reference) = &binding.param_ref else {
            return self.without_reference(binding.policy_name.as_ref()?);
        };
        if self.policies.iter().all(|it| it.spec.param_kind.is_none()) {
            let message = "The policy has no `paramKind`, so `paramRef` is ignored. Remove it, or \
                           set `paramKind` in the policy.";
            return Some(self.with_policy(Finding::new(reference.key.range, message)));
        }
        let kind = self.param_kind()?;
        let GroupVersion { group, version } = kind.group_version();
        let kinds = self.surroundings.project().kinds();
        let resource = kinds.kind(group, version, kind.kind())?;
        let namespace = reference.namespace_at.and_then(|at| {
            let entry = document
                .node(reference.at.node)
                .entry_of(document.node(at.node))?;
            (!entry.value.text().is_empty()).then_some(entry)
        });
        match (resource.namespaced, namespace) {
            (false, Some(namespace)) => Some(self.needless_namespace(kind, namespace)),
            (true, None) => self.missing_namespace(kind, reference, kinds),
            _ => None,
        }
    }

    /// Returns the kind of the parameters, if it is the same for all policies.
    fn param_kind(&self) -> Option<&ParamKind> {
        let first = self.policies.first()?.spec.param_kind.as_ref();
        let mut others = self.policies.iter();
        first.filter(|_| others.all(|it| it.spec.param_kind.as_ref() == first))
    }

    fn with_policy(&self, finding: Finding) -> Finding {
        match self.policies.first() {
            Some(policy) => finding.related_location(&policy.location, self.file, "the policy"),
            None => finding,
        }
    }

    fn without_reference(&self, policy_name: &StringField) -> Option<Finding> {
        let needs = |it: &&PolicySummary| it.spec.param_kind.is_some() && it.needs_params;
        if !self.policies.iter().all(needs) {
            return None;
        }
        let message = "The policy reads fields of `params`, which is null without a `paramRef`. \
                       Add `paramRef`, or guard the reads in the policy with `params != null`.";
        Some(self.with_policy(Finding::new(policy_name.at.range, message)))
    }

    fn needless_namespace(&self, kind: &ParamKind, namespace: yaml::Entry<'_>) -> Finding {
        let mut policies = self.policies.iter().map(|it| it.spec.failure_policy);
        let (failure_policy, severity) = if policies.any(FailurePolicy::denies) {
            (FailurePolicy::Fail, Severity::Error)
        } else {
            (FailurePolicy::Ignore, Severity::Warning)
        };
        let message = format!(
            "`{}` is cluster-scoped, so {}. Remove `namespace`.",
            kind.kind(),
            outcome(failure_policy)
        );
        let finding = Finding::new(namespace.key.range(), message)
            .severity(severity)
            .upstream(NO_NAMESPACE);
        let finding = self.with_policy(finding);
        match self.file.editor().remove_entry(namespace) {
            Some(edit) => finding.fix("Remove `namespace`", vec![edit]),
            None => finding,
        }
    }

    /// Reports parameters in the namespace of the request if some requests have no namespace.
    fn missing_namespace(
        &self,
        kind: &ParamKind,
        reference: &ParamRef,
        kinds: &Catalog,
    ) -> Option<Finding> {
        let matched: Vec<Resource<'_>> = kinds
            .resources()
            .filter(|resource| self.matches(resource))
            .collect();
        let without: Vec<&Resource<'_>> = matched
            .iter()
            .filter(|resource| !has_namespace(resource))
            .collect();
        let first = without.first()?;
        let (excluded, selectors) = self.binding.spec.exclusions();
        let is_whole = excluded.is_empty() && selectors == [None, None];
        let severity = if without.len() == matched.len() && is_whole {
            Severity::Error
        } else {
            Severity::Warning
        };
        let message = format!(
            "`{plural}` are cluster-scoped. Without `namespace`, the `{}` is looked up in the \
             namespace of the object, so requests for `{plural}` fail. Add `namespace`.",
            kind.kind(),
            plural = first.plural
        );
        let finding = Finding::new(reference.key.range, message)
            .severity(severity)
            .upstream(NEEDS_NAMESPACE);
        Some(self.with_policy(finding))
    }

    /// Returns whether the binding matches the resource, as far as its rules determine.
    fn matches(&self, resource: &Resource<'_>) -> bool {
        // Policies are not evaluated for these resources.
        if resource.group == "admissionregistration.k8s.io" {
            return false;
        }
        let names = (resource.group, resource.version, resource.plural);
        let names = |rule: &Rule| rule.has_kind(names, resource.namespaced);
        let fits = |rules: &[Rule]| rules.iter().any(names);
        let own = self.binding.spec.rules();
        let policies = |it: &&PolicySummary| fits(it.spec.rules()) && !fits(it.spec.excluded());
        (own.is_empty() || fits(own)) && self.policies.iter().all(policies)
    }
}

/// Returns whether a request for the resource has a namespace. For a Namespace, it is its own name.
fn has_namespace(resource: &Resource<'_>) -> bool {
    resource.namespaced || (resource.group, resource.plural) == ("", "namespaces")
}

#[cfg(test)]
mod tests;

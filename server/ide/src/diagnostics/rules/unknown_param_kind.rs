#![doc = include_str!("unknown_param_kind.md")]

use crate::diagnostics::{Finding, RuleContext, Severity};
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Resource};
use policy::PolicyDocument;
use policy::manifest::{FailurePolicy, ParamKind, StringField};
use yaml::Node;
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let surroundings = context.file.surroundings();
    for facts in context.policies() {
        let policies = surroundings.policy(facts.document);
        let kind = facts
            .document
            .policy()
            .and_then(|it| it.param_kind.as_ref());
        let failure_policy = facts.document.policy().map(|it| it.failure_policy);
        if let Some(kind) = kind.filter(|_| policies.is_some()) {
            let search = Search {
                kinds: surroundings.project().kinds(),
                has_schemas: surroundings.project().has_schemas(),
                api_version: kind.api_version(),
                kind: kind.kind(),
                failure_policy: failure_policy.unwrap_or_default(),
            };
            found.extend(search.unknown(facts.document, kind));
        }
    }
}

struct Search<'a> {
    kinds: &'a Catalog,
    has_schemas: bool,
    api_version: &'a str,
    kind: &'a str,
    failure_policy: FailurePolicy,
}

/// Returns what becomes of requests if a policy always fails.
pub(super) fn outcome(failure_policy: FailurePolicy) -> &'static str {
    match failure_policy {
        FailurePolicy::Fail => "every request that the policy matches fails",
        FailurePolicy::Ignore => "the policy has no effect",
    }
}

impl<'a> Search<'a> {
    fn unknown(&self, document: &PolicyDocument, written: &ParamKind) -> Option<Finding> {
        let GroupVersion { group, version } = written.group_version();
        let is_written = !self.kind.is_empty() && !version.is_empty();
        let is_filled_in = format!("{}{}", self.api_version, self.kind).contains(['{', '$']);
        if !is_written || is_filled_in || self.kinds.kind(group, version, self.kind).is_some() {
            return None;
        }
        let node = |word: &StringField| document.node(word.at.node);
        let api_version = written.api_version.as_ref().map(node)?;
        let kind = written.kind.as_ref().map(node)?;
        let of_group = self.kinds.resources().filter(|it| it.group == group);
        let of_group: Vec<Resource<'a>> = of_group.collect();
        if of_group.is_empty() && !self.has_schemas {
            return None;
        }
        let built_in = Catalog::built_in(self.kinds.version());
        let is_built_in = built_in.resources().any(|it| it.group == group);
        let finding = self.explain(&of_group, is_built_in, api_version, kind);
        // A definition outside the project may be in the cluster.
        let resembles = || {
            of_group.iter().any(|it| it.kind == self.kind)
                || self.intended_kind(&of_group).is_some()
        };
        let severity = if is_built_in && self.failure_policy.denies() {
            Severity::Error
        } else if is_built_in || self.has_schemas || resembles() {
            Severity::Warning
        } else {
            Severity::Information
        };
        let upstream = format!(
            "failed to configure policy: failed to find resource referenced by paramKind: \
             '{group}/{version}, Kind={}'",
            self.kind
        );
        Some(finding.severity(severity).upstream(upstream))
    }

    fn explain(
        &self,
        of_group: &[Resource<'a>],
        is_built_in: bool,
        api_version: Node<'_>,
        kind: Node<'_>,
    ) -> Finding {
        let same = of_group.iter().filter(|it| it.kind == self.kind);
        let versions: Vec<&str> = same.map(|it| it.version).collect();
        if let Some(best) = versions.first() {
            return self.other_version(api_version, &versions, best);
        }
        let message = self.missing(is_built_in);
        let Some(right) = self.intended_kind(of_group) else {
            let hint = "Check the name, or add the definition to the project.";
            return Finding::new(kind.range(), format!("{message} {hint}"));
        };
        let message = format!("{message} Did you mean `{right}`?");
        let finding = Finding::new(kind.range(), message);
        match replace_word(kind, right) {
            Some(edit) => finding.fix(format!("Change to `{right}`"), vec![edit]),
            None => finding,
        }
    }

    /// Returns the message about an unknown kind. For a custom group, the project just has no
    /// definition of the kind.
    fn missing(&self, is_built_in: bool) -> String {
        let (name, group) = (self.kind, self.api_version);
        let outcome = outcome(self.failure_policy);
        if is_built_in {
            return format!("`{group}` has no kind `{name}`, so {outcome}.");
        }
        format!(
            "No CustomResourceDefinition in the project defines `{name}` in `{group}`. If the \
             cluster has none either, {outcome}."
        )
    }

    fn other_version(&self, node: Node<'_>, versions: &[&str], best: &str) -> Finding {
        let GroupVersion { group, version } = GroupVersion::parse(self.api_version);
        let written: Vec<String> = versions.iter().map(|it| format!("`{it}`")).collect();
        let message = format!(
            "`{}` has no version `{version}`, so {}. Available versions: {}.",
            self.kind,
            outcome(self.failure_policy),
            written.join(", ")
        );
        let version = best;
        let right = GroupVersion { group, version }.to_string();
        let finding = Finding::new(node.range(), message);
        match replace_word(node, &right) {
            Some(edit) => finding.fix(format!("Change to `{right}`"), vec![edit]),
            None => finding,
        }
    }

    /// Returns the intended kind, by the name of its resource or by a misspelled name.
    fn intended_kind(&self, of_group: &[Resource<'a>]) -> Option<&'a str> {
        let version = GroupVersion::parse(self.api_version).version;
        let served = || of_group.iter().filter(|it| it.version == version);
        let is_resource = |it: &&Resource<'a>| {
            [it.plural, it.singular, it.kind]
                .iter()
                .any(|name| name.eq_ignore_ascii_case(self.kind))
        };
        let by_resource = served().find(is_resource).map(|it| it.kind);
        by_resource.or_else(|| text::nearest(self.kind, served().map(|it| it.kind)))
    }
}

#[cfg(test)]
mod tests;

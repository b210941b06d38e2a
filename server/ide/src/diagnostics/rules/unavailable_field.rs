#![doc = include_str!("unavailable_field.md")]

use crate::diagnostics::document_facts::begin_of;
use crate::diagnostics::{Finding, RuleContext, Severity};
use kubernetes::Target;
use policy::FieldStep;
use policy::PolicyDocument;
use policy::availability::{UnavailableField, served, unavailable_fields};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let document = facts.document;
        let target = document.target();
        // Another rule reports a server that does not serve the kind.
        let knows = served(document.kind(), document.version(), target.oldest());
        if !target.is_chosen() || !knows {
            continue;
        }
        let fields = unavailable_fields(document, target.oldest());
        let findings = fields.iter().map(|field| finding(document, field));
        found.extend(findings.take(context.max_findings()));
    }
}

fn finding(document: &PolicyDocument, field: &UnavailableField) -> Finding {
    let target = document.target();
    let name = match field.path.steps().last() {
        Some(FieldStep::Field(name) | FieldStep::Key(name)) => name.to_string(),
        Some(FieldStep::Index(_)) | None => field.path.to_string(),
    };
    match field.gate {
        Some(gate) => {
            let message = format!(
                "Kubernetes {} silently drops `{name}` unless the feature gate `{}` is on, which \
                 is the default as of {}. {}",
                target.oldest(),
                gate.name,
                gate.on_since,
                begin_of(target)
            );
            Finding::new(field.range, message).severity(Severity::Warning)
        }
        None => Finding::new(field.range, unknown(&name, field, target))
            .upstream(format!("unknown field \"{}\"", field.path)),
    }
}

fn unknown(name: &str, field: &UnavailableField, target: Target) -> String {
    format!(
        "`{name}` requires Kubernetes {} or later. {} Older servers reject the field from `kubectl \
         apply`, and silently drop it for most other clients.",
        field.since,
        begin_of(target)
    )
}

#[cfg(test)]
mod tests;

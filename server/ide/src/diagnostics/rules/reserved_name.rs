#![doc = include_str!("reserved_name.md")]

use crate::diagnostics::{Finding, RuleContext};
use kubernetes::versions::changes::{STATIC_MANIFESTS, STATIC_NAMES_RESERVED};
use policy::{Kind, STATIC_SUFFIX as SUFFIX};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let documents = context.policies().map(|facts| facts.document);
    let mut reserved = documents.filter(|document| {
        document.is_static()
            && document.kind() != Kind::CustomResourceDefinition
            && STATIC_MANIFESTS.applies(document.target().newest())
    });
    // The whole file is meant either for the API or for the directory.
    if let Some(document) = reserved.next() {
        let message = format!(
            "`{}` ends in `{SUFFIX}`, which is reserved for files in the manifest directory of an \
             API server. Kubernetes {} warns about such names in the API, and {} and later reject \
             them. Choose another name.",
            document.name().unwrap_or_default(),
            STATIC_MANIFESTS.since,
            STATIC_NAMES_RESERVED.since
        );
        let upstream = format!(
            "names ending with \"{SUFFIX}\" are reserved for static manifest-based \
             configurations and cannot be managed via the API"
        );
        found.push(Finding::new(document.name_range(), message).upstream(upstream));
    }
}

#[cfg(test)]
mod tests;

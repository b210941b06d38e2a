//! The kinds of a document: those that it matches, that of its parameters, and which expressions
//! use which.

use super::matched::{KindName, Matched, matched};
use crate::document::Document;
use crate::expression::Expression;
use crate::field_path::Step;
use crate::kind::Kind;
use kubernetes::openapi::Catalog;
use yaml::Node;

/// The kinds of a document.
pub(super) struct FoundKinds {
    pub(super) all: Matched,
    /// Those of each webhook, where the document is a configuration of webhooks.
    pub(super) by_webhook: Option<Vec<Vec<KindName>>>,
}

/// The kinds that the rules of a document match.
pub(super) fn find_kinds(document: &Document, catalog: &Catalog) -> FoundKinds {
    let root = document.root();
    match document.kind() {
        Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
            let constraints = root
                .get("spec")
                .and_then(|spec| spec.get("matchConstraints"));
            let list = |field| constraints.and_then(|constraints| constraints.get(field));
            let in_status = document.kind() == Kind::ValidatingAdmissionPolicy;
            let rules = (list("resourceRules"), list("excludeResourceRules"));
            FoundKinds {
                all: matched(catalog, rules.0, rules.1, in_status),
                by_webhook: None,
            }
        }
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            let webhooks = root.get("webhooks").and_then(Node::as_sequence);
            let webhooks = webhooks.into_iter().flat_map(yaml::Sequence::items);
            let each: Vec<Matched> = webhooks
                .map(|webhook| matched(catalog, webhook.get("rules"), None, false))
                .collect();
            let names = |found: &Matched| {
                let kinds = found.kinds.iter();
                kinds.map(|kind| kind.name.clone()).collect()
            };
            FoundKinds {
                by_webhook: Some(each.iter().map(names).collect()),
                all: Matched::join(each),
            }
        }
        Kind::ValidatingAdmissionPolicyBinding
        | Kind::MutatingAdmissionPolicyBinding
        | Kind::CustomResourceDefinition => FoundKinds {
            all: Matched::default(),
            by_webhook: None,
        },
    }
}

/// The webhook in the list to which an expression belongs.
pub(super) fn webhook_index(expression: &Expression) -> Option<usize> {
    let mut steps = expression.path.steps().iter().rev();
    // `webhooks[3].matchConditions[0].expression`, from the end.
    match (steps.nth(3)?, steps.next()?) {
        (Step::Index(index), Step::Field(list)) if **list == *"webhooks" => Some(*index),
        _ => None,
    }
}

/// The place in the list of the validation to which an expression belongs.
pub(super) fn validation_index(document: &Document, expression: &Expression) -> Option<usize> {
    let path = expression.path.steps();
    let path = path.get(document.base().steps().len()..)?;
    match path {
        [_, _, Step::Index(index), ..] => Some(*index),
        _ => None,
    }
}

/// The kind of the parameters of a policy. `None` where it names none that can be read.
///
/// Upstream: kubernetes/apimachinery, pkg/runtime/schema/group_version.go, ParseGroupVersion.
pub(super) fn param_kind(document: &Document) -> Option<KindName> {
    if !document.has_params() {
        return None;
    }
    let node = document.root().get("spec")?.get("paramKind")?;
    let text = |field| node.get(field).and_then(Node::as_str).unwrap_or("");
    let api_version = text("apiVersion");
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    (!version.contains('/')).then(|| KindName::new(group, version, text("kind")))
}

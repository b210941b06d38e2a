//! The lists of a policy or a webhook whose entries have expressions.
//!
//! One table serves the search for expressions, the outline and the lenses.

use super::audit_annotations::AUDIT_ANNOTATIONS;
use super::expression_list::List;
use super::match_conditions;
use crate::expression::Role;
use crate::kind::Kind;
use yaml::{Entry, Mapping, Node};

const VARIABLES: List = List {
    field: "variables",
    name: Some("name"),
    expressions: &[(&["expression"], Role::Variable { index: 0 })],
};

const VALIDATING: [List; 4] = [
    match_conditions::OF_POLICY,
    VARIABLES,
    List {
        field: "validations",
        name: None,
        expressions: &[
            (&["expression"], Role::Validation),
            (&["messageExpression"], Role::MessageExpression),
        ],
    },
    AUDIT_ANNOTATIONS,
];

const MUTATING: [List; 3] = [
    match_conditions::OF_POLICY,
    VARIABLES,
    List {
        field: "mutations",
        name: None,
        expressions: &[
            (
                &["applyConfiguration", "expression"],
                Role::ApplyConfiguration,
            ),
            (&["jsonPatch", "expression"], Role::JsonPatch),
        ],
    },
];

/// Returns the lists that a policy of a kind, or each webhook of a configuration, can have.
pub(super) const fn lists(kind: Kind) -> &'static [List] {
    match kind {
        Kind::ValidatingAdmissionPolicy => &VALIDATING,
        Kind::MutatingAdmissionPolicy => &MUTATING,
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            &[match_conditions::OF_WEBHOOK]
        }
        Kind::ValidatingAdmissionPolicyBinding
        | Kind::MutatingAdmissionPolicyBinding
        | Kind::CustomResourceDefinition => &[],
    }
}

/// Returns the lists of `spec` of a policy, or of a webhook, in the order of the file.
pub(crate) fn written<'d>(
    kind: Kind,
    owner: Option<Node<'d>>,
) -> impl Iterator<Item = (&'static List, Entry<'d>)> {
    let fields = owner.and_then(Node::as_mapping).into_iter();
    fields.flat_map(Mapping::entries).filter_map(move |entry| {
        let name = entry.key.key_text();
        let list = lists(kind).iter().find(|list| list.field == name)?;
        Some((list, entry))
    })
}

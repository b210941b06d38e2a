//! The lists of a policy or a webhook whose entries have expressions.
//!
//! One table serves the search for expressions, the outline and the lenses.

use crate::expression::Role;
use crate::kind::Kind;
use yaml::{Entry, Mapping, Node};

/// A list whose entries have expressions.
#[derive(Debug)]
pub struct List {
    /// The field.
    pub field: &'static str,
    /// The field of an entry that names it.
    name: Option<&'static str>,
    /// The paths of expressions in an entry.
    pub(super) expressions: &'static [(&'static [&'static str], Role)],
}

impl List {
    /// Returns the role of the first expression of an entry, as if the entry were the first.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.expressions.first().map(|(_, role)| *role)
    }

    /// Returns the name of an entry, of any type.
    #[must_use]
    pub fn name<'d>(&self, entry: Node<'d>) -> Option<Node<'d>> {
        entry.get(self.name?)
    }

    /// Returns the first expression of an entry, of any type, except for that of a message.
    #[must_use]
    pub fn expression<'d>(&self, entry: Node<'d>) -> Option<Node<'d>> {
        let expressions = self.expressions.iter();
        let mut own = expressions.filter(|(_, role)| *role != Role::MessageExpression);
        own.find_map(|(path, _)| path.iter().try_fold(entry, |node, field| node.get(field)))
    }
}

const MATCH_CONDITIONS: List = List {
    field: "matchConditions",
    name: Some("name"),
    expressions: &[(&["expression"], Role::MatchCondition)],
};

const VARIABLES: List = List {
    field: "variables",
    name: Some("name"),
    expressions: &[(&["expression"], Role::Variable { index: 0 })],
};

const VALIDATING: [List; 4] = [
    MATCH_CONDITIONS,
    VARIABLES,
    List {
        field: "validations",
        name: None,
        expressions: &[
            (&["expression"], Role::Validation),
            (&["messageExpression"], Role::MessageExpression),
        ],
    },
    List {
        field: "auditAnnotations",
        name: Some("key"),
        expressions: &[(&["valueExpression"], Role::AuditAnnotation)],
    },
];

const MUTATING: [List; 3] = [
    MATCH_CONDITIONS,
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

const WEBHOOK: [List; 1] = [List {
    expressions: &[(&["expression"], Role::WebhookMatchCondition)],
    ..MATCH_CONDITIONS
}];

/// Returns the lists that a policy of a kind, or each webhook of a configuration, can have.
pub(super) const fn lists(kind: Kind) -> &'static [List] {
    match kind {
        Kind::ValidatingAdmissionPolicy => &VALIDATING,
        Kind::MutatingAdmissionPolicy => &MUTATING,
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => &WEBHOOK,
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

//! `matchConditions` of a policy or a webhook.

use super::expression_list::List;
use crate::expression::Role;

/// The list of a policy.
pub(super) const OF_POLICY: List = List {
    field: "matchConditions",
    name: Some("name"),
    expressions: &[(&["expression"], Role::MatchCondition)],
};

/// The list of a webhook.
pub(super) const OF_WEBHOOK: List = List {
    expressions: &[(&["expression"], Role::WebhookMatchCondition)],
    ..OF_POLICY
};

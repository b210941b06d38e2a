//! The inputs that the expressions of a policy read.

use super::flow::Flow;
use super::{MAX_PARTS, Parts};
use crate::expression::Role;
use crate::kind::Kind;
use crate::policy_document::PolicyDocument;
use cel::check::Checked;
use cel::expand::NodeKind;
use std::collections::HashSet;

/// The inputs that some expressions of a policy read.
#[derive(Clone, Debug)]
pub struct Reads {
    /// The parts of `object` and `oldObject`.
    pub object: Parts,
    /// The inputs besides the object.
    pub request: RequestReads,
}

/// The inputs besides the object, of requests that differ only in their objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestReads {
    /// Nothing that differs.
    Nothing,
    /// The namespace of the object.
    Namespace,
    /// Also the name, the parameters, or the permissions of the user.
    Everything,
}

/// The fields of `request` that are the same for all objects of a kind.
const SAME: [&str; 10] = [
    "kind",
    "resource",
    "subResource",
    "requestKind",
    "requestResource",
    "requestSubResource",
    "operation",
    "userInfo",
    "dryRun",
    "options",
];

/// The inputs that the expressions of a policy read.
#[derive(Clone, Debug)]
pub struct PolicyReads {
    /// The match conditions.
    pub conditions: Reads,
    /// All other expressions. A message counts even for an object that is allowed, since its
    /// evaluation can exceed the budget.
    pub others: Reads,
}

impl PolicyReads {
    /// Returns what the expressions of a policy read. One that does not only validate reads
    /// everything.
    #[must_use]
    pub fn new(document: &PolicyDocument) -> Self {
        let is_condition = |role: Role| role == Role::MatchCondition;
        let mut others = Reads::new(document, |role| !is_condition(role));
        if document.kind() != Kind::ValidatingAdmissionPolicy {
            others.object.add_whole(Parts::ROOT);
            others.request = RequestReads::Everything;
        }
        Self {
            conditions: Reads::new(document, is_condition),
            others,
        }
    }
}

impl Reads {
    fn new(document: &PolicyDocument, is_read: impl Fn(Role) -> bool) -> Self {
        let mut object = Parts::default();
        let mut request = RequestReads::Nothing;
        let mut flow = Flow::new(&mut object);
        let expressions = document.expressions().iter();
        for expression in expressions.filter(|it| is_read(it.role)) {
            if let Some(checked) = document.checked(expression) {
                request = request.max(request_reads(checked.answer()));
                flow.add(checked.answer(), document.variable_name(expression));
            }
        }
        let is_known = flow.follow();
        if !is_known || object.nodes.len() > MAX_PARTS {
            object.add_whole(Parts::ROOT);
        }
        Self { object, request }
    }
}

/// Returns what an expression reads besides the object. A variable of a macro with the name of one
/// of these values counts as the value.
fn request_reads(checked: &Checked) -> RequestReads {
    let expansion = checked.expansion();
    let mut read = RequestReads::Nothing;
    let mut selected = HashSet::new();
    for id in expansion.ids() {
        let NodeKind::Select { operand, field, .. } = expansion.kind(id) else {
            continue;
        };
        if matches!(expansion.kind(*operand), NodeKind::Ident(name) if unrooted(name) == "request")
        {
            selected.insert(*operand);
            read = read.max(match &**field {
                "namespace" => RequestReads::Namespace,
                field if SAME.contains(&field) => RequestReads::Nothing,
                _ => RequestReads::Everything,
            });
        }
    }
    for id in expansion.ids() {
        if let NodeKind::Ident(name) = expansion.kind(id) {
            read = read.max(match unrooted(name) {
                "request" if !selected.contains(&id) => RequestReads::Everything,
                "params" | "authorizer" => RequestReads::Everything,
                "namespaceObject" => RequestReads::Namespace,
                _ => RequestReads::Nothing,
            });
        }
    }
    read
}

/// Returns a name without the dot that makes it global.
fn unrooted(name: &str) -> &str {
    name.strip_prefix('.').unwrap_or(name)
}

//! A table of answers, for a policy that asks the authorizer.
//!
//! The permissions of users live in a cluster. An evaluation without one takes what its author
//! writes down.

use policy::library::{Answer, AuthorizationRequest, Authorizer, Decision, Target};

/// A table of decisions: the first row that matches a check decides it. Without one the
/// decision is "no opinion", which does not allow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorizerTable {
    /// The rows in their order.
    pub rows: Vec<AuthorizerRow>,
}

/// A row of the table. A condition that is empty or `*` fits everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorizerRow {
    /// The name of the user.
    pub user: String,
    /// The verb.
    pub verb: String,
    /// The API group.
    pub group: String,
    /// The plural name of the resource.
    pub resource: String,
    /// The subresource.
    pub subresource: String,
    /// The namespace.
    pub namespace: String,
    /// The name of the object.
    pub name: String,
    /// The path, of a question that is about no resource.
    pub path: String,
    /// The answer.
    pub answer: RowAnswer,
    /// Why, or what went wrong.
    pub reason: String,
}

/// The answer of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowAnswer {
    /// Yes.
    Allow,
    /// No.
    Deny,
    /// No opinion.
    #[default]
    NoOpinion,
    /// The authorizer fails.
    Error,
}

impl AuthorizerRow {
    fn fits(&self, request: &AuthorizationRequest<'_>) -> bool {
        let empty = || "";
        let (group, resource, subresource, namespace, name, path) = match request.target {
            Target::Path(path) => (empty(), empty(), empty(), empty(), empty(), path),
            Target::Resource(target) => (
                &*target.group,
                &*target.resource,
                &*target.subresource,
                &*target.namespace,
                &*target.name,
                empty(),
            ),
        };
        [
            (&self.user, &*request.user.name),
            (&self.verb, request.verb),
            (&self.group, group),
            (&self.resource, resource),
            (&self.subresource, subresource),
            (&self.namespace, namespace),
            (&self.name, name),
            (&self.path, path),
        ]
        .into_iter()
        .all(|(wanted, found)| wanted.is_empty() || wanted == "*" || wanted == found)
    }

    fn answer(&self) -> Answer {
        let decision = match self.answer {
            RowAnswer::Allow => Decision::Allow,
            RowAnswer::Deny => Decision::Deny,
            RowAnswer::NoOpinion => Decision::NoOpinion,
            RowAnswer::Error => {
                return Answer {
                    error: Some(self.reason.as_str().into()),
                    ..Answer::default()
                };
            }
        };
        Answer {
            decision,
            reason: self.reason.as_str().into(),
            error: None,
        }
    }
}

impl Authorizer for AuthorizerTable {
    fn authorize(&self, request: &AuthorizationRequest<'_>) -> Answer {
        let row = self.rows.iter().find(|row| row.fits(request));
        row.map(AuthorizerRow::answer).unwrap_or_default()
    }
}

//! The authorizer, for a policy that uses it.
//!
//! The permissions of users live in a cluster. An evaluation without one uses a table of decisions
//! written by its author, or the roles and bindings in the manifests of the project.

mod roles;

use kubernetes::ServerVersion;
use policy::library::{Answer, AuthorizationRequest, Authorizer, Decision, Target};
pub(crate) use roles::Roles;
use std::sync::Arc;

/// A table of decisions: the first row that matches a check decides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizerTable {
    /// The rows in their order.
    pub rows: Vec<AuthorizerRow>,
    /// The authorizer of the checks that no row matches.
    pub otherwise: Otherwise,
    /// The server whose default roles are used.
    pub server: ServerVersion,
}

/// The authorizer of the checks that no row of a table matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Otherwise {
    /// None: the decision is "no opinion", which does not allow the action.
    NoOpinion,
    /// The default roles, which every cluster has.
    #[default]
    DefaultRoles,
    /// The roles and bindings of the [server](crate::ApiServer), and the default ones.
    Rbac,
}

/// The authorizer of a request.
#[derive(Clone, Debug)]
pub(crate) struct RequestAuthorizer {
    /// The decisions in the input.
    pub(crate) table: Arc<AuthorizerTable>,
    /// The roles and bindings of the server, if the table uses them.
    pub(crate) roles: Option<Arc<Roles>>,
}

/// A row of the table. A condition that is empty or `*` matches everything.
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
    /// The path of a non-resource check.
    pub path: String,
    /// The answer.
    pub answer: RowAnswer,
    /// The reason or the error.
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

impl Default for AuthorizerTable {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            otherwise: Otherwise::default(),
            server: ServerVersion::NEWEST,
        }
    }
}

impl AuthorizerTable {
    /// Returns the table with the default roles of a server.
    #[must_use]
    pub fn on(&self, server: ServerVersion) -> Self {
        Self {
            server,
            ..self.clone()
        }
    }
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

impl Authorizer for RequestAuthorizer {
    fn authorize(&self, request: &AuthorizationRequest<'_>) -> Answer {
        let AuthorizerTable {
            rows,
            otherwise,
            server,
        } = &*self.table;
        if let Some(row) = rows.iter().find(|row| row.fits(request)) {
            return row.answer();
        }
        match (otherwise, &self.roles) {
            (Otherwise::NoOpinion, _) => Answer::default(),
            (Otherwise::Rbac, Some(roles)) => roles.authorize(request),
            (Otherwise::Rbac | Otherwise::DefaultRoles, _) => {
                Roles::of_server(*server).authorize(request)
            }
        }
    }
}

#[cfg(test)]
mod tests;

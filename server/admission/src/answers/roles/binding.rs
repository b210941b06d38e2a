//! A binding of a role to users.
//!
//! Upstream: kubernetes/kubernetes, pkg/registry/rbac/validation/rule.go, appliesToUser,
//! describeSubject, clusterRoleBindingDescriber and roleBindingDescriber.

use crate::fields::{get, list, text};
use cel::Value;
use policy::library::User;

/// A `RoleBinding`, or a `ClusterRoleBinding`, which has no namespace.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    name: Box<str>,
    /// Empty for a `ClusterRoleBinding`.
    pub(super) namespace: Box<str>,
    /// `roleRef.kind`
    pub(super) role_kind: Box<str>,
    /// `roleRef.name`
    pub(super) role_name: Box<str>,
    subjects: Vec<Subject>,
}

/// Whom a role is bound to.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    kind: Box<str>,
    name: Box<str>,
    /// That of a service account; by default, that of the binding.
    namespace: Box<str>,
}

impl Binding {
    pub(super) fn read(object: &Value, name: &str, namespace: &str) -> Self {
        let role = |field| get(object, "roleRef").map_or("", |it| text(it, field));
        let subjects = list(object, "subjects").iter();
        Self {
            name: name.into(),
            namespace: namespace.into(),
            role_kind: role("kind").into(),
            role_name: role("name").into(),
            subjects: subjects.map(|it| Subject::read(it, namespace)).collect(),
        }
    }

    /// Returns the first subject that a user is.
    pub(super) fn subject(&self, user: &User) -> Option<&Subject> {
        self.subjects.iter().find(|subject| subject.is(user))
    }

    /// Returns the binding and one of its subjects as in a reason.
    pub(super) fn describe(&self, subject: &Subject) -> String {
        let (kind, namespace) = match &*self.namespace {
            "" => ("ClusterRoleBinding", String::new()),
            namespace => ("RoleBinding", format!("/{namespace}")),
        };
        let of_subject = match &*subject.kind {
            "ServiceAccount" => format!("/{}", subject.namespace),
            _ => String::new(),
        };
        format!(
            "{kind} \"{}{namespace}\" of {} \"{}\" to {} \"{}{of_subject}\"",
            self.name, self.role_kind, self.role_name, subject.kind, subject.name
        )
    }
}

impl Subject {
    fn read(subject: &Value, namespace: &str) -> Self {
        let written = text(subject, "namespace");
        Self {
            kind: text(subject, "kind").into(),
            name: text(subject, "name").into(),
            namespace: if written.is_empty() {
                namespace
            } else {
                written
            }
            .into(),
        }
    }

    fn is(&self, user: &User) -> bool {
        match &*self.kind {
            "User" => *self.name == *user.name,
            "Group" => user.groups.iter().any(|group| **group == *self.name),
            "ServiceAccount" if !self.namespace.is_empty() => {
                *user.name == *User::service_account(&self.namespace, &self.name).name
            }
            _ => false,
        }
    }
}

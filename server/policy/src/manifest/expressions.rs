//! The expressions of a manifest, found by their field paths.

use super::version_schemas;
use crate::expression::{Expression, Expressions, Role};
use crate::field_path::{FieldPath, PathRef};
use crate::json_schema::JsonSchema;
use crate::kind::Kind;
use yaml::Node;

/// The expressions of the document `root`.
pub(crate) fn find(kind: Kind, root: Node<'_>, base: &FieldPath) -> Expressions {
    let mut search = Search {
        found: Expressions::default(),
    };
    let path = PathRef::new(base);
    match kind {
        Kind::ValidatingAdmissionPolicy => search.validating_policy(root, &path),
        Kind::MutatingAdmissionPolicy => search.mutating_policy(root, &path),
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            search.webhooks(root, &path);
        }
        Kind::CustomResourceDefinition => search.versions(root, &path),
        Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {}
    }
    let mut found = search.found;
    found.written.sort_by_key(|found| found.node);
    found.blank.sort_by_key(|found| found.node);
    found
}

struct Search {
    found: Expressions,
}

impl Search {
    fn validating_policy(&mut self, root: Node<'_>, path: &PathRef<'_>) {
        let Some(spec) = root.get("spec") else {
            return;
        };
        let path = path.child("spec");
        self.policy_head(spec, &path);
        self.each(spec, &path, "validations", |search, _, node, path| {
            search.add(node, path, "expression", Role::Validation);
            search.add(node, path, "messageExpression", Role::MessageExpression);
        });
        self.each(spec, &path, "auditAnnotations", |search, _, node, path| {
            search.add(node, path, "valueExpression", Role::AuditAnnotation);
        });
    }

    fn mutating_policy(&mut self, root: Node<'_>, path: &PathRef<'_>) {
        let Some(spec) = root.get("spec") else {
            return;
        };
        let path = path.child("spec");
        self.policy_head(spec, &path);
        self.each(spec, &path, "mutations", |search, _, node, path| {
            for (field, role) in [
                ("applyConfiguration", Role::ApplyConfiguration),
                ("jsonPatch", Role::JsonPatch),
            ] {
                if let Some(patch) = node.get(field) {
                    search.add(patch, &path.child(field), "expression", role);
                }
            }
        });
    }

    fn policy_head(&mut self, spec: Node<'_>, path: &PathRef<'_>) {
        self.each(spec, path, "matchConditions", |search, _, node, path| {
            search.add(node, path, "expression", Role::MatchCondition);
        });
        self.each(spec, path, "variables", |search, index, node, path| {
            search.add(node, path, "expression", Role::Variable { index });
        });
    }

    fn webhooks(&mut self, root: Node<'_>, path: &PathRef<'_>) {
        self.each(root, path, "webhooks", |search, _, webhook, path| {
            search.each(webhook, path, "matchConditions", |search, _, node, path| {
                search.add(node, path, "expression", Role::WebhookMatchCondition);
            });
        });
    }

    fn versions(&mut self, root: Node<'_>, path: &PathRef<'_>) {
        let spec = path.child("spec");
        let versions = spec.child("versions");
        for (index, schema) in version_schemas(root) {
            let version = versions.index(index);
            let field = version.child("schema");
            schema.walk(&field.child("openAPIV3Schema"), &mut |schema, path| {
                self.rules(schema, path);
            });
        }
    }

    fn rules(&mut self, schema: JsonSchema<'_>, path: &PathRef<'_>) {
        let node = schema.node();
        let schema = node.id();
        self.each(
            node,
            path,
            "x-kubernetes-validations",
            |search, _, rule, path| {
                let optional_old_self =
                    JsonSchema::new(rule).is_some_and(|rule| rule.flag("optionalOldSelf"));
                let role = Role::CrdRule {
                    schema,
                    optional_old_self,
                };
                search.add(rule, path, "rule", role);
                let role = Role::CrdMessageExpression {
                    schema,
                    optional_old_self,
                };
                search.add(rule, path, "messageExpression", role);
            },
        );
    }

    /// Calls `visit` for every item of the list in `field` of `node`.
    fn each(
        &mut self,
        node: Node<'_>,
        path: &PathRef<'_>,
        field: &str,
        visit: impl Fn(&mut Self, usize, Node<'_>, &PathRef<'_>),
    ) {
        let list = node.get(field).and_then(Node::as_sequence);
        let path = path.child(field);
        for (index, item) in list.into_iter().flat_map(yaml::Sequence::items).enumerate() {
            visit(self, index, item, &path.index(index));
        }
    }

    fn add(&mut self, owner: Node<'_>, path: &PathRef<'_>, field: &str, role: Role) {
        let Some(node) = owner.get(field) else {
            return;
        };
        // An empty value is null.
        let nothing = || (node.is_null() && node.text().is_empty()).then_some("");
        let Some(text) = node.as_str().or_else(nothing) else {
            return;
        };
        let list = match text.trim() {
            "" => &mut self.found.blank,
            _ => &mut self.found.written,
        };
        list.push(Expression {
            path: path.child(field).to_path(),
            role,
            node: node.id(),
            owner: owner.id(),
            parse: cel::syntax::parse(text),
        });
    }
}

#[cfg(test)]
mod tests;

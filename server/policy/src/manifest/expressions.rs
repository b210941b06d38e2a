//! The expressions of a manifest, found by their field paths.

use super::expression_list::List;
use super::lists::lists;
use super::{items, version_schemas};
use crate::expression::{Expression, Expressions, Role};
use crate::field_path::{FieldPath, PathRef};
use crate::json_schema::JsonSchema;
use crate::kind::Kind;
use crate::results::{Source, Sources};
use cel::syntax::ParseOptions;
use std::sync::Arc;
use yaml::Node;

/// Returns the expressions of the document `root`.
pub(crate) fn find(
    kind: Kind,
    root: Node<'_>,
    base: &FieldPath,
    (sources, options): (&Sources, ParseOptions),
) -> Expressions {
    let mut search = Search {
        found: Expressions::default(),
        sources,
        options,
    };
    let path = PathRef::new(base);
    match kind {
        Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
            if let Some(spec) = root.get("spec") {
                search.lists(spec, &path.child("spec"), lists(kind));
            }
        }
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            search.each(root, &path, "webhooks", |search, _, webhook, path| {
                search.lists(webhook, path, lists(kind));
            });
        }
        Kind::CustomResourceDefinition => search.versions(root, &path),
        Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {}
    }
    let mut found = search.found;
    found.written.sort_by_key(|found| found.node);
    found.blank.sort_by_cached_key(|found| found.node);
    found
}

struct Search<'s> {
    found: Expressions,
    sources: &'s Sources,
    options: ParseOptions,
}

impl Search<'_> {
    fn lists(&mut self, owner: Node<'_>, path: &PathRef<'_>, lists: &[List]) {
        for list in lists {
            self.each(owner, path, list.field, |search, index, entry, path| {
                for (fields, role) in list.expressions {
                    let role = match role {
                        Role::Variable { .. } => Role::Variable { index },
                        other => *other,
                    };
                    search.add_at(entry, path, fields, role);
                }
            });
        }
    }

    fn add_at(&mut self, owner: Node<'_>, path: &PathRef<'_>, fields: &[&str], role: Role) {
        match fields {
            [] => {}
            [field] => self.add(owner, path, field, role),
            [field, inner @ ..] => {
                if let Some(owner) = owner.get(field) {
                    self.add_at(owner, &path.child(field), inner, role);
                }
            }
        }
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
        let path = path.child(field);
        for (index, item) in items(node, field).enumerate() {
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
        let make = || Arc::new(Source::new(text, self.options));
        let parse = self.sources.get((text.into(), self.options), make);
        list.push(Expression {
            path: path.child(field).to_path(),
            role,
            node: node.id(),
            owner: owner.id(),
            parse,
        });
    }
}

#[cfg(test)]
mod tests;

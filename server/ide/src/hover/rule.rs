//! The fields of `self` in a validation rule, by the schema around the rule.

use super::HoverContext;
use crate::self_schema::self_schema;
use crate::signature::add_page;
use cel::syntax::{ExprId, ExprKind};
use kubernetes::names::unescape;
use std::borrow::Cow;

impl HoverContext<'_> {
    /// Adds the facts from the schema around a validation rule about a part of `self`.
    pub(super) fn add_facts_of_rule(&self, shown: &mut String, id: ExprId) {
        let target = self.target;
        let Some(schema) = self_schema(target.document, target.expression, id) else {
            return;
        };
        if let ExprKind::Select { operand, field, .. } = self.ast.kind(id)
            && let Some(name) = unescape(self.ast.name(*field))
        {
            if let Cow::Owned(name) = &name {
                shown.push_str(&format!("\n\nThe field `{name}`, escaped."));
            }
            let owner = self_schema(target.document, target.expression, *operand);
            let required = owner.and_then(|owner| owner.get("required")?.as_sequence());
            let mut required = required.into_iter().flat_map(yaml::Sequence::items);
            let is_required = required.any(|it| it.text() == name);
            shown.push_str(if is_required {
                "\n\nRequired."
            } else {
                "\n\nOptional."
            });
            let format = schema.get("format").and_then(yaml::Node::as_str);
            if let Some(format) = format {
                shown.push_str(&format!(" Format: `{format}`."));
            }
        }
        let default = schema.get("default").and_then(yaml::Node::as_scalar);
        if let Some(default) = default {
            shown.push_str(&format!("\n\nDefault: `{}`.", default.text()));
        }
        if let Some(values) = self.values_in_definition(id) {
            shown.push_str(&format!("\n\nOne of `{values}`."));
        }
        let description = schema.get("description").and_then(yaml::Node::as_str);
        if let Some(description) = description {
            add_page(shown, &text::clean::for_markdown(description), "");
        }
    }
}

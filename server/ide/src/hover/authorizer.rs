//! The string arguments of authorizer checks: groups, resources, subresources and verbs.

use super::{HoverContext, resources};
use crate::completion::{argument_of, meaning_of_verb};
use cel::Type;
use cel::syntax::ExprId;
use kubernetes::openapi::Resource;

impl HoverContext<'_> {
    /// Returns the meaning of `text`, the first argument of a method of a check with this receiver.
    pub(super) fn of_check(&self, receiver: ExprId, function: &str, text: &str) -> Option<String> {
        let Some(Type::Struct(of)) = self.checked.type_of(receiver) else {
            return None;
        };
        let check = of.strip_prefix("kubernetes.authorization.")?;
        let group = argument_of(self.ast, receiver, "group");
        let is_of_group = |it: &Resource<'_>| group.is_none_or(|group| it.group == group);
        match (function, check) {
            ("group", _) => resources::of_group(self.catalog, text),
            ("resource", _) => resources::kinds(self.catalog, text, is_of_group),
            ("subresource", _) => {
                let plural = argument_of(self.ast, receiver, "resource")?;
                resources::subresource(self.catalog, (plural, text), is_of_group)
            }
            ("check", "PathCheck") => Some(format!("The HTTP method `{}`.", text.to_uppercase())),
            ("check", _) => meaning_of_verb(text).map(|it| format!("The verb `{text}`. {it}")),
            _ => None,
        }
    }
}

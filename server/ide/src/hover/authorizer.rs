//! The strings of checks of the authorizer: groups, resources, subresources and verbs.

use super::{HoverContext, resources};
use crate::completion::meaning_of_verb;
use cel::Type;
use cel::syntax::{ExprId, ExprKind, Literal};
use kubernetes::openapi::Resource;

impl HoverContext<'_> {
    /// The meaning of `text`, the first argument of a method of a check with this receiver.
    pub(super) fn of_check(&self, receiver: ExprId, function: &str, text: &str) -> Option<String> {
        let Some(Type::Struct(of)) = self.checked.type_of(receiver) else {
            return None;
        };
        let check = of.strip_prefix("kubernetes.authorization.")?;
        let group = self.argument_of(receiver, "group");
        let is_of_group =
            |it: &Resource<'_>| group.as_deref().is_none_or(|group| it.group == group);
        match (function, check) {
            ("group", _) => resources::of_group(self.catalog, text),
            ("resource", _) => resources::kinds(self.catalog, text, is_of_group),
            ("subresource", _) => {
                let plural = self.argument_of(receiver, "resource")?;
                resources::subresource(self.catalog, (&plural, text), is_of_group)
            }
            ("check", "PathCheck") => Some(format!("The HTTP method `{}`.", text.to_uppercase())),
            ("check", _) => meaning_of_verb(text).map(|it| format!("The verb `{text}`. {it}")),
            _ => None,
        }
    }

    /// Returns the first argument of the call of a method in a chain, if it is a string.
    fn argument_of(&self, mut chain: ExprId, method: &str) -> Option<String> {
        loop {
            let ExprKind::Call {
                target: Some(target),
                function,
                args,
                ..
            } = self.ast.kind(chain)
            else {
                return None;
            };
            if self.ast.name(*function) == method {
                return match self.ast.kind(*args.first()?) {
                    ExprKind::Literal(Literal::String(text)) => Some(text.to_string()),
                    _ => None,
                };
            }
            chain = *target;
        }
    }
}

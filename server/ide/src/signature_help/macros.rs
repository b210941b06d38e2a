//! The forms of macros: with one variable or two, with a condition or without.

use super::{Context, Signature, SignatureHelp, signature};
use crate::signature::{MacroPage, add_macro_since, add_page, macro_page};
use cel::syntax::{ExprId, MacroKind};

/// Limit: the arguments of a macro.
const MAX_ARGUMENTS: usize = 4;

impl Context<'_> {
    /// Returns the forms of a macro of the environment. `None` if the name is not one.
    pub(super) fn macro_signatures(
        &self,
        name: &str,
        target: Option<ExprId>,
        args: &[ExprId],
    ) -> Option<SignatureHelp> {
        let at = self.open.commas;
        let count = args.len().max(at + 1);
        let mut signatures = Vec::new();
        let mut active = None;
        for arguments in 1..=MAX_ARGUMENTS {
            let form = MacroKind::find(name, target.is_some(), arguments)
                .filter(|(kind, variables)| self.env.expands(*kind, *variables));
            let Some((kind, variables)) = form else {
                continue;
            };
            if count <= arguments {
                active.get_or_insert(signatures.len());
            }
            let mut form = of_form(name, macro_page(kind), variables, arguments);
            let mut documentation = form.documentation.take().unwrap_or_default();
            add_macro_since(&mut documentation, kind, variables);
            form.documentation = Some(documentation);
            form.active_parameter = (at < arguments).then_some(at);
            signatures.push(form);
        }
        let active = active.unwrap_or(signatures.len().saturating_sub(1));
        (!signatures.is_empty()).then_some(SignatureHelp { signatures, active })
    }
}

/// Returns a form of a macro: that of its page, with an index before the variable or a condition
/// before the value.
fn of_form(name: &str, page: MacroPage, variables: usize, arguments: usize) -> Signature {
    let (receiver, rest) = page.call.split_once('(').unwrap_or((page.call, ""));
    let receiver = receiver
        .rsplit_once('.')
        .map_or("", |(receiver, _)| receiver);
    let (inside, result) = rest.split_once(')').unwrap_or((rest, ""));
    let mut parameters: Vec<String> = inside.split(", ").map(str::to_owned).collect();
    if variables == 2 && parameters.len() < 3 {
        parameters.insert(0, "index".to_owned());
    }
    if parameters.len() < arguments {
        let before_value = parameters.len().saturating_sub(1);
        parameters.insert(before_value, "condition".to_owned());
    }
    let dot = if receiver.is_empty() { "" } else { "." };
    let before = format!("{receiver}{dot}{name}(");
    let mut documentation = String::new();
    add_page(&mut documentation, page.doc, page.example);
    Signature {
        documentation: Some(documentation.trim_start().to_owned()),
        ..signature(&before, &parameters, &format!("){result}"))
    }
}

#![doc = include_str!("unknown_suppression.md")]

use crate::diagnostics::{Finding, RULES, RuleContext};
use crate::suppression::{Code, Scope, Suppression};
use text::{TextEdit, nearest};

/// The code of this rule.
const OWN: &str = "unknown-suppression";

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for suppression in context.file.suppressions() {
        if suppression.codes.is_empty() {
            found.push(Finding::new(
                suppression.range,
                "This comment has no effect, because it does not name a rule. Write `admissible: \
                 ignore[code]`.",
            ));
        } else if suppression.scope == Scope::Nowhere {
            found.push(Finding::new(
                suppression.range,
                "`ignore-file` has no effect here. Move it to the top of the file, where only \
                 comments may precede it.",
            ));
        } else {
            let codes = suppression.codes.iter();
            found.extend(codes.filter_map(|code| unknown(context, suppression, code)));
        }
    }
}

fn unknown(context: &RuleContext<'_>, suppression: &Suppression, code: &Code) -> Option<Finding> {
    let name = code.name.as_str();
    if !RULES.iter().any(|rule| rule.code == name) {
        let nearest = nearest(name, RULES.iter().map(|rule| rule.code));
        let hint = nearest.map_or(String::new(), |nearest| {
            format!(" Did you mean `{nearest}`?")
        });
        let finding = Finding::new(code.range, format!("There is no rule `{name}`.{hint}"));
        return Some(match nearest {
            Some(nearest) => finding.fix(
                format!("Change to `{nearest}`"),
                vec![TextEdit::replace(code.range, nearest)],
            ),
            None => finding,
        });
    }
    let lines = context.file.line_index();
    let used = context.found.borrow().iter().any(|diagnostic| {
        diagnostic.code == name && suppression.covers(lines.line(diagnostic.range.start()))
    });
    if used || name == OWN {
        return None;
    }
    let finding = Finding::new(
        code.range,
        format!("This comment has no effect: there is no `{name}` finding to suppress. Remove it."),
    );
    let alone = suppression.codes.len() == 1;
    Some(
        match context.file.editor().remove_comment(suppression.comment) {
            Some(edit) if alone => finding.fix("Remove the comment", vec![edit]),
            _ => finding,
        },
    )
}

#[cfg(test)]
mod tests;

//! Strings with a meaning of their own: regular expressions and JSON pointers.

use super::{HoverContext, schema_field};
use crate::kind_fields::schema_at_pointer;
use cel::syntax::{ExprId, ExprKind, Literal};

/// The methods whose first argument is a regular expression.
const OF_REGEX: [&str; 3] = ["matches", "find", "findAll"];

impl HoverContext<'_> {
    /// A literal with the meaning that it has in the nodes around it.
    pub(super) fn literal(&self, id: ExprId, around: &[ExprId]) -> Option<String> {
        let shown = self.typed(id)?;
        let ExprKind::Literal(Literal::String(text)) = self.ast.kind(id) else {
            return Some(shown);
        };
        let parent = around.last().map(|parent| self.ast.kind(*parent));
        let meaning = match parent {
            Some(ExprKind::Call { function, args, .. })
                if args.first() == Some(&id) && OF_REGEX.contains(&self.ast.name(*function)) =>
            {
                Some(regex(text, self.ast.name(*function)))
            }
            Some(ExprKind::Struct { fields, .. }) => {
                let mut fields = fields.iter().filter(|field| field.value == id);
                let name = fields.next().map(|field| self.ast.name(field.name));
                let is_pointer = matches!(name, Some("path" | "from"));
                is_pointer.then(|| self.pointer(text)).flatten()
            }
            _ => None,
        };
        Some(match meaning {
            Some(meaning) => format!("{shown}\n\n{meaning}"),
            None => shown,
        })
    }

    /// The field that a JSON pointer leads to.
    fn pointer(&self, pointer: &str) -> Option<String> {
        let (parent, name) = pointer.rsplit_once('/')?;
        let name = name.replace("~1", "/").replace("~0", "~");
        let part = |root| schema_at_pointer(root, parent);
        let fields = self.kinds?.fields_of_part(part, &name);
        (!fields.is_empty()).then(|| schema_field(&name, &fields))
    }
}

/// Returns how a regular expression is applied.
fn regex(text: &str, function: &str) -> String {
    let mut meaning = "A regular expression in RE2 syntax.".to_owned();
    if function == "matches" {
        let anchors = (text.starts_with('^'), text.ends_with('$'));
        meaning.push_str(match anchors {
            (true, true) => " It matches the whole string.",
            (true, false) => " It matches the beginning of the string. Add `$` to match all of it.",
            (false, true) => " It matches the end of the string. Add `^` to match all of it.",
            (false, false) => {
                " It matches any part of the string. Add `^` and `$` to match all of it."
            }
        });
    }
    meaning
}

/// Returns what a field of `JSONPatch` means, with a space before. Empty for other types.
///
/// Upstream: kubernetes/api, admissionregistration/v1/types.go, JSONPatch; RFC 6902.
pub(crate) fn patch_field(type_name: &str, field: &str) -> &'static str {
    match (type_name, field) {
        ("JSONPatch", "op") => {
            " The operation: `add`, `remove`, `replace`, `move`, `copy` or `test`."
        }
        ("JSONPatch", "path") => {
            " A JSON pointer to the field that the operation changes or tests. `~1` is a slash in \
             a key, `~0` a tilde, and `-` the position after the last element of a list."
        }
        ("JSONPatch", "from") => " A JSON pointer to the field that `move` and `copy` read.",
        ("JSONPatch", "value") => " The value that `add`, `replace` and `test` use.",
        _ => "",
    }
}

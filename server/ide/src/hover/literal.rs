//! Strings with a meaning of their own: regular expressions and JSON pointers.

use super::{HoverContext, schema_field};
use crate::completion::meaning_of_key;
use crate::kind_fields::{OPERATIONS, allowed_strings, facts, schema_at_pointer, schema_of_type};
use crate::self_schema::self_schema;
use cel::syntax::{ExprId, ExprKind, Literal};
use cel::value::Duration;
use kubernetes::Quantity;
use kubernetes::openapi::Schema;

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
            Some(ExprKind::Call {
                target: None,
                function,
                args,
                ..
            }) if args.first() == Some(&id) => parsed(text, self.ast.name(*function)),
            Some(ExprKind::Call { function, args, .. })
                if args.first() == Some(&id) && OF_REGEX.contains(&self.ast.name(*function)) =>
            {
                Some(regex(text, self.ast.name(*function)))
            }
            Some(ExprKind::Struct { fields, .. }) => {
                let mut fields = fields.iter().filter(|field| field.value == id);
                let name = fields.next().map(|field| self.ast.name(field.name));
                match name {
                    Some("path" | "from") => self.pointer(text),
                    Some("op") => patch_operation(text).map(str::to_owned),
                    Some(name) => self.field_value(*around.last()?, name),
                    None => None,
                }
            }
            Some(ExprKind::Index { operand, index, .. }) if *index == id => {
                let meaning = meaning_of_key(text).map(str::to_owned);
                let key = meaning.into_iter().chain(self.key(*operand));
                let paragraphs: Vec<String> = key.collect();
                (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
            }
            _ => around.last().and_then(|parent| self.constant(id, *parent)),
        };
        Some(match meaning {
            Some(meaning) => format!("{shown}\n\n{meaning}"),
            None => shown,
        })
    }

    /// The map of which a string is a key.
    fn key(&self, map: ExprId) -> Option<String> {
        let (_, schema) = self.kinds?.schemas(map).next()?;
        let description = text::clean::for_markdown(schema.description()?);
        Some(format!(
            "A key of `{}`.\n\n{description}",
            self.ast.slice(self.ast.span(map))
        ))
    }

    /// The values that a constant is compared with, where they are known: the other side of a
    /// comparison, or of the list that the constant is in.
    fn constant(&self, id: ExprId, parent: ExprId) -> Option<String> {
        let is_list = matches!(self.ast.kind(parent), ExprKind::List { .. });
        let operand = if is_list { parent } else { id };
        let other = self.ast.ids().find_map(|it| match self.ast.kind(it) {
            ExprKind::Binary { left, right, .. } if *right == operand => Some(*left),
            ExprKind::Binary { left, right, .. } if *left == operand => Some(*right),
            _ => None,
        })?;
        let name = self.ast.slice(self.ast.span(other));
        if name == "request.operation" {
            return Some(format!(
                "A value of `{name}`. One of `{}`.",
                OPERATIONS.join("`, `")
            ));
        }
        if let Some(values) = self.values_in_definition(other) {
            return Some(format!("A value of `{name}`. One of `{values}`."));
        }
        let (_, schema) = self.kinds?.schemas(other).next()?;
        value_of(name, schema)
    }

    /// The values of a field of an object literal, where they are known.
    fn field_value(&self, literal: ExprId, field: &str) -> Option<String> {
        let ExprKind::Struct {
            type_name, fields, ..
        } = self.ast.kind(literal)
        else {
            return None;
        };
        let names: Vec<&str> = type_name.iter().map(|it| self.ast.name(*it)).collect();
        let type_name = names.join(".");
        if (&*type_name, field) == ("JSONPatch", "value") {
            let mut fields = fields.iter();
            let path = fields.find(|field| self.ast.name(field.name) == "path")?;
            let ExprKind::Literal(Literal::String(path)) = self.ast.kind(path.value) else {
                return None;
            };
            let at_path = |root| schema_at_pointer(root, path);
            return value_of(path, self.kinds?.objects().find_map(at_path)?);
        }
        let owner = |root| schema_of_type(root, &type_name);
        let mut owners = self.kinds?.objects().filter_map(owner);
        let schema = owners.find_map(|owner| owner.property(field))?;
        value_of(field, schema)
    }

    /// The values that the schema around a validation rule allows for a part of `self`.
    fn values_in_definition(&self, id: ExprId) -> Option<String> {
        let schema = self_schema(self.target.document, self.target.expression, id)?;
        let values = schema.get("enum")?.as_sequence()?.items();
        let values: Vec<&str> = values.map(yaml::Node::text).collect();
        (!values.is_empty()).then(|| values.join("`, `"))
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

/// Returns the values of a field with its description. `None` if any string fits.
fn value_of(name: &str, schema: Schema<'_>) -> Option<String> {
    if allowed_strings(schema).is_empty() {
        return None;
    }
    let description = text::clean::for_markdown(schema.description().unwrap_or_default());
    let facts = facts(schema, false);
    let facts = facts.trim_start_matches("Optional. ");
    Some(format!("A value of `{name}`. {facts}\n\n{description}"))
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

/// Returns the value that a function reads from a string, in its canonical form.
fn parsed(text: &str, function: &str) -> Option<String> {
    match function {
        "duration" => Some(format!("A duration: `{}`.", Duration::parse(text)?)),
        "quantity" => {
            let quantity = Quantity::parse(text).ok()?;
            let number = quantity.as_float();
            Some(format!(
                "A quantity: `{quantity}`, which is the number {number}."
            ))
        }
        _ => None,
    }
}

/// Returns what an operation of a JSON patch does.
///
/// Upstream: RFC 6902, section 4.
fn patch_operation(operation: &str) -> Option<&'static str> {
    Some(match operation {
        "add" => {
            "Adds `value` at `path`: sets a field, or inserts an element before the index. The \
             parent must exist."
        }
        "remove" => "Removes the value at `path`, which must exist.",
        "replace" => "Replaces the value at `path`, which must exist, with `value`.",
        "move" => "Moves the value at `from` to `path`.",
        "copy" => "Copies the value at `from` to `path`.",
        "test" => {
            "Tests that the value at `path` is equal to `value`. Otherwise the whole patch fails."
        }
        _ => return None,
    })
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

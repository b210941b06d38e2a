//! Strings with a special meaning: regular expressions and JSON pointers.

use super::HoverContext;
use super::types::schema_field;
use crate::completion::meaning_of_key;
use crate::kind_fields::{
    OPERATIONS, allowed_strings, facts, schema_at_pointer, schema_of_type, type_text,
};
use crate::self_schema::self_schema;
use crate::signature::{self, code};
use cel::Type;
use cel::regex::Regex;
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Literal};
use cel::value::Duration;
use kubernetes::Quantity;
use kubernetes::openapi::Schema;

/// The description of `JSONPatch`.
pub(super) const PATCH: &str = "\n\nAn operation of a JSON patch (RFC 6902): `op` and `path`, and a `value` \
    or, for `move` and `copy`, a `from`.";

/// The methods whose first argument is a regular expression.
const OF_REGEX: [&str; 3] = ["matches", "find", "findAll"];

impl HoverContext<'_> {
    /// Returns a literal with its meaning in the nodes around it.
    pub(super) fn literal(&self, id: ExprId, around: &[ExprId]) -> Option<String> {
        let shown = self.typed(id)?;
        let ExprKind::Literal(Literal::String(text)) = self.ast.kind(id) else {
            return Some(shown);
        };
        let meaning = around
            .last()
            .and_then(|parent| self.meaning(id, text, *parent))
            .or_else(|| self.pointer_in_sum(id, text, around));
        Some(match meaning {
            Some(meaning) => format!("{shown}\n\n{meaning}"),
            None => shown,
        })
    }

    /// Returns the field at the beginning of a pointer that is concatenated.
    fn pointer_in_sum(&self, id: ExprId, text: &str, around: &[ExprId]) -> Option<String> {
        let start = self.ast.span(id).start();
        around.iter().rev().find(|it| match self.ast.kind(**it) {
            ExprKind::Struct { fields, .. } => fields.iter().any(|field| {
                let is_pointer = matches!(self.ast.name(field.name), "path" | "from");
                is_pointer && self.ast.span(field.value).start() == start
            }),
            _ => false,
        })?;
        self.pointer(self.up_to_cursor(id, text).trim_end_matches('/'))
    }

    /// Returns the meaning of a string in its parent node.
    fn meaning(&self, id: ExprId, text: &str, parent: ExprId) -> Option<String> {
        match self.ast.kind(parent) {
            ExprKind::Call {
                target,
                function,
                args,
                ..
            } if args.first() == Some(&id) => {
                let argument = self.argument(text, self.ast.name(*function), *target);
                argument.or_else(|| self.constant(id, parent))
            }
            ExprKind::Struct { fields, .. } => {
                let field = fields.iter().find(|field| field.value == id)?;
                match self.ast.name(field.name) {
                    "path" | "from" => self.pointer(self.up_to_cursor(id, text)),
                    "op" => patch_operation(text).map(str::to_owned),
                    name => self.field_value(parent, name),
                }
            }
            ExprKind::Index { operand, index, .. } if *index == id => self.map_key(text, *operand),
            ExprKind::Binary {
                operator: BinaryOperator::In,
                left,
                right,
                ..
            } if *left == id && self.is_map(*right) => self.map_key(text, *right),
            ExprKind::Map { entries } if entries.iter().any(|it| it.key == id) => {
                meaning_of_key(text).map(str::to_owned)
            }
            _ => self.constant(id, parent),
        }
    }

    /// Returns the meaning of the first argument of a function or a method.
    fn argument(&self, text: &str, function: &str, target: Option<ExprId>) -> Option<String> {
        let Some(receiver) = target else {
            return parsed(text, function);
        };
        match function {
            _ if OF_REGEX.contains(&function) => Some(regex(text, function)),
            "named" => {
                let format = self.checked.env().function(&format!("format.{text}"));
                format.map(|format| signature::function(format, &[]))
            }
            "escapeKey" => Some(format!(
                "In a JSON pointer: `{}`.",
                text.replace('~', "~0").replace('/', "~1")
            )),
            _ => self.of_check(receiver, function, text),
        }
    }

    /// Returns the meaning of a key of a map, with a description of the map.
    fn map_key(&self, key: &str, map: ExprId) -> Option<String> {
        let fields = self.kinds.map(|kinds| kinds.fields(map, key));
        let fields = fields.filter(|_| !self.is_map(map)).unwrap_or_default();
        if !fields.is_empty() {
            return Some(schema_field(key, &fields, self.owner(map)));
        }
        let meaning = meaning_of_key(key).map(str::to_owned);
        let paragraphs: Vec<String> = meaning.into_iter().chain(self.key(map)).collect();
        (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
    }

    fn is_map(&self, id: ExprId) -> bool {
        let mut schemas = self.kinds.into_iter().flat_map(|kinds| kinds.schemas(id));
        schemas.any(|(_, schema)| schema.additional_properties().is_some())
            || matches!(self.checked.type_of(id), Some(Type::Map(_)))
    }

    /// Returns the description of the map that contains a key.
    fn key(&self, map: ExprId) -> Option<String> {
        let (_, schema) = self.kinds?.schemas(map).next()?;
        let description = text::clean::for_markdown(schema.description()?);
        Some(format!(
            "A key of `{}`.\n\n{description}",
            self.ast.slice(self.ast.span(map))
        ))
    }

    /// Returns the possible values of a constant, if known: those of the other operand of the
    /// comparison with the constant or the list that contains it.
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

    /// Returns the possible values of a field of an object literal, if known.
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

    /// Returns the values that the schema around a validation rule allows for a part of `self`.
    pub(super) fn values_in_definition(&self, id: ExprId) -> Option<String> {
        let schema = self_schema(self.target.document, self.target.expression, id)?;
        let values = schema.get("enum")?.as_sequence()?.items();
        let values: Vec<&str> = values.map(yaml::Node::text).collect();
        (!values.is_empty()).then(|| values.join("`, `"))
    }

    /// Returns the part of a pointer up to the end of the name at the cursor.
    fn up_to_cursor<'t>(&self, id: ExprId, pointer: &'t str) -> &'t str {
        let begin = self.ast.span(id).start() as usize + 1;
        let cursor = (self.target.offset as usize).saturating_sub(begin);
        let rest = pointer.get(cursor.max(1)..).unwrap_or_default();
        match rest.find('/') {
            Some(end) => pointer.get(..cursor.max(1) + end).unwrap_or(pointer),
            None => pointer,
        }
    }

    /// Returns the field at a JSON pointer.
    fn pointer(&self, pointer: &str) -> Option<String> {
        let (parent, name) = pointer.rsplit_once('/')?;
        let name = name.replace("~1", "/").replace("~0", "~");
        let part = |root| schema_at_pointer(root, parent);
        let fields = self.kinds?.fields_of_part(part, &name);
        if !fields.is_empty() {
            return Some(schema_field(&name, &fields, None));
        }
        // An element of a list.
        let at_pointer = |root| schema_at_pointer(root, pointer);
        let element = self.kinds?.objects().find_map(at_pointer)?;
        let description = text::clean::for_markdown(element.description().unwrap_or_default());
        let ty = code([format!("{name}: {}", type_text(element))]);
        Some(format!(
            "{ty}\n\nAn element of `{parent}`.\n\n{description}"
        ))
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

/// Returns a description of how a regular expression is applied.
pub(super) fn regex(text: &str, function: &str) -> String {
    let mut meaning = "A regular expression in RE2 syntax.".to_owned();
    if let Some(words) = Regex::description(text) {
        meaning.push_str(&format!(" In words: {words}."));
    }
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

/// Returns the value that a function parses from a string, in its canonical form.
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

/// Returns the effect of an operation of a JSON patch.
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

/// Returns the meaning of a field of `JSONPatch`, with a space before it. Empty for other types.
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

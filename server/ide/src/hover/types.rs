//! The types of values by the kinds and the schemas, in readable form.

use crate::kind_fields::{Field, Kinds, type_text};
use crate::signature::{add_page, code};
use cel::Type;
use cel::syntax::ExprId;

/// Limit: types of one node, and kinds with different fields, in one text. With more, it can have
/// any type.
const MAX_TYPES: usize = 5;

/// The prefix of the type names of `self` and of the objects in it.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/compilation.go, ScopedVarName.
const SELF_TYPE: &str = "selfType";

/// Returns a name with its types in the kinds. `None` if they are unknown or too many.
pub(super) fn kind_types(kinds: Kinds<'_>, id: ExprId, name: &str) -> Option<String> {
    let mut types: Vec<String> = Vec::new();
    for (ty, schema) in kinds.types(id) {
        let ty = match (schema, ty) {
            (Some(schema), Type::Optional(_)) => format!("optional_type({})", type_text(schema)),
            (Some(schema), _) => type_text(schema),
            // A concatenation or an index of lists has a type, but no schema.
            (None, Type::Error | Type::Dyn | Type::Null) => continue,
            (None, _) => short_type(ty),
        };
        if !types.contains(&ty) {
            types.push(ty);
        }
    }
    let types: Vec<String> = types.iter().map(|ty| format!("{name}: {ty}")).collect();
    (1..=MAX_TYPES).contains(&types.len()).then(|| code(types))
}

/// Returns the name of a type, with the types of objects by their kinds: `list(Container)`.
fn short_type(ty: &Type) -> String {
    match ty {
        Type::List(element) => format!("list({})", short_type(element)),
        Type::Optional(content) => format!("optional_type({})", short_type(content)),
        Type::Map(entry) => format!("map({}, {})", short_type(&entry.0), short_type(&entry.1)),
        // The types of CEL itself have their full names.
        Type::Struct(name) if !name.starts_with("kubernetes.") => {
            name.rsplit('.').next().unwrap_or(name).to_owned()
        }
        _ => ty.to_string(),
    }
}

/// Returns the name of a type in a validation rule, whose object types are anonymous.
pub(super) fn type_in_rule(name: &str) -> String {
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '_' | '@');
    let Some((before, after)) = name.split_once(SELF_TYPE) else {
        return name.to_owned();
    };
    format!("{before}object{}", after.trim_start_matches(is_name))
}

/// Returns a field of several kinds with their types and facts, and the first description. `owner`
/// is the kind that has the field, if it is not that of the objects.
pub(super) fn schema_field(name: &str, fields: &[Field<'_>], owner: Option<&str>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for field in fields {
        let line = format!("{name}: {}", type_text(field.schema));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let mut shown = code(lines);
    let limit = if owner.is_some() { 1 } else { MAX_TYPES };
    for field in fields.iter().take(limit) {
        let kinds = owner.map_or_else(|| field.kinds(), str::to_owned);
        shown.push_str(&format!("\n\n{kinds}: {}", field.facts()));
    }
    let description = fields.iter().find_map(|field| field.schema.description());
    if let Some(description) = description {
        add_page(&mut shown, &text::clean::for_markdown(description), "");
    }
    shown
}

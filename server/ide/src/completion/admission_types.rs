//! The types that values have at admission, by the schemas of the matched kinds.

use crate::kind_fields::Kinds;
use cel::Type;
use cel::syntax::ExprId;
use kubernetes::openapi::{Schema, SchemaType};

/// The name of the type of an object that has fields and no methods.
pub(super) const OBJECT: &str = "object";

/// Returns the types by the matched kinds. `None` if no kind is known.
pub(crate) fn typed(kinds: Kinds<'_>, id: ExprId) -> Option<Vec<Type>> {
    let mut types = Vec::new();
    let mut is_known = false;
    for (ty, schema) in kinds.types(id) {
        is_known = true;
        match (ty, schema) {
            (Type::Optional(_), _) => add(&mut types, ty.clone()),
            (_, Some(schema)) => at_admission(schema)
                .into_iter()
                .for_each(|ty| add(&mut types, ty)),
            (Type::Error, None) => {}
            (ty, None) => add(&mut types, ty.clone()),
        }
    }
    is_known.then_some(types)
}

/// Adds a type unless it is already in the list.
pub(super) fn add(types: &mut Vec<Type>, ty: Type) {
    if ty != Type::Null && !types.contains(&ty) {
        types.push(ty);
    }
}

/// Returns the types of a field in a request: a timestamp or a quantity is a string.
pub(super) fn at_admission(schema: Schema<'_>) -> Vec<Type> {
    let inner = |inner: Option<Schema<'_>>| match inner.map(at_admission).as_deref() {
        Some([only]) => only.clone(),
        _ => Type::Dyn,
    };
    match schema.ty() {
        SchemaType::Any => vec![Type::Dyn],
        SchemaType::Array => vec![Type::list(inner(schema.items()))],
        SchemaType::String | SchemaType::Quantity => vec![Type::String],
        SchemaType::Integer => vec![Type::Int],
        SchemaType::Number => vec![Type::Double],
        SchemaType::Boolean => vec![Type::Bool],
        SchemaType::IntOrString => vec![Type::Int, Type::String],
        SchemaType::Object => match schema.additional_properties() {
            Some(values) => vec![Type::map(Type::String, inner(Some(values)))],
            None if schema.preserves_unknown_fields() => vec![Type::Dyn],
            None => vec![Type::object(OBJECT)],
        },
    }
}

//! The fields that objects of all kinds have, for policies with unknown kinds: those without rules
//! yet, and those for definitions outside the project.

use super::Item;
use super::admission_types::OBJECT;
use super::context::Context;
use cel::Type;
use cel::syntax::ExprId;
use kubernetes::openapi::Schema;

/// The type of the metadata of objects.
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// A part of an object.
pub(super) enum ObjectPart<'a> {
    /// The whole object.
    Object,
    /// Its metadata or a part of it.
    Metadata(Schema<'a>),
}

/// Returns the part of `object` or `oldObject` that a node selects. `None` if the kinds are known,
/// and for parts that differ between kinds.
pub(super) fn part<'a>(context: &Context<'a>, id: ExprId) -> Option<ObjectPart<'a>> {
    if context.kinds.is_some_and(|kinds| !kinds.kinds().is_empty()) {
        return None;
    }
    let ast = context.target.ast();
    let name = ast.qualified_name(id)?.join(ast);
    let mut names = name.split('.');
    let root = names.next()?;
    if !matches!(root, "object" | "oldObject") || context.env.variable(root).is_none() {
        return None;
    }
    match names.next() {
        None => Some(ObjectPart::Object),
        Some("metadata") => {
            let metadata = context.catalog.named(OBJECT_META)?;
            names
                .try_fold(metadata, Schema::property)
                .map(ObjectPart::Metadata)
        }
        Some(_) => None,
    }
}

/// Returns the fields that objects have: most have a `spec`.
pub(super) fn fields() -> impl Iterator<Item = (String, Item)> {
    let fields = [
        ("spec", Type::Dyn),
        ("metadata", Type::object(OBJECT)),
        ("apiVersion", Type::String),
        ("kind", Type::String),
    ];
    fields.into_iter().enumerate().map(|(place, (name, ty))| {
        let item = Item {
            detail: Some(ty.to_string()),
            types: vec![ty],
            position: Some(place),
            ..Item::new(name)
        };
        (name.to_owned(), item)
    })
}

//! The beginning of an object, with its type.

use super::ObjectType;
use super::scan::{FieldName, Scan};

/// A field of the type: its name and its string.
pub(super) type Typed<'t> = (&'t str, &'t str);

/// The beginning of an object whose type comes before its other fields.
#[derive(Clone, Debug)]
pub(super) struct Head<'t> {
    /// The position after the first name that is not of the type.
    pub(super) scan: Scan<'t>,
    /// Its type, or that of the list.
    pub(super) object_type: ObjectType<'t>,
    /// The fields of the type, as written.
    pub(super) types: Vec<Typed<'t>>,
    /// The name after them.
    pub(super) name: FieldName<'t>,
}

impl<'t> Head<'t> {
    /// Reads the beginning of an object. `None` for one that is read as a whole. A list is not an
    /// object and has separate parts.
    pub(super) fn read(text: &'t str, of_list: Option<ObjectType<'t>>) -> Option<Self> {
        let mut scan = Scan::new(text);
        scan.take(b'{')?;
        let mut types: Vec<Typed<'t>> = Vec::with_capacity(2);
        let name = loop {
            let name = scan.name()?;
            if !is_type(name.text) {
                break name;
            }
            scan.peek()?;
            let text = scan.string().filter(|it| !it.has_escapes)?;
            // An item with an empty type has that of its list.
            if text.inner.is_empty() || types.iter().any(|(known, _)| *known == name.text) {
                return None;
            }
            types.push((name.text, text.inner));
            scan.has_next(b'}')?.then_some(())?;
        };
        let field = |name| types.iter().find(|it| it.0 == name).map(|it| it.1);
        let own = field("apiVersion").zip(field("kind"));
        let object_type = own.or(of_list.filter(|_| types.is_empty()))?;
        (!object_type.1.ends_with("List")).then_some(Self {
            scan,
            object_type,
            types,
            name,
        })
    }
}

/// Returns whether a name is that of a field of the type.
pub(super) fn is_type(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind")
}

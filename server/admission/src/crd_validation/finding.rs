//! The errors of an object, as the server reports them.

use policy::field_error::FieldError;
use yaml::Node;

/// The result of the rules for an object.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) errors: Vec<FieldError>,
    /// Errors that existed before, which do not deny the request.
    pub(crate) warnings: Vec<String>,
}

/// A rule as errors name it: by its message, or by itself.
pub(super) fn in_words(entry: Node<'_>) -> String {
    let text = |field: &str| {
        let text = entry.get(field).and_then(Node::as_str).map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    text("message").or_else(|| text("rule")).unwrap_or_default()
}

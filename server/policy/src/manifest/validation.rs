//! Validations: the conditions of policies and schemas, and the messages of their failures.

use yaml::{Entry, Node};

/// An entry of `validations`, or of `x-kubernetes-validations` in a schema.
#[derive(Clone, Copy, Debug)]
pub struct Validation<'d> {
    node: Node<'d>,
}

impl<'d> Validation<'d> {
    /// Returns the view of an entry.
    #[must_use]
    pub fn new(node: Node<'d>) -> Self {
        Self { node }
    }

    /// Returns the whole entry.
    #[must_use]
    pub fn node(self) -> Node<'d> {
        self.node
    }

    /// Returns `expression`, or `rule` in a schema, without the white space around it.
    #[must_use]
    pub fn condition(self) -> &'d str {
        let text = self.text("expression").or_else(|| self.text("rule"));
        text.unwrap_or_default()
    }

    /// Returns `message` without the white space around it. `None` if it is blank.
    #[must_use]
    pub fn message(self) -> Option<&'d str> {
        self.text("message").filter(|text| !text.is_empty())
    }

    /// Returns the field `message`, regardless of its value.
    #[must_use]
    pub fn message_entry(self) -> Option<Entry<'d>> {
        self.node.entry("message")
    }

    /// Returns the field `messageExpression`, regardless of its value.
    #[must_use]
    pub fn message_expression(self) -> Option<Entry<'d>> {
        self.node.entry("messageExpression")
    }

    /// Returns `reason`.
    #[must_use]
    pub fn reason(self) -> Option<&'d str> {
        self.node.get("reason")?.as_str()
    }

    /// Returns `fieldPath` of a validation in a schema.
    #[must_use]
    pub fn field_path(self) -> Option<&'d str> {
        self.node.get("fieldPath")?.as_str()
    }

    fn text(self, field: &str) -> Option<&'d str> {
        self.node.get(field)?.as_str().map(str::trim)
    }
}

//! A list of a policy or a webhook whose entries have expressions.

use crate::expression::Role;
use yaml::Node;

/// A list whose entries have expressions.
#[derive(Debug)]
pub struct List {
    /// The field.
    pub field: &'static str,
    /// The field of an entry that names it.
    pub(super) name: Option<&'static str>,
    /// The paths of expressions in an entry.
    pub(super) expressions: &'static [(&'static [&'static str], Role)],
}

impl List {
    /// Returns the role of the first expression of an entry, as if the entry were the first.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.expressions.first().map(|(_, role)| *role)
    }

    /// Returns the name of an entry, of any type.
    #[must_use]
    pub fn name<'d>(&self, entry: Node<'d>) -> Option<Node<'d>> {
        entry.get(self.name?)
    }

    /// Returns the first expression of an entry, of any type, except for a message expression.
    #[must_use]
    pub fn expression<'d>(&self, entry: Node<'d>) -> Option<Node<'d>> {
        let expressions = self.expressions.iter();
        let mut own = expressions.filter(|(_, role)| *role != Role::MessageExpression);
        own.find_map(|(path, _)| path.iter().try_fold(entry, |node, field| node.get(field)))
    }
}

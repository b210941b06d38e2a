//! What the rules share about a document, worked out once.

use super::Finding;
use crate::yaml_edit::replace_part;
use cel::syntax::is_identifier;
use policy::rules::ApiError;
use policy::schema::Mismatch;
use policy::variables::Variables;
use policy::{Expression, FieldPath, PolicyDocument};
use text::Span;
use yaml::Node;

/// A document and what the API server would say of it.
pub(super) struct Facts<'a> {
    /// The document.
    pub(super) document: &'a PolicyDocument,
    /// Where it does not fit the types of its fields.
    pub(super) mismatches: Vec<Mismatch>,
    /// What the server's validation refuses.
    pub(super) errors: Vec<ApiError>,
    /// Its variables and their uses.
    pub(super) variables: Variables<'a>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(document: &'a PolicyDocument) -> Self {
        let definition = policy::schema::definition(document.kind(), document.version());
        Self {
            document,
            mismatches: definition.map_or_else(Vec::new, |definition| {
                policy::schema::check(document.root(), document.base(), definition)
            }),
            errors: policy::rules::validate(document),
            variables: Variables::of(document),
        }
    }

    /// The names of the variables, where they are written.
    pub(super) fn variable_names(&self) -> impl Iterator<Item = Node<'a>> {
        let definitions = self.variables.definitions.iter();
        definitions.filter_map(|definition| definition.name.and(definition.name_node))
    }

    /// What cel-go says of a name that does not exist.
    pub(super) fn undeclared(name: &str) -> String {
        format!("undeclared reference to '{name}' (in container '')")
    }

    /// The finding with a change of a part of the expression to `right`.
    pub(super) fn rename(
        &self,
        finding: Finding,
        (expression, part): (&Expression, Span),
        right: &str,
    ) -> Finding {
        let scalar = self.document.node(expression.node).as_scalar();
        match scalar.and_then(|scalar| replace_part(scalar, part, right)) {
            Some(edit) => finding.fix(format!("Change to `{right}`"), vec![edit]),
            None => finding,
        }
    }

    /// Names of variables that cannot be used, such as `a-b` or a boolean: what is wrong with
    /// them is said where they are defined, and not again where they are used.
    fn unusable_names(&self) -> impl Iterator<Item = &'a str> {
        let definitions = self.variables.definitions.iter();
        let names = definitions.filter_map(|definition| Some(definition.name_node?.text()));
        names.filter(|name| !is_identifier(name) || self.variables.definition(name).is_none())
    }

    /// The places in an expression where a variable is used whose name cannot be used.
    pub(super) fn unusable(&self, expression: &Expression) -> Vec<Span> {
        let text = expression.text();
        let mut found = Vec::new();
        for name in self.unusable_names().filter(|name| !name.is_empty()) {
            let wanted = format!("variables.{name}");
            let places = text.match_indices(&wanted);
            found.extend(places.filter_map(|(at, _)| {
                let end = u32::try_from(at + wanted.len()).ok()?;
                Some(Span::new(end - u32::try_from(name.len()).ok()?, end))
            }));
        }
        found
    }
}

/// The path of what holds the field. `None` for the document itself.
pub(super) fn owner(path: &FieldPath) -> Option<FieldPath> {
    let (_, steps) = path.steps().split_last()?;
    let root = FieldPath::root();
    Some(
        steps
            .iter()
            .fold(root, |path, step| path.step(step.clone())),
    )
}

//! The names in a file: the meaning, definition and uses of each.
//!
//! Definitions, references, highlights, renames and the call hierarchy share one table, so they
//! never disagree. It has no data of other files: a policy is identified by its kind and name.

mod inputs;
mod policies;

use cel::syntax::IdentRole;
use policy::variables::{UseForm, Variables};
use policy::{Expression, Kind, ParsedFile, PolicyDocument};
use text::{Span, TextRange};
use yaml::{Node, ScalarStyle};

/// The kinds of policy.
pub(crate) const POLICIES: [Kind; 2] = [
    Kind::ValidatingAdmissionPolicy,
    Kind::MutatingAdmissionPolicy,
];

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// A variable of a policy.
    Variable {
        /// The policy, by its index in [`policy::ParsedFile::policies`].
        document: usize,
        /// The name.
        name: Box<str>,
    },
    /// A variable of a macro.
    MacroVariable {
        /// The document, by its index in [`policy::ParsedFile::policies`].
        document: usize,
        /// The expression, by its index in the document.
        expression: usize,
        /// The declaration of the variable.
        declaration: Span,
    },
    /// A policy, or another document to which admission inputs can refer.
    Policy {
        /// The kind.
        kind: Kind,
        /// The name.
        name: Box<str>,
    },
    /// The policies with a name in the policy file of an admission input, of any kind.
    OfInput {
        /// The name.
        name: Box<str>,
    },
}

impl Definition {
    /// Returns the name of a policy.
    #[must_use]
    pub fn policy_name(&self) -> Option<&str> {
        match self {
            Self::Policy { name, .. } | Self::OfInput { name } => Some(name),
            Self::Variable { .. } | Self::MacroVariable { .. } => None,
        }
    }

    /// Returns whether two definitions are the same in related files.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let is_of_input = |it: &Self| matches!(it, Self::OfInput { .. });
        self == other
            || (is_of_input(self) || is_of_input(other))
                && self.policy_name() == other.policy_name()
    }

    /// Returns the possible kinds of a policy with the name.
    pub(crate) fn policy_kinds(&self) -> &[Kind] {
        match self {
            Self::Policy { kind, .. } => std::slice::from_ref(kind),
            Self::OfInput { .. } => &POLICIES,
            Self::Variable { .. } | Self::MacroVariable { .. } => &[],
        }
    }
}

/// The kind of access to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It defines the name.
    Definition,
    /// It refers to the definition.
    Reference,
}

/// An occurrence of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The meaning.
    pub definition: Definition,
    /// The kind of access.
    pub access: Access,
    /// The name, without quotes.
    pub range: TextRange,
    /// The whole entry or document of a definition.
    pub whole: TextRange,
    /// The form of the name, which determines how a new name is written there.
    pub(crate) form: Form,
}

/// The form of a name in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A part of a scalar, or inside quotes.
    Part,
    /// A whole plain scalar, which may need quotes with another name.
    Plain,
    /// A value that is shared through an anchor.
    Shared,
}

/// Returns the names in a file, in its order. `is_inputs`: whether it is an inputs file.
pub(crate) fn names(file: &ParsedFile, is_inputs: bool) -> Vec<Occurrence> {
    let mut names = Vec::new();
    for (index, document) in file.policies().iter().enumerate() {
        let found = Names { document, index };
        found.variables(&mut names);
        for (at, expression) in document.expressions().iter().enumerate() {
            found.macro_variables(at, expression, &mut names);
        }
    }
    policies::add(file, &mut names);
    inputs::add(file, is_inputs, &mut names);
    names.sort_by_cached_key(|name| (name.range.start(), name.range.end()));
    // Aliases repeat the names of their anchor.
    names.dedup_by(|next, kept| next.range == kept.range && next.definition == kept.definition);
    names
}

/// The search for names in a document.
struct Names<'f> {
    document: &'f PolicyDocument,
    index: usize,
}

impl Names<'_> {
    fn variables(&self, names: &mut Vec<Occurrence>) {
        let variables = Variables::new(self.document);
        let named = |name: &str| Definition::Variable {
            document: self.index,
            name: name.into(),
        };
        for variable in &variables.definitions {
            let name = variable
                .name
                .filter(|name| !name.contains(char::is_whitespace));
            let (Some(name), Some(node)) = (name, variable.name_node) else {
                continue;
            };
            names.push(Occurrence {
                definition: named(name),
                access: Access::Definition,
                range: content(node),
                whole: variable.node.range(),
                form: form(node),
            });
        }
        for used in &variables.uses {
            let is_defined = variables.index_of(used.name).is_some();
            let Some(span) = self.name_span(used.expression, used.span, used.form) else {
                continue;
            };
            if !used.available || !is_defined {
                continue;
            }
            let range = self.document.range(used.expression, span);
            names.push(Occurrence {
                definition: named(used.name),
                access: Access::Reference,
                range,
                whole: range,
                form: part_form(self.document.node(used.expression.node)),
            });
        }
    }

    /// Returns the span of a name without its backticks or quotes. `None` for a string with escapes
    /// or a prefix.
    fn name_span(&self, expression: &Expression, span: Span, form: UseForm) -> Option<Span> {
        let written = expression.ast().slice(span);
        let inner = Span::new(span.start() + 1, span.end().saturating_sub(1));
        match form {
            UseForm::Field | UseForm::OptionalField if !written.starts_with('`') => Some(span),
            UseForm::Field | UseForm::OptionalField => Some(inner),
            UseForm::Index => {
                let is_simple = written.starts_with(['"', '\''])
                    && !written.starts_with("'''")
                    && !written.starts_with("\"\"\"")
                    && !written.contains('\\');
                is_simple.then_some(inner)
            }
        }
    }

    fn macro_variables(&self, at: usize, expression: &Expression, names: &mut Vec<Occurrence>) {
        let ast = expression.ast();
        let node = self.document.node(expression.node);
        for used in ast.idents(ast.root(), &[]) {
            let (access, binding) = match used.role {
                IdentRole::Declaration(binding) => (Access::Definition, binding),
                IdentRole::Bound(binding) => (Access::Reference, binding),
                IdentRole::Free => continue,
            };
            let range = self.document.range(expression, used.name.span);
            names.push(Occurrence {
                definition: Definition::MacroVariable {
                    document: self.index,
                    expression: at,
                    declaration: binding.name.span,
                },
                access,
                range,
                whole: range,
                form: part_form(node),
            });
        }
    }
}

/// Returns the range of the content of a scalar, without its quotes.
fn content(node: Node<'_>) -> TextRange {
    let Some(scalar) = node.as_scalar() else {
        return node.range();
    };
    let map = scalar.source_map();
    map.up(Span::new(0, map.decoded_len()))
}

/// Returns the form of a name that is a whole scalar.
fn form(node: Node<'_>) -> Form {
    match node.as_scalar() {
        _ if is_shared(node) => Form::Shared,
        Some(scalar) if scalar.style() == ScalarStyle::Plain => Form::Plain,
        _ => Form::Part,
    }
}

/// Returns the form of a name inside a scalar.
fn part_form(node: Node<'_>) -> Form {
    if is_shared(node) {
        Form::Shared
    } else {
        Form::Part
    }
}

/// Returns whether a node is shared through an anchor.
fn is_shared(node: Node<'_>) -> bool {
    let mut ancestors = std::iter::successors(Some(node), |node| node.parent());
    node.is_alias() || ancestors.any(|node| node.anchor().is_some())
}

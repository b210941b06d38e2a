//! An error in an expression, with the facts for its message.

use crate::environment::Absence;
use cel::check::CheckErrorKind;
use cel::syntax::ExprId;
use text::Span;

/// Something that is the matter with an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The node that it is about.
    pub expr: ExprId,
    /// The bytes of the expression to underline.
    pub span: Span,
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The message of cel-go. `None` if the compiler accepts it.
    pub upstream: Option<String>,
}

/// A kind of problem, with its facts.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemKind {
    /// No such name exists here.
    UndeclaredName {
        /// The name.
        name: String,
        /// The reason why it is not available here, if it is available elsewhere.
        absence: Option<Absence>,
        /// The name that it most resembles.
        nearest: Option<&'static str>,
    },
    /// No such function exists.
    UndeclaredFunction {
        /// The name.
        name: String,
        /// The name that it most resembles.
        nearest: Option<&'static str>,
    },
    /// No such type exists here.
    UndeclaredType {
        /// The name.
        name: String,
        /// The reason why it is not available here, if it is available elsewhere.
        absence: Option<Absence>,
    },
    /// The object has no such field.
    UndefinedField {
        /// The name.
        name: String,
        /// The value that does not have the field.
        receiver: Receiver,
        /// The field that it most resembles, as it must be written.
        nearest: Option<String>,
    },
    /// `variables['name']`: variables are only accessible after a dot.
    IndexedVariables {
        /// The name.
        name: String,
    },
    /// A rule of a CustomResourceDefinition names a property by its own name where it must
    /// be escaped: `self.a-b`, `self['a.b']`.
    Unescaped {
        /// The property.
        property: String,
        /// The identifier to write after the dot. `None` if no rule can name the property.
        identifier: Option<String>,
    },
    /// An escaped name on an object that is plain JSON at admission, where names are not
    /// escaped: `object.data.a__dot__b` fails with `no such key`.
    EscapedAtAdmission {
        /// The name as written.
        name: String,
        /// The property that is surely meant.
        property: String,
    },
    /// Anything else that the compiler has against it.
    Other(CheckErrorKind),
}

/// A value without a field of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// `variables`.
    Variables,
    /// An object of the compiler, such as `request`, by the name of its type.
    Object(String),
    /// A value that the schema of a CustomResourceDefinition describes.
    Schema,
    /// `metadata` of a resource in a CustomResourceDefinition, which has only `name` and
    /// `generateName`.
    Metadata,
}

impl ProblemKind {
    /// Returns whether the API server rejects the expression because of it.
    #[must_use]
    pub const fn is_refused(&self) -> bool {
        !matches!(self, ProblemKind::EscapedAtAdmission { .. })
    }
}

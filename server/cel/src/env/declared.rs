//! Functions as an environment declares them: with parsed signatures and without those of later
//! versions.

use crate::library::{Function, Implementation, Overload};
use crate::types::{OpaqueType, Type};
use std::sync::Arc;

/// A function of an environment.
#[derive(Debug)]
pub struct DeclaredFunction {
    /// The name.
    pub name: &'static str,
    /// The declarations of it, one a library, in the order of the libraries.
    pub declarations: Vec<&'static Function>,
    /// The overloads in the order of their declaration.
    pub overloads: Vec<DeclaredOverload>,
}

/// A signature of an environment.
#[derive(Debug)]
pub struct DeclaredOverload {
    /// The declaration.
    pub declaration: &'static Overload,
    /// The function that declares it.
    pub function: &'static Function,
    /// The parameters, the target first.
    pub params: Vec<Type>,
    /// The result.
    pub result: Type,
    /// The same types for the checker.
    pub(crate) signature: Signature,
}

/// A signature with numbers for its parameters: `<A>` is the first [`Type::Var`].
#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) params: Box<[Type]>,
    pub(crate) result: Type,
    /// The number of type parameters.
    pub(crate) variables: u32,
}

/// Limit: the overloads of a function that an expression can refer to. No function has more.
pub const MAX_OVERLOADS: usize = 64;

impl DeclaredOverload {
    pub(super) fn new(
        function: &'static Function,
        declaration: &'static Overload,
        params: Vec<Type>,
        result: Type,
    ) -> Self {
        let mut names = Vec::new();
        let numbered: Vec<Type> = params.iter().map(|it| number(it, &mut names)).collect();
        let signature = Signature {
            params: numbered.into(),
            result: number(&result, &mut names),
            variables: u32::try_from(names.len()).unwrap_or(u32::MAX),
        };
        Self {
            declaration,
            function,
            params,
            result,
            signature,
        }
    }

    /// Returns whether it still exists in a release of the host.
    #[must_use]
    pub fn exists(&self, release: u8) -> bool {
        let until = self.declaration.until;
        until.is_none_or(|until| !until.applies(release))
    }

    /// Returns its name in cel-go and Kubernetes.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.declaration.id
    }

    /// Returns its own implementation, otherwise that of its function.
    #[must_use]
    pub fn implementation(&self) -> Option<Implementation> {
        self.declaration
            .implementation
            .or(self.function.implementation)
    }
}

/// Returns the type with numbers for its parameters. The parser of types bounds the depth of
/// declared types.
fn number(ty: &Type, names: &mut Vec<Arc<str>>) -> Type {
    match ty {
        Type::Param(name) => {
            let at = names.iter().position(|it| it == name).unwrap_or_else(|| {
                names.push(Arc::clone(name));
                names.len() - 1
            });
            Type::Var(u32::try_from(at).unwrap_or(u32::MAX))
        }
        Type::List(element) => Type::list(number(element, names)),
        Type::Map(entry) => Type::map(number(&entry.0, names), number(&entry.1, names)),
        Type::Optional(value) => Type::optional(number(value, names)),
        Type::Type(Some(of)) => number(of, names).type_of(),
        Type::Opaque(opaque) => Type::Opaque(Arc::new(OpaqueType {
            name: Arc::clone(&opaque.name),
            params: opaque.params.iter().map(|it| number(it, names)).collect(),
        })),
        other => other.clone(),
    }
}

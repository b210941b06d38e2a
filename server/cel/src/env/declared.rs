//! Functions as an environment has them: their signatures read, those of later versions
//! left out.

use crate::library::{Function, Implementation, Overload};
use crate::types::Type;

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
    /// The parameters, what stands before the dot first.
    pub params: Vec<Type>,
    /// The result.
    pub result: Type,
    /// Whether a type in it is a parameter, such as `<A>`.
    pub is_generic: bool,
}

impl DeclaredOverload {
    /// The name that cel-go and Kubernetes give it.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.declaration.id
    }

    /// What runs for it: its own implementation, else that of its function.
    #[must_use]
    pub fn implementation(&self) -> Option<Implementation> {
        self.declaration
            .implementation
            .or(self.function.implementation)
    }
}

//! What an expression can use: variables, functions, macros and types with fields.
//!
//! An environment is made once for a Kubernetes version and a place in a policy, and shared
//! by every expression of that place. Adding the variables of one policy to it is cheap.

mod builder;
mod declared;

pub use builder::{EnvBuilder, EnvError};
pub use declared::{DeclaredFunction, DeclaredOverload};

use crate::eval::EvalError;
use crate::library::Version;
use crate::syntax::MacroKind;
use crate::types::Type;
use crate::value::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Names by text.
type Names<T> = HashMap<Arc<str>, T, foldhash::fast::RandomState>;

/// What an expression can use.
#[derive(Clone, Debug)]
pub struct Env {
    declarations: Arc<Declarations>,
    variables: Names<Type>,
    types: Arc<dyn TypeProvider>,
}

/// What does not depend on the policy.
#[derive(Debug)]
struct Declarations {
    version: Version,
    functions: Names<DeclaredFunction>,
    macros: Vec<MacroKind>,
}

/// Knows the types with fields.
pub trait TypeProvider: fmt::Debug + Send + Sync {
    /// The type of that name, `kubernetes.UserInfo`, if it exists. It makes the name a value
    /// in expressions and lets `name{…}` build one.
    fn find_type(&self, name: &str) -> Option<Type>;

    /// The type of a field. `None` if the type has no such field.
    fn field_type(&self, type_name: &str, field: &str) -> Option<Type>;

    /// The names of the fields, for completion. Empty where any name is a field.
    fn field_names(&self, type_name: &str) -> Vec<Arc<str>>;

    /// A value of a type with fields, as `name{field: value}` makes it.
    ///
    /// # Errors
    /// No value of the type can be made, or a field does not take its value.
    fn new_value(
        &self,
        type_name: &str,
        fields: Vec<(Arc<str>, Value)>,
    ) -> Result<Value, EvalError> {
        let _ = fields;
        Err(EvalError::message(format!("unknown type '{type_name}'")))
    }
}

/// No types with fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTypes;

impl TypeProvider for NoTypes {
    fn find_type(&self, _: &str) -> Option<Type> {
        None
    }

    fn field_type(&self, _: &str, _: &str) -> Option<Type> {
        None
    }

    fn field_names(&self, _: &str) -> Vec<Arc<str>> {
        Vec::new()
    }
}

impl Env {
    /// An environment of that version without anything in it.
    #[must_use]
    pub fn builder(version: Version) -> EnvBuilder {
        EnvBuilder::new(version)
    }

    /// An environment in which there is nothing.
    #[must_use]
    pub fn empty(version: Version) -> Self {
        Self {
            declarations: Arc::new(Declarations {
                version,
                functions: Names::default(),
                macros: Vec::new(),
            }),
            variables: Names::default(),
            types: Arc::new(NoTypes),
        }
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> Version {
        self.declarations.version
    }

    /// The type of a variable, whose name can have dots.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&Type> {
        self.variables.get(name)
    }

    /// The variables, in no order.
    pub fn variables(&self) -> impl Iterator<Item = (&Arc<str>, &Type)> {
        self.variables.iter()
    }

    /// A function with the overloads of this version.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&DeclaredFunction> {
        self.declarations.functions.get(name)
    }

    /// The functions, in no order, operators included.
    pub fn functions(&self) -> impl Iterator<Item = &DeclaredFunction> {
        self.declarations.functions.values()
    }

    /// Whether a macro is expanded.
    #[must_use]
    pub fn has_macro(&self, kind: MacroKind) -> bool {
        self.declarations.macros.contains(&kind)
    }

    /// The types with fields.
    #[must_use]
    pub fn types(&self) -> &dyn TypeProvider {
        &*self.types
    }

    /// The same with one more variable. It hides one of the same name.
    #[must_use]
    pub fn with_variable(mut self, name: &str, ty: Type) -> Self {
        self.variables.insert(name.into(), ty);
        self
    }

    /// The same with other types.
    #[must_use]
    pub fn with_types(mut self, types: Arc<dyn TypeProvider>) -> Self {
        self.types = types;
        self
    }
}

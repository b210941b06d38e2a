//! The declarations available to an expression: variables, functions, macros and types with
//! fields.
//!
//! An environment is created once and shared by all expressions with the same declarations. Adding
//! variables to it is cheap.

mod builder;
mod declared;
mod rules;

pub use builder::{EnvBuilder, EnvError};
pub use declared::{DeclaredFunction, DeclaredOverload, MAX_OVERLOADS};
pub use rules::Rules;

use crate::syntax::MacroKind;
use crate::types::Type;
use crate::value::{EvalError, Value};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// A map by name.
type NameMap<T> = HashMap<Arc<str>, T, foldhash::fast::RandomState>;

/// The declarations available to an expression.
#[derive(Clone, Debug)]
pub struct Env {
    declarations: Arc<Declarations>,
    /// Shared by the environments of one field.
    variables: Arc<NameMap<Type>>,
    /// The first parts of dotted variable names.
    prefixes: Arc<Vec<Box<str>>>,
    types: Arc<dyn TypeProvider>,
    release: u8,
}

/// The declarations that environments share.
#[derive(Debug)]
struct Declarations {
    rules: Rules,
    /// The namespace in which names are looked up first. Empty in Kubernetes.
    container: Box<str>,
    functions: NameMap<DeclaredFunction>,
    /// The first parts of dotted function names.
    namespaces: HashSet<&'static str, foldhash::fast::RandomState>,
    macros: Arc<[(MacroKind, usize)]>,
}

/// Resolves types with fields.
pub trait TypeProvider: fmt::Debug + Send + Sync {
    /// Returns the type with a name such as `kubernetes.UserInfo`, if it exists. Its name is then a
    /// value in expressions, and `name{…}` creates an object.
    fn find_type(&self, name: &str) -> Option<Type>;

    /// Returns whether the name of such a type is a value when the expression runs. An
    /// expression with a name that the checker accepts but that is not a value has no program:
    /// `kubernetes.UserInfo`.
    fn is_value(&self, name: &str) -> bool {
        self.find_type(name).is_some()
    }

    /// Returns the type of a field. `None` if the type has no such field.
    fn field_type(&self, type_name: &str, field: &str) -> Option<Type>;

    /// Returns whether the name of a type can begin with `name.`. It saves the checker a search
    /// for each field of a variable.
    fn is_namespace(&self, name: &str) -> bool {
        let _ = name;
        true
    }

    /// Returns the names of the fields, for completion. Empty if any name is a field.
    fn field_names(&self, type_name: &str) -> Vec<Arc<str>>;

    /// Returns a value of a type with fields, as created by `name{field: value}`.
    ///
    /// # Errors
    /// No value of the type can be created, or a field does not accept its value.
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

    fn is_namespace(&self, _: &str) -> bool {
        false
    }

    fn field_names(&self, _: &str) -> Vec<Arc<str>> {
        Vec::new()
    }
}

impl Env {
    /// Returns a builder of an environment with the rules of the specification.
    #[must_use]
    pub fn builder() -> EnvBuilder {
        EnvBuilder::new()
    }

    /// Returns an environment without declarations.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            declarations: Arc::new(Declarations {
                rules: Rules::SPECIFICATION,
                container: Box::default(),
                functions: NameMap::default(),
                namespaces: HashSet::default(),
                macros: Arc::default(),
            }),
            variables: Arc::default(),
            prefixes: Arc::default(),
            types: Arc::new(NoTypes),
            release: u8::MAX,
        }
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.declarations.rules
    }

    /// Returns the namespace in which names are looked up first, `google.api`. Empty in Kubernetes.
    #[must_use]
    pub fn container(&self) -> &str {
        &self.declarations.container
    }

    /// Returns whether the name of a function begins with `name.`.
    #[must_use]
    pub fn is_namespace(&self, name: &str) -> bool {
        self.declarations.namespaces.contains(name)
    }

    /// Returns the type of a variable, whose name can have dots.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&Type> {
        self.variables.get(name)
    }

    /// Returns a variable with its name as stored in the environment.
    pub(crate) fn variable_entry(&self, name: &str) -> Option<(&Arc<str>, &Type)> {
        self.variables.get_key_value(name)
    }

    /// Returns whether the name of a variable begins with `name.`.
    pub(crate) fn is_prefix(&self, name: &str) -> bool {
        self.prefixes.iter().any(|prefix| **prefix == *name)
    }

    /// Returns the variables, in no particular order.
    pub fn variables(&self) -> impl Iterator<Item = (&Arc<str>, &Type)> {
        self.variables.iter()
    }

    /// Returns a function with the overloads of this version.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&DeclaredFunction> {
        self.declarations.functions.get(name)
    }

    /// Returns the functions, in no particular order, operators included.
    pub fn functions(&self) -> impl Iterator<Item = &DeclaredFunction> {
        self.declarations.functions.values()
    }

    /// Returns whether a macro is expanded, in at least one of its forms.
    #[must_use]
    pub fn has_macro(&self, kind: MacroKind) -> bool {
        self.declarations.macros.iter().any(|it| it.0 == kind)
    }

    /// Returns whether a macro with this many variables is expanded.
    #[must_use]
    pub fn expands(&self, kind: MacroKind, variables: usize) -> bool {
        self.declarations.macros.contains(&(kind, variables))
    }

    /// Returns the macros that are expanded, with their number of variables. An expression has the
    /// same expansion in all environments with the same macros.
    #[must_use]
    pub fn macros(&self) -> &Arc<[(MacroKind, usize)]> {
        &self.declarations.macros
    }

    /// Returns the types with fields.
    #[must_use]
    pub fn types(&self) -> &dyn TypeProvider {
        &*self.types
    }

    /// Returns the types with fields, for values that outlive the environment.
    #[must_use]
    pub(crate) fn shared_types(&self) -> Arc<dyn TypeProvider> {
        Arc::clone(&self.types)
    }

    /// Returns the environment with one more variable, which hides one of the same name.
    #[must_use]
    pub fn with_variable(mut self, name: &str, ty: Type) -> Self {
        Arc::make_mut(&mut self.variables).insert(name.into(), ty);
        if let Some((prefix, _)) = name.split_once('.') {
            Arc::make_mut(&mut self.prefixes).push(prefix.into());
        }
        self
    }

    /// Returns the release of the host that evaluates: functions whose behavior depends on it read
    /// it from their context. Defaults to the newest host.
    #[must_use]
    pub fn release(&self) -> u8 {
        self.release
    }

    /// Returns the environment for another release of the host.
    #[must_use]
    pub fn with_release(mut self, release: u8) -> Self {
        self.release = release;
        self
    }

    /// Returns the environment with other types.
    #[must_use]
    pub fn with_types(mut self, types: Arc<dyn TypeProvider>) -> Self {
        self.types = types;
        self
    }
}

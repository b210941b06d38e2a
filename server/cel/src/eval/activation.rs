//! The values of the variables of an expression.

use crate::value::{EvalError, Value, is_equal};
use std::sync::Arc;

/// The values of variables.
///
/// An evaluation resolves a variable at most once, and only when it reaches it. A value that is
/// computed on first use is therefore in a `OnceCell` of the activation; one below a variable,
/// such as `variables.x`, is a field of a [`crate::value::Opaque`].
pub trait Activation {
    /// Returns the value of a variable, whose name can have dots, or the error that it failed with.
    /// `None` if the variable does not exist.
    fn resolve(&self, name: &str) -> Option<Result<&Value, EvalError>>;
}

/// Values by the name of the variable.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// There are few, so a search is faster than a table.
    values: Vec<(Arc<str>, Value)>,
}

impl Bindings {
    /// Returns an activation without variables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a variable.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: Value) {
        let name = name.into();
        match self.values.iter_mut().find(|(known, _)| *known == name) {
            Some((_, place)) => *place = value,
            None => self.values.push((name, value)),
        }
    }

    /// Returns the activation with one more variable.
    #[must_use]
    pub fn with(mut self, name: impl Into<Arc<str>>, value: Value) -> Self {
        self.set(name, value);
        self
    }

    /// Returns the value of a variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let mut values = self.values.iter();
        values
            .find(|(known, _)| is_equal(known, name))
            .map(|(_, value)| value)
    }
}

impl Activation for Bindings {
    fn resolve(&self, name: &str) -> Option<Result<&Value, EvalError>> {
        self.get(name).map(Ok)
    }
}

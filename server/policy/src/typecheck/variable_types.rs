//! The types of the variables of a policy.
//!
//! Each variable sees those above it. The types are kept once for all of them, so that a
//! policy with thousands of variables costs no more than one with few.

use crate::environment;
use cel::Type;
use cel::env::{Env, TypeProvider};
use cel::value::{EvalError, Value};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The types by name: of several variables with one name, each with its index.
type ByName = HashMap<Arc<str>, Vec<(usize, Type)>, RandomState>;

/// The variables compiled so far.
#[derive(Clone, Debug, Default)]
pub(super) struct VariableTypes {
    by_name: Arc<RwLock<ByName>>,
}

impl VariableTypes {
    pub(super) fn add(&self, name: &str, index: usize, ty: Type) {
        let mut by_name = self.by_name.write().unwrap_or_else(PoisonError::into_inner);
        by_name.entry(name.into()).or_default().push((index, ty));
    }

    /// Returns the type of a variable before the index `visible`.
    pub(super) fn find(&self, name: &str, visible: usize) -> Option<Type> {
        let by_name = self.by_name.read().unwrap_or_else(PoisonError::into_inner);
        last(by_name.get(name)?, visible).cloned()
    }

    /// Returns the environment, which declares `variables`, with these types and those of the
    /// variables before the index `visible`.
    pub(super) fn see(&self, env: Env, others: Arc<dyn TypeProvider>, visible: usize) -> Env {
        let types = VisibleTypes {
            others,
            by_name: Arc::clone(&self.by_name),
            visible,
        };
        env.with_types(Arc::new(types))
    }
}

/// The types of an environment that sees some of the variables.
#[derive(Debug)]
struct VisibleTypes {
    others: Arc<dyn TypeProvider>,
    by_name: Arc<RwLock<ByName>>,
    visible: usize,
}

impl VisibleTypes {
    fn read<T>(&self, read: impl FnOnce(&ByName) -> T) -> T {
        read(&self.by_name.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the type of the last variable with a name before the index `visible`.
fn last(places: &[(usize, Type)], visible: usize) -> Option<&Type> {
    let mut above = places.iter().rev();
    above.find(|(index, _)| *index < visible).map(|(_, ty)| ty)
}

impl TypeProvider for VisibleTypes {
    fn find_type(&self, name: &str) -> Option<Type> {
        if name == environment::VARIABLES_TYPE {
            return Some(Type::object(name));
        }
        self.others.find_type(name)
    }

    fn is_value(&self, name: &str) -> bool {
        self.others.is_value(name)
    }

    fn is_namespace(&self, name: &str) -> bool {
        name == "kubernetes" || self.others.is_namespace(name)
    }

    fn field_type(&self, type_name: &str, field: &str) -> Option<Type> {
        if type_name == environment::VARIABLES_TYPE {
            return self.read(|by_name| last(by_name.get(field)?, self.visible).cloned());
        }
        self.others.field_type(type_name, field)
    }

    fn field_names(&self, type_name: &str) -> Vec<Arc<str>> {
        if type_name != environment::VARIABLES_TYPE {
            return self.others.field_names(type_name);
        }
        self.read(|by_name| {
            let visible = by_name
                .iter()
                .filter(|(_, places)| last(places, self.visible).is_some());
            visible.map(|(name, _)| Arc::clone(name)).collect()
        })
    }

    fn new_value(
        &self,
        type_name: &str,
        fields: Vec<(Arc<str>, Value)>,
    ) -> Result<Value, EvalError> {
        self.others.new_value(type_name, fields)
    }
}

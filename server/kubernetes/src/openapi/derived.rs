//! Facts derived from the kinds, kept with the catalog.
//!
//! There can be thousands of objects, so the facts of a kind are derived for its first object and
//! then kept. Their type is opaque to the catalog.

use indexmap::{Equivalent, IndexMap};
use std::any::Any;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// A value of any type.
type Derivation = Arc<dyn Any + Send + Sync>;

/// Values by kind. A copy shares them.
#[derive(Clone, Default)]
pub(super) struct Derived {
    values: Arc<RwLock<IndexMap<Names, Derivation, foldhash::fast::RandomState>>>,
}

/// Group, version and kind.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Names(Box<str>, Box<str>, Box<str>);

impl Equivalent<Names> for (&str, &str, &str) {
    fn equivalent(&self, names: &Names) -> bool {
        *self == (&*names.0, &*names.1, &*names.2)
    }
}

impl Derived {
    /// Returns the value of a kind, and creates it if there is none of that type.
    pub(super) fn get_or_make<T: Any + Send + Sync>(
        &self,
        (group, version, kind): (&str, &str, &str),
        make: impl FnOnce() -> Option<T>,
    ) -> Option<Arc<T>> {
        // A value is inserted as a whole, so the map is valid even if another thread panicked.
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        let value = values.get(&(group, version, kind)).cloned();
        drop(values);
        if let Some(Ok(value)) = value.map(Arc::downcast) {
            return Some(value);
        }
        let value = Arc::new(make()?);
        let names = Names(group.into(), version.into(), kind.into());
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        values.insert(names, Arc::clone(&value) as Derivation);
        Some(value)
    }
}

impl fmt::Debug for Derived {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        out.debug_set().entries(values.keys()).finish()
    }
}

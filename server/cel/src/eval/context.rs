//! What a function can ask for while it runs.

use super::EvalError;
use crate::regex::{Regex, RegexError};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

type Compiled = Result<Arc<Regex>, RegexError>;
type Regexes = HashMap<Box<str>, Compiled, foldhash::fast::RandomState>;

/// What a function can ask for while it runs: things that are kept for one evaluation.
#[derive(Debug)]
pub struct Context<'a> {
    regexes: RefCell<Option<Box<Regexes>>>,
    /// The bytes that can still be allocated.
    memory: Cell<usize>,
    run: PhantomData<&'a ()>,
}

impl Default for Context<'_> {
    fn default() -> Self {
        Self::with_memory(super::Limits::MEMORY)
    }
}

impl Context<'_> {
    pub(super) const fn with_memory(bytes: usize) -> Self {
        Self {
            regexes: RefCell::new(None),
            memory: Cell::new(bytes),
            run: PhantomData,
        }
    }

    /// A regular expression in Go's syntax, translated once per evaluation.
    ///
    /// # Errors
    /// It is not a regular expression of Go.
    pub fn regex(&self, pattern: &str) -> Result<Arc<Regex>, RegexError> {
        let mut regexes = self.regexes.borrow_mut();
        let regexes = regexes.get_or_insert_default();
        if let Some(known) = regexes.get(pattern) {
            return known.clone();
        }
        let regex = Regex::new(pattern).map(Arc::new);
        regexes.insert(pattern.into(), regex.clone());
        regex
    }

    /// Asks for memory before a function allocates a result that can be much larger than
    /// its arguments.
    ///
    /// # Errors
    /// The evaluation has allocated too much.
    pub fn allocate(&self, bytes: usize) -> Result<(), EvalError> {
        let left = self.memory.get().checked_sub(bytes);
        let left = left.ok_or_else(|| EvalError::new(super::EvalErrorKind::MemoryLimit))?;
        self.memory.set(left);
        Ok(())
    }
}

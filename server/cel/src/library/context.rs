//! The context of a call: regular expressions and memory of one evaluation.

use crate::regex::{Regex, RegexError};
use crate::value::{EvalError, EvalErrorKind};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

type Compiled = Result<Arc<Regex>, RegexError>;
type Regexes = HashMap<Box<str>, Compiled, foldhash::fast::RandomState>;

/// The context of a call, which lasts for one evaluation.
#[derive(Debug)]
pub struct Context<'a> {
    regexes: RefCell<Option<Box<Regexes>>>,
    /// Those that were translated before.
    constants: &'a [(Box<str>, Arc<Regex>)],
    /// The bytes that can still be allocated.
    memory: Cell<usize>,
    /// The bytes that remain for several evaluations together.
    shared_memory: Option<&'a AtomicUsize>,
    release: u8,
}

impl Default for Context<'_> {
    fn default() -> Self {
        Self::new((Self::MEMORY, None), &[], u8::MAX)
    }
}

impl<'a> Context<'a> {
    /// Limit: bytes that one evaluation may allocate. No useful expression within the cost budget
    /// of Kubernetes comes close.
    pub const MEMORY: usize = 1 << 30;

    pub(crate) const fn new(
        (memory, shared_memory): (usize, Option<&'a AtomicUsize>),
        constants: &'a [(Box<str>, Arc<Regex>)],
        release: u8,
    ) -> Self {
        Self {
            regexes: RefCell::new(None),
            constants,
            memory: Cell::new(memory),
            shared_memory,
            release,
        }
    }

    /// Returns the release of the host, as set in the environment.
    #[must_use]
    pub const fn release(&self) -> u8 {
        self.release
    }

    /// Returns a regular expression in Go's syntax, translated once per evaluation.
    ///
    /// # Errors
    /// It is not a regular expression of Go.
    pub fn regex(&self, pattern: &str) -> Result<Arc<Regex>, RegexError> {
        if let Some((_, regex)) = self.constants.iter().find(|it| *it.0 == *pattern) {
            return Ok(Arc::clone(regex));
        }
        let mut regexes = self.regexes.borrow_mut();
        let regexes = regexes.get_or_insert_default();
        if let Some(known) = regexes.get(pattern) {
            return known.clone();
        }
        let regex = Regex::new(pattern).map(Arc::new);
        regexes.insert(pattern.into(), regex.clone());
        regex
    }

    /// Reserves memory before a function allocates a result that can be much larger than its
    /// arguments.
    ///
    /// # Errors
    /// The evaluation has allocated too much.
    pub fn allocate(&self, bytes: usize) -> Result<(), EvalError> {
        let exceeded = || EvalError::new(EvalErrorKind::MemoryLimit);
        let left = self.memory.get().checked_sub(bytes).ok_or_else(exceeded)?;
        if let Some(shared) = self.shared_memory {
            // They run one after the other, so it does not change in between.
            let left = shared.load(Ordering::Relaxed).checked_sub(bytes);
            shared.store(left.ok_or_else(exceeded)?, Ordering::Relaxed);
        }
        self.memory.set(left);
        Ok(())
    }

    /// Returns the bytes that can still be allocated.
    pub(crate) const fn memory(&self) -> usize {
        self.memory.get()
    }
}

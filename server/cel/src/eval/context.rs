//! What a function can ask for while it runs.

use crate::regex::{Regex, RegexError};
use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

type Compiled = Result<Arc<Regex>, RegexError>;

/// What a function can ask for while it runs: things that are kept for one evaluation.
#[derive(Debug, Default)]
pub struct Context<'a> {
    regexes: RefCell<HashMap<Box<str>, Compiled>>,
    run: PhantomData<&'a ()>,
}

impl Context<'_> {
    /// A regular expression in Go's syntax, translated once per evaluation.
    ///
    /// # Errors
    /// It is not a regular expression of Go.
    pub fn regex(&self, pattern: &str) -> Result<Arc<Regex>, RegexError> {
        if let Some(known) = self.regexes.borrow().get(pattern) {
            return known.clone();
        }
        let regex = Regex::new(pattern).map(Arc::new);
        self.regexes
            .borrow_mut()
            .insert(pattern.into(), regex.clone());
        regex
    }
}

//! The path of a value: a variable, then fields and elements.
//!
//! cel-go keeps paths in slices that share memory: two fields of one variable can use the same
//! slot, and the later one replaces the earlier one in the path of the first. The estimates of real
//! definitions depend on it, so paths here behave the same way.
//!
//! Upstream: cel-go, checker/cost.go, `getPath`, `addPath` and their callers; the growth of
//! a slice is that of Go's `append`.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// The parts that several paths share.
    buffer: Option<Rc<Buffer>>,
    /// The number of parts that belong to this path.
    len: usize,
}

#[derive(Debug)]
struct Buffer {
    parts: RefCell<Vec<Arc<str>>>,
    capacity: usize,
}

impl Path {
    /// Returns the path of a variable.
    pub(crate) fn from_variable(name: Arc<str>) -> Self {
        Self::new(vec![name], 1)
    }

    fn new(parts: Vec<Arc<str>>, capacity: usize) -> Self {
        Self {
            len: parts.len(),
            buffer: Some(Rc::new(Buffer {
                parts: RefCell::new(parts),
                capacity,
            })),
        }
    }

    /// Returns whether the path is unknown.
    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns what `read` returns for the path as it is now.
    pub(crate) fn with_parts<T>(&self, read: impl FnOnce(&[Arc<str>]) -> T) -> T {
        match &self.buffer {
            Some(buffer) => {
                let parts = buffer.parts.borrow();
                read(parts.get(..self.len).unwrap_or_default())
            }
            None => read(&[]),
        }
    }

    /// Returns the same path with its own memory.
    pub(crate) fn detached(&self) -> Self {
        self.with_parts(|parts| Self::new(parts.to_vec(), self.len))
    }

    /// Returns the path of something inside.
    pub(crate) fn join(&self, part: impl Into<Arc<str>>) -> Self {
        if let Some(buffer) = &self.buffer
            && self.len < buffer.capacity
        {
            let mut parts = buffer.parts.borrow_mut();
            match parts.get_mut(self.len) {
                Some(place) => *place = part.into(),
                None => parts.push(part.into()),
            }
            return Self {
                buffer: Some(Rc::clone(buffer)),
                len: self.len + 1,
            };
        }
        let capacity = (2 * self.len).max(1);
        let mut parts = Vec::with_capacity(capacity);
        self.with_parts(|own| parts.extend_from_slice(own));
        parts.push(part.into());
        Self::new(parts, capacity)
    }

    /// Returns whether it begins with the variable of a macro's result.
    pub(crate) fn is_of_accumulator(&self) -> bool {
        let Some(buffer) = self.buffer.as_ref().filter(|_| !self.is_empty()) else {
            return false;
        };
        let parts = buffer.parts.borrow();
        parts
            .first()
            .is_some_and(|name| matches!(name.as_ref(), "__result__" | "@result"))
    }
}

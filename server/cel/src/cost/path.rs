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
pub(crate) enum Path {
    /// An unknown path.
    #[default]
    Unknown,
    /// A variable alone. Its slice in cel-go is full, so no other path shares it.
    Variable(Arc<str>),
    /// The first parts of a buffer, as many as `len`.
    Shared { buffer: Rc<Buffer>, len: usize },
}

/// The parts that several paths share.
#[derive(Debug)]
pub(crate) struct Buffer {
    parts: RefCell<Vec<Arc<str>>>,
    capacity: usize,
}

impl Path {
    /// Returns the path of a variable.
    pub(crate) const fn from_variable(name: Arc<str>) -> Self {
        Self::Variable(name)
    }

    fn new(parts: Vec<Arc<str>>, capacity: usize) -> Self {
        Self::Shared {
            len: parts.len(),
            buffer: Rc::new(Buffer {
                parts: RefCell::new(parts),
                capacity,
            }),
        }
    }

    /// Returns whether the path is unknown.
    pub(crate) fn is_empty(&self) -> bool {
        self.with_parts(<[_]>::is_empty)
    }

    /// Returns what `read` returns for the path as it is now.
    pub(crate) fn with_parts<T>(&self, read: impl FnOnce(&[Arc<str>]) -> T) -> T {
        match self {
            Self::Unknown => read(&[]),
            Self::Variable(name) => read(std::slice::from_ref(name)),
            Self::Shared { buffer, len } => {
                let parts = buffer.parts.borrow();
                read(parts.get(..*len).unwrap_or_default())
            }
        }
    }

    /// Returns the same path with its own memory.
    pub(crate) fn detached(&self) -> Self {
        self.with_parts(|parts| Self::new(parts.to_vec(), parts.len()))
    }

    /// Returns the path of something inside.
    pub(crate) fn join(&self, part: impl Into<Arc<str>>) -> Self {
        if let Self::Shared { buffer, len } = self
            && *len < buffer.capacity
        {
            let mut parts = buffer.parts.borrow_mut();
            match parts.get_mut(*len) {
                Some(place) => *place = part.into(),
                None => parts.push(part.into()),
            }
            return Self::Shared {
                buffer: Rc::clone(buffer),
                len: len + 1,
            };
        }
        self.with_parts(|own| {
            let capacity = (2 * own.len()).max(1);
            let mut parts = Vec::with_capacity(capacity);
            parts.extend_from_slice(own);
            parts.push(part.into());
            Self::new(parts, capacity)
        })
    }

    /// Returns whether it begins with the variable of a macro's result.
    pub(crate) fn is_of_accumulator(&self) -> bool {
        self.with_parts(|parts| {
            let first = parts.first();
            first.is_some_and(|name| matches!(name.as_ref(), "__result__" | "@result"))
        })
    }
}

//! What is known beyond one file.
//!
//! Some answers depend on more than a text: the servers that the user has named, the kinds
//! that their CustomResourceDefinitions bring, the policies and bindings of other files. A
//! project is all of that at one moment. It never changes: a new state makes a new value, and
//! every file that was read in the old one is looked at again.

use policy::Target;

/// What is known beyond one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    target: Target,
}

impl Project {
    /// A project for these servers, of which nothing else is known.
    #[must_use]
    pub fn new(target: Target) -> Self {
        Self { target }
    }

    /// The servers that its policies are for.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }
}

//! Names for the values that an expression reads.
//!
//! `object.spec.x`, `object['spec'].x` and `variables.spec.x` are one value if the variable is
//! `object.spec`. A guard of one of them guarantees the same for all, so equal values share one
//! number.

use foldhash::fast::RandomState;
use indexmap::{Equivalent, IndexSet};
use std::sync::Arc;

/// The number of a value in its [`Terms`]. A part has a smaller number than the whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct TermId(u32);

/// The beginning of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Root {
    /// `object`
    Object,
    /// `oldObject`
    OldObject,
    /// `params`
    Params,
    /// `request`
    Request,
    /// `namespaceObject`
    Namespace,
    /// `self`
    This,
    /// `oldSelf`
    OldSelf,
}

/// A step from a value to one inside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Qualifier {
    /// A field, or the entry of a map with a constant key.
    Field(Arc<str>),
    /// An element of a list, or an entry of a map.
    Element,
}

/// A constant that guards compare values with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Constant {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without a fraction.
    Int(i64),
    /// A string.
    Text(Arc<str>),
    /// Any other constant, as written.
    Other(Arc<str>),
    /// `[]` or `{}`
    Empty,
}

/// A value. A lookup borrows the name and the arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term<N = Arc<str>, A = Box<[TermId]>> {
    /// A variable of the environment.
    Root(Root),
    /// A field, or the entry of a map with a constant key.
    Field(TermId, N),
    /// The element at an index, or the entry with a non-constant key.
    Index(TermId, TermId),
    /// The value in one iteration: an element of a list, or a key of a map. The number
    /// identifies the loop.
    Item(TermId, u32),
    /// The index or the key in an iteration of a loop with two variables.
    Position(TermId, u32),
    /// The element or the value in an iteration of a loop with two variables.
    Value(TermId, u32),
    /// Every element of a list, or every key of a map.
    Each(TermId),
    /// A constant.
    Constant(Constant),
    /// The result of a function or an operator.
    Call(N, A),
    /// A value that equals no other value.
    Unique(u32),
}

/// The values of a document.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    terms: IndexSet<Term, RandomState>,
    unique: u32,
}

impl Equivalent<Term> for Term<&str, &[TermId]> {
    fn equivalent(&self, term: &Term) -> bool {
        match (self, term) {
            (Term::Field(of, name), Term::Field(known, field)) => of == known && **name == **field,
            (Term::Call(name, args), Term::Call(function, known)) => {
                **name == **function && **args == **known
            }
            _ => false,
        }
    }
}

impl Root {
    /// Returns the root with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "object" => Root::Object,
            "oldObject" => Root::OldObject,
            "params" => Root::Params,
            "request" => Root::Request,
            "namespaceObject" => Root::Namespace,
            "self" => Root::This,
            "oldSelf" => Root::OldSelf,
            _ => return None,
        })
    }

    /// Returns the name as written.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Root::Object => "object",
            Root::OldObject => "oldObject",
            Root::Params => "params",
            Root::Request => "request",
            Root::Namespace => "namespaceObject",
            Root::This => "self",
            Root::OldSelf => "oldSelf",
        }
    }
}

impl Terms {
    /// Returns no values, with space for those of a small policy.
    pub(super) fn with_space() -> Self {
        const USUAL: usize = 100;
        Self {
            terms: IndexSet::with_capacity_and_hasher(USUAL, RandomState::default()),
            unique: 0,
        }
    }

    /// Returns the number of a value, which is added if it is new.
    pub(crate) fn add(&mut self, term: Term) -> TermId {
        let (number, _) = self.terms.insert_full(term);
        TermId(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns an unused number.
    pub(crate) fn fresh(&mut self) -> u32 {
        self.unique += 1;
        self.unique
    }

    /// Adds a value that equals no other value.
    pub(crate) fn unique(&mut self) -> TermId {
        let number = self.fresh();
        self.add(Term::Unique(number))
    }

    pub(crate) fn root(&mut self, root: Root) -> TermId {
        self.add(Term::Root(root))
    }

    pub(crate) fn field(&mut self, of: TermId, name: &str) -> TermId {
        let known = self.known(&Term::Field(of, name));
        known.unwrap_or_else(|| self.add(Term::Field(of, Arc::from(name))))
    }

    /// Adds the result of a function or an operator.
    pub(crate) fn call(&mut self, name: &str, args: &[TermId]) -> TermId {
        let known = self.known(&Term::Call(name, args));
        known.unwrap_or_else(|| self.add(Term::Call(Arc::from(name), args.into())))
    }

    /// Returns the number of a field or a call that was added before.
    fn known(&self, term: &Term<&str, &[TermId]>) -> Option<TermId> {
        let number = self.terms.get_index_of(term)?;
        u32::try_from(number).ok().map(TermId)
    }

    /// Adds the value at the end of a path of fields.
    pub(crate) fn path(&mut self, root: Root, fields: &[&str]) -> TermId {
        let root = self.root(root);
        fields.iter().fold(root, |of, name| self.field(of, name))
    }

    pub(crate) fn constant(&mut self, constant: Constant) -> TermId {
        self.add(Term::Constant(constant))
    }

    pub(crate) fn text(&mut self, text: &str) -> TermId {
        self.constant(Constant::Text(Arc::from(text)))
    }

    /// Returns the term of an ID.
    pub(crate) fn get(&self, id: TermId) -> &Term {
        const NOTHING: &Term = &Term::Unique(0);
        self.terms.get_index(id.0 as usize).unwrap_or(NOTHING)
    }

    pub(crate) fn as_constant(&self, id: TermId) -> Option<&Constant> {
        match self.get(id) {
            Term::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// Returns the value that contains this one: `object.spec` for `object.spec.x`.
    pub(crate) fn parent(&self, id: TermId) -> Option<TermId> {
        match self.get(id) {
            Term::Field(of, _)
            | Term::Index(of, _)
            | Term::Item(of, _)
            | Term::Value(of, _)
            | Term::Each(of) => Some(*of),
            Term::Root(_)
            | Term::Position(..)
            | Term::Constant(_)
            | Term::Call(..)
            | Term::Unique(_) => None,
        }
    }

    /// Returns the root of a value's path. `None` for a value that is not part of an input.
    pub(crate) fn root_of(&self, mut id: TermId) -> Option<Root> {
        loop {
            if let Term::Root(root) = self.get(id) {
                return Some(*root);
            }
            id = self.parent(id)?;
        }
    }

    /// Returns the root and the fields of a path that consists only of fields.
    pub(crate) fn fields(&self, mut id: TermId) -> Option<(Root, Vec<&str>)> {
        let mut names = Vec::new();
        loop {
            match self.get(id) {
                Term::Root(root) => {
                    names.reverse();
                    return Some((*root, names));
                }
                Term::Field(of, name) => {
                    names.push(&**name);
                    id = *of;
                }
                _ => return None,
            }
        }
    }

    /// Returns whether facts about `general` also apply to `special`: they are equal, or `general`
    /// is every element and `special` is one of them.
    pub(crate) fn covers(&self, general: TermId, special: TermId) -> bool {
        if general == special {
            return true;
        }
        match (self.get(general), self.get(special)) {
            (Term::Each(a), Term::Item(b, _) | Term::Value(b, _) | Term::Index(b, _)) => {
                self.covers(*a, *b)
            }
            (Term::Field(a, name), Term::Field(b, other)) => name == other && self.covers(*a, *b),
            (Term::Index(a, key), Term::Index(b, other)) => {
                self.covers(*key, *other) && self.covers(*a, *b)
            }
            (Term::Item(a, iteration), Term::Item(b, other)) => {
                iteration == other && self.covers(*a, *b)
            }
            (Term::Each(a), Term::Each(b)) => self.covers(*a, *b),
            _ => false,
        }
    }

    /// Replaces `from` with `to` in a value. `None` if the value does not contain `from`.
    pub(crate) fn replace(&mut self, id: TermId, from: TermId, to: TermId) -> Option<TermId> {
        if id == from {
            return Some(to);
        }
        let term = match self.get(id).clone() {
            Term::Field(of, name) => Term::Field(self.replace(of, from, to)?, name),
            Term::Each(of) => Term::Each(self.replace(of, from, to)?),
            Term::Item(of, iteration) => Term::Item(self.replace(of, from, to)?, iteration),
            Term::Value(of, iteration) => Term::Value(self.replace(of, from, to)?, iteration),
            Term::Position(of, iteration) => Term::Position(self.replace(of, from, to)?, iteration),
            Term::Index(of, key) => {
                let (new_of, new_key) = (self.replace(of, from, to), self.replace(key, from, to));
                if new_of.is_none() && new_key.is_none() {
                    return None;
                }
                return Some(self.index(new_of.unwrap_or(of), new_key.unwrap_or(key)));
            }
            Term::Call(name, args) => {
                let new: Vec<_> = args
                    .iter()
                    .map(|arg| self.replace(*arg, from, to))
                    .collect();
                if new.iter().all(Option::is_none) {
                    return None;
                }
                let args = args.iter().zip(new).map(|(old, new)| new.unwrap_or(*old));
                Term::Call(name, args.collect())
            }
            Term::Root(_) | Term::Constant(_) | Term::Unique(_) => return None,
        };
        Some(self.add(term))
    }

    /// Adds `of[key]`, which is a field if the key is a constant string.
    pub(crate) fn index(&mut self, of: TermId, key: TermId) -> TermId {
        match self.as_constant(key) {
            Some(Constant::Text(name)) => {
                let name = Arc::clone(name);
                self.add(Term::Field(of, name))
            }
            _ => self.add(Term::Index(of, key)),
        }
    }
}

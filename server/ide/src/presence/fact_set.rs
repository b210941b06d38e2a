//! Facts that hold at a site because earlier conditions are true.
//!
//! Anything not in the set is unknown. Rules that report unguarded values report nothing once a
//! guard is understood, so the set errs on the side of too many facts.

use super::term::{Root, Term, TermId, Terms};
use std::sync::Arc;
use text::checkpoint::checkpoint;

/// A known fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// The value is present: reading it does not fail.
    Present(TermId),
    /// The value is absent.
    Absent(TermId),
    /// The value is null.
    Null(TermId),
    /// The value is not null.
    NotNull(TermId),
    /// The value is one of these constants.
    OneOf(TermId, Vec<TermId>),
    /// The value is none of these constants.
    NoneOf(TermId, Vec<TermId>),
    /// The value has this type, by its name in CEL.
    Type(TermId, Arc<str>),
    /// The value has been compared with something in a way that is not understood.
    Vague(TermId),
    /// One of the two sides is true.
    Either(Arc<FactSet>, Arc<FactSet>),
}

/// The facts.
#[derive(Clone, Debug, Default)]
pub(crate) struct FactSet {
    facts: Vec<Fact>,
    impossible: bool,
    /// The number of facts, from the first one on, whose consequences are in the set.
    closed: usize,
    /// The number of facts, from the first one on, that were compared with each other.
    resolved: usize,
}

impl PartialEq for FactSet {
    fn eq(&self, other: &Self) -> bool {
        self.impossible == other.impossible && self.facts == other.facts
    }
}

impl Eq for FactSet {}

/// Limit: the facts at a site. A condition with more is generated.
pub(super) const MAX_FACTS: usize = 256;

/// Limit: the facts on each side of an alternative that is kept.
const MAX_SIDE: usize = 16;

impl FactSet {
    /// Returns the facts of an unreachable site.
    pub(crate) fn impossible() -> Self {
        Self {
            impossible: true,
            ..Self::default()
        }
    }

    pub(crate) fn from_fact(fact: Fact) -> Self {
        // Most sets grow.
        let mut facts = Vec::with_capacity(4);
        facts.push(fact);
        Self {
            facts,
            ..Self::default()
        }
    }

    /// Returns whether this point is unreachable.
    pub(crate) fn is_impossible(&self) -> bool {
        self.impossible
    }

    /// Returns whether there are no facts.
    pub(crate) fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter()
    }

    pub(crate) fn add(&mut self, fact: Fact) {
        if self.facts.len() < MAX_FACTS && !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    /// Returns the facts that hold if both sets hold.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.impossible |= other.impossible;
        self.facts.reserve(other.facts.len());
        for fact in &other.facts {
            checkpoint();
            self.add(fact.clone());
        }
        self
    }

    /// Returns the facts that hold if one of the sets holds.
    pub(crate) fn or(self, other: Self, terms: &Terms) -> Self {
        if self.impossible {
            return other;
        }
        if other.impossible {
            return self;
        }
        let mut joined = Self::default();
        for fact in &self.facts {
            other.facts.iter().for_each(|next| {
                if let Some(common) = common(fact, next, terms) {
                    joined.add(common);
                }
            });
        }
        let is_small = |side: &Self| (1..=MAX_SIDE).contains(&side.facts.len());
        if is_small(&self) && is_small(&other) && self != other {
            joined.add(Fact::Either(Arc::new(self), Arc::new(other)));
        }
        joined
    }

    /// Adds the facts that follow because an expression was evaluated: all parts of the path to a
    /// present value are present.
    pub(crate) fn closed(mut self, terms: &Terms) -> Self {
        while let Some(fact) = self.facts.get(self.closed) {
            self.closed += 1;
            let (Fact::Present(term)
            | Fact::OneOf(term, _)
            | Fact::NotNull(term)
            | Fact::Type(term, _)) = fact
            else {
                continue;
            };
            let term = *term;
            if let Some(parent) = terms.parent(term) {
                self.add_path(parent, term);
            }
        }
        self
    }

    /// Adds that a value and its parent are present, with one pass over the other facts.
    fn add_path(&mut self, parent: TermId, term: TermId) {
        let [mut has_parent, mut is_not_null, mut has_term] = [false; 3];
        for fact in &self.facts {
            match fact {
                Fact::Present(known) => {
                    has_parent |= *known == parent;
                    has_term |= *known == term;
                }
                Fact::NotNull(known) => is_not_null |= *known == parent,
                _ => {}
            }
        }
        let new = [
            (has_parent, Fact::Present(parent)),
            (is_not_null, Fact::NotNull(parent)),
            (has_term, Fact::Present(term)),
        ]
        .into_iter()
        .filter(|(is_known, _)| !is_known);
        let room = MAX_FACTS.saturating_sub(self.facts.len());
        self.facts.extend(new.take(room).map(|(_, fact)| fact));
    }

    /// Adds the facts of alternatives whose other side is impossible.
    pub(crate) fn resolved(mut self, terms: &Terms) -> Self {
        while let Some(new) = self.certain_side(terms) {
            let before = self.facts.len();
            self = self.and(&new);
            if self.facts.len() == before {
                break;
            }
        }
        self.resolved = self.facts.len();
        self
    }

    /// Returns the facts of an alternative whose other side is impossible, if they are missing.
    fn certain_side(&self, terms: &Terms) -> Option<Arc<FactSet>> {
        // An alternative alone contradicts nothing.
        let certain = |from: usize| {
            let facts = self.facts.iter().skip(from);
            facts.filter(|fact| !matches!(fact, Fact::Either(..)))
        };
        let excludes = |side: &FactSet, from: usize| side.contradicts(certain(from), terms);
        let facts = self.facts.iter().enumerate();
        let mut sides = facts.filter_map(|(place, fact)| {
            let Fact::Either(one, other) = fact else {
                return None;
            };
            // Nothing follows from what was compared before.
            let is_new = |side: &FactSet| excludes(side, self.resolved);
            if place < self.resolved && !is_new(one) && !is_new(other) {
                return None;
            }
            match (excludes(one, 0), excludes(other, 0)) {
                (true, false) => Some(other),
                (false, true) => Some(one),
                _ => None,
            }
        });
        let is_known = |facts: &FactSet| facts.facts.iter().all(|it| self.facts.contains(it));
        sides.find(|facts| !is_known(facts)).cloned()
    }

    /// Returns whether these facts contradict one of the others.
    fn contradicts<'f>(&self, others: impl Iterator<Item = &'f Fact>, terms: &Terms) -> bool {
        let mut others = others;
        let contradicts = |other: &Fact| {
            let mut facts = self.facts.iter();
            facts.any(|fact| contradict(other, fact, terms))
        };
        self.impossible || others.any(contradicts)
    }

    /// Returns whether the value is known to be present.
    pub(crate) fn is_present(&self, term: TermId, terms: &Terms) -> bool {
        self.facts.iter().any(|fact| match fact {
            Fact::Present(known) => terms.covers(*known, term),
            _ => false,
        })
    }

    /// Returns whether the value is known not to be null.
    pub(crate) fn is_not_null(&self, term: TermId, terms: &Terms) -> bool {
        self.facts.iter().any(|fact| match fact {
            Fact::NotNull(known) => terms.covers(*known, term),
            _ => false,
        })
    }

    /// Returns whether the type of the value is at least partly known.
    pub(crate) fn has_type(&self, term: TermId, terms: &Terms) -> bool {
        self.facts.iter().any(|fact| match fact {
            Fact::Type(known, _) | Fact::Vague(known) => terms.covers(*known, term),
            _ => false,
        })
    }

    /// Returns whether the value is compared in a way that is not understood.
    pub(crate) fn is_vague(&self, term: TermId) -> bool {
        self.facts.contains(&Fact::Vague(term))
    }

    /// Returns whether the root is null. `None` if the facts do not decide it.
    pub(crate) fn null(&self, root: TermId) -> Option<bool> {
        self.facts.iter().find_map(|fact| match fact {
            Fact::Null(term) if *term == root => Some(true),
            Fact::NotNull(term) if *term == root => Some(false),
            _ => None,
        })
    }

    /// Rewrites the facts about one value to another one, and keeps the others.
    pub(crate) fn about(&self, from: TermId, to: TermId, terms: &mut Terms) -> Self {
        let mut new = Self::default();
        for fact in &self.facts {
            let mut swap = |term: TermId| terms.replace(term, from, to).unwrap_or(term);
            let fact = match fact {
                Fact::Present(term) => Fact::Present(swap(*term)),
                Fact::Absent(term) => Fact::Absent(swap(*term)),
                Fact::Null(term) => Fact::Null(swap(*term)),
                Fact::NotNull(term) => Fact::NotNull(swap(*term)),
                Fact::Type(term, name) => Fact::Type(swap(*term), Arc::clone(name)),
                Fact::OneOf(term, values) => Fact::OneOf(swap(*term), values.clone()),
                Fact::NoneOf(term, values) => Fact::NoneOf(swap(*term), values.clone()),
                Fact::Vague(term) => Fact::Vague(swap(*term)),
                Fact::Either(one, other) => Fact::Either(
                    Arc::new(one.about(from, to, terms)),
                    Arc::new(other.about(from, to, terms)),
                ),
            };
            new.add(fact);
        }
        new
    }
}

/// Returns the fact that two facts of two alternatives have in common.
fn common(one: &Fact, other: &Fact, terms: &Terms) -> Option<Fact> {
    match (one, other) {
        (Fact::OneOf(a, values), Fact::OneOf(b, more)) if a == b => {
            let mut values = values.clone();
            values.extend(
                more.iter()
                    .filter(|value| !values.contains(value))
                    .copied()
                    .collect::<Vec<_>>(),
            );
            Some(Fact::OneOf(*a, values))
        }
        (Fact::NoneOf(a, values), Fact::NoneOf(b, more)) if a == b => {
            let both = values.iter().filter(|value| more.contains(value)).copied();
            Some(Fact::NoneOf(*a, both.collect()))
        }
        (Fact::Present(a), Fact::Present(b)) if terms.covers(*a, *b) => Some(Fact::Present(*b)),
        (Fact::Present(a), Fact::Present(b)) if terms.covers(*b, *a) => Some(Fact::Present(*a)),
        (one, other) => (one == other).then(|| one.clone()),
    }
}

/// Returns whether two facts cannot both hold.
fn contradict(one: &Fact, other: &Fact, terms: &Terms) -> bool {
    match (one, other) {
        (Fact::Present(present), Fact::Absent(absent))
        | (Fact::Absent(absent), Fact::Present(present)) => terms.covers(*present, *absent),
        (Fact::Null(a), Fact::NotNull(b)) | (Fact::NotNull(a), Fact::Null(b)) => a == b,
        (Fact::OneOf(a, values), Fact::OneOf(b, more)) => {
            a == b && !values.iter().any(|value| more.contains(value))
        }
        (Fact::OneOf(a, values), Fact::NoneOf(b, none))
        | (Fact::NoneOf(b, none), Fact::OneOf(a, values)) => {
            a == b && values.iter().all(|value| none.contains(value))
        }
        // The value of `request.operation` determines which objects exist.
        (Fact::OneOf(operation, values), Fact::Null(root))
        | (Fact::Null(root), Fact::OneOf(operation, values)) => {
            exists(*operation, values, *root, terms) == Some(true)
        }
        (Fact::OneOf(operation, values), Fact::NotNull(root))
        | (Fact::NotNull(root), Fact::OneOf(operation, values)) => {
            exists(*operation, values, *root, terms) == Some(false)
        }
        _ => false,
    }
}

/// Returns whether a root is present (or null) for all of these operations.
fn exists(operation: TermId, values: &[TermId], root: TermId, terms: &Terms) -> Option<bool> {
    let Some((Root::Request, fields)) = terms.fields(operation) else {
        return None;
    };
    let Term::Root(root) = terms.get(root) else {
        return None;
    };
    let missing = match root {
        Root::Object => "DELETE",
        Root::OldObject => "CREATE",
        Root::Params | Root::Request | Root::Namespace | Root::This | Root::OldSelf => {
            return None;
        }
    };
    if fields != ["operation"] {
        return None;
    }
    let is_missing = |value: &TermId| match terms.as_constant(*value) {
        Some(super::term::Constant::Text(text)) => Some(&**text == missing),
        _ => None,
    };
    let first = is_missing(values.first()?)?;
    let all_same = values.iter().all(|value| is_missing(value) == Some(first));
    all_same.then_some(!first)
}

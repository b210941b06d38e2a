//! Type variables and unification.
//!
//! Every empty literal and every call of a generic function creates variables. A table holds
//! the bindings found so far; an attempt that fails reverts its own.
//!
//! Upstream: cel-go, checker/types.go, checker/mapping.go.

use crate::types::{OpaqueType, Type};
use std::sync::Arc;

/// Limit: the parts of types that are visited for one expression. Types that contain each other
/// double with each step, so a short expression could have more parts than fit in memory; checking
/// such an expression is abandoned.
const MAX_STEPS: u32 = 20_000_000;

/// Limit: the parts of one type.
const MAX_PARTS: u32 = 10_000;

/// Limit: how deep the parts of one type are nested. It bounds the recursion here and in code
/// that prints or drops a type; an expression that can be parsed nests less.
const MAX_DEPTH: u32 = 512;

/// The bindings of the type variables.
#[derive(Debug, Default)]
pub(super) struct Unifier {
    bindings: Vec<Option<Type>>,
    /// The bindings that the current attempt has overwritten.
    trail: Vec<(u32, Option<Type>)>,
    variables: u32,
    steps: u32,
}

/// A type of a signature, or of the expression.
///
/// The variables of a signature are numbered from 0, and each use of it has its own: they
/// begin at `base`. Types of the expression have base 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub(super) ty: &'a Type,
    pub(super) base: u32,
}

impl<'a> Side<'a> {
    /// Returns a type of the expression.
    pub(super) const fn from_type(ty: &'a Type) -> Self {
        Self { ty, base: 0 }
    }

    const fn with(self, ty: &'a Type) -> Self {
        Self {
            ty,
            base: self.base,
        }
    }

    /// Returns the variable that it is.
    const fn variable(self) -> Option<u32> {
        match self.ty {
            Type::Var(number) => Some(self.base.saturating_add(*number)),
            _ => None,
        }
    }

    /// Returns the type with the variables of the expression.
    fn instance(self) -> Type {
        if self.base == 0 {
            return self.ty.clone();
        }
        let shift = |ty: &Type| self.number(ty);
        rebuild(self.ty, &mut |ty| shift(ty)).unwrap_or_else(|| self.ty.clone())
    }

    fn number(self, ty: &Type) -> Option<Type> {
        match ty {
            Type::Var(number) => Some(Type::Var(self.base.saturating_add(*number))),
            _ => None,
        }
    }
}

/// The parts of a type that the unifier visits.
enum Parts<'a> {
    None,
    One(&'a Type),
    Two(&'a Type, &'a Type),
    Many(&'a [Type]),
}

fn parts(ty: &Type) -> Parts<'_> {
    match ty {
        Type::List(part) | Type::Optional(part) | Type::Type(Some(part)) => Parts::One(part),
        Type::Map(entry) => Parts::Two(&entry.0, &entry.1),
        Type::Opaque(opaque) => Parts::Many(&opaque.params),
        _ => Parts::None,
    }
}

/// Returns the type without the `wrapper` around it: for most purposes they are the same type.
fn unwrapped(ty: &Type) -> &Type {
    match ty {
        Type::Nullable(inner) => inner,
        other => other,
    }
}

/// Returns the type with `replace` applied to each part that has no parts itself. `None` if
/// nothing was replaced.
fn rebuild(ty: &Type, replace: &mut dyn FnMut(&Type) -> Option<Type>) -> Option<Type> {
    match ty {
        Type::List(element) => Some(Type::list(rebuild(element, replace)?)),
        Type::Optional(value) => Some(Type::optional(rebuild(value, replace)?)),
        Type::Type(Some(of)) => Some(rebuild(of, replace)?.type_of()),
        Type::Map(entry) => {
            let (key, value) = (rebuild(&entry.0, replace), rebuild(&entry.1, replace));
            if key.is_none() && value.is_none() {
                return None;
            }
            let key = key.unwrap_or_else(|| entry.0.clone());
            let value = value.unwrap_or_else(|| entry.1.clone());
            Some(Type::map(key, value))
        }
        Type::Opaque(opaque) if !opaque.params.is_empty() => {
            let mut changed = false;
            let params = opaque.params.iter().map(|param| {
                let new = rebuild(param, replace);
                changed |= new.is_some();
                new.unwrap_or_else(|| param.clone())
            });
            let params: Box<[Type]> = params.collect();
            let name = Arc::clone(&opaque.name);
            changed.then(|| Type::Opaque(Arc::new(OpaqueType { name, params })))
        }
        leaf => replace(leaf),
    }
}

impl Unifier {
    /// Returns a type that is unknown.
    pub(super) fn variable(&mut self) -> Type {
        Type::Var(self.instantiate(1))
    }

    /// Returns the first of as many new variables.
    pub(super) fn instantiate(&mut self, variables: u32) -> u32 {
        let base = self.variables;
        self.variables = self.variables.saturating_add(variables);
        base
    }

    /// Returns whether the limit was exceeded, so that results are no longer reliable.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.steps >= MAX_STEPS
    }

    /// Counts a visit of a part. Returns `false` if there were too many.
    const fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_add(1);
        !self.is_exhausted()
    }

    fn find(&self, variable: u32) -> Option<&Type> {
        self.bindings.get(variable as usize)?.as_ref()
    }

    fn set(&mut self, variable: u32, ty: Type) {
        let at = variable as usize;
        if self.bindings.len() <= at {
            self.bindings.resize(at + 1, None);
        }
        if let Some(cell) = self.bindings.get_mut(at) {
            self.trail.push((variable, cell.replace(ty)));
        }
    }

    /// Returns whether the first type is assignable to the second. If so, keeps the resulting
    /// bindings of variables.
    pub(super) fn assign(&mut self, from: Side<'_>, to: Side<'_>) -> bool {
        let fits = self.fits(from, to);
        self.commit_or_revert(fits)
    }

    /// Calls `assign` for each pair of types.
    pub(super) fn assign_all(&mut self, from: &[Type], to: &[Type], base: u32) -> bool {
        let fits = from.len() == to.len()
            && from
                .iter()
                .zip(to)
                .all(|(from, ty)| self.fits(Side::from_type(from), Side { ty, base }));
        self.commit_or_revert(fits)
    }

    fn commit_or_revert(&mut self, fits: bool) -> bool {
        while let Some((variable, old)) = self.trail.pop() {
            if fits {
                self.trail.clear();
                break;
            }
            if let Some(cell) = self.bindings.get_mut(variable as usize) {
                *cell = old;
            }
        }
        fits
    }

    fn fits(&mut self, from: Side<'_>, to: Side<'_>) -> bool {
        if !self.step() {
            return true;
        }
        if let Some(variable) = to.variable() {
            match self.stands_for(from, variable) {
                Assignability::Yes => return true,
                Assignability::ForAnother => return false,
                Assignability::No => {}
            }
        }
        if let Some(variable) = from.variable() {
            return matches!(self.stands_for(to, variable), Assignability::Yes);
        }
        let is_open = |ty: &Type| ty.is_dyn() || ty.is_error();
        if is_open(from.ty) || is_open(to.ty) {
            return true;
        }
        match (from.ty, to.ty) {
            (Type::Null, other) | (other, Type::Null) => takes_null(other),
            (Type::Type(_), other) => matches!(other, Type::Type(_)),
            (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
                self.fits(from.with(a), to.with(b))
            }
            (Type::Map(a), Type::Map(b)) => {
                self.fits(from.with(&a.0), to.with(&b.0))
                    && self.fits(from.with(&a.1), to.with(&b.1))
            }
            (Type::Opaque(a), Type::Opaque(b)) => {
                a.name == b.name
                    && a.params.len() == b.params.len()
                    && a.params
                        .iter()
                        .zip(&b.params)
                        .all(|(a, b)| self.fits(from.with(a), to.with(b)))
            }
            (a, b) => {
                let (a, b) = (unwrapped(a), unwrapped(b));
                !has_parts(a) && a == b
            }
        }
    }

    /// Returns whether a type can be bound to a variable.
    fn stands_for(&mut self, side: Side<'_>, variable: u32) -> Assignability {
        if side.variable() == Some(variable) {
            return Assignability::Yes;
        }
        if let Some(known) = self.find(variable).cloned() {
            let old = Side::from_type(&known);
            if self.is_identical(side, old) {
                return Assignability::Yes;
            }
            if !self.fits(side, old) {
                return Assignability::ForAnother;
            }
            if !self.is_as_general(side, old) {
                // The old type is kept and written again, as in cel-go.
                if self.is_free_of(variable, old) {
                    self.set(variable, known);
                }
            } else if self.is_free_of(variable, side) {
                self.set(variable, side.instance());
            }
            return Assignability::Yes;
        }
        if self.is_free_of(variable, side) {
            self.set(variable, side.instance());
            return Assignability::Yes;
        }
        Assignability::No
    }

    /// Returns whether two types are written the same.
    fn is_identical(&mut self, a: Side<'_>, b: Side<'_>) -> bool {
        if !self.step() {
            return true;
        }
        if let (Some(a), Some(b)) = (a.variable(), b.variable()) {
            return a == b;
        }
        let (a, b) = (a.with(unwrapped(a.ty)), b.with(unwrapped(b.ty)));
        let is_same_kind = match (a.ty, b.ty) {
            (Type::Opaque(a), Type::Opaque(b)) => a.name == b.name,
            (x, y) if has_parts(x) => std::mem::discriminant(x) == std::mem::discriminant(y),
            (x, y) => return x == y,
        };
        is_same_kind
            && match (parts(a.ty), parts(b.ty)) {
                (Parts::None, Parts::None) => true,
                (Parts::One(x), Parts::One(y)) => self.is_identical(a.with(x), b.with(y)),
                (Parts::Two(x, y), Parts::Two(v, w)) => {
                    self.is_identical(a.with(x), b.with(v))
                        && self.is_identical(a.with(y), b.with(w))
                }
                (Parts::Many(x), Parts::Many(y)) => {
                    x.len() == y.len()
                        && x.iter()
                            .zip(y)
                            .all(|(x, y)| self.is_identical(a.with(x), b.with(y)))
                }
                _ => false,
            }
    }

    /// Returns whether two types of the expression are identical.
    pub(super) fn is_exactly(&mut self, a: &Type, b: &Type) -> bool {
        self.is_identical(Side::from_type(a), Side::from_type(b))
    }

    /// Returns whether the first type is equal to the second or more general.
    fn is_as_general(&mut self, a: Side<'_>, b: Side<'_>) -> bool {
        if !self.step() || a.ty.is_dyn() || matches!(a.ty, Type::Var(_)) {
            return true;
        }
        if b.ty.is_dyn() || matches!(b.ty, Type::Var(_)) {
            return false;
        }
        match (a.ty, b.ty) {
            (Type::Type(_), Type::Type(_)) => true,
            (Type::List(x), Type::List(y)) | (Type::Optional(x), Type::Optional(y)) => {
                self.is_as_general(a.with(x), b.with(y))
            }
            (Type::Map(x), Type::Map(y)) => {
                self.is_as_general(a.with(&x.0), b.with(&y.0))
                    && self.is_as_general(a.with(&x.1), b.with(&y.1))
            }
            (Type::Opaque(x), Type::Opaque(y)) => {
                x.name == y.name
                    && x.params.len() == y.params.len()
                    && x.params
                        .iter()
                        .zip(&y.params)
                        .all(|(x, y)| self.is_as_general(a.with(x), b.with(y)))
            }
            (x, y) => unwrapped(x) == unwrapped(y),
        }
    }

    /// Returns the more general of two types that fit each other.
    pub(super) fn most_general(&mut self, a: Type, b: Type) -> Type {
        if self.is_as_general(Side::from_type(&a), Side::from_type(&b)) {
            a
        } else {
            b
        }
    }

    /// Returns whether a variable does not occur in a type: otherwise the type would contain
    /// itself.
    fn is_free_of(&mut self, variable: u32, side: Side<'_>) -> bool {
        if !self.step() {
            return true;
        }
        if let Some(other) = side.variable() {
            if other == variable {
                return false;
            }
            let known = self.find(other).cloned();
            return known.is_none_or(|known| self.is_free_of(variable, Side::from_type(&known)));
        }
        match parts(side.ty) {
            Parts::None => true,
            Parts::One(part) => self.is_free_of(variable, side.with(part)),
            Parts::Two(a, b) => {
                self.is_free_of(variable, side.with(a)) && self.is_free_of(variable, side.with(b))
            }
            Parts::Many(parts) => parts
                .iter()
                .all(|part| self.is_free_of(variable, side.with(part))),
        }
    }

    /// Returns the type with its bound variables replaced. Unbound ones stay.
    pub(super) fn resolve(&mut self, side: Side<'_>) -> Type {
        if side.ty.is_leaf() {
            return side.ty.clone();
        }
        let instance = side.instance();
        self.resolved(&instance, None).unwrap_or(instance)
    }

    /// Returns the type with its bound variables replaced. Unbound ones become `dyn`.
    pub(super) fn finish(&mut self, ty: Type) -> Type {
        self.resolved(&ty, Some(&Type::Dyn)).unwrap_or(ty)
    }

    /// Returns the type with its bound variables replaced, or `None` if it does not change.
    fn resolved(&mut self, ty: &Type, unknown: Option<&Type>) -> Option<Type> {
        if !self.step() {
            return Some(Type::Dyn);
        }
        rebuild(ty, &mut |leaf| {
            self.step();
            match leaf {
                Type::Var(variable) => match self.find(*variable).cloned() {
                    Some(known) => Some(self.resolved(&known, unknown).unwrap_or(known)),
                    None => unknown.cloned(),
                },
                Type::Param(_) => unknown.cloned(),
                _ => None,
            }
        })
    }

    /// Returns the type itself, or an error if it has too many parts.
    pub(super) fn bounded(&mut self, ty: Type) -> Type {
        let mut left = MAX_PARTS;
        if count(&ty, &mut left, MAX_DEPTH) {
            return ty;
        }
        self.steps = MAX_STEPS;
        Type::Error
    }
}

/// Whether a type can be bound to a variable.
enum Assignability {
    /// It can.
    Yes,
    /// No, because the variable is bound to another type.
    ForAnother,
    /// It cannot, because it contains the variable.
    No,
}

const fn has_parts(ty: &Type) -> bool {
    matches!(
        ty,
        Type::List(_) | Type::Optional(_) | Type::Type(Some(_)) | Type::Map(_) | Type::Opaque(_)
    )
}

/// Returns whether null is a value of the type.
const fn takes_null(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Null
            | Type::Opaque(_)
            | Type::Optional(_)
            | Type::Struct(_)
            | Type::Duration
            | Type::Timestamp
            | Type::Nullable(_)
    )
}

/// Subtracts the parts of a type from the limit. Returns `false` if there are too many, or if they
/// are nested too deeply.
fn count(ty: &Type, left: &mut u32, depth: u32) -> bool {
    let (Some(less), Some(depth)) = (left.checked_sub(1), depth.checked_sub(1)) else {
        return false;
    };
    *left = less;
    match parts(ty) {
        Parts::None => true,
        Parts::One(part) => count(part, left, depth),
        Parts::Two(a, b) => count(a, left, depth) && count(b, left, depth),
        Parts::Many(parts) => parts.iter().all(|part| count(part, left, depth)),
    }
}

//! Lists, maps and objects.
//!
//! Upstream: cel-go, checker/checker.go, `checkCreateList`, `checkCreateMap`,
//! `checkCreateStruct`, `joinTypes`.

use super::name::{in_container, named_type};
use super::walk::{CheckStep, Checker};
use super::{CheckErrorKind, Reference, Undeclared};
use crate::expand::{NodeId, NodeKind};
use crate::types::Type;

impl Checker<'_> {
    /// Continues with a list after its first `known` elements.
    pub(super) fn list(&mut self, node: NodeId, known: usize) {
        let NodeKind::List { elements, optional } = self.expansion.kind(node) else {
            return;
        };
        if let Some(last) = known.checked_sub(1)
            && let Some(element) = elements.get(last)
        {
            let index = u32::try_from(last).unwrap_or(u32::MAX);
            let ty = self.value_type(*element, optional.binary_search(&index).is_ok());
            self.join(0, ty);
        }
        if let Some(next) = elements.get(known) {
            self.push(CheckStep::List(node, known + 1));
            self.push(CheckStep::Visit(*next));
            return;
        }
        let element = self.joined.pop().flatten();
        let element = element.unwrap_or_else(|| self.unifier.variable());
        let ty = self.unifier.bounded(Type::list(element));
        self.set_type(node, ty);
    }

    /// Continues with a map after its first `known` keys and values.
    pub(super) fn map(&mut self, node: NodeId, known: usize) {
        let NodeKind::Map(entries) = self.expansion.kind(node) else {
            return;
        };
        if let Some(last) = known.checked_sub(1)
            && let Some(entry) = entries.get(last / 2)
        {
            if last.is_multiple_of(2) {
                let ty = self.type_of(entry.key);
                self.join(1, ty);
            } else {
                let ty = self.value_type(entry.value, entry.optional);
                self.join(0, ty);
            }
        }
        if let Some(entry) = entries.get(known / 2) {
            let is_key = known.is_multiple_of(2);
            self.push(CheckStep::Map(node, known + 1));
            self.push(CheckStep::Visit(if is_key {
                entry.key
            } else {
                entry.value
            }));
            return;
        }
        let (value, key) = (self.joined.pop().flatten(), self.joined.pop().flatten());
        let key = key.unwrap_or_else(|| self.unifier.variable());
        let value = value.unwrap_or_else(|| self.unifier.variable());
        let ty = self.unifier.bounded(Type::map(key, value));
        self.set_type(node, ty);
    }

    /// Returns the type of an element, or of the value of an optional element, which begins
    /// with `?`.
    fn value_type(&mut self, node: NodeId, optional: bool) -> Type {
        let ty = self.type_of(node);
        if !optional {
            return ty;
        }
        if let Type::Optional(value) = &ty {
            return Type::clone(value);
        }
        if !ty.is_dyn() {
            let kind = CheckErrorKind::TypeMismatch {
                expected: Type::optional(ty.clone()),
                found: ty.clone(),
            };
            self.report(node, kind);
        }
        ty
    }

    /// Joins a type with those of the other elements of an open literal. `below` counts from
    /// the innermost.
    fn join(&mut self, below: usize, ty: Type) {
        let previous = self.joined.iter_mut().rev().nth(below);
        let joined = match previous.and_then(Option::take) {
            None => ty,
            Some(previous) if self.assign(&previous, &ty) => {
                self.unifier.most_general(previous, ty)
            }
            Some(_) => Type::Dyn,
        };
        if let Some(cell) = self.joined.iter_mut().rev().nth(below) {
            *cell = Some(joined);
        }
    }

    /// Checks the type name in `type.name{…}`.
    pub(super) fn structure(&mut self, node: NodeId) {
        let NodeKind::Struct { type_name, fields } = self.expansion.kind(node) else {
            return;
        };
        if !self.has_scopes()
            && let Some(ty) = self.variable_type(type_name)
        {
            let name = ty.runtime_name().into();
            self.report(node, CheckErrorKind::NotAType { name });
            self.set_type(node, Type::Error);
            return self.fields(node, 0);
        }
        let named = in_container(self.env, type_name, |name| {
            Some((Box::<str>::from(name), named_type(self.env, name)?))
        });
        let Some((name, ty)) = named else {
            self.set_type(node, Type::Error);
            self.undeclared(node, type_name, Undeclared::Type);
            return;
        };
        if *name != **type_name {
            let renamed = NodeKind::Struct {
                type_name: (&*name).into(),
                fields: fields.clone(),
            };
            self.rewritten.push((node, renamed));
        }
        self.set_reference(node, Reference::Type(ty.clone()));
        let ty = match message_name(&ty) {
            Some(_) => ty,
            None => {
                let name = ty.runtime_name().into();
                self.report(node, CheckErrorKind::NotAMessageType { name });
                Type::Error
            }
        };
        self.set_type(node, ty);
        self.fields(node, 0);
    }

    /// Returns the type of a variable before `{`, which hides a type of that name. A variable that
    /// holds a type is resolved as a type.
    ///
    /// Upstream: cel-go 0.26, checker/env.go, `LookupIdent`.
    fn variable_type(&self, name: &str) -> Option<Type> {
        let local = self.scope.find(name).cloned();
        let ty =
            local.or_else(|| in_container(self.env, name, |it| self.env.variable(it).cloned()));
        ty.filter(|ty| !matches!(ty, Type::Type(_)))
    }

    /// Continues with an object after its first `known` fields.
    pub(super) fn fields(&mut self, node: NodeId, known: usize) {
        let NodeKind::Struct { type_name, fields } = self.expansion.kind(node) else {
            return;
        };
        if let Some(last) = known.checked_sub(1)
            && let Some(field) = fields.get(last)
        {
            let ty = self.type_of(node);
            let written = type_name.strip_prefix('.').unwrap_or(type_name);
            let type_name = message_name(&ty).unwrap_or(written);
            let expected = self.lookup_field(node, Some(field.offset), type_name, &field.name);
            let found = self.value_type(field.value, field.optional);
            if !self.assign(&expected, &found) {
                let kind = CheckErrorKind::FieldTypeMismatch {
                    field: Box::from(&*field.name),
                    expected,
                    found,
                };
                self.report_at(node, field.offset, kind);
            }
        }
        if let Some(next) = fields.get(known) {
            self.push(CheckStep::Struct(node, known + 1));
            self.push(CheckStep::Visit(next.value));
        }
    }
}

/// Returns the name by which an object of the type is constructed. `None` if the type has no
/// objects.
///
/// Upstream: cel-go, checker/checker.go, `isWellKnownType`, `getWellKnownTypeName`.
fn message_name(ty: &Type) -> Option<&str> {
    Some(match ty {
        Type::Struct(name) => name,
        Type::Any => "google.protobuf.Any",
        Type::Dyn => "google.protobuf.Value",
        Type::Null => "google.protobuf.NullValue",
        Type::Duration => "google.protobuf.Duration",
        Type::Timestamp => "google.protobuf.Timestamp",
        Type::Nullable(inner) => match **inner {
            Type::Bool => "google.protobuf.BoolValue",
            Type::Int => "google.protobuf.Int64Value",
            Type::Uint => "google.protobuf.UInt64Value",
            Type::Double => "google.protobuf.DoubleValue",
            Type::String => "google.protobuf.StringValue",
            Type::Bytes => "google.protobuf.BytesValue",
            _ => return None,
        },
        Type::List(element) if **element == Type::Dyn => "google.protobuf.ListValue",
        Type::Map(entry) if **entry == (Type::String, Type::Dyn) => "google.protobuf.Struct",
        _ => return None,
    })
}

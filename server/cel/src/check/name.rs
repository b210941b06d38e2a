//! Names and fields.
//!
//! `a.b.c` can be a field of a field of a variable, or the dotted name of a variable or a type. The
//! longest name that the environment declares wins.
//!
//! Upstream: cel-go, checker/checker.go, `checkIdent`, `checkSelect`, `checkSelectField`;
//! checker/env.go, `resolveSimpleIdent`, `resolveQualifiedIdent`.

use super::walk::{CheckStep, Checker};
use super::{CheckErrorKind, Reference, Undeclared, well_known};
use crate::changes::NAMES_HAVE_SCOPES;
use crate::env::Env;
use crate::expand::{NodeId, NodeKind};
use crate::syntax::{ExprId, MacroKind};
use crate::types::Type;
use std::sync::{Arc, LazyLock};

/// The built-in types whose names are values, with these names.
static TYPE_NAMES: LazyLock<[(&'static str, Type); 13]> = LazyLock::new(|| {
    [
        ("bool", Type::Bool),
        ("bytes", Type::Bytes),
        ("double", Type::Double),
        ("google.protobuf.Duration", Type::Duration),
        ("google.protobuf.Timestamp", Type::Timestamp),
        ("int", Type::Int),
        ("list", Type::list(Type::Param("A".into()))),
        (
            "map",
            Type::map(Type::Param("A".into()), Type::Param("B".into())),
        ),
        ("null_type", Type::Null),
        ("optional_type", Type::opaque("optional_type")),
        ("string", Type::String),
        ("type", Type::Type(None)),
        ("uint", Type::Uint),
    ]
});

/// The referent of a name.
pub(super) struct Named {
    pub(super) ty: Type,
    pub(super) reference: Reference,
}

/// The form of a name.
enum Written<'a> {
    /// As one identifier.
    Name(&'a Arc<str>),
    /// As a chain `a.b`, which is one identifier once it is checked.
    Chain(&'a str),
}

/// Returns the type of a name that is the name of a type.
pub(super) fn named_type(env: &Env, name: &str) -> Option<Type> {
    let known = TYPE_NAMES.iter().find(|known| known.0 == name);
    let known = known.filter(|_| name != "optional_type" || env.rules().optional_syntax);
    match known {
        Some((_, ty)) => Some(ty.clone()),
        None => env
            .types()
            .find_type(name)
            .or_else(|| well_known::message(name)),
    }
}

/// Returns the type that a name evaluates to at run time. The checker accepts more names than that.
///
/// Upstream: cel-go, common/types/provider.go, `Registry.FindIdent`; of the messages of
/// protocol buffers only those are registered that are not another type as well.
pub(crate) fn type_value(env: &Env, name: &str) -> Option<Type> {
    in_container(env, name, |name| {
        let named = named_type(env, name)?;
        let is_own = TYPE_NAMES.iter().any(|known| known.0 == name);
        let is_value = is_own || env.types().is_value(name) || name == well_known::EMPTY;
        is_value.then_some(named)
    })
}

/// Calls `find` with the full names that a name can have, until one is found.
pub(super) fn in_container<T>(
    env: &Env,
    name: &str,
    mut find: impl FnMut(&str) -> Option<T>,
) -> Option<T> {
    if let Some(absolute) = name.strip_prefix('.') {
        return find(absolute);
    }
    let mut container = env.container();
    while !container.is_empty() {
        let found = find(&format!("{container}.{name}"));
        if found.is_some() {
            return found;
        }
        container = container.rsplit_once('.').map_or("", |parts| parts.0);
    }
    find(name)
}

impl<'a> Checker<'a> {
    /// Returns the referent of a name of the environment.
    fn global(&self, name: &str, is_hidden: bool) -> Option<Named> {
        let env = self.env;
        if let Some((name, ty)) = env.variable_entry(name) {
            let full = if is_hidden {
                format!(".{name}").into()
            } else {
                Arc::clone(name)
            };
            return Some(Named {
                ty: ty.clone(),
                reference: Reference::Variable(full),
            });
        }
        let ty = named_type(env, name)?;
        Some(Named {
            ty: ty.clone().type_of(),
            reference: Reference::Type(ty),
        })
    }

    pub(super) fn ident(&mut self, node: NodeId, name: &Arc<str>) {
        let local = self.scope.find(name);
        let is_hidden = local.is_some();
        let absolute = name.strip_prefix('.');
        let skips_locals = absolute.is_some() && self.has_scopes();
        if let Some(ty) = local.filter(|_| !skips_locals) {
            let full = absolute.map_or_else(|| Arc::clone(name), Arc::from);
            let named = Named {
                ty: ty.clone(),
                reference: Reference::Variable(full),
            };
            self.set_named(node, named, &Written::Name(name));
            return;
        }
        if let Some(named) = in_container(self.env, name, |name| self.global(name, is_hidden)) {
            self.set_named(node, named, &Written::Name(name));
            return;
        }
        self.set_type(node, Type::Error);
        if !name.is_empty() {
            self.undeclared(node, name, Undeclared::Name);
        }
    }

    /// Returns whether the variables of macros are looked up apart from those of the environment.
    pub(super) fn has_scopes(&self) -> bool {
        NAMES_HAVE_SCOPES.applies(self.env.release())
    }

    fn set_named(&mut self, node: NodeId, named: Named, written: &Written<'_>) {
        self.set_type(node, named.ty);
        let full = match (&named.reference, written) {
            (Reference::Variable(full), Written::Name(written)) if *written == full => None,
            (Reference::Variable(full), _) => Some(Arc::clone(full)),
            (Reference::Type(_), Written::Chain(name)) => Some(Arc::from(*name)),
            (Reference::Type(_) | Reference::Function { .. }, _) => None,
        };
        if let Some(full) = full {
            self.rewritten.push((node, NodeKind::Ident(full)));
        }
        self.set_reference(node, named.reference);
    }

    pub(super) fn undeclared(&mut self, node: NodeId, name: &str, what: Undeclared) {
        let kind = CheckErrorKind::UndeclaredReference {
            name: name.into(),
            container: self.env.container().into(),
            what,
        };
        self.report(node, kind);
    }

    /// Checks `operand.field` and `has(operand.field)`.
    pub(super) fn select(&mut self, node: NodeId) {
        let mut chain = Vec::new();
        let mut bottom = node;
        while let NodeKind::Select {
            operand,
            test_only: false,
            ..
        } = self.expansion.kind(bottom)
        {
            chain.push(bottom);
            bottom = *operand;
        }
        if let NodeKind::Select { operand, .. } = self.expansion.kind(node)
            && chain.is_empty()
        {
            self.push(CheckStep::Field(node));
            self.push(CheckStep::Visit(*operand));
            return;
        }
        let NodeKind::Ident(root) = self.expansion.kind(bottom) else {
            for node in chain {
                self.push(CheckStep::Field(node));
            }
            self.push(CheckStep::Visit(bottom));
            return;
        };
        chain.reverse();
        let named = self.longest_name(root, &chain);
        if named == 0 {
            self.ident(bottom, root);
        }
        for node in chain.into_iter().skip(named) {
            self.field(node);
        }
    }

    /// Returns how many of the fields after a name are part of the name, and sets the type of
    /// the whole name.
    fn longest_name(&mut self, root: &Arc<str>, chain: &[NodeId]) -> usize {
        let is_absolute = root.starts_with('.');
        let is_hidden = self.has_scopes() && self.scope.find(root).is_some();
        if (is_hidden && !is_absolute) || !self.can_be_qualified(root) {
            return 0;
        }
        let mut name = std::mem::take(&mut self.buffer);
        name.clear();
        name.push_str(root);
        let mut ends = Vec::with_capacity(chain.len());
        for node in chain {
            if let NodeKind::Select { field, .. } = self.expansion.kind(*node) {
                name.push('.');
                name.push_str(field);
            }
            ends.push((name.len(), *node));
        }
        let mut found = 0;
        for (at, (end, node)) in ends.into_iter().enumerate().rev() {
            let candidate = name.get(..end).unwrap_or_default();
            let named = in_container(self.env, candidate, |it| self.global(it, is_hidden));
            if let Some(named) = named {
                self.set_named(node, named, &Written::Chain(candidate));
                found = at + 1;
                break;
            }
        }
        self.buffer = name;
        found
    }

    fn can_be_qualified(&self, root: &str) -> bool {
        let root = root.strip_prefix('.').unwrap_or(root);
        !self.env.container().is_empty()
            || root == "google"
            || self.env.is_prefix(root)
            || self.env.types().is_namespace(root)
    }

    pub(super) fn field(&mut self, node: NodeId) {
        let NodeKind::Select {
            operand,
            field,
            test_only,
        } = self.expansion.kind(node)
        else {
            return;
        };
        let ty = self.field_of(node, *operand, field, false);
        if *test_only {
            self.declare_tested_field(node, ty);
            self.set_type(node, Type::Bool);
            return;
        }
        let ty = self.resolve(&ty);
        self.set_type(node, ty);
    }

    /// Records the field in `has(a.field)`, which is in the source but not in the tree.
    fn declare_tested_field(&mut self, node: NodeId, ty: Type) {
        let Some(origin) = self.expansion.node(node).map(|node| node.origin) else {
            return;
        };
        let call = self.ast.macro_call(origin);
        let argument = call.filter(|call| call.kind == MacroKind::Has);
        if let Some(argument) = argument.and_then(|call| call.body.first()) {
            let argument: ExprId = self.ast.bare(*argument);
            self.declared.push((argument, ty));
        }
    }

    pub(super) fn optional_field(&mut self, node: NodeId) {
        let NodeKind::Call { function, args, .. } = self.expansion.kind(node) else {
            return;
        };
        let [operand, field] = **args else { return };
        let NodeKind::Literal(crate::syntax::Literal::String(name)) = self.expansion.kind(field)
        else {
            return;
        };
        let ty = self.field_of(node, operand, name, true);
        let ty = self.resolve(&ty);
        self.set_type(node, ty);
        self.set_type(field, Type::String);
        if let Some(function) = self.env.function(function) {
            let mut overloads = super::OverloadSet::default();
            overloads.insert(0);
            let name = function.name;
            self.set_reference(node, Reference::Function { name, overloads });
        }
    }

    /// Returns the type of a field of a node whose type is known.
    fn field_of(&mut self, node: NodeId, operand: NodeId, field: &str, optional: bool) -> Type {
        let operand = self.resolved_type_of(operand);
        let (target, is_optional) = match &operand {
            Type::Optional(value) => (&**value, true),
            other => (other, false),
        };
        let ty = match target {
            Type::Map(entry) => entry.1.clone(),
            Type::Struct(name) => self.lookup_field(node, None, name, field),
            Type::Var(_) => {
                self.assign(&Type::Dyn, target);
                Type::Dyn
            }
            Type::Dyn | Type::Any | Type::Error => Type::Dyn,
            _ => {
                if !field.is_empty() {
                    let kind = CheckErrorKind::NoFields {
                        ty: target.clone(),
                        field: field.into(),
                    };
                    self.report(node, kind);
                }
                Type::Dyn
            }
        };
        if is_optional || optional {
            return Type::optional(ty);
        }
        ty
    }

    /// Returns the type of a field that a type declares. The error is at the node, or at
    /// another offset.
    pub(super) fn lookup_field(
        &mut self,
        node: NodeId,
        offset: Option<u32>,
        type_name: &str,
        field: &str,
    ) -> Type {
        let types = self.env.types();
        let known = types.field_type(type_name, field);
        if let Some(ty) = known.or_else(|| well_known::field(type_name, field)) {
            return ty;
        }
        let is_known = types.find_type(type_name).is_some();
        let kind = if !is_known && well_known::message(type_name).is_none() {
            CheckErrorKind::FailedResolution {
                name: type_name.into(),
            }
        } else {
            CheckErrorKind::UndefinedField {
                type_name: type_name.into(),
                field: field.into(),
            }
        };
        // A field that is not yet written is not an error.
        if !field.is_empty() {
            let place = self.expansion.node(node).map_or(0, |node| node.offset);
            self.report_at(node, offset.unwrap_or(place), kind);
        }
        Type::Error
    }
}

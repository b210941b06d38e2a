//! Calls and their overloads.
//!
//! Upstream: cel-go, checker/checker.go, `checkCall`, `resolveOverload`.

use super::name::in_container;
use super::unify::Side;
use super::walk::{CheckStep, Checker};
use super::{CheckErrorKind, OverloadSet, Reference, Undeclared};
use crate::env::{DeclaredFunction, Env};
use crate::expand::{NodeId, NodeKind};
use crate::types::Type;
use std::sync::Arc;

/// The result of the overloads that match a call.
struct Resolution {
    overloads: OverloadSet,
    ty: Type,
}

impl<'a> Checker<'a> {
    pub(super) fn call(&mut self, node: NodeId) {
        let NodeKind::Call { function, args, .. } = self.expansion.kind(node) else {
            return;
        };
        if &**function == "_?._" {
            self.push(CheckStep::OptionalField(node));
            if let Some(operand) = args.first() {
                self.push(CheckStep::Visit(*operand));
            }
            return;
        }
        self.push(CheckStep::Arguments(node));
        for arg in args.iter().rev() {
            self.push(CheckStep::Visit(*arg));
        }
    }

    pub(super) fn call_with_arguments(&mut self, node: NodeId) {
        let NodeKind::Call {
            target,
            function,
            args,
        } = self.expansion.kind(node)
        else {
            return;
        };
        let Some(target) = *target else {
            let Some(declared) = find_function(self.env, function) else {
                self.unknown_function(node, function);
                return;
            };
            if declared.name != &**function {
                self.rename(node, declared.name, args);
            }
            self.overload(node, declared, None, args);
            return;
        };
        if let Some(declared) = self.namespaced(target, function) {
            self.rename(node, declared.name, args);
            self.overload(node, declared, None, args);
            return;
        }
        self.push(CheckStep::Target(node));
        self.push(CheckStep::Visit(target));
    }

    pub(super) fn call_with_target(&mut self, node: NodeId) {
        let NodeKind::Call {
            target,
            function,
            args,
        } = self.expansion.kind(node)
        else {
            return;
        };
        match find_function(self.env, function) {
            Some(declared) => self.overload(node, declared, *target, args),
            None => self.unknown_function(node, function),
        }
    }

    fn unknown_function(&mut self, node: NodeId, name: &str) {
        self.set_type(node, Type::Error);
        if !name.is_empty() {
            self.undeclared(node, name, Undeclared::Function);
        }
    }

    /// Turns the call into a call of a function by its full name, without a target.
    fn rename(&mut self, node: NodeId, name: &str, args: &[NodeId]) {
        let call = NodeKind::Call {
            target: None,
            function: Arc::from(name),
            args: args.into(),
        };
        self.rewritten.push((node, call));
    }

    /// Returns the function whose name is the target and the name of the call: `sets.contains`.
    fn namespaced(&mut self, target: NodeId, function: &str) -> Option<&'a DeclaredFunction> {
        let mut bottom = target;
        let root = loop {
            match self.expansion.kind(bottom) {
                NodeKind::Select {
                    operand,
                    test_only: false,
                    ..
                } => bottom = *operand,
                NodeKind::Ident(name) => break name,
                _ => return None,
            }
        };
        let first = root.strip_prefix('.').unwrap_or(root);
        if self.env.container().is_empty() && !self.env.is_namespace(first) {
            return None;
        }
        let mut parts = Vec::new();
        let mut at = target;
        while let NodeKind::Select { operand, field, .. } = self.expansion.kind(at) {
            parts.push(&**field);
            at = *operand;
        }
        self.buffer.clear();
        self.buffer.push_str(root);
        for part in parts.into_iter().rev().chain([function]) {
            self.buffer.push('.');
            self.buffer.push_str(part);
        }
        find_function(self.env, &self.buffer)
    }

    fn overload(
        &mut self,
        node: NodeId,
        function: &DeclaredFunction,
        target: Option<NodeId>,
        args: &[NodeId],
    ) {
        let mut types = std::mem::take(&mut self.arguments);
        types.clear();
        for arg in target.iter().chain(args) {
            types.push(self.type_of(*arg));
        }
        let resolution = match function.name {
            "_&&_" | "_||_" => self.logic(args, &types),
            _ => self.resolve_overload(node, function, target.is_some(), &types),
        };
        self.arguments = types;
        let Some(resolution) = resolution else {
            self.set_type(node, Type::Error);
            return;
        };
        self.set_type(node, resolution.ty);
        let (name, overloads) = (function.name, resolution.overloads);
        self.set_reference(node, Reference::Function { name, overloads });
    }

    /// Checks the sides of `&&` and `||` one by one.
    fn logic(&mut self, args: &[NodeId], types: &[Type]) -> Option<Resolution> {
        let mut fits = true;
        for (arg, ty) in args.iter().zip(types) {
            if !self.assign(ty, &Type::Bool) {
                let kind = CheckErrorKind::TypeMismatch {
                    expected: Type::Bool,
                    found: ty.clone(),
                };
                self.report(*arg, kind);
                fits = false;
            }
        }
        let mut overloads = OverloadSet::default();
        overloads.insert(0);
        fits.then_some(Resolution {
            overloads,
            ty: Type::Bool,
        })
    }

    fn resolve_overload(
        &mut self,
        node: NodeId,
        function: &DeclaredFunction,
        member: bool,
        types: &[Type],
    ) -> Option<Resolution> {
        let mut overloads = OverloadSet::default();
        let mut result: Option<Type> = None;
        for (index, overload) in function.overloads.iter().enumerate() {
            if overload.declaration.member != member || !overload.exists(self.env.release()) {
                continue;
            }
            let signature = &overload.signature;
            let base = match signature.variables {
                0 => 0,
                variables => self.unifier.instantiate(variables),
            };
            if !self.unifier.assign_all(types, &signature.params, base) {
                continue;
            }
            overloads.insert(index);
            let ty = &signature.result;
            let ty = self.unifier.resolve(Side { ty, base });
            result = Some(match result {
                None => ty,
                Some(first) if first.is_dyn() || self.unifier.is_exactly(&ty, &first) => first,
                Some(_) => Type::Dyn,
            });
        }
        let Some(ty) = result else {
            self.no_overload(node, function, member, types);
            return None;
        };
        let ty = self.unifier.bounded(ty);
        Some(Resolution { overloads, ty })
    }

    fn no_overload(
        &mut self,
        node: NodeId,
        function: &DeclaredFunction,
        member: bool,
        types: &[Type],
    ) {
        let args = types.iter().map(|ty| self.unifier.finish(ty.clone()));
        let kind = CheckErrorKind::NoMatchingOverload {
            function: function.name.into(),
            args: args.collect(),
            member,
        };
        self.report(node, kind);
    }
}

fn find_function<'a>(env: &'a Env, name: &str) -> Option<&'a DeclaredFunction> {
    if env.container().is_empty() && !name.starts_with('.') {
        return env.function(name);
    }
    in_container(env, name, |name| env.function(name))
}

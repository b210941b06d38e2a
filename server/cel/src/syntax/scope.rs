//! The scopes of names.
//!
//! Inside a macro its variables hide everything else of the same name. Code that resolves a name,
//! renames it or jumps to it must first determine whether it is such a variable.

use super::ast::{Ast, ExprId, ExprKind, Name};

/// A variable of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The call of the macro.
    pub call: ExprId,
    /// The name where it is declared.
    pub name: Name,
}

/// The role of an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentRole {
    /// It declares the variable of a macro.
    Declaration(Binding),
    /// It is the variable of a macro around it.
    Bound(Binding),
    /// It is not a variable of a macro, so the environment must declare it.
    Free,
}

/// An identifier and its binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdentUse {
    /// The node, which is an [`ExprKind::Ident`].
    pub id: ExprId,
    /// The name.
    pub name: Name,
    /// The role.
    pub role: IdentRole,
}

impl Ast {
    /// Returns all identifiers below and including `id`, in source order, with their bindings.
    /// Variables of macros around `id` are bound as well if `outer` holds them, as returned by
    /// [`Ast::bindings_at`].
    #[must_use]
    pub fn idents(&self, id: ExprId, outer: &[Binding]) -> Vec<IdentUse> {
        let mut scope = outer.to_vec();
        let mut uses = Vec::new();
        let mut steps = vec![ScopeStep::Visit(id)];
        while let Some(step) = steps.pop() {
            match step {
                ScopeStep::Visit(id) => self.visit(id, &scope, &mut uses, &mut steps),
                ScopeStep::Declare(call, argument) => {
                    self.declare(call, argument, &mut scope, &mut uses, &mut steps);
                }
                ScopeStep::Leave(depth) => scope.truncate(depth),
            }
        }
        uses
    }

    fn visit(
        &self,
        id: ExprId,
        scope: &[Binding],
        uses: &mut Vec<IdentUse>,
        steps: &mut Vec<ScopeStep>,
    ) {
        if let ExprKind::Ident { name, leading_dot } = self.kind(id) {
            let role = match self.lookup(*name, scope) {
                Some(binding) if !leading_dot => IdentRole::Bound(binding),
                _ => IdentRole::Free,
            };
            let name = *name;
            uses.push(IdentUse { id, name, role });
            return;
        }
        let first = steps.len();
        match self.macro_call(id) {
            None => steps.extend(self.children(id).map(ScopeStep::Visit)),
            Some(call) => {
                steps.extend(call.target.map(ScopeStep::Visit));
                steps.extend(call.variables.iter().map(|it| ScopeStep::Declare(id, *it)));
                steps.extend(call.body.iter().copied().map(ScopeStep::Visit));
                steps.push(ScopeStep::Leave(scope.len()));
            }
        }
        // The last step is processed first.
        if let Some(added) = steps.get_mut(first..) {
            added.reverse();
        }
    }

    fn declare(
        &self,
        call: ExprId,
        argument: ExprId,
        scope: &mut Vec<Binding>,
        uses: &mut Vec<IdentUse>,
        steps: &mut Vec<ScopeStep>,
    ) {
        let Some(name) = self.macro_variable(argument) else {
            steps.push(ScopeStep::Visit(argument));
            return;
        };
        let binding = Binding { call, name };
        let id = self.unparenthesized(argument);
        let role = IdentRole::Declaration(binding);
        uses.push(IdentUse { id, name, role });
        scope.push(binding);
    }

    /// Returns the innermost variable of this name.
    fn lookup(&self, name: Name, scope: &[Binding]) -> Option<Binding> {
        let wanted = self.name(name);
        scope
            .iter()
            .rev()
            .find(|binding| self.name(binding.name) == wanted)
            .copied()
    }

    /// Returns the variables of macros that can be used at an offset, outer ones first. Hidden
    /// variables are left out.
    #[must_use]
    pub fn bindings_at(&self, offset: u32) -> Vec<Binding> {
        let path = self.path_at(offset);
        let mut bindings: Vec<Binding> = Vec::new();
        for (index, id) in path.iter().enumerate() {
            let Some(call) = self.macro_call(*id) else {
                continue;
            };
            let in_body = match path.get(index + 1) {
                Some(child) => call.body.contains(child),
                // Between the arguments, where the next one is about to be typed.
                None => call
                    .variables
                    .last()
                    .is_some_and(|last| self.span(*last).end() < offset),
            };
            if !in_body {
                continue;
            }
            for name in call
                .variables
                .iter()
                .filter_map(|it| self.macro_variable(*it))
            {
                bindings.retain(|outer| self.name(outer.name) != self.name(name));
                bindings.push(Binding { call: *id, name });
            }
        }
        bindings
    }
}

/// The next action of the walk.
enum ScopeStep {
    Visit(ExprId),
    Declare(ExprId, ExprId),
    Leave(usize),
}

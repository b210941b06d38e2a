//! Macros.
//!
//! A macro is a call that cel-go rewrites before it checks anything: its variables are not
//! arguments but names that exist in the rest of the call. The tree keeps the call as written; this
//! module decides which calls are macros and the role of each argument. Kubernetes has the macros
//! of the language, of optional values, of two variables, and `sortBy`.
//!
//! Upstream: cel-go, parser/macro.go, `AllMacros`; cel/library.go, `optionalLib`;
//! ext/comprehensions.go; ext/lists.go.

use super::ast::{Ast, ExprId, ExprKind, Name};

/// The kinds of macros. Most exist with one variable and with two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MacroKind {
    /// `has(object.field)`
    Has,
    /// `list.all(x, condition)`
    All,
    /// `list.exists(x, condition)`
    Exists,
    /// `list.exists_one(x, condition)`, with two variables also `existsOne`
    ExistsOne,
    /// `list.map(x, value)` and `list.map(x, condition, value)`
    Map,
    /// `list.filter(x, condition)`
    Filter,
    /// `optional.optMap(x, value)`
    OptMap,
    /// `optional.optFlatMap(x, optional)`
    OptFlatMap,
    /// `list.sortBy(x, key)`
    SortBy,
    /// `list.transformList(index, x, value)`, with a condition before the value or without
    TransformList,
    /// `map.transformMap(key, x, value)`, with a condition before the value or without
    TransformMap,
    /// `map.transformMapEntry(key, x, entry)`, with a condition before the entry or without
    TransformMapEntry,
}

impl MacroKind {
    /// Returns the name as it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MacroKind::Has => "has",
            MacroKind::All => "all",
            MacroKind::Exists => "exists",
            MacroKind::ExistsOne => "exists_one",
            MacroKind::Map => "map",
            MacroKind::Filter => "filter",
            MacroKind::OptMap => "optMap",
            MacroKind::OptFlatMap => "optFlatMap",
            MacroKind::SortBy => "sortBy",
            MacroKind::TransformList => "transformList",
            MacroKind::TransformMap => "transformMap",
            MacroKind::TransformMapEntry => "transformMapEntry",
        }
    }

    /// Returns the macro with this name, target and number of arguments, and how many variables
    /// it has.
    #[must_use]
    pub fn find(name: &str, has_target: bool, args: usize) -> Option<(Self, usize)> {
        Some(match (name, has_target, args) {
            ("has", false, 1) => (MacroKind::Has, 0),
            ("all", true, 2) => (MacroKind::All, 1),
            ("all", true, 3) => (MacroKind::All, 2),
            ("exists", true, 2) => (MacroKind::Exists, 1),
            ("exists", true, 3) => (MacroKind::Exists, 2),
            ("exists_one", true, 2) => (MacroKind::ExistsOne, 1),
            ("exists_one" | "existsOne", true, 3) => (MacroKind::ExistsOne, 2),
            ("map", true, 2 | 3) => (MacroKind::Map, 1),
            ("filter", true, 2) => (MacroKind::Filter, 1),
            ("optMap", true, 2) => (MacroKind::OptMap, 1),
            ("optFlatMap", true, 2) => (MacroKind::OptFlatMap, 1),
            ("sortBy", true, 2) => (MacroKind::SortBy, 1),
            ("transformList", true, 3 | 4) => (MacroKind::TransformList, 2),
            ("transformMap", true, 3 | 4) => (MacroKind::TransformMap, 2),
            ("transformMapEntry", true, 3 | 4) => (MacroKind::TransformMapEntry, 2),
            _ => return None,
        })
    }
}

/// A call that is a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacroCall<'a> {
    /// The call.
    pub id: ExprId,
    /// Which macro.
    pub kind: MacroKind,
    /// The target; `None` for `has`. No variable is bound in it.
    pub target: Option<ExprId>,
    /// The arguments that declare variables: none, one or two.
    pub variables: &'a [ExprId],
    /// The other arguments. The variables are bound in all of them.
    pub body: &'a [ExprId],
}

impl Ast {
    /// Returns the macro that a node calls. `None` for all other nodes.
    #[must_use]
    pub fn macro_call(&self, id: ExprId) -> Option<MacroCall<'_>> {
        let ExprKind::Call {
            target,
            leading_dot: false,
            function,
            args,
            ..
        } = self.kind(id)
        else {
            return None;
        };
        let (kind, variables) =
            MacroKind::find(self.name(*function), target.is_some(), args.len())?;
        let (variables, body) = args.split_at_checked(variables)?;
        Some(MacroCall {
            id,
            kind,
            target: *target,
            variables,
            body,
        })
    }

    /// Returns all calls of macros, inner ones before outer ones.
    pub fn macro_calls(&self) -> impl Iterator<Item = MacroCall<'_>> {
        self.ids().filter_map(|id| self.macro_call(id))
    }

    /// Returns the name that an argument of a macro declares. `None` if it is not a plain name.
    #[must_use]
    pub fn macro_variable(&self, argument: ExprId) -> Option<Name> {
        match self.kind(self.unparenthesized(argument)) {
            ExprKind::Ident {
                name,
                leading_dot: false,
            } => Some(*name),
            _ => None,
        }
    }
}

//! The field of an object that an expression refers to.
//!
//! The compiler has types but not their origin: an `int` is an `int`, and a quantity has no
//! type. A message about an expression needs the field itself, with its default and its
//! description, so this module follows the names from the variables through selections, macros
//! and policy variables.

use super::types::KindTypes;
use crate::results::Source;
use cel::syntax::{
    Ast, BinaryOperator, Binding, ExprId, ExprKind, IdentRole, Literal, MacroCall, MacroKind,
};
use foldhash::fast::RandomState;
use kubernetes::names::unescape;
use kubernetes::openapi::{Schema, SchemaPlace, SchemaType};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// The field that an expression refers to. `S` is a schema, or its place in the catalog.
#[derive(Clone, Debug)]
pub(super) enum SchemaReference<S> {
    /// A part of `object` or `params`.
    Part(Root, S),
    /// A list created from such parts.
    ListOf(Box<SchemaReference<S>>),
}

impl<S> SchemaReference<S> {
    /// Returns the reference with another form of the schema, if it has one.
    fn try_map<T>(self, form: impl FnOnce(Root, S) -> Option<T>) -> Option<SchemaReference<T>> {
        Some(match self {
            Self::Part(root, schema) => SchemaReference::Part(root, form(root, schema)?),
            Self::ListOf(element) => SchemaReference::ListOf(Box::new(element.try_map(form)?)),
        })
    }
}

/// The variable that holds a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// `object` or `oldObject`.
    Object,
    /// `params`.
    Params,
}

/// Limit: steps from an expression to its root.
const MAX_STEPS: usize = 200;

/// The field that a node refers to, with its schema.
type Found<'a> = SchemaReference<Schema<'a>>;

/// A variable of a policy: its name, its index in the list, and what it refers to.
pub(super) type VariableReference = (Box<str>, usize, Option<SchemaReference<SchemaPlace>>);

/// An expression and the names in its scope.
pub(super) struct ReferenceScope<'a> {
    source: &'a Source,
    ast: &'a Ast,
    object: Option<&'a KindTypes>,
    params: Option<&'a KindTypes>,
    variables: &'a [VariableReference],
    /// Variables from this index on are not visible.
    visible: usize,
    /// The names that macros declare, by the expressions that use them.
    bindings: OnceCell<HashMap<ExprId, Binding, RandomState>>,
    /// The earlier results. Without them, the time would be exponential in chains such as
    /// `.map(x, [x, x])`, where each use of a variable follows the list before it.
    followed: RefCell<HashMap<ExprId, Option<Found<'a>>, RandomState>>,
}

impl<'a> ReferenceScope<'a> {
    /// Returns the scope of an expression that sees the variables before the index `visible`.
    pub(super) fn new(
        source: &'a Source,
        object: Option<&'a KindTypes>,
        params: Option<&'a KindTypes>,
        variables: &'a [VariableReference],
        visible: usize,
    ) -> Self {
        Self {
            source,
            ast: &source.ast,
            object,
            params,
            variables,
            visible,
            bindings: OnceCell::new(),
            followed: RefCell::default(),
        }
    }

    /// Returns the schema of the field that a node refers to.
    pub(super) fn schema_of(&self, id: ExprId) -> Option<Schema<'a>> {
        match self.follow(id, MAX_STEPS)? {
            SchemaReference::Part(_, schema) => Some(schema),
            SchemaReference::ListOf(_) => None,
        }
    }

    /// Returns what a node refers to, as [`VariableReference`] keeps it.
    pub(super) fn reference(&self, id: ExprId) -> Option<SchemaReference<SchemaPlace>> {
        let found = self.follow(id, MAX_STEPS)?;
        found.try_map(|_, schema| Some(schema.place()))
    }

    /// Returns the elements of a list or the values of a map.
    fn element(found: Found<'a>) -> Option<Found<'a>> {
        match found {
            SchemaReference::ListOf(element) => Some(*element),
            SchemaReference::Part(root, schema) => {
                let part = match schema.ty() {
                    SchemaType::Array => schema.items(),
                    _ => schema.additional_properties(),
                };
                Some(SchemaReference::Part(root, part?))
            }
        }
    }

    fn types(&self, root: Root) -> Option<&'a KindTypes> {
        match root {
            Root::Object => self.object,
            Root::Params => self.params,
        }
    }

    fn follow(&self, id: ExprId, steps: usize) -> Option<Found<'a>> {
        if let Some(found) = self.followed.borrow().get(&id) {
            return found.clone();
        }
        let found = self.follow_once(id, steps.checked_sub(1)?);
        self.followed.borrow_mut().insert(id, found.clone());
        found
    }

    fn follow_once(&self, id: ExprId, steps: usize) -> Option<Found<'a>> {
        match self.ast.kind(id) {
            ExprKind::Paren(inner) => self.follow(*inner, steps),
            ExprKind::Ident { name, .. } => self.ident(id, self.ast.name(*name), steps),
            ExprKind::Select { operand, field, .. } => {
                self.select(*operand, self.ast.name(*field), steps)
            }
            ExprKind::Index { operand, index, .. } => match self.entry(*operand, *index) {
                Some(value) => self.follow(value, steps),
                None => self.index(self.follow(*operand, steps)?, *index),
            },
            ExprKind::Conditional {
                then, otherwise, ..
            } => self
                .follow(*then, steps)
                .or_else(|| self.follow(*otherwise, steps)),
            ExprKind::Binary {
                operator: BinaryOperator::Add,
                left,
                right,
                ..
            } => {
                let side = self.follow(*left, steps);
                let list = side.or_else(|| self.follow(*right, steps))?;
                Self::is_list(&list).then_some(list)
            }
            ExprKind::List { elements } => {
                let mut elements = elements.iter();
                let first = elements.find_map(|element| self.follow(element.value, steps))?;
                Some(SchemaReference::ListOf(Box::new(first)))
            }
            ExprKind::Call { .. } => self.call(id, steps),
            ExprKind::Error(_)
            | ExprKind::Literal(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Map { .. }
            | ExprKind::Struct { .. } => None,
        }
    }

    fn is_list(found: &Found<'a>) -> bool {
        match found {
            SchemaReference::ListOf(_) => true,
            SchemaReference::Part(_, schema) => schema.ty() == SchemaType::Array,
        }
    }

    fn ident(&self, id: ExprId, name: &str, steps: usize) -> Option<Found<'a>> {
        // The scope matters only if a macro could have declared the name.
        if let Some(binding) = self.binding(id) {
            return self.bound(binding, steps);
        }
        let (root, types) = match name {
            "object" | "oldObject" => (Root::Object, self.object?),
            "params" => (Root::Params, self.params?),
            _ => return None,
        };
        Some(SchemaReference::Part(root, types.schema()?))
    }

    fn binding(&self, id: ExprId) -> Option<Binding> {
        let bindings = self.bindings.get_or_init(|| {
            let uses = self.source.idents().iter();
            uses.filter_map(|it| match it.role {
                IdentRole::Declaration(binding) | IdentRole::Bound(binding) => {
                    Some((it.id, binding))
                }
                IdentRole::Free => None,
            })
            .collect()
        });
        bindings.get(&id).copied()
    }

    /// Returns the schema that a variable of a macro refers to.
    fn bound(&self, binding: Binding, steps: usize) -> Option<Found<'a>> {
        let call = self.ast.macro_call(binding.call)?;
        let target = self.follow(call.target?, steps)?;
        match call.kind {
            MacroKind::OptMap | MacroKind::OptFlatMap => return Some(target),
            _ => {}
        }
        let declared = |argument: &ExprId| {
            self.ast.macro_variable(*argument).map(|name| name.span) == Some(binding.name.span)
        };
        let at = call.variables.iter().position(declared)?;
        // A single variable over a map is the key; the first of two is the index or the key.
        let is_element = match call.variables.len() {
            1 => Self::is_list(&target),
            _ => at == 1,
        };
        if is_element {
            Self::element(target)
        } else {
            None
        }
    }

    fn select(&self, operand: ExprId, field: &str, steps: usize) -> Option<Found<'a>> {
        if let ExprKind::Ident { name, .. } = self.ast.kind(self.ast.unparenthesized(operand))
            && self.ast.name(*name) == "variables"
        {
            let mut variables = self.variables.iter().rev();
            let known = variables.find(|known| *known.0 == *field && known.1 < self.visible)?;
            let reference = known.2.clone()?;
            return reference.try_map(|root, place| Some(self.types(root)?.schema_at(place)));
        }
        let of = self.follow(operand, steps)?;
        self.property(&of, field)
    }

    /// Returns a field by its name, or by its escaped name.
    fn property(&self, of: &Found<'a>, name: &str) -> Option<Found<'a>> {
        let &SchemaReference::Part(root, schema) = of else {
            return None;
        };
        let part = match schema.additional_properties() {
            Some(values) => values,
            None if self.types(root)?.has_standard_type(schema, name) => return None,
            None => {
                let exact = schema.property(name);
                exact.or_else(|| schema.property(&unescape(name)?))?
            }
        };
        Some(SchemaReference::Part(root, part))
    }

    /// Returns the value of a map literal for a string key.
    fn entry(&self, map: ExprId, key: ExprId) -> Option<ExprId> {
        let ExprKind::Literal(Literal::String(key)) = self.ast.kind(key) else {
            return None;
        };
        let mut entries = self.ast.map_entries(map);
        let (_, value) = entries.find(|(name, _)| **name == **key)?;
        Some(value)
    }

    fn index(&self, of: Found<'a>, index: ExprId) -> Option<Found<'a>> {
        let key = self.ast.kind(self.ast.unparenthesized(index));
        if let (ExprKind::Literal(Literal::String(key)), SchemaReference::Part(..)) = (key, &of) {
            return self.property(&of, key);
        }
        Self::element(of)
    }

    fn call(&self, id: ExprId, steps: usize) -> Option<Found<'a>> {
        if let Some(call) = self.ast.macro_call(id) {
            return self.macro_call(&call, steps);
        }
        let ExprKind::Call {
            target,
            function,
            args,
            ..
        } = self.ast.kind(id)
        else {
            return None;
        };
        match (*target, self.ast.name(*function), &**args) {
            (None, "dyn", [value]) => self.follow(*value, steps),
            (Some(target), "of" | "ofNonZeroValue", [value]) if self.is_optional(target) => {
                self.follow(*value, steps)
            }
            (
                Some(target),
                "orValue" | "or" | "value" | "sort" | "distinct" | "reverse" | "slice",
                _,
            ) => self.follow(target, steps),
            (Some(target), "flatten", _) => {
                let list = self.follow(target, steps)?;
                let element = Self::element(list.clone())?;
                Some(if Self::is_list(&element) {
                    element
                } else {
                    list
                })
            }
            (Some(target), "first" | "last", []) => {
                let list = self.follow(target, steps)?;
                Self::element(list)
            }
            _ => None,
        }
    }

    /// Returns whether a node is the namespace of `optional.of`.
    fn is_optional(&self, id: ExprId) -> bool {
        match self.ast.kind(id) {
            ExprKind::Ident { name, .. } => self.ast.name(*name) == "optional",
            _ => false,
        }
    }

    fn macro_call(&self, call: &MacroCall<'_>, steps: usize) -> Option<Found<'a>> {
        match call.kind {
            MacroKind::Filter | MacroKind::SortBy => self.follow(call.target?, steps),
            MacroKind::Map | MacroKind::TransformList => {
                let element = self.follow(*call.body.last()?, steps)?;
                Some(SchemaReference::ListOf(Box::new(element)))
            }
            MacroKind::OptMap | MacroKind::OptFlatMap => self.follow(*call.body.last()?, steps),
            MacroKind::Has
            | MacroKind::All
            | MacroKind::Exists
            | MacroKind::ExistsOne
            | MacroKind::TransformMap
            | MacroKind::TransformMapEntry => None,
        }
    }
}

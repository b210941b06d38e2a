//! The field of an object that an expression refers to.
//!
//! The compiler has types but not their origin: an `int` is an `int`, and a quantity has no
//! type. A message about an expression needs the field itself, with its default and its
//! description, so this module follows the names from the variables through selections, macros
//! and policy variables.

use super::types::KindTypes;
use cel::syntax::{
    Ast, BinaryOperator, Binding, ExprId, ExprKind, IdentRole, Literal, MacroCall, MacroKind,
};
use kubernetes::names::{escape, unescape};
use kubernetes::openapi::{Schema, SchemaType};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// The field that an expression refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SchemaReference {
    /// A part of `object` or `params`, by its path as in type names.
    Place(Root, String),
    /// A list created from such parts.
    ListOf(Box<SchemaReference>),
}

/// The root of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// At `object` or `oldObject`.
    Object,
    /// At `params`.
    Params,
}

/// Limit: steps from an expression to its root.
const MAX_STEPS: usize = 200;

/// A variable of a policy: its name, its index in the list, and what it refers to.
pub(super) type VariableReference = (Box<str>, usize, Option<SchemaReference>);

/// An expression and the names in its scope.
pub(super) struct ReferenceScope<'a> {
    ast: &'a Ast,
    object: Option<&'a KindTypes>,
    params: Option<&'a KindTypes>,
    variables: &'a [VariableReference],
    /// Variables from this index on are not visible.
    visible: usize,
    /// The names that macros declare, by the expressions that use them.
    bindings: OnceCell<HashMap<ExprId, Binding>>,
    /// The earlier results. Without them, the time would be exponential in chains such as
    /// `.map(x, [x, x])`, where each use of a variable follows the list before it.
    followed: RefCell<HashMap<ExprId, Option<SchemaReference>>>,
}

impl<'a> ReferenceScope<'a> {
    /// Returns the scope of an expression that sees the variables before the index `visible`.
    pub(super) fn new(
        ast: &'a Ast,
        object: Option<&'a KindTypes>,
        params: Option<&'a KindTypes>,
        variables: &'a [VariableReference],
        visible: usize,
    ) -> Self {
        Self {
            ast,
            object,
            params,
            variables,
            visible,
            bindings: OnceCell::new(),
            followed: RefCell::default(),
        }
    }

    /// Returns the schema that a node refers to.
    pub(super) fn schema_of(&self, id: ExprId) -> Option<SchemaReference> {
        self.follow(id, MAX_STEPS)
    }

    /// Returns the elements of a list or the values of a map.
    pub(super) fn element(&self, found: SchemaReference) -> Option<SchemaReference> {
        match found {
            SchemaReference::ListOf(element) => Some(*element),
            SchemaReference::Place(root, path) => {
                let schema = self.types(root)?.schema(&path)?;
                let part = match schema.ty() {
                    SchemaType::Array => "@idx",
                    _ if schema.additional_properties().is_some() => "@elem",
                    _ => return None,
                };
                Some(SchemaReference::Place(root, format!("{path}.{part}")))
            }
        }
    }

    /// Returns the schema of a part.
    pub(super) fn schema(&self, found: &SchemaReference) -> Option<Schema<'a>> {
        match found {
            SchemaReference::Place(root, path) => self.types(*root)?.schema(path),
            SchemaReference::ListOf(_) => None,
        }
    }

    fn types(&self, root: Root) -> Option<&'a KindTypes> {
        match root {
            Root::Object => self.object,
            Root::Params => self.params,
        }
    }

    fn follow(&self, id: ExprId, steps: usize) -> Option<SchemaReference> {
        if let Some(found) = self.followed.borrow().get(&id) {
            return found.clone();
        }
        let found = self.follow_once(id, steps.checked_sub(1)?);
        self.followed.borrow_mut().insert(id, found.clone());
        found
    }

    fn follow_once(&self, id: ExprId, steps: usize) -> Option<SchemaReference> {
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
                self.is_list(&list).then_some(list)
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

    fn is_list(&self, found: &SchemaReference) -> bool {
        match found {
            SchemaReference::ListOf(_) => true,
            SchemaReference::Place(..) => {
                let schema = self.schema(found);
                schema.is_some_and(|schema| schema.ty() == SchemaType::Array)
            }
        }
    }

    fn ident(&self, id: ExprId, name: &str, steps: usize) -> Option<SchemaReference> {
        // The scope matters only if a macro could have declared the name.
        if let Some(binding) = self.binding(id) {
            return self.bound(binding, steps);
        }
        let (root, types) = match name {
            "object" | "oldObject" => (Root::Object, self.object?),
            "params" => (Root::Params, self.params?),
            _ => return None,
        };
        Some(SchemaReference::Place(root, types.name().to_string()))
    }

    fn binding(&self, id: ExprId) -> Option<Binding> {
        let bindings = self.bindings.get_or_init(|| {
            if self.ast.macro_calls().next().is_none() {
                return HashMap::new();
            }
            let uses = self.ast.idents(self.ast.root(), &[]).into_iter();
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
    fn bound(&self, binding: Binding, steps: usize) -> Option<SchemaReference> {
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
            1 => self.is_list(&target),
            _ => at == 1,
        };
        if is_element {
            self.element(target)
        } else {
            None
        }
    }

    fn select(&self, operand: ExprId, field: &str, steps: usize) -> Option<SchemaReference> {
        if let ExprKind::Ident { name, .. } = self.ast.kind(self.ast.unparenthesized(operand))
            && self.ast.name(*name) == "variables"
        {
            let mut variables = self.variables.iter().rev();
            let known = variables.find(|known| *known.0 == *field && known.1 < self.visible)?;
            return known.2.clone();
        }
        let of = self.follow(operand, steps)?;
        self.property(of, field)
    }

    /// Returns a field by its name, or by its escaped name.
    fn property(&self, of: SchemaReference, name: &str) -> Option<SchemaReference> {
        let schema = self.schema(&of)?;
        let SchemaReference::Place(root, path) = of else {
            return None;
        };
        if schema.additional_properties().is_some() {
            return Some(SchemaReference::Place(root, format!("{path}.@elem")));
        }
        let property = match schema.property(name) {
            Some(_) => escape(name)?.into_owned(),
            None => {
                let property = unescape(name)?;
                schema.property(&property)?;
                name.to_owned()
            }
        };
        Some(SchemaReference::Place(root, format!("{path}.{property}")))
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

    fn index(&self, of: SchemaReference, index: ExprId) -> Option<SchemaReference> {
        let key = self.ast.kind(self.ast.unparenthesized(index));
        if let (ExprKind::Literal(Literal::String(key)), SchemaReference::Place(..)) = (key, &of) {
            return self.property(of, key);
        }
        self.element(of)
    }

    fn call(&self, id: ExprId, steps: usize) -> Option<SchemaReference> {
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
                let element = self.element(list.clone())?;
                Some(if self.is_list(&element) {
                    element
                } else {
                    list
                })
            }
            (Some(target), "first" | "last", []) => {
                let list = self.follow(target, steps)?;
                self.element(list)
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

    fn macro_call(&self, call: &MacroCall<'_>, steps: usize) -> Option<SchemaReference> {
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

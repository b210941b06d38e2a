//! The expected type at the cursor.
//!
//! The context of the value determines it: an operator, a condition, a function, a field of an
//! object literal. Otherwise, it is the type that Kubernetes requires of the expression.

mod ahead;
mod compared_type;

use super::Item;
use super::context::Context;
use super::position::CursorPosition;
use super::{admission_types, json_pointers, receiver};
use crate::kind_fields::{Kinds, schema_of_type};
use cel::Type;
use cel::syntax::{BinaryOperator, ExprId, ExprKind, MacroCall, MacroKind, UnaryOperator};
pub(super) use compared_type::value_of_type;
use text::Span;

/// The expected types at the cursor.
#[derive(Debug, Default)]
pub(super) struct Expected {
    /// Empty if every type fits.
    types: Vec<Type>,
    /// Whether the value itself must have the type. The result of an expression is more often the
    /// type of a longer chain.
    is_certain: bool,
    /// Whether only the presence of the value matters.
    is_presence: bool,
    /// Whether the value may be missing: `.?` after a non-optional value.
    is_optional: bool,
    /// The value that the one at the cursor is compared with, or replaces.
    other: Option<ExprId>,
    /// Whether the value is a default: `orValue()`.
    is_default: bool,
}

impl Expected {
    pub(super) fn new(context: &Context<'_>) -> Self {
        match &context.position {
            CursorPosition::Member { operator, receiver } => Self {
                is_optional: operator.len() > 1
                    && receiver
                        .is_none_or(|id| !receiver::is_optional_chain(context.target.ast(), id)),
                ..of_member(context, *operator)
            },
            CursorPosition::FieldStart {
                is_element: true, ..
            } => Self::default(),
            CursorPosition::FieldStart {
                type_name, field, ..
            } => of_field(context, type_name, field),
            CursorPosition::FieldValue { type_name, field }
                if type_name == "JSONPatch" && field == "path" =>
            {
                Self::certain(of_path(context))
            }
            CursorPosition::Key {
                operand,
                is_quoted: false,
            } => of_key(context, *operand),
            CursorPosition::Start => match missing(context) {
                Some(node) => at_start(context, node),
                None => of_role(context),
            },
            _ => Self::default(),
        }
    }

    /// Returns whether an item fits worse than others.
    pub(super) fn is_misfit(&self, item: &Item) -> bool {
        if self.is_presence || (self.is_optional && item.is_required) {
            return item.is_required;
        }
        // Most strings of an object are below them.
        let is_part = matches!(&*item.label, "spec" | "metadata" | "userInfo");
        let is_weak = is_part || (!self.is_certain && !item.is_variable);
        !self.types.is_empty() && !is_weak && !item.types.iter().any(|ty| self.fits(ty))
    }

    /// Returns the position of an item, adjusted by how well it fits if the types are not decisive.
    /// A condition is more often a boolean field than its frequency suggests, and `has()` guards a
    /// structure more often than a string.
    pub(super) fn place(&self, item: &Item, place: usize) -> usize {
        let is_of = |ty: &Type| item.types.contains(ty);
        let is_likely = !self.is_certain && self.fits(&Type::Bool) && is_of(&Type::Bool);
        match (is_likely, self.is_presence && is_of(&Type::String)) {
            (true, _) => place / 2,
            (_, true) => place.saturating_mul(2),
            _ => place,
        }
    }

    /// Returns whether a type is one of the expected types. False if any type is expected.
    pub(super) fn fits(&self, ty: &Type) -> bool {
        self.types.iter().any(|expected| match (expected, ty) {
            (Type::List(_), Type::List(_)) | (Type::Map(_), Type::Map(_)) => true,
            _ => expected == ty,
        })
    }

    /// Returns whether only the presence of the value matters.
    pub(super) fn is_presence(&self) -> bool {
        self.is_presence
    }

    /// Returns the value that the one at the cursor is compared with, or replaces.
    pub(super) fn other(&self) -> Option<ExprId> {
        self.other
    }

    /// Returns whether the value at the cursor is a default.
    pub(super) fn is_default(&self) -> bool {
        self.is_default
    }

    /// Returns whether a value of another type is rejected.
    pub(super) fn rejects(&self, ty: &Type) -> bool {
        self.is_certain && !self.types.is_empty() && !self.fits(ty)
    }

    /// Returns whether the required type is one that no field of an object has, so that only a
    /// function returns it.
    pub(super) fn requires_function(&self, result: &Type) -> bool {
        let is_plain = matches!(
            result,
            Type::Bool | Type::Int | Type::String | Type::Double | Type::List(_) | Type::Map(_)
        );
        // A function that converts a string is more often passed a string.
        self.is_certain && !is_plain && self.fits(result) && !self.fits(&Type::String)
    }

    /// Returns whether a type is the only one that fits.
    pub(super) fn requires(&self, ty: &Type) -> bool {
        self.is_certain && *self.types == [ty.clone()]
    }

    fn certain(types: Vec<Type>) -> Self {
        Self {
            types,
            is_certain: true,
            ..Self::default()
        }
    }

    fn beside(self, other: ExprId) -> Self {
        Self {
            other: Some(other),
            ..self
        }
    }

    fn likely(types: Vec<Type>) -> Self {
        Self {
            types,
            ..Self::default()
        }
    }
}

/// Returns the expected type of the value that ends with the name after a dot.
fn of_member(context: &Context<'_>, operator: Span) -> Expected {
    // The `?` of `a. ? b : c` is a separate operator only if the field is written.
    if operator.len() == 1 && ahead::is_before_question(context) {
        return Expected::certain(vec![Type::Bool]);
    }
    let listed = ahead::before_list(context);
    if !listed.is_empty() {
        return Expected::certain(listed);
    }
    let ast = context.target.ast();
    let node = ast.ids().find(|id| match ast.kind(*id) {
        ExprKind::Select {
            operator: found, ..
        } => found.start() == operator.start(),
        ExprKind::Call {
            target: Some(target),
            function,
            ..
        } => {
            ast.span(*target).end() <= operator.start()
                && operator.end() <= function.span.start()
                && ast.span(*target).end() + operator.len() >= operator.start()
        }
        _ => false,
    });
    node.map_or_else(Expected::default, |node| from_context(context, node))
}

/// Returns the missing value at the cursor, otherwise the innermost node.
fn missing(context: &Context<'_>) -> Option<ExprId> {
    let ast = context.target.ast();
    let before = context.target.text().get(..context.word.start() as usize)?;
    let end = u32::try_from(before.trim_end().len()).ok()?;
    let is_missing = |id: &ExprId| {
        let span = ast.span(*id);
        let is_here = (end..=context.target.offset).contains(&span.start());
        is_here && matches!(ast.kind(*id), ExprKind::Error(_))
    };
    let missing = ast.ids().find(is_missing);
    missing.or_else(|| ast.path_at(context.target.offset).last().copied())
}

/// Returns the expected type of a missing value. `node` is the innermost node at the cursor.
fn at_start(context: &Context<'_>, node: ExprId) -> Expected {
    let before = context.target.text().get(..context.word.start() as usize);
    let is_open = before.is_some_and(|it| it.trim_end().ends_with(['(', '[', ',']));
    let expected = match context.target.ast().kind(node) {
        ExprKind::List { .. } if is_open => of_element(context, node),
        ExprKind::Call { .. } if is_open => of_argument(context, node, None),
        _ => Expected::default(),
    };
    if expected.types.is_empty() && expected.other.is_none() {
        return from_context(context, node);
    }
    expected
}

/// Returns the expected type of an element of a list that `in` searches.
fn of_element(context: &Context<'_>, list: ExprId) -> Expected {
    let ast = context.target.ast();
    let searched = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Binary {
            operator: BinaryOperator::In,
            left,
            right,
            ..
        } if ast.unparenthesized(*right) == list => Some(*left),
        _ => None,
    });
    let expected = searched.map(|left| {
        let types = certain_types(receiver::types_of(context, left));
        Expected::certain(types).beside(left)
    });
    expected.unwrap_or_default()
}

/// Returns the expected type of a node by the nodes around it.
fn from_context(context: &Context<'_>, mut node: ExprId) -> Expected {
    let ast = context.target.ast();
    loop {
        let is_parent = |it: &ExprId| ast.children(*it).any(|it| it == node);
        let Some(parent) = ast.ids().find(is_parent) else {
            return of_role(context);
        };
        match ast.kind(parent) {
            ExprKind::Paren(_) => {}
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } if *condition != node => {
                if let Some(expected) = of_branch(context, node, [*then, *otherwise]) {
                    return expected;
                }
            }
            ExprKind::Conditional { .. } => return Expected::certain(vec![Type::Bool]),
            ExprKind::Unary { operator, .. } => {
                return Expected::certain(match operator {
                    UnaryOperator::Not => vec![Type::Bool],
                    UnaryOperator::Negate => vec![Type::Int, Type::Double],
                });
            }
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => {
                let other = if *left == node { *right } else { *left };
                return of_operand(context, *operator, other, *left == node);
            }
            ExprKind::Call { .. } => return of_argument(context, parent, Some(node)),
            ExprKind::List { .. } => return of_element(context, parent),
            _ => return of_literal(context, parent, node),
        }
        node = parent;
    }
}

/// Returns the expected type of a value of an object literal.
fn of_literal(context: &Context<'_>, literal: ExprId, value: ExprId) -> Expected {
    let ast = context.target.ast();
    match ast.kind(literal) {
        ExprKind::Struct {
            type_name, fields, ..
        } => {
            let names: Vec<&str> = type_name.iter().map(|it| ast.name(*it)).collect();
            let field = fields.iter().find(|field| field.value == value);
            field.map_or_else(Expected::default, |field| {
                of_field(context, &names.join("."), ast.name(field.name))
            })
        }
        ExprKind::Map { entries } if entries.iter().any(|it| it.value == value) => {
            let is_parent = |it: &ExprId| ast.children(*it).any(|it| it == literal);
            let map = ast
                .ids()
                .find(is_parent)
                .map(|it| of_literal(context, it, literal));
            let values = map.map(|map| map.types).unwrap_or_default();
            let values = values.into_iter().filter_map(|ty| match ty {
                Type::Map(entry) => Some(entry.1.clone()),
                _ => None,
            });
            Expected::certain(certain_types(values.collect()))
        }
        _ => Expected::default(),
    }
}

/// Returns the expected type of a branch of a conditional by the other branch.
fn of_branch(context: &Context<'_>, node: ExprId, branches: [ExprId; 2]) -> Option<Expected> {
    let other = branches.into_iter().find(|it| *it != node)?;
    if matches!(context.target.ast().kind(other), ExprKind::Error(_)) {
        return None;
    }
    let types = certain_types(receiver::types_of(context, other));
    (!types.is_empty()).then(|| Expected::certain(types).beside(other))
}

fn of_operand(
    context: &Context<'_>,
    operator: BinaryOperator,
    other: ExprId,
    is_left: bool,
) -> Expected {
    match operator {
        // The elements of a list are more often compared.
        BinaryOperator::And | BinaryOperator::Or if context.is_in_macro() => {
            Expected::likely(vec![Type::Bool])
        }
        BinaryOperator::And | BinaryOperator::Or => Expected::certain(vec![Type::Bool]),
        BinaryOperator::In if is_left => {
            let lists = receiver::types_of(context, other);
            let elements = lists.iter().filter_map(|ty| match ty {
                Type::List(element) => Some((**element).clone()),
                Type::Map(entry) => Some(entry.0.clone()),
                _ => None,
            });
            Expected::certain(certain_types(elements.collect()))
        }
        BinaryOperator::In => {
            Expected::certain(vec![Type::list(Type::Dyn), Type::map(Type::Dyn, Type::Dyn)])
        }
        BinaryOperator::Equals | BinaryOperator::NotEquals => {
            let types = certain_types(receiver::types_of(context, other));
            Expected::certain(types).beside(other)
        }
        _ => Expected::certain(certain_types(receiver::types_of(context, other))),
    }
}

/// Returns the expected type of an argument of a macro.
fn of_macro(context: &Context<'_>, call: &MacroCall<'_>, argument: Option<ExprId>) -> Expected {
    let is_body = argument.is_some_and(|argument| call.body.contains(&argument));
    match call.kind {
        MacroKind::Has => Expected {
            is_presence: true,
            ..Expected::default()
        },
        MacroKind::All | MacroKind::Exists | MacroKind::ExistsOne | MacroKind::Filter
            if is_body =>
        {
            Expected::likely(vec![Type::Bool])
        }
        MacroKind::OptMap | MacroKind::OptFlatMap if is_body => of_role(context),
        _ => Expected::default(),
    }
}

/// Returns the expected type of an argument of a call, or of the next one.
fn of_argument(context: &Context<'_>, call: ExprId, argument: Option<ExprId>) -> Expected {
    let ast = context.target.ast();
    if let Some(call) = ast.macro_call(call) {
        return of_macro(context, &call, argument);
    }
    let ExprKind::Call {
        target,
        function,
        args,
        ..
    } = ast.kind(call)
    else {
        return Expected::default();
    };
    let place = args.iter().position(|it| Some(*it) == argument);
    let Some(place) = place.or_else(|| argument.is_none().then_some(args.len())) else {
        return Expected::default();
    };
    if let Some(receiver) = *target
        && let name @ ("or" | "orValue") = ast.name(*function)
    {
        return of_default(context, receiver, name == "orValue");
    }
    let name = ast.name(*function);
    let namespace = target.and_then(|target| ast.qualified_name(target));
    let qualified = namespace
        .map(|it| format!("{}.{name}", it.join(ast)))
        .and_then(|name| context.env.function(&name));
    let is_member = target.is_some() && qualified.is_none();
    let place = place + usize::from(is_member);
    let function = qualified.or_else(|| context.env.function(name));
    let overloads = function.into_iter().flat_map(|it| &it.overloads);
    let receivers = target.filter(|_| is_member);
    let receivers = receivers.map(|target| certain_types(receiver::types_of(context, target)));
    let receivers = receivers.unwrap_or_default();
    let fitting = overloads.filter(|it| {
        let has_receiver = || it.params.first().is_some_and(|ty| receivers.contains(ty));
        it.declaration.member == is_member && (receivers.is_empty() || has_receiver())
    });
    let types = fitting.filter_map(|it| it.params.get(place).cloned());
    Expected::certain(certain_types(types.collect()))
}

/// Returns the expected type of a key in the brackets after a value.
fn of_key(context: &Context<'_>, operand: ExprId) -> Expected {
    let indexed = receiver::types_of(context, operand).into_iter();
    let keys = indexed.filter_map(|ty| match ty {
        Type::List(_) => Some(Type::Int),
        Type::Map(entry) => Some(entry.0.clone()),
        _ => None,
    });
    Expected::certain(certain_types(keys.collect()))
}

/// Returns the expected type of the value, optional or not, that replaces an empty optional.
fn of_default(context: &Context<'_>, optional: ExprId, is_default: bool) -> Expected {
    let types = certain_types(content_of(context, optional));
    Expected {
        is_default,
        ..Expected::certain(types).beside(optional)
    }
}

/// Returns the types of the value that an optional value holds.
fn content_of(context: &Context<'_>, optional: ExprId) -> Vec<Type> {
    let schemas = context
        .kinds
        .into_iter()
        .flat_map(|kinds| kinds.schemas(optional));
    let mut types: Vec<Type> = Vec::new();
    for (_, schema) in schemas {
        types.extend(admission_types::at_admission(schema));
    }
    if let (true, Type::Optional(content)) = (types.is_empty(), context.type_of(optional)) {
        types.push((*content).clone());
    }
    types
}

/// Returns the types; empty if one of them can be any type.
fn certain_types(types: Vec<Type>) -> Vec<Type> {
    let is_any = |ty: &Type| matches!(ty, Type::Dyn | Type::Any | Type::Error | Type::Param(_));
    if types.iter().any(is_any) {
        return Vec::new();
    }
    types
}

/// Returns the types of the value that the path of a JSON patch leads to. Empty if any type fits.
fn of_path(context: &Context<'_>) -> Vec<Type> {
    let path = json_pointers::field_at_cursor(context, "path");
    let is_sum = |id| matches!(context.target.ast().kind(id), ExprKind::Binary { .. });
    if path.is_some_and(is_sum) {
        // The rest of the pointer is a key.
        return vec![Type::map(Type::String, Type::Dyn)];
    }
    let value = json_pointers::field_at_cursor(context, "value");
    let types = value.map(|value| receiver::types_of(context, value));
    certain_types(types.unwrap_or_default())
}

/// Returns the type of a field of an object literal.
fn of_field(context: &Context<'_>, type_name: &str, field: &str) -> Expected {
    if (type_name, field) == ("JSONPatch", "value") {
        let fields = json_pointers::schemas_of_path(context).into_iter();
        let types = fields.flat_map(admission_types::at_admission).collect();
        return Expected::certain(certain_types(types));
    }
    let roots = context.kinds.into_iter().flat_map(Kinds::objects);
    let fields = roots.filter_map(|root| schema_of_type(root, type_name)?.property(field));
    let mut types: Vec<Type> = fields.flat_map(admission_types::at_admission).collect();
    if types.is_empty() {
        types.extend(context.env.types().field_type(type_name, field));
    }
    Expected::certain(certain_types(types))
}

/// Returns the type that Kubernetes requires of the expression.
fn of_role(context: &Context<'_>) -> Expected {
    let expected = context.target.expression.role.expected_type();
    Expected::likely(match expected {
        Some("bool") => vec![Type::Bool],
        Some("string" | "string or null") => vec![Type::String],
        _ => Vec::new(),
    })
}

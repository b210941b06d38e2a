//! The type that fits at the cursor.
//!
//! It follows from the context of the value: an operator, a condition, a function, a field of
//! an object literal. Without any of them it is the type that Kubernetes requires of the
//! expression.

use super::Item;
use super::context::{Context, CursorPosition};
use super::receiver;
use crate::kind_fields::{Kinds, schema_of_type};
use cel::Type;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, MacroKind, UnaryOperator};

/// The types that fit at the cursor.
#[derive(Debug, Default)]
pub(super) struct Expected {
    /// Empty if every type fits.
    types: Vec<Type>,
    /// Whether the value itself must have the type. The result of an expression is more often
    /// that of a longer chain.
    is_certain: bool,
    /// Whether only the presence of the value matters.
    is_presence: bool,
}

impl Expected {
    pub(super) fn new(context: &Context<'_>) -> Self {
        let ast = context.target.ast();
        match &context.position {
            // `a. ? b : c` has an operator of its own only when the field is there.
            CursorPosition::Member { operator, .. }
                if operator.len() == 1 && is_before_question(context) =>
            {
                Self::certain(vec![Type::Bool])
            }
            CursorPosition::Member { operator, .. } => {
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
                node.map_or_else(Self::default, |node| from_context(context, node))
            }
            CursorPosition::FieldStart { type_name, field } => of_field(context, type_name, field),
            CursorPosition::Start => match ast.path_at(context.target.offset).last() {
                Some(node) => from_context(context, *node),
                None => of_role(context),
            },
            _ => Self::default(),
        }
    }

    /// Returns whether other items fit better.
    pub(super) fn is_misfit(&self, item: &Item) -> bool {
        if self.is_presence {
            return item.is_required;
        }
        let is_weak = !self.is_certain && !item.is_variable;
        !self.types.is_empty() && !is_weak && !item.types.iter().any(|ty| self.fits(ty))
    }

    /// Returns the place of an item by how well it fits, where the types decide nothing. A condition
    /// is more often a boolean field than its frequency tells, and `has()` guards a structure more
    /// often than a string.
    pub(super) fn place(&self, item: &Item, place: usize) -> usize {
        let is_of = |ty: &Type| item.types.contains(ty);
        let is_likely = !self.is_certain && self.fits(&Type::Bool) && is_of(&Type::Bool);
        match (is_likely, self.is_presence && is_of(&Type::String)) {
            (true, _) => place / 2,
            (_, true) => place.saturating_mul(2),
            _ => place,
        }
    }

    /// Returns whether a type is one of the expected ones, and something is expected.
    pub(super) fn fits(&self, ty: &Type) -> bool {
        self.types.iter().any(|expected| match (expected, ty) {
            (Type::List(_), Type::List(_)) | (Type::Map(_), Type::Map(_)) => true,
            _ => expected == ty,
        })
    }

    fn certain(types: Vec<Type>) -> Self {
        Self {
            types,
            is_certain: true,
            is_presence: false,
        }
    }

    fn likely(types: Vec<Type>) -> Self {
        Self {
            types,
            ..Self::default()
        }
    }
}

/// Returns whether the condition of a conditional ends at the cursor.
fn is_before_question(context: &Context<'_>) -> bool {
    let rest = context.target.text().get(context.word.end() as usize..);
    rest.is_some_and(|rest| rest.trim_start().starts_with('?'))
}

/// Returns the value whose type is compared at the cursor: `x` of `type(x) == `.
pub(super) fn value_of_type(context: &Context<'_>) -> Option<ExprId> {
    let ast = context.target.ast();
    let is_blank = |start: u32, end: u32| {
        let between = context.target.text().get(start as usize..end as usize);
        between.is_some_and(|it| it.trim().is_empty())
    };
    let word = context.word;
    let other = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Binary {
            operator: BinaryOperator::Equals | BinaryOperator::NotEquals,
            operator_span,
            left,
            right,
        } => {
            let is_right = is_blank(operator_span.end(), word.start());
            let is_left = is_blank(word.end(), operator_span.start());
            let other = if is_right { *left } else { *right };
            (is_right || is_left).then_some(other)
        }
        _ => None,
    })?;
    match ast.kind(ast.unparenthesized(other)) {
        ExprKind::Call {
            target: None,
            function,
            args,
            ..
        } if ast.name(*function) == "type" => args.first().copied(),
        _ => None,
    }
}

/// The expected type of a node by the nodes around it.
fn from_context(context: &Context<'_>, node: ExprId) -> Expected {
    let ast = context.target.ast();
    let mut node = node;
    loop {
        let parent = ast.ids().find(|it| ast.children(*it).any(|it| it == node));
        let Some(parent) = parent else {
            return of_role(context);
        };
        match ast.kind(parent) {
            ExprKind::Paren(_) => {}
            ExprKind::Conditional { condition, .. } if *condition != node => {}
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
            ExprKind::Call { .. } => return of_argument(context, parent, node),
            _ => return Expected::default(),
        }
        node = parent;
    }
}

fn of_operand(
    context: &Context<'_>,
    operator: BinaryOperator,
    other: ExprId,
    is_left: bool,
) -> Expected {
    match operator {
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
        _ => Expected::certain(certain_types(receiver::types_of(context, other))),
    }
}

fn of_argument(context: &Context<'_>, call: ExprId, argument: ExprId) -> Expected {
    let ast = context.target.ast();
    if let Some(call) = ast.macro_call(call) {
        let is_body = call.body.contains(&argument);
        return match call.kind {
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
        };
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
    let Some(place) = args.iter().position(|it| *it == argument) else {
        return Expected::default();
    };
    let place = place + usize::from(target.is_some());
    let function = context.env.function(ast.name(*function));
    let overloads = function.into_iter().flat_map(|it| &it.overloads);
    let fitting = overloads.filter(|it| it.declaration.member == target.is_some());
    let types = fitting.filter_map(|it| it.params.get(place).cloned());
    Expected::certain(certain_types(types.collect()))
}

/// Returns the types; empty if one of them can be any type.
fn certain_types(types: Vec<Type>) -> Vec<Type> {
    let is_any = |ty: &Type| matches!(ty, Type::Dyn | Type::Any | Type::Error | Type::Param(_));
    if types.iter().any(is_any) {
        return Vec::new();
    }
    types
}

/// The type of a field of an object literal.
fn of_field(context: &Context<'_>, type_name: &str, field: &str) -> Expected {
    let roots = context.kinds.into_iter().flat_map(Kinds::objects);
    let fields = roots.filter_map(|root| schema_of_type(root, type_name)?.property(field));
    let types = fields.flat_map(receiver::at_admission).collect();
    Expected::certain(certain_types(types))
}

/// The type that Kubernetes requires of the expression.
fn of_role(context: &Context<'_>) -> Expected {
    let expected = context.target.expression.role.expected_type();
    Expected::likely(match expected {
        Some("bool") => vec![Type::Bool],
        Some("string" | "string or null") => vec![Type::String],
        _ => Vec::new(),
    })
}

/// Returns the name after the last dot of a value, such as `labels` of `object.metadata.?labels`.
pub(super) fn last_field(ast: &Ast, id: ExprId) -> Option<&str> {
    let mut at = id;
    loop {
        match ast.kind(ast.unparenthesized(at)) {
            ExprKind::Select { field, .. } => return Some(ast.name(*field)),
            ExprKind::Call {
                target: Some(target),
                ..
            } => at = *target,
            _ => return None,
        }
    }
}

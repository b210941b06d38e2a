//! The variables of the policy, after `variables.`.

use super::admission_types::typed;
use super::context::Context;
use super::{CompletionKind, Item, List};
use crate::signature::code;
use cel::Type;
use cel::syntax::ExprId;
use policy::variables::Variables;
use policy::{Expression, Role};

const RANK: u8 = 0;

pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let Some((_, Type::Struct(name))) = context.receiver() else {
        return;
    };
    if Some(&Type::Struct(name.clone())) != context.env.variable("variables") {
        return;
    }
    let variables = Variables::new(context.target.document);
    let seen = match context.target.expression.role {
        Role::Variable { index } => index,
        _ => variables.definitions.len(),
    };
    for definition in variables.definitions.iter().take(seen) {
        let Some(variable) = definition.name else {
            continue;
        };
        if !kubernetes::names::is_identifier(variable) {
            continue;
        }
        let ty = context.env.types().field_type(&name, variable);
        let written = definition.expression.map(|it| it.text().trim().to_owned());
        let item = Item {
            detail: ty.as_ref().map(ToString::to_string),
            documentation: written.map(|text| code([text])),
            types: types_of(context, definition.expression, ty),
            is_variable: true,
            ..Item::new(variable)
        };
        list.push(CompletionKind::Field, RANK, item);
    }
}

/// Returns the types of a variable that is an optional value. Kubernetes declares it as `dyn`.
pub(super) fn optional_types(context: &Context<'_>, id: ExprId) -> Option<Vec<Type>> {
    let definition = definition(context, id)?;
    let types = types_of(context, Some(definition), None);
    let is_optional = types.iter().all(|ty| matches!(ty, Type::Optional(_)));
    (is_optional && !types.is_empty()).then_some(types)
}

/// Returns the expression of the variable to which a node refers: `variables.x`.
pub(super) fn definition<'a>(context: &Context<'a>, id: ExprId) -> Option<&'a Expression> {
    let ast = context.target.ast();
    let name = ast.qualified_name(ast.unparenthesized(id))?.join(ast);
    let name = name.strip_prefix("variables.")?;
    let variables = Variables::new(context.target.document);
    let definition = variables.definitions.get(variables.index_of(name)?)?;
    definition.expression
}

/// Returns the types of a variable: by the kinds if the compiler has none.
fn types_of(context: &Context<'_>, definition: Option<&Expression>, ty: Option<Type>) -> Vec<Type> {
    match (ty, definition) {
        (Some(ty), _) if !ty.is_dyn() => vec![ty],
        (_, Some(definition)) => {
            let kinds = context.kinds.map(|kinds| kinds.with_expression(definition));
            let root = definition.ast().root();
            kinds
                .and_then(|kinds| typed(kinds, root))
                .unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

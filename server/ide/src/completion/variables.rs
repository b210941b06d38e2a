//! The variables of the policy, after `variables.`.

use super::context::Context;
use super::{CompletionKind, Item, List};
use crate::signature::code;
use cel::Type;
use policy::Role;
use policy::variables::Variables;

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
            detail: ty.map(|ty| ty.to_string()),
            documentation: written.map(|text| code([text])),
            ..Item::new(variable)
        };
        list.push(CompletionKind::Field, RANK, item);
    }
}

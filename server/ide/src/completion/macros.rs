//! Macros, by the type of their range.

use super::context::Context;
use super::position::CursorPosition;
use super::receiver::last_field;
use super::{CompletionKind, Item, List, usage};
use crate::signature::{add_page, add_since, code, macro_page};
use cel::Type;
use cel::syntax::MacroKind;
use kubernetes::EnvironmentVersion;
use policy::availability::macro_since;

const RANK: u8 = 4;
const RANK_OF_GLOBAL: u8 = 3;
/// The rank of names where a condition is expected.
const RANK_OF_CONDITION: u8 = 1;

/// The macros on a value, the most frequent first.
const MEMBERS: [MacroKind; 11] = [
    MacroKind::All,
    MacroKind::Exists,
    MacroKind::ExistsOne,
    MacroKind::Filter,
    MacroKind::Map,
    MacroKind::OptMap,
    MacroKind::OptFlatMap,
    MacroKind::SortBy,
    MacroKind::TransformList,
    MacroKind::TransformMap,
    MacroKind::TransformMapEntry,
];

pub(super) fn add_global(context: &Context<'_>, list: &mut List<'_>) {
    if !context.env.has_macro(MacroKind::Has) {
        return;
    }
    let item = item(MacroKind::Has, "($)".to_owned());
    if !list.expected.fits(&Type::Bool) {
        return list.push(CompletionKind::Macro, RANK_OF_GLOBAL, item);
    }
    // The body of a macro, and a negated value, is more often a test for presence.
    let ast = context.target.ast();
    let is_guard = context.is_negated() || !ast.bindings_at(context.target.offset).is_empty();
    let place = if is_guard {
        0
    } else {
        usage::root(MacroKind::Has.name())
    };
    let item = Item {
        position: Some(place),
        ..item
    };
    list.push(CompletionKind::Macro, RANK_OF_CONDITION, item);
}

pub(super) fn add_members(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Member { operator, .. } = &context.position else {
        return;
    };
    if operator.len() > 1 {
        return;
    }
    let types = super::receiver::types(context);
    for kind in MEMBERS {
        let fits = types.iter().any(|ty| goes_over(kind, ty));
        if fits && context.env.has_macro(kind) {
            let item = item(kind, tail(context, kind, &types));
            list.push_since(CompletionKind::Macro, RANK, item, since(kind));
        }
    }
}

/// Offers a name for the variable of a macro.
pub(super) fn add_variable(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::NewVariable { kind, .. } = context.position else {
        return;
    };
    let types = super::receiver::types(context);
    let item = Item {
        detail: Some("new variable".to_owned()),
        ..Item::new(variable(context, kind, &types))
    };
    list.push(CompletionKind::Variable, RANK, item);
}

/// Returns the first environment version that has one of the forms.
fn since(kind: MacroKind) -> EnvironmentVersion {
    let forms = (0..=2).filter_map(|variables| macro_since(kind, variables));
    forms.min().unwrap_or(EnvironmentVersion::OLDEST)
}

/// Returns the snippet after the name: the variables, and the beginning of the body, where the
/// cursor stays.
fn tail(context: &Context<'_>, kind: MacroKind, types: &[Type]) -> String {
    let variable = variable(context, kind, types);
    let has_fields = types.iter().any(|ty| match ty {
        Type::List(element) | Type::Optional(element) => {
            matches!(**element, Type::Dyn | Type::Struct(_))
        }
        _ => false,
    });
    let dot = if has_fields { "." } else { "" };
    match kind {
        MacroKind::Has => "($)".to_owned(),
        MacroKind::TransformList => format!("(${{{variable}}}, ${{{}}}, $)", element(context)),
        MacroKind::TransformMap | MacroKind::TransformMapEntry => {
            format!("(${{{variable}}}, ${{v}}, $)")
        }
        _ => format!("({variable}, {variable}{dot}$)"),
    }
}

/// Returns a name for the first variable of a macro.
fn variable(context: &Context<'_>, kind: MacroKind, types: &[Type]) -> String {
    match kind {
        MacroKind::TransformList => "i".to_owned(),
        MacroKind::TransformMap | MacroKind::TransformMapEntry => "k".to_owned(),
        _ if types.iter().any(|ty| matches!(ty, Type::Map(_))) => "k".to_owned(),
        _ => element(context),
    }
}

/// Returns a name for an element: the first letter of the name of the list, if it is free.
fn element(context: &Context<'_>) -> String {
    let ast = context.target.ast();
    let list = context.receiver().and_then(|(id, _)| last_field(ast, id));
    let first = list
        .and_then(|name| name.chars().next())
        .filter(char::is_ascii_alphabetic)
        .map(|it| it.to_ascii_lowercase());
    let bound = ast.bindings_at(context.target.offset);
    let is_free = |name: &char| {
        let mut names = bound.iter().map(|binding| ast.name(binding.name));
        !names.any(|bound| bound == name.to_string())
    };
    let name = first.into_iter().chain(['x', 'y', 'z']).find(is_free);
    name.unwrap_or('x').to_string()
}

fn goes_over(kind: MacroKind, ty: &Type) -> bool {
    match (kind, ty) {
        (_, Type::Dyn | Type::Any | Type::Param(_) | Type::Error) => true,
        (MacroKind::Has, _) => false,
        (MacroKind::OptMap | MacroKind::OptFlatMap, ty) => matches!(ty, Type::Optional(_)),
        (MacroKind::SortBy, ty) => matches!(ty, Type::List(_)),
        (_, ty) => matches!(ty, Type::List(_) | Type::Map(_)),
    }
}

fn item(kind: MacroKind, tail: String) -> Item {
    let page = macro_page(kind);
    let mut documentation = code([page.call.to_owned()]);
    add_page(&mut documentation, page.doc, page.example);
    add_since(&mut documentation, since(kind));
    Item {
        detail: Some(page.call.to_owned()),
        documentation: Some(documentation),
        tail: tail.into(),
        ..Item::new(kind.name())
    }
}

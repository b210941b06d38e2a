//! Macros, by the type of what they go over.

use super::context::{Context, CursorPosition};
use super::{CompletionKind, Item, List};
use crate::signature::{add_page, add_since, code, macro_page};
use cel::Type;
use cel::syntax::MacroKind;
use kubernetes::EnvironmentVersion;
use policy::availability::macro_since;

const RANK: u8 = 4;
const RANK_OF_GLOBAL: u8 = 3;

/// The macros on a value, in the order in which people need them.
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
    if context.env.has_macro(MacroKind::Has) {
        let item = item(MacroKind::Has, "($)");
        list.push(CompletionKind::Macro, RANK_OF_GLOBAL, item);
    }
}

pub(super) fn add_members(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Member { operator, .. } = &context.place else {
        return;
    };
    if operator.len() > 1 {
        return;
    }
    let types = super::receiver::types(context);
    for kind in MEMBERS {
        let fits = types.iter().any(|ty| goes_over(kind, ty));
        if fits && context.env.has_macro(kind) {
            let item = item(kind, tail(kind));
            list.push_since(CompletionKind::Macro, RANK, item, since(kind));
        }
    }
}

/// The first environment that has one of the forms.
fn since(kind: MacroKind) -> EnvironmentVersion {
    let forms = (0..=2).filter_map(|variables| macro_since(kind, variables));
    forms.min().unwrap_or(EnvironmentVersion::OLDEST)
}

/// Returns the snippet after the name, with a variable and with the cursor at the body.
const fn tail(kind: MacroKind) -> &'static str {
    match kind {
        MacroKind::Has => "($)",
        MacroKind::All
        | MacroKind::Exists
        | MacroKind::ExistsOne
        | MacroKind::Map
        | MacroKind::Filter
        | MacroKind::OptMap
        | MacroKind::OptFlatMap
        | MacroKind::SortBy => "(x, $)",
        MacroKind::TransformList => "(i, x, $)",
        MacroKind::TransformMap | MacroKind::TransformMapEntry => "(k, x, $)",
    }
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

fn item(kind: MacroKind, tail: &'static str) -> Item {
    let page = macro_page(kind);
    let mut documentation = code([page.call.to_owned()]);
    add_page(&mut documentation, page.doc, page.example);
    add_since(&mut documentation, since(kind));
    Item {
        detail: Some(page.call.to_owned()),
        documentation: Some(documentation),
        tail,
        ..Item::new(kind.name())
    }
}

//! Macros with two variables, and the function that some of them become.
//!
//! Upstream: cel-go, ext/comprehensions.go.

use crate::library::{Function, Library, Overload, Version};
use crate::syntax::MacroKind;

/// The version that brought the library.
const SINCE: Version = Version(32);

/// The macros with two variables.
pub static LIBRARY: Library = Library {
    name: "comprehensions",
    functions: &[MAP_INSERT],
    macros: &[
        (MacroKind::All, SINCE),
        (MacroKind::Exists, SINCE),
        (MacroKind::ExistsOne, SINCE),
        (MacroKind::TransformList, SINCE),
        (MacroKind::TransformMap, SINCE),
        (MacroKind::TransformMapEntry, SINCE),
    ],
};

/// `cel.@mapInsert`
const MAP_INSERT: Function = Function {
    overloads: &[
        Overload::global(
            "@mapInsert_map_key_value",
            "map(<K>, <V>), <K>, <V>",
            "map(<K>, <V>)",
            SINCE,
        ),
        Overload::global(
            "@mapInsert_map_map",
            "map(<K>, <V>), map(<K>, <V>)",
            "map(<K>, <V>)",
            SINCE,
        ),
    ],
    ..Function::named("cel.@mapInsert")
};

//! Macros with two variables, and the function that some of them expand to.
//!
//! Upstream: cel-go, ext/comprehensions.go.

use crate::library::{Context, Function, Library, Macro, Since, overloads};
use crate::syntax::MacroKind;
use crate::value::{EvalError, Key, Map, MapBuilder, Value};

/// The version that brought the library.
const SINCE: Since = Since(32);

/// The macros with two variables.
pub static LIBRARY: Library = Library {
    name: "comprehensions",
    functions: &[MAP_INSERT],
    macros: &[
        Macro::new(MacroKind::All, 2, SINCE),
        Macro::new(MacroKind::Exists, 2, SINCE),
        Macro::new(MacroKind::ExistsOne, 2, SINCE),
        Macro::new(MacroKind::TransformList, 2, SINCE),
        Macro::new(MacroKind::TransformMap, 2, SINCE),
        Macro::new(MacroKind::TransformMapEntry, 2, SINCE),
    ],
};

/// `cel.@mapInsert`
const MAP_INSERT: Function = Function {
    overloads: overloads![
        global "@mapInsert_map_key_value" since 32: "map(<K>, <V>), <K>, <V>" -> "map(<K>, <V>)";
        global "@mapInsert_map_map" since 32: "map(<K>, <V>), map(<K>, <V>)" -> "map(<K>, <V>)";
    ],
    implementation: Some(map_insert),
    ..Function::named("cel.@mapInsert")
};

fn map_insert(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (target, entries) = match args {
        [Value::Map(target), Value::Map(entries)] => (target, entries.clone()),
        [Value::Map(target), key, value] => {
            let key = Key::new(key).ok_or_else(|| unsupported_key(key))?;
            (target, Map::from_iter([(key, value.clone())]))
        }
        _ => return Err(EvalError::no_such_overload_of("cel.@mapInsert", args)),
    };
    let mut builder = MapBuilder::from_map(target.clone());
    for (key, value) in entries.iter() {
        if builder.contains(key) {
            let key = key.value();
            return Err(EvalError::message(format!(
                "insert failed: key {key} already exists"
            )));
        }
        builder.insert(key.clone(), value.clone());
    }
    Ok(Value::Map(builder.build()))
}

fn unsupported_key(key: &Value) -> EvalError {
    let ty = key.ty();
    EvalError::message(format!("unsupported key type: {}", ty.runtime_name()))
}

//! Documentation of macros, which no library declares.

use cel::syntax::MacroKind;

/// The documentation of a macro.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MacroPage {
    /// How it is called.
    pub(crate) call: &'static str,
    /// Its effect.
    pub(crate) doc: &'static str,
    /// An expression that is true.
    pub(crate) example: &'static str,
}

/// Returns the documentation of a macro.
#[expect(clippy::too_many_lines, reason = "a table of texts")]
pub(crate) const fn macro_page(kind: MacroKind) -> MacroPage {
    let (call, doc, example) = match kind {
        MacroKind::Has => (
            "has(object.field) -> bool",
            "Returns whether the field is present. For a map key, use `'key' in map`.",
            "has({'a': 1}.a) && !has({'a': 1}.b)",
        ),
        MacroKind::All => (
            "list.all(x, condition) -> bool",
            "Returns whether the condition is true for all elements of a list or all keys of a \
             map. With two variables, the first is the index or key and the second the value.",
            "[1, 2].all(x, x > 0)",
        ),
        MacroKind::Exists => (
            "list.exists(x, condition) -> bool",
            "Returns whether the condition is true for at least one element of a list or key of a \
             map. With two variables, the first is the index or key and the second the value.",
            "[1, 2].exists(x, x > 1)",
        ),
        MacroKind::ExistsOne => (
            "list.exists_one(x, condition) -> bool",
            "Returns whether the condition is true for exactly one element of a list or key of a \
             map. Unlike `exists`, it fails if the condition fails for any element or key.",
            "[1, 2].exists_one(x, x > 1)",
        ),
        MacroKind::Map => (
            "list.map(x, value) -> list",
            "Returns a list with the value of the expression for every element of a list or key of \
             a map. With a condition before the value, only for those that match it.",
            "[1, 2].map(x, x * 10) == [10, 20]",
        ),
        MacroKind::Filter => (
            "list.filter(x, condition) -> list",
            "Returns a list of the elements of a list, or the keys of a map, that match the \
             condition.",
            "[1, 2, 3].filter(x, x > 1) == [2, 3]",
        ),
        MacroKind::OptMap => (
            "optional.optMap(x, value) -> optional",
            "Returns an optional with the value of the expression if the optional has a value, and \
             an empty optional otherwise.",
            "optional.of(2).optMap(x, x * 10).orValue(0) == 20",
        ),
        MacroKind::OptFlatMap => (
            "optional.optFlatMap(x, optional) -> optional",
            "Returns the optional that the expression returns if the optional has a value, and an \
             empty optional otherwise.",
            "optional.of({'a': 1}).optFlatMap(x, x[?'b']).orValue(0) == 0",
        ),
        MacroKind::SortBy => (
            "list.sortBy(x, key) -> list",
            "Returns the elements of a list sorted by their keys, which are numbers, strings, \
             bytes, booleans, timestamps or durations.",
            "['ccc', 'a', 'bb'].sortBy(x, size(x)) == ['a', 'bb', 'ccc']",
        ),
        MacroKind::TransformList => (
            "list.transformList(index, x, value) -> list",
            "Returns a list with the value of the expression for every element of a list, with its \
             index, or every entry of a map. With a condition before the value, only for those \
             that match it.",
            "[10, 20].transformList(i, x, i + x) == [10, 21]",
        ),
        MacroKind::TransformMap => (
            "map.transformMap(key, x, value) -> map",
            "Returns a map with the same keys and with the values of the expression. With a \
             condition before the value, only the entries that match it.",
            "{'a': 1}.transformMap(k, x, x + 1) == {'a': 2}",
        ),
        MacroKind::TransformMapEntry => (
            "map.transformMapEntry(key, x, entry) -> map",
            "Returns a map of the entries that the expression returns, each as a map with one key. \
             With a condition before the entry, only for the entries that match it.",
            "{'a': 'b'}.transformMapEntry(k, x, {x: k}) == {'b': 'a'}",
        ),
    };
    MacroPage { call, doc, example }
}

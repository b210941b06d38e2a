//! What macros are for. They are no functions, so no library declares them in words.

use cel::syntax::MacroKind;

/// What is shown of a macro.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MacroPage {
    /// How it is called.
    pub(crate) call: &'static str,
    /// What it does.
    pub(crate) doc: &'static str,
    /// An expression that is true.
    pub(crate) example: &'static str,
}

/// What is shown of a macro.
#[expect(clippy::too_many_lines, reason = "a table of texts")]
pub(crate) const fn macro_page(kind: MacroKind) -> MacroPage {
    let (call, doc, example) = match kind {
        MacroKind::Has => (
            "has(object.field) -> bool",
            "Whether the field is there. For the key of a map use `'key' in map`.",
            "has({'a': 1}.a) && !has({'a': 1}.b)",
        ),
        MacroKind::All => (
            "list.all(x, condition) -> bool",
            "Whether the condition holds for all elements of a list or all keys of a map. \
             With two variables the first is the index or the key, the second the value.",
            "[1, 2].all(x, x > 0)",
        ),
        MacroKind::Exists => (
            "list.exists(x, condition) -> bool",
            "Whether the condition holds for an element of a list or a key of a map. With two \
             variables the first is the index or the key, the second the value.",
            "[1, 2].exists(x, x > 1)",
        ),
        MacroKind::ExistsOne => (
            "list.exists_one(x, condition) -> bool",
            "Whether the condition holds for exactly one element of a list or key of a map. \
             Unlike `exists`, it fails when the condition fails for any of them.",
            "[1, 2].exists_one(x, x > 1)",
        ),
        MacroKind::Map => (
            "list.map(x, value) -> list",
            "A list of the values of the expression for every element of a list or key of a \
             map. With a condition before the value, only for those that meet it.",
            "[1, 2].map(x, x * 10) == [10, 20]",
        ),
        MacroKind::Filter => (
            "list.filter(x, condition) -> list",
            "A list of the elements of a list, or the keys of a map, that meet the condition.",
            "[1, 2, 3].filter(x, x > 1) == [2, 3]",
        ),
        MacroKind::OptMap => (
            "optional.optMap(x, value) -> optional",
            "An optional of the value of the expression, if the optional holds something. \
             Otherwise it stays empty.",
            "optional.of(2).optMap(x, x * 10).orValue(0) == 20",
        ),
        MacroKind::OptFlatMap => (
            "optional.optFlatMap(x, optional) -> optional",
            "The optional that the expression gives, if the optional holds something. \
             Otherwise it stays empty.",
            "optional.of({'a': 1}).optFlatMap(x, x[?'b']).orValue(0) == 0",
        ),
        MacroKind::SortBy => (
            "list.sortBy(x, key) -> list",
            "The elements of a list in the order of their keys, which are numbers, strings, \
             times or booleans.",
            "['ccc', 'a', 'bb'].sortBy(x, size(x)) == ['a', 'bb', 'ccc']",
        ),
        MacroKind::TransformList => (
            "list.transformList(index, x, value) -> list",
            "A list of the values of the expression for every element of a list, with its \
             index, or every entry of a map. With a condition before the value, only for \
             those that meet it.",
            "[10, 20].transformList(i, x, i + x) == [10, 21]",
        ),
        MacroKind::TransformMap => (
            "map.transformMap(key, x, value) -> map",
            "A map with the same keys and with the values of the expression. With a condition \
             before the value, only the entries that meet it.",
            "{'a': 1}.transformMap(k, x, x + 1) == {'a': 2}",
        ),
        MacroKind::TransformMapEntry => (
            "map.transformMapEntry(key, x, entry) -> map",
            "A map of the entries that the expression gives, each as a map with one key. With \
             a condition before the entry, only for the entries that meet it.",
            "{'a': 'b'}.transformMapEntry(k, x, {x: k}) == {'b': 'a'}",
        ),
    };
    MacroPage { call, doc, example }
}

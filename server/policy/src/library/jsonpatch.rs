//! What patches need.
//!
//! Only mutations have it.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// What patches need.
pub static JSONPATCH: Library = Library {
    name: "jsonpatch",
    macros: &[],
    functions: &[Function {
        doc: "A key as a JSON Pointer writes it: `~0` for `~` and `~1` for `/`.",
        example: "jsonpatch.escapeKey('example.com/a~b') == 'example.com~1a~0b'",
        overloads: &[Overload::global(
            "string_jsonpatch_escapeKey_string",
            "string",
            "string",
            Version(24),
        )],
        estimate: Some(calls::converts_argument),
        ..Function::named("jsonpatch.escapeKey")
    }],
};

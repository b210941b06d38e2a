//! Tables of keys: what a file format may contain, as data.
//!
//! A reader, completions, hovers and JSON Schemas of one format share its table, so that they
//! cannot differ.

/// A key of a mapping, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The name.
    pub name: &'static str,
    /// The type of the value.
    pub value: ValueType,
    /// The meaning, in Markdown.
    pub description: &'static str,
    /// The default as written, if the key has a constant one.
    pub default: Option<&'static str>,
    /// Whether the key must be present.
    pub is_required: bool,
    /// Whether `null` means the same as a missing key.
    pub allows_null: bool,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Any value.
    Any,
    /// A string.
    String,
    /// A string with at least one character.
    NonEmptyString,
    /// `true` or `false`.
    Bool,
    /// An integer.
    Integer {
        /// The smallest value.
        min: u16,
        /// The largest value.
        max: u16,
    },
    /// One of these strings.
    Words(&'static [&'static str]),
    /// A list of values of one type.
    List(&'static ValueType),
    /// A list that has at least one value.
    NonEmptyList(&'static ValueType),
    /// A mapping with any keys, and values of one type.
    Map(&'static ValueType),
    /// A mapping with these keys.
    Keys(&'static [Key]),
    /// A mapping with at least one of these keys.
    SomeKeys(&'static [Key]),
    /// A mapping with these keys, and any others.
    Open(&'static [Key]),
    /// A value of one of several types.
    OneOf(&'static [ValueType]),
}

impl Key {
    /// Returns an optional key without a default, for which `null` means that it is missing.
    #[must_use]
    pub const fn new(name: &'static str, value: ValueType, description: &'static str) -> Self {
        Self {
            name,
            value,
            description,
            default: None,
            is_required: false,
            allows_null: true,
        }
    }

    /// Returns the key with a default.
    #[must_use]
    pub const fn with_default(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// Returns the key as required: it must be present, with a value.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.is_required = true;
        self.not_null()
    }

    /// Returns the key as one whose value must not be `null`.
    #[must_use]
    pub const fn not_null(mut self) -> Self {
        self.allows_null = false;
        self
    }
}

impl ValueType {
    /// Returns the keys of a mapping of this type; for a list, the keys of its items.
    #[must_use]
    pub fn keys(&self) -> &'static [Key] {
        match self {
            Self::Keys(keys) | Self::SomeKeys(keys) | Self::Open(keys) => keys,
            Self::List(item) | Self::NonEmptyList(item) => item.keys(),
            Self::OneOf(types) => {
                let mut keys = types.iter().map(Self::keys);
                keys.find(|keys| !keys.is_empty()).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// Returns the values of a type that has a fixed set of strings.
    #[must_use]
    pub fn words(&self) -> &'static [&'static str] {
        match self {
            Self::Words(words) => words,
            Self::OneOf(types) => {
                let mut words = types.iter().map(Self::words);
                words.find(|words| !words.is_empty()).unwrap_or_default()
            }
            _ => &[],
        }
    }
}

/// Returns the keys of a table below a path of keys.
#[must_use]
pub fn keys_below(table: &'static [Key], path: &[&str]) -> &'static [Key] {
    match path {
        [] => table,
        [first, rest @ ..] => match key_of(table, first) {
            Some(key) => keys_below(key.value.keys(), rest),
            None => &[],
        },
    }
}

/// Returns the key of a table with a name.
#[must_use]
pub fn key_of(table: &'static [Key], name: &str) -> Option<&'static Key> {
    table.iter().find(|key| key.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLORS: ValueType = ValueType::Words(&["red", "green"]);
    const SHAPE: &[Key] = &[
        Key::new("color", COLORS, "The color.").with_default("red"),
        Key::new("size", ValueType::Integer { min: 1, max: 9 }, "The size.").required(),
    ];
    const TABLE: &[Key] = &[
        Key::new("shapes", ValueType::List(&ValueType::Keys(SHAPE)), "Some."),
        Key::new(
            "only",
            ValueType::OneOf(&[COLORS, ValueType::SomeKeys(SHAPE)]),
            "A color, or a shape.",
        ),
    ];

    fn names(path: &[&str]) -> Vec<&'static str> {
        keys_below(TABLE, path).iter().map(|key| key.name).collect()
    }

    #[test]
    fn keys_are_found_below_mappings_lists_and_choices() {
        assert_eq!(names(&[]), ["shapes", "only"]);
        assert_eq!(names(&["shapes"]), ["color", "size"]);
        assert_eq!(names(&["only"]), ["color", "size"]);
        assert!(names(&["shapes", "color"]).is_empty());
        assert!(names(&["other", "size"]).is_empty());
    }

    #[test]
    fn words_are_found_in_choices() {
        let only = key_of(TABLE, "only").map(|key| key.value.words());
        assert_eq!(only, Some(&["red", "green"][..]));
        assert_eq!(ValueType::Bool.words(), [""; 0]);
    }

    #[test]
    fn a_required_key_is_not_null() {
        let size = key_of(SHAPE, "size").copied();
        assert!(size.is_some_and(|size| size.is_required && !size.allows_null));
    }
}

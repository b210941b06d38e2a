//! YAML that is written, and values that a schema allows.

use super::needs::Need;
use policy::openapi::{Schema, SchemaType};

/// Limit: values within values.
const MAX_DEPTH: usize = 16;

/// A text that stands for any.
const TEXT: &str = "example";

/// Examples of formats.
const FORMATS: [(&str, &str); 11] = [
    ("date-time", "2024-01-01T00:00:00Z"),
    ("date", "2024-01-01"),
    ("duration", "1h"),
    ("byte", "ZXhhbXBsZQ=="),
    ("uuid", "6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36"),
    ("uri", "https://example.com"),
    ("email", "jane@example.com"),
    ("hostname", "example.com"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("cidr", "192.0.2.0/24"),
];

/// A value that is written as YAML.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A string.
    Text(String),
    /// Anything else, as it is written.
    Plain(String),
    /// Keys with values.
    Map(Vec<(String, Shape)>),
    /// A list.
    List(Vec<Shape>),
}

impl Shape {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// Sets a field to a value, at the place where it is or at the end.
    pub(super) fn set(&mut self, key: &str, value: Shape) {
        let Self::Map(entries) = self else { return };
        match entries.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => *known = value,
            None => entries.push((key.to_owned(), value)),
        }
    }

    /// A field that is a mapping, which is made where there is none.
    pub(super) fn field(&mut self, key: &str) -> Option<&mut Shape> {
        let Self::Map(entries) = self else {
            return None;
        };
        let at = entries.iter().position(|(known, _)| known == key);
        let at = at.unwrap_or_else(|| {
            entries.push((key.to_owned(), Self::Map(Vec::new())));
            entries.len() - 1
        });
        entries.get_mut(at).map(|(_, value)| value)
    }

    /// A value that the schema allows, with what is needed of it.
    pub(super) fn of(schema: Option<Schema<'_>>, need: &Need) -> Self {
        within(schema, need, MAX_DEPTH)
    }

    /// Writes the value behind a key or a dash, `indent` blanks deep.
    pub(super) fn write(&self, indent: usize, out: &mut String) {
        match self {
            Self::Text(text) => {
                out.push(' ');
                out.push_str(&quoted(text));
                out.push('\n');
            }
            Self::Plain(text) => {
                out.push(' ');
                out.push_str(text);
                out.push('\n');
            }
            Self::Map(entries) if entries.is_empty() => out.push_str(" {}\n"),
            Self::List(items) if items.is_empty() => out.push_str(" []\n"),
            Self::Map(entries) => {
                out.push('\n');
                write_entries(entries, indent, true, out);
            }
            Self::List(items) => {
                out.push('\n');
                for item in items {
                    out.push_str(&" ".repeat(indent));
                    out.push('-');
                    match item {
                        Self::Map(entries) if !entries.is_empty() => {
                            out.push(' ');
                            write_entries(entries, indent + 2, false, out);
                        }
                        item => item.write(indent + 2, out),
                    }
                }
            }
        }
    }
}

fn write_entries(entries: &[(String, Shape)], indent: usize, first: bool, out: &mut String) {
    for (number, (key, value)) in entries.iter().enumerate() {
        if first || number > 0 {
            out.push_str(&" ".repeat(indent));
        }
        out.push_str(&quoted(key));
        out.push(':');
        let deeper = match value {
            // The items of a list stand as deep as its key.
            Shape::List(_) => indent,
            _ => indent + 2,
        };
        value.write(deeper, out);
    }
}

/// A string as YAML: in quotes where it would be something else without them.
fn quoted(text: &str) -> String {
    let mut chars = text.chars();
    let is_plain = chars
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && chars.all(|it| it.is_ascii_alphanumeric() || "-_./".contains(it));
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().and_then(yaml::Document::root);
    if is_plain && root.and_then(yaml::Node::as_str) == Some(text) {
        return text.to_owned();
    }
    if text.chars().any(char::is_control) {
        return format!("{text:?}");
    }
    format!("'{}'", text.replace('\'', "''"))
}

fn within(schema: Option<Schema<'_>>, need: &Need, depth: usize) -> Shape {
    let Some(depth) = depth.checked_sub(1) else {
        return Shape::Map(Vec::new());
    };
    let Some(schema) = schema else {
        return untyped(need, depth);
    };
    let nothing = Need::default();
    match schema.ty() {
        SchemaType::Any => untyped(need, depth),
        SchemaType::Object => object(schema, need, depth),
        SchemaType::Array => {
            let element = need.element.as_deref().unwrap_or(&nothing);
            Shape::List(vec![within(schema.items(), element, depth)])
        }
        SchemaType::String => Shape::Text(string(schema)),
        SchemaType::Integer | SchemaType::Number => {
            let default = default_text(schema).filter(|it| it.parse::<f64>().is_ok());
            Shape::Plain(default.unwrap_or_else(|| "1".to_owned()))
        }
        SchemaType::Boolean => {
            let default = default_text(schema).filter(|it| it.parse::<bool>().is_ok());
            Shape::Plain(default.unwrap_or_else(|| "false".to_owned()))
        }
        SchemaType::IntOrString => Shape::Plain("1".to_owned()),
        SchemaType::Quantity => Shape::text("1"),
    }
}

/// The default value as JSON.
fn default_text(schema: Schema<'_>) -> Option<String> {
    schema.default_value().map(|value| value.to_string())
}

/// What is needed of a value of which nothing is known.
fn untyped(need: &Need, depth: usize) -> Shape {
    if !need.fields.is_empty() {
        let fields = need.fields.iter();
        let fields = fields.map(|(name, need)| (name.to_string(), within(None, need, depth)));
        return Shape::Map(fields.collect());
    }
    match &need.element {
        Some(element) => Shape::List(vec![within(None, element, depth)]),
        None => Shape::text(TEXT),
    }
}

fn object(schema: Schema<'_>, need: &Need, depth: usize) -> Shape {
    let nothing = Need::default();
    let mut entries = Vec::new();
    for (name, field) in schema.properties() {
        let needed = need.fields.get(name);
        if needed.is_some() || schema.is_required(name) {
            let value = within(Some(field), needed.unwrap_or(&nothing), depth);
            entries.push((name.to_owned(), value));
        }
    }
    let is_open = schema.additional_properties().is_some() || schema.preserves_unknown_fields();
    if is_open || schema.properties().len() == 0 {
        let values = schema.additional_properties();
        for (name, needed) in &need.fields {
            if schema.property(name).is_none() {
                entries.push((name.to_string(), within(values, needed, depth)));
            }
        }
        if let (true, Some(element), Some(_)) = (entries.is_empty(), &need.element, values) {
            entries.push((TEXT.to_owned(), within(values, element, depth)));
        }
    }
    // A name says which element it is.
    entries.sort_by_key(|(name, _)| name != "name");
    Shape::Map(entries)
}

fn string(schema: Schema<'_>) -> String {
    let default = schema.default_value();
    let default = default.and_then(|it| it.as_str().map(str::to_owned));
    let listed = schema.enum_values().next();
    let listed = listed.and_then(|it| it.as_str().map(str::to_owned));
    let format = schema.format().and_then(|format| {
        let mut formats = FORMATS.iter();
        formats.find(|(name, _)| *name == format)
    });
    let format = format.map(|(_, example)| (*example).to_owned());
    let found = default.filter(|it| !it.is_empty()).or(listed).or(format);
    found.unwrap_or_else(|| TEXT.to_owned())
}

//! Paths into the objects of a schema, as rules and selectable fields write them:
//! `.spec.name`, `['a.b']`.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go,
//! ValidFieldPath.

use super::structural::unsupported;
use crate::json_schema::JsonSchema;

/// The target of a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target<'a> {
    /// The path in the form of the server.
    pub(super) path: String,
    /// Its first part.
    pub(super) root: String,
    /// The schema there. `None` if the server has no type for it.
    pub(super) schema: Option<JsonSchema<'a>>,
}

const NO_FIELD: &str = "does not refer to a valid field";
const END: &str = "unexpected end of JSON path";

/// Returns whether a rule of `schema` may have `path` as `fieldPath`. The server does not check
/// it if the schema is invalid.
pub(super) fn is_valid(path: &str, schema: JsonSchema<'_>) -> bool {
    unsupported(schema).is_some() || find(path, schema, true).is_ok()
}

/// Returns the valid path that differs from an invalid one in its first dot or in the name of one
/// field.
pub(super) fn nearest(path: &str, schema: JsonSchema<'_>) -> Option<String> {
    let is_found = |path: &str| find(path, schema, true).is_ok();
    let dotted = format!(".{path}");
    if is_found(&dotted) {
        return Some(dotted);
    }
    let mut end = 0;
    for name in Tokens(path) {
        let before = path.get(..end)?.strip_suffix('.');
        end += name.len();
        if let Some(before) = before
            && !is_found(path.get(..end)?)
        {
            let names = find(before, schema, true).ok()?.schema?.property_names();
            let name = text::nearest(name, names.iter().map(String::as_str))?;
            let changed = format!("{before}.{name}{}", path.get(end..)?);
            return is_found(&changed).then_some(changed);
        }
    }
    None
}

/// Follows a path. `brackets` is whether keys in brackets are allowed.
///
/// # Errors
/// The message of the server.
pub(super) fn find<'a>(
    path: &str,
    schema: JsonSchema<'a>,
    brackets: bool,
) -> Result<Target<'a>, String> {
    let mut target = Target {
        path: String::new(),
        root: String::new(),
        schema: Some(schema),
    };
    let mut tokens = Tokens(path);
    while let Some(token) = tokens.next() {
        match token {
            "[" if !brackets => return Err("array notation is not allowed".to_owned()),
            "[" => {
                let name = tokens.next().ok_or(END)?;
                target.step(&unquote(name)?)?;
                match tokens.next().ok_or(END)? {
                    "]" => {}
                    other => return Err(format!("expected ] but got {other}")),
                }
            }
            "." => target.step(tokens.next().ok_or(END)?)?,
            other => return Err(format!("expected [ or . but got: {other}")),
        }
    }
    Ok(target)
}

impl Target<'_> {
    fn step(&mut self, name: &str) -> Result<(), String> {
        let schema = self.schema.ok_or(NO_FIELD)?;
        let part = if schema.has_any("properties") {
            self.schema = Some(schema.property(name).ok_or(NO_FIELD)?);
            let dot = if self.path.is_empty() { "" } else { "." };
            format!("{dot}{name}")
        } else if schema.has("additionalProperties") {
            self.schema = schema.schema("additionalProperties");
            format!("[{name}]")
        } else {
            return Err(NO_FIELD.to_owned());
        };
        if self.path.is_empty() {
            self.root.clone_from(&part);
        }
        self.path.push_str(&part);
        Ok(())
    }
}

/// Returns the content of a string in single quotes.
fn unquote(token: &str) -> Result<String, String> {
    let inside = token
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
        .ok_or_else(|| format!("expected single quoted string but got {token}"))?;
    let mut out = String::new();
    let mut characters = inside.chars();
    let mut wrong = None;
    while let Some(char) = characters.next() {
        // A backslash before a line break, or at the end, is not an escape.
        let escaped = match char {
            '\\' => characters.clone().next().filter(|next| *next != '\n'),
            _ => None,
        };
        let Some(escaped) = escaped else {
            out.push(char);
            continue;
        };
        characters.next();
        match escaped {
            'a' => out.push('\x07'),
            'b' => out.push('\x08'),
            'f' => out.push('\x0c'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'v' => out.push('\x0b'),
            '\'' | '\\' => out.push(escaped),
            _ => {
                wrong = Some(format!(
                    "invalid string literal: invalid escape char \\{escaped}"
                ));
            }
        }
    }
    wrong.map_or(Ok(out), Err)
}

/// The tokens of a path: `.`, `[`, `]`, strings in single quotes, and the strings between them.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let end = match self.0.chars().next()? {
            '.' | '[' | ']' => 1,
            '\'' => end_of_quoted(self.0),
            _ => self.0.find(['.', '[', ']']).unwrap_or(self.0.len()),
        };
        let (token, rest) = self.0.split_at_checked(end)?;
        self.0 = rest;
        Some(token)
    }
}

/// Returns the end of a quoted string, or the end of the path if the string is not closed.
fn end_of_quoted(path: &str) -> usize {
    let pairs = path.as_bytes().windows(2).position(|pair| match pair {
        [before, last] => *last == b'\'' && *before != b'\\',
        _ => false,
    });
    pairs.map_or(path.len(), |start| start + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    const SCHEMA: &str = "{type: object, properties: {a: {type: string}, b: \
        {additionalProperties: {type: integer}}, c.d: {type: object, properties: {e: {}}}}}";
    const PATHS: &str =
        r".a .b.x .b['x/y'] ['c.d'].e .nope .a.b a . [ [a] ['a' ['a'x ['\q'] ['it\'s'] .b.x.y";

    #[test]
    fn paths_lead_to_fields_and_keys() {
        let stream = yaml::parse(SCHEMA.into());
        let root = stream.documents().find_map(yaml::Document::root);
        let schema = root.and_then(JsonSchema::new).unwrap();
        let show = |path: &str, brackets: bool| match find(path, schema, brackets) {
            Ok(found) => format!("{} from {}", found.path, found.root),
            Err(error) => error,
        };
        let paths = PATHS.split(' ');
        let shown: Vec<String> = paths
            .map(|path| format!("{path}: {}", show(path, true)))
            .collect();
        expect![[r#"
            .a: a from a
            .b.x: b[x] from b
            .b['x/y']: b[x/y] from b
            ['c.d'].e: c.d.e from c.d
            .nope: does not refer to a valid field
            .a.b: does not refer to a valid field
            a: expected [ or . but got: a
            .: unexpected end of JSON path
            [: unexpected end of JSON path
            [a]: expected single quoted string but got a
            ['a': unexpected end of JSON path
            ['a'x: expected ] but got x
            ['\q']: invalid string literal: invalid escape char \q
            ['it\'s']: does not refer to a valid field
            .b.x.y: does not refer to a valid field"#]]
        .assert_eq(&shown.join("\n"));
        assert_eq!(show("['a']", false), "array notation is not allowed");
        let near = |path: &str| nearest(path, schema);
        assert_eq!(near("a").as_deref(), Some(".a"));
        assert_eq!(near(".B.x").as_deref(), Some(".b.x"));
        assert_eq!(near("['c.d'].E").as_deref(), Some("['c.d'].e"));
        assert_eq!(near(".B.x.y"), None);
        assert_eq!(near(".bb.x"), None);
        assert_eq!(near(".nope"), None);
    }

    const NESTED: &str = "{type: object, properties: {foo: {type: object, additionalProperties: \
        {type: object, properties: {f1: {type: number}}}}, a: {type: object, properties: {bbb: \
        {type: object, properties: {c: {type: number}, '34': {type: number}}}, bbb.c: {type: \
        object, properties: {a-b34: {type: number}}}}}, list: {type: array, items: {type: object, \
        properties: {a: {type: number}, a-b.34: {type: number}}}}}}";

    #[test]
    fn paths_have_the_form_of_the_server() {
        let stream = yaml::parse(NESTED.into());
        let root = stream.documents().find_map(yaml::Document::root);
        let schema = root.and_then(JsonSchema::new).unwrap();
        let right = ".a .a.bbb .foo.f1 .a['bbb'] .a['bbb.c'] .a['bbb.c'].a-b34 .a['bbb.c']['a-b34'] \
                     .a.bbb.c .a.bbb['34'] .a.bbb.34 .list";
        for path in right.split_whitespace() {
            assert!(find(path, schema, true).is_ok(), "{path}");
        }
        let unknown = ".a.foo .list.a .list['a-b.34'] .list.a-b.34 .c .a..b";
        for path in unknown.split_whitespace() {
            assert_eq!(find(path, schema, true), Err(NO_FIELD.to_owned()), "{path}");
        }
        for (path, found) in [
            (".a.bbb[0]", "0"),
            (".list[1]", "1"),
            (".list[-1]", "-1"),
            (".list[1.0]", "1"),
        ] {
            let error = format!("expected single quoted string but got {found}");
            assert_eq!(find(path, schema, true), Err(error), "{path}");
        }
    }
}

//! Reading a single object from a file.

use cel::Value;
use kubernetes::object;
use policy::ParsedFile;
use std::fmt;
use std::sync::Arc;
use text::TextRange;

/// The reason why a file does not hold an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectError {
    /// The position in the file.
    pub range: TextRange,
    /// The kind of the error.
    pub kind: ObjectErrorKind,
}

/// An error in a file that should hold an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectErrorKind {
    /// A YAML syntax error.
    Syntax(String),
    /// It is empty.
    Empty,
    /// There are several.
    Several,
    /// It is not a mapping.
    NoMapping,
    /// Its aliases expand to too many nodes.
    TooLarge,
}

impl fmt::Display for ObjectErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjectErrorKind::Syntax(message) => out.write_str(message),
            ObjectErrorKind::Empty => out.write_str("the file contains no object"),
            ObjectErrorKind::Several => {
                out.write_str("the file contains more than one object; write one object per file")
            }
            ObjectErrorKind::NoMapping => {
                out.write_str("this is not an object; write `apiVersion`, `kind` and `metadata`")
            }
            ObjectErrorKind::TooLarge => out.write_str("the aliases expand to too many values"),
        }
    }
}

/// Returns the first syntax error in the YAML of a file's policies.
#[must_use]
pub fn syntax_error(file: &ParsedFile) -> Option<ObjectError> {
    let error = file.stream().errors().first()?;
    Some(ObjectError {
        range: error.range,
        kind: ObjectErrorKind::Syntax(error.message()),
    })
}

/// Returns the object in a source.
///
/// # Errors
/// There is not exactly one, or the YAML is wrong.
pub fn read_object(text: &str) -> Result<Value, ObjectError> {
    let stream = yaml::parse(Arc::from(text));
    let at = |range, kind| Err(ObjectError { range, kind });
    if let Some(error) = stream.errors().first() {
        return at(error.range, ObjectErrorKind::Syntax(error.message()));
    }
    let mut roots = stream.documents().filter_map(yaml::Document::root);
    let Some(root) = roots.next() else {
        return at(TextRange::default(), ObjectErrorKind::Empty);
    };
    if let Some(other) = roots.next() {
        return at(first_line(text, other.range()), ObjectErrorKind::Several);
    }
    if root.as_mapping().is_none() {
        return at(first_line(text, root.range()), ObjectErrorKind::NoMapping);
    }
    match object(root) {
        Some(value) => Ok(value),
        None => at(first_line(text, root.range()), ObjectErrorKind::TooLarge),
    }
}

fn first_line(text: &str, range: TextRange) -> TextRange {
    let inside = text.get(std::ops::Range::<usize>::from(range));
    let line = inside.and_then(|inside| inside.lines().next());
    line.map_or(range, |line| {
        TextRange::at(range.start(), text::TextSize::of(line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let actual = match read_object(text) {
            Ok(_) => "an object".to_owned(),
            Err(error) => {
                let place = text
                    .get(std::ops::Range::<usize>::from(error.range))
                    .unwrap();
                format!("{} @ {place}", error.kind)
            }
        };
        expected.assert_eq(&actual);
    }

    #[test]
    fn a_file_holds_exactly_one_object() {
        check("# one\n---\nkind: Pod\n---\n", &expect!["an object"]);
        check("", &expect!["the file contains no object @ "]);
        check(
            "kind: Pod\n---\nkind: Other\nx: 1\n",
            &expect![
                "the file contains more than one object; write one object per file @ kind: Other"
            ],
        );
        check(
            "- kind: Pod\n- x\n",
            &expect![
                "this is not an object; write `apiVersion`, `kind` and `metadata` @ - kind: Pod"
            ],
        );
        check(
            "kind: 'Pod\n",
            &expect!["missing closing `'` of this string @ '"],
        );
    }
}

//! A case: one JSON object on one line of a file.

use serde_json::{Map, Value};

/// A case as in its file.
#[derive(Debug)]
pub(super) struct Case {
    /// Its `id`; without one its section and name, otherwise its line.
    pub(super) id: String,
    fields: Map<String, Value>,
}

/// `Ok` if a case passed, or why not.
pub(super) type Outcome = Result<(), String>;

impl Case {
    /// Returns the case on `line`, which counts from 1.
    ///
    /// # Errors
    /// The ID to report and the error, if the line is not a JSON object.
    pub(super) fn read(line: usize, text: &[u8]) -> Result<Self, (String, String)> {
        match serde_json::from_slice(text) {
            Ok(Value::Object(fields)) => Ok(Self {
                id: id(&fields).unwrap_or_else(|| format!("line {line}")),
                fields,
            }),
            Ok(_) => Err((
                format!("line {line}"),
                "malformed: not a JSON object".into(),
            )),
            Err(error) => Err((format!("line {line}"), format!("malformed: {error}"))),
        }
    }

    /// Returns all values.
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.fields.values()
    }

    /// Returns the value at a path of field names, if it is present.
    pub(super) fn get(&self, path: &[&str]) -> Option<&Value> {
        let (first, rest) = path.split_first()?;
        rest.iter()
            .try_fold(self.fields.get(*first)?, |value, key| value.get(key))
    }

    /// Returns the string at a path of field names.
    pub(super) fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.as_str()
    }

    /// Returns the string at a path of field names.
    ///
    /// # Errors
    /// If it is missing, which is an error of the case.
    pub(super) fn require(&self, path: &[&str]) -> Result<&str, String> {
        self.text(path)
            .ok_or_else(|| format!("malformed: no text `{}`", path.join(".")))
    }
}

fn id(fields: &Map<String, Value>) -> Option<String> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    if let Some(id) = text("id") {
        return Some(id.into());
    }
    let (file, section, name) = (text("file")?, text("section")?, text("name")?);
    Some(format!("{file}:{section}/{name}"))
}

/// Returns the cases in a file, or the ID and the error of a line that is not a case.
pub(super) fn cases(text: &[u8]) -> impl Iterator<Item = Result<Case, (String, String)>> {
    let lines = text.split(|byte| *byte == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    lines.map(|(at, line)| Case::read(at + 1, line))
}

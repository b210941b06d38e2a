//! Files for tests, with marks in them.
//!
//! A test shows a file as its author sees it, with marks for the cursor and the expected findings.
//! The marks are removed before the file is parsed: inside a block scalar, a `#` line is content,
//! so a remaining mark would change the test.
//!
//! - `$0` is the cursor.
//! - A line `#^^^ error[code]: words` under a line labels the text above the carets. `#<^^`
//!   begins at the `#` itself, and `#<` is one character. `^^>` continues to a later line, and
//!   a `|` in place of carets is an empty range. A column is a character.

mod admission;
mod check;
mod project;

pub(crate) use admission::{
    Objects, creation, denial, json_patch, matched, mutated, mutation, outcome, validation,
};
pub(crate) use check::{
    all_rules, apply, changes, check_diagnostics, check_fixes, check_places, corrected, findings,
    fixed, render, report, source_file,
};
pub(crate) use project::{check_project, check_project_with, files, project, render_project};

use crate::report::{Diagnostic, Severity};
use text::{TextRange, TextSize};

/// A text with its marks.
#[derive(Debug)]
pub(crate) struct Fixture {
    /// The text without the marks.
    pub(crate) text: String,
    /// The position of `$0`.
    pub(crate) cursor: Option<TextSize>,
    /// The labels in the order of the text.
    pub(crate) labels: Vec<Label>,
}

/// Returns a ValidatingAdmissionPolicy whose `spec` continues with `rest`.
pub(crate) fn policy(rest: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  matchConstraints:
    resourceRules:
      - {{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}}
{}",
        rest.trim_start_matches('\n')
    )
}

/// Returns a ValidatingAdmissionPolicy in JSON, with the lines of the entries of one validation.
pub(crate) fn json_policy(validation: &str) -> String {
    format!(
        r#"{{
  "apiVersion": "admissionregistration.k8s.io/v1",
  "kind": "ValidatingAdmissionPolicy",
  "metadata": {{"name": "demo"}},
  "spec": {{
    "matchConstraints": {{"resourceRules": [{{"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["UPDATE"], "resources": ["deployments"]}}]}},
    "validations": [
      {{
{validation}
      }}
    ]
  }}
}}
"#
    )
}

/// Returns a ValidatingAdmissionPolicy for Deployments. A label may follow the name.
pub(crate) fn named_policy(name: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: {name}
spec:
  matchConstraints:
    resourceRules: [{{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}}]
  validations:
    - expression: object.spec.replicas <= 5
"
    )
}

/// Returns such a policy with parameters of a kind of version v1, for an expression that reads
/// them.
pub(crate) fn params_policy(kind: &str, expression: &str) -> String {
    let param_kind = format!("spec:\n  paramKind: {{apiVersion: v1, kind: {kind}}}\n");
    let policy = named_policy("demo").replace("spec:\n", &param_kind);
    policy.replace("object.spec.replicas <= 5", expression)
}

/// Returns a ValidatingAdmissionPolicyBinding that denies, with the first fields of its `spec`.
pub(crate) fn binding(name: &str, spec: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: {name}
spec:
  {spec}
  validationActions: [Deny]
"
    )
}

/// Returns the CustomResourceDefinition of `demos.example.com`, with more indented schema fields.
pub(crate) fn crd(schema: &str) -> String {
    let schema = schema.trim_start_matches('\n');
    let indent = (schema.len() - schema.trim_start_matches(' ').len()).max(8);
    format!(
        "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: demos.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: demos, singular: demo, kind: Demo, listKind: DemoList}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
{:indent$}type: object
{schema}",
        ""
    )
}

/// Returns a policy for a kind without a schema, so that its objects may have any field.
pub(crate) fn untyped_policy(rest: &str) -> String {
    policy(rest)
        .replace("[apps]", "[example.com]")
        .replace("[deployments]", "[widgets]")
}

/// An expected finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// The range; up to the end of its line if `open` is set.
    pub(crate) range: TextRange,
    /// Whether the range continues past its line.
    pub(crate) open: bool,
    /// The severity of the finding.
    pub(crate) severity: Severity,
    /// Its code.
    pub(crate) code: String,
    /// A part of its message.
    pub(crate) words: String,
}

impl Fixture {
    /// Parses a source with marks. Lines may end in `\n` or `\r\n`.
    #[track_caller]
    pub(crate) fn parse(source: &str) -> Self {
        let mut fixture = Fixture {
            text: String::new(),
            cursor: None,
            labels: Vec::new(),
        };
        let mut above = 0;
        for line in source.split_inclusive('\n') {
            if let Some(mark) = Mark::parse(line) {
                let label = mark.label(&fixture.text, above);
                fixture.labels.push(label);
                continue;
            }
            above = fixture.text.len();
            match line.split_once("$0") {
                Some((before, after)) => {
                    assert!(fixture.cursor.is_none(), "a fixture has one cursor");
                    fixture.text.push_str(before);
                    fixture.cursor = Some(size(fixture.text.len()));
                    fixture.text.push_str(after);
                }
                None => fixture.text.push_str(line),
            }
        }
        fixture.labels.sort_by_key(|label| label.range.start());
        fixture
    }
}

impl Label {
    /// Returns whether `diagnostic` matches the label.
    pub(crate) fn fits(&self, diagnostic: &Diagnostic) -> bool {
        let place = if self.open {
            self.range.start() == diagnostic.range.start()
                && self.range.end() < diagnostic.range.end()
        } else {
            self.range == diagnostic.range
        };
        place
            && self.severity == diagnostic.severity
            && self.code == diagnostic.code
            && diagnostic.message.contains(&self.words)
    }
}

/// A label line, with its range in columns.
struct Mark<'a> {
    start: usize,
    end: usize,
    open: bool,
    severity: Severity,
    code: &'a str,
    words: &'a str,
}

impl<'a> Mark<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let rest = line.trim_start_matches(' ').strip_prefix('#')?;
        let hash = line.len() - rest.len() - 1;
        let pointer = rest
            .strip_prefix('<')
            .unwrap_or(rest.trim_start_matches(' '));
        let drawn = pointer.len() - pointer.trim_start_matches(['^', '|', '>']).len();
        let (drawing, said) = pointer.split_at(drawn);
        let (severity, said) = said.strip_prefix(' ')?.split_once('[')?;
        let (code, words) = said.split_once(']')?;
        let at = line.len() - pointer.len();
        let carets = drawing.chars().filter(|drawn| *drawn == '^').count();
        let (start, end) = match (rest.starts_with('<'), carets) {
            (true, 0) => (hash, hash + 1),
            (true, carets) => (hash, at + carets),
            (false, carets) => (at, at + carets),
        };
        Some(Self {
            start,
            end,
            open: drawing.ends_with('>'),
            severity: Severity::parse(severity)?,
            code,
            words: words.trim_start_matches(':').trim(),
        })
    }

    /// Returns the label, whose range is below the line of `text` that begins at `line`.
    #[track_caller]
    fn label(&self, text: &str, line: usize) -> Label {
        let content = text.get(line..).unwrap().trim_end_matches(['\r', '\n']);
        let at = |column: usize| {
            let mut ends = content.char_indices().map(|(at, _)| at);
            let end = ends.nth(column).unwrap_or(content.len());
            size(line + end)
        };
        assert!(
            self.end <= content.chars().count(),
            "a label reaches past its line: {content}"
        );
        Label {
            range: TextRange::new(at(self.start), at(self.end)),
            open: self.open,
            severity: self.severity,
            code: self.code.to_owned(),
            words: self.words.to_owned(),
        }
    }
}

/// Returns the bytes of `range` in `text`. Fails if it does not have them.
#[track_caller]
pub(crate) fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end()))
        .unwrap()
}

fn size(bytes: usize) -> TextSize {
    TextSize::try_from(bytes).unwrap()
}

mod tests;

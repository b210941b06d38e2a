#![doc = include_str!("invalid_object.md")]

use crate::diagnostics::placeholder::has_placeholder;
use crate::diagnostics::{Finding, RuleContext, Severity};
use admission::{
    Answer, ApiServer, Cause, CustomResources, EvaluationLimits, Response, Warning, WarningSubject,
};
use evaluation::input::RequestInput;
use kubernetes::names::GroupVersion;
use kubernetes::{TypeMeta, object};
use policy::{FieldPath, Resolved};
use std::time::Duration;
use text::TextRange;
use text::checkpoint::checkpoint;
use yaml::Node;

/// Limit: objects in one file.
const MAX_OBJECTS: usize = 2_000;

/// Limit: the nesting of lists.
const MAX_DEPTH: usize = 8;

/// Limit: the evaluation of the rules for one object. Their cost limit ends it much earlier.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let file = context.file;
    // The objects of inputs may be invalid on purpose.
    if file.inputs().is_inputs_file {
        return;
    }
    let definitions = &file.summary().definitions;
    let kinds = Kinds {
        own: CustomResources::new(file.project().target(), definitions),
        others: file.project().custom_resources(),
    };
    let ranges: Vec<TextRange> = yaml::split(file.text())
        .filter(|range| kinds.may_define(file.slice(*range)))
        .collect();
    if ranges.is_empty() {
        return;
    }
    let stream = yaml::parse_documents(file.shared_text(), &ranges);
    let mut objects = Objects::default();
    for document in stream.documents().filter(|document| !document.recovered()) {
        objects.add(document.root(), MAX_DEPTH);
    }
    found.extend(objects.first_skipped.and_then(skipped));
    for object in objects.checked {
        checkpoint();
        if found.len() >= context.max_findings() {
            return;
        }
        found.extend(kinds.findings(object).unwrap_or_default());
    }
}

/// The objects of a file.
#[derive(Default)]
struct Objects<'a> {
    checked: Vec<Object<'a>>,
    /// The first object beyond a limit.
    first_skipped: Option<Object<'a>>,
}

impl<'a> Objects<'a> {
    /// Adds an object, or the items of a list.
    fn add(&mut self, root: Option<Node<'a>>, depth: usize) {
        let Some(object) = root.and_then(Object::new) else {
            return;
        };
        if depth == 0 || self.checked.len() >= MAX_OBJECTS {
            self.first_skipped.get_or_insert(object);
            return;
        }
        match kubernetes::items(object.root).filter(|_| object.kind.ends_with("List")) {
            Some(items) => items
                .items()
                .for_each(|item| self.add(Some(item), depth - 1)),
            None => self.checked.push(object),
        }
    }
}

/// Returns the finding about objects beyond a limit.
fn skipped(first: Object<'_>) -> Option<Finding> {
    let message = format!(
        "Not all objects are checked. The limits are {MAX_OBJECTS} objects per file and \
         {MAX_DEPTH} levels of nested lists."
    );
    let finding = first.finding("", message)?;
    Some(finding.severity(Severity::Information))
}

/// The definitions of custom resources.
struct Kinds<'a> {
    /// The definitions in the file itself.
    own: CustomResources,
    others: &'a CustomResources,
}

impl Kinds<'_> {
    /// Returns whether a document may be an object of a defined kind. A quick scan, so that most
    /// manifests are not parsed.
    fn may_define(&self, text: &str) -> bool {
        // The first part is before the first field.
        let mut values = text.split("apiVersion").skip(1);
        values.any(|value| {
            let value = value.trim_start_matches(['"', '\'', ':', ' ']);
            let end = value.find(|it: char| !it.is_ascii_alphanumeric() && !"-._/".contains(it));
            let value = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
            let group = GroupVersion::parse(value).group;
            self.own.has_group(group) || self.others.has_group(group)
        })
    }

    /// Returns the errors and warnings of the API server about an object. `None` for objects of
    /// other kinds.
    fn findings(&self, object: Object<'_>) -> Option<Vec<Finding>> {
        let GroupVersion { group, version } = GroupVersion::parse(object.api_version);
        let own = self.own.kind(group, object.kind);
        let kind = own.or_else(|| self.others.kind(group, object.kind))?;
        if !kind.versions().any(|served| served == version) {
            let versions: Vec<String> = kind.versions().map(|it| format!("`{it}`")).collect();
            let message = format!(
                "The API server does not serve version `{version}` of `{}`. It serves {}.",
                object.kind,
                versions.join(", ")
            );
            let range = TypeMeta::read(object.root).api_version.map(Node::range);
            return Some(vec![Finding::new(range.unwrap_or_default(), message)]);
        }
        let answer = creation(kind.server()?, object.root)?;
        let mut found = object.reported(&answer.response);
        found.extend(object.not_checked(answer.stopped_rules));
        Some(found)
    }
}

/// Returns the response to the creation of an object.
fn creation(server: &ApiServer, root: Node<'_>) -> Option<Answer> {
    let input = RequestInput {
        object: Some(object(root)?),
        ..RequestInput::default()
    };
    let mut request = input.request(server.kinds(), server.resources()).ok()?;
    // A strict validation ends with the unknown fields and would hide all other errors.
    request.set_field_validation("Warn");
    Some(server.evaluate(&request, &EvaluationLimits::within(PATIENCE)))
}

/// An object in a file.
#[derive(Clone, Copy)]
struct Object<'a> {
    root: Node<'a>,
    api_version: &'a str,
    kind: &'a str,
}

impl<'a> Object<'a> {
    fn new(root: Node<'a>) -> Option<Self> {
        let (api_version, kind) = TypeMeta::read(root).strings()?;
        Some(Self {
            root,
            api_version,
            kind,
        })
    }

    /// Returns the findings of a response.
    fn reported(self, response: &Response) -> Vec<Finding> {
        let mut found = Vec::new();
        for Cause { field, message, .. } in response.causes.iter().filter(|it| !it.follows) {
            found.extend(self.finding(field, format!("{field}: {message}")));
        }
        if !response.allowed && response.causes.is_empty() {
            found.extend(self.finding("", response.message.clone()));
        }
        let warnings = response.warnings.iter();
        found.extend(warnings.filter_map(|warning| self.warning(warning)));
        found
    }

    /// Returns the finding about rules that a limit of Admissible stopped.
    fn not_checked(self, reason: Option<&str>) -> Option<Finding> {
        let message = format!("Not all validation rules are checked: {}", reason?);
        let finding = self.finding("", message)?;
        Some(finding.severity(Severity::Information))
    }

    fn warning(self, warning: &Warning) -> Option<Finding> {
        let message = warning.message.clone();
        let finding = match &warning.subject {
            WarningSubject::UnknownField(path) => {
                let key = FieldPath::resolve_text(path, self.root).key?;
                Finding::new(key.range(), message)
            }
            WarningSubject::Field(path) => self.finding(path, message)?,
            WarningSubject::Request | WarningSubject::Validation { .. } => {
                self.finding("", message)?
            }
        };
        Some(finding.severity(Severity::Warning))
    }

    /// Returns a finding about a field. `None` if a template replaces its value.
    fn finding(self, field: &str, message: String) -> Option<Finding> {
        let at = FieldPath::resolve_text(field, self.root);
        let scalar = at.node.as_scalar().filter(|_| at.missing == 0);
        if scalar.is_some() && has_placeholder(at.node.text()) {
            return None;
        }
        let range = self.range(at, scalar.is_some());
        Some(Finding::new(range, message))
    }

    /// Returns the range of a scalar, otherwise of the nearest key.
    fn range(self, at: Resolved<'a>, is_scalar: bool) -> TextRange {
        let own = at.node.range();
        if is_scalar && !own.is_empty() {
            return own;
        }
        if let Some(key) = at.key {
            return key.range();
        }
        let kind = TypeMeta::read(self.root)
            .kind
            .filter(|_| at.node == self.root);
        let entries = at.node.as_mapping().into_iter();
        let first = entries.flat_map(yaml::Mapping::entries).next();
        let first = first.map(|entry| entry.key.range());
        kind.map(Node::range).or(first).unwrap_or(own)
    }
}

#[cfg(test)]
mod tests;

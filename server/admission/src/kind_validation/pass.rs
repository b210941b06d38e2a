//! The pass over an object that applies the rows of its kind.

use super::formats::Format;
use crate::fields::{entries, get, plain};
use crate::strategy::is_same;
use cel::Value;
use cel::value::Map;
use kubernetes::quote::{json_text, quote, to_json};
use policy::field_error::{ErrorType, FieldError};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The value of a missing field that is assumed to exist.
static EMPTY: LazyLock<Value> = LazyLock::new(|| Value::Map(Map::default()));

/// The rules of kinds and of their parts.
pub(super) type Groups = HashMap<&'static str, Vec<Row>>;

/// Adds the errors of a value.
pub(super) type Check = fn(&mut Pass, &Place<'_>);

/// The rules for the values at a path.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) conditions: Vec<Condition>,
    pub(super) steps: Vec<Step>,
    /// Each applies if the ones before it found no error.
    pub(super) rules: Vec<Rule>,
}

/// A rule with its arguments.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) sort: Sort,
    pub(super) arguments: Vec<&'static str>,
    pub(super) detail: &'static str,
    /// Whether it applies to a missing value.
    pub(super) strict: bool,
}

/// The implementation of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sort {
    Check(Check),
    Format(Format),
    /// The rules of the group that the first argument names.
    Group,
}

/// When a row applies.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) path: &'static str,
    pub(super) wanted: Wanted,
}

/// The values for which a condition holds.
#[derive(Debug)]
pub(super) enum Wanted {
    Set,
    Unset,
    OneOf(Vec<&'static str>),
    NoneOf(Vec<&'static str>),
}

/// A step of a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    Field {
        name: &'static str,
        /// As errors name it; empty if they do not.
        shown: &'static str,
        /// Whether a missing value counts as an empty object.
        assumed: bool,
    },
    /// Every element of a list, and whether errors show its index.
    Items(bool),
    /// Every value of a map.
    Values,
    /// The value of a key, or the element with an index.
    Key(&'static str),
}

/// A value with a group of rules.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub value: Option<&'a Value>,
    /// The value in the old object, in an update and outside of lists.
    pub old: Option<&'a Value>,
    /// The value whose rows have led here.
    pub outer: Option<&'a Scope<'a>>,
    /// Its path.
    pub path: &'a str,
}

/// A value that a rule applies to.
pub(super) struct Place<'a> {
    pub value: Option<&'a Value>,
    pub old: Option<&'a Value>,
    pub scope: &'a Scope<'a>,
    pub rule: &'a Rule,
}

/// The errors found, and the path of the current value.
pub(super) struct Pass {
    groups: &'static Groups,
    /// Whether the errors are warnings, which consist of their details.
    warns: bool,
    pub errors: Vec<FieldError>,
    pub path: String,
}

impl<'a> Scope<'a> {
    /// Follows a path: `^` leads to the scope outside, `@` to the old value.
    pub(super) fn find(&self, path: &str) -> Option<&'a Value> {
        if let Some(path) = path.strip_prefix('^') {
            return self.outer?.find(path);
        }
        let (start, path) = match path.strip_prefix('@') {
            Some(path) => (self.old, path),
            None => (self.value, path),
        };
        let mut value = start?;
        for name in path.split(['.', '[', ']']).filter(|it| !it.is_empty()) {
            value = match name.parse::<usize>() {
                Ok(index) => value.as_list()?.get(index)?,
                Err(_) => get(value, name)?,
            };
        }
        Some(value)
    }

    fn satisfies(&self, condition: &Condition) -> bool {
        let value = self.find(condition.path);
        let is_one_of = |list: &[&str]| value.is_some_and(|it| list.contains(&&*plain(it)));
        match &condition.wanted {
            Wanted::Set => value.is_some_and(is_set),
            Wanted::Unset => !value.is_some_and(is_set),
            Wanted::OneOf(list) => is_one_of(list),
            Wanted::NoneOf(list) => !is_one_of(list),
        }
    }
}

impl Place<'_> {
    /// Returns the value as a string; empty if it is missing.
    pub(super) fn text(&self) -> &str {
        self.value.and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns whether an update changes the value.
    pub(super) fn is_changed(&self) -> bool {
        let [value, old] = [self.value, self.old].map(|it| it.unwrap_or(&Value::Null));
        self.scope.old.is_some() && !is_same(value, old)
    }

    /// Returns an argument of the rule.
    pub(super) fn argument(&self, index: usize) -> &'static str {
        self.rule.arguments.get(index).copied().unwrap_or_default()
    }
}

impl Pass {
    pub(super) fn new(groups: &'static Groups, warns: bool) -> Self {
        Self {
            groups,
            warns,
            errors: Vec::new(),
            path: String::new(),
        }
    }

    /// Applies the rules of a group. Names of groups without rules have no effect.
    pub(super) fn group(&mut self, name: &str, scope: Scope<'_>) {
        for row in self.groups.get(name).into_iter().flatten() {
            if row.conditions.iter().all(|it| scope.satisfies(it)) {
                self.follow(&row.steps, scope.value, scope.old, row, &scope);
            }
        }
    }

    fn follow(
        &mut self,
        steps: &[Step],
        value: Option<&Value>,
        old: Option<&Value>,
        row: &Row,
        scope: &Scope<'_>,
    ) {
        let Some((step, rest)) = steps.split_first() else {
            return self.apply(row, value, old, scope);
        };
        let Some(value) = value else { return };
        let separator = if self.path.is_empty() { "" } else { "." };
        let mut go = |shown: &[&str], value: Option<&Value>, old: Option<&Value>| {
            self.within(shown, |pass| pass.follow(rest, value, old, row, scope));
        };
        match step {
            Step::Field {
                name,
                shown,
                assumed,
            } => {
                let child = get(value, name).or_else(|| assumed.then(|| &*EMPTY));
                let old = old.and_then(|old| get(old, name));
                let shown = [if shown.is_empty() { "" } else { separator }, shown];
                go(&shown, child, old);
            }
            Step::Items(is_shown) => {
                for (index, item) in value.as_list().unwrap_or_default().iter().enumerate() {
                    let shown = is_shown.then(|| format!("[{index}]"));
                    go(&[&shown.unwrap_or_default()], Some(item), None);
                }
            }
            Step::Values => {
                let values = entries(value).into_iter();
                values.for_each(|(key, value)| go(&["[", key, "]"], Some(value), None));
            }
            Step::Key(key) => {
                let item = |index: usize| value.as_list()?.get(index);
                let child = get(value, key).or_else(|| item(key.parse().ok()?));
                go(&["[", key, "]"], child, None);
            }
        }
    }

    fn apply(&mut self, row: &Row, value: Option<&Value>, old: Option<&Value>, scope: &Scope<'_>) {
        let count = self.errors.len();
        for rule in &row.rules {
            let place = Place {
                value,
                old,
                scope,
                rule,
            };
            match rule.sort {
                Sort::Check(check) => check(self, &place),
                Sort::Format(format) => {
                    let text = place.text();
                    let mut details = Vec::new();
                    if rule.strict || !text.is_empty() {
                        details = format(text);
                    }
                    if self.warns && !details.is_empty() {
                        details = vec![format!("{}: [{}]", rule.detail, details.join(" "))];
                    }
                    self.malformed(text, &details);
                }
                Sort::Group => {
                    if value.is_some() {
                        let path = self.path.clone();
                        let outer = Some(scope);
                        let scope = Scope {
                            value,
                            old,
                            outer,
                            path: &path,
                        };
                        self.group(place.argument(0), scope);
                    }
                }
            }
            if self.errors.len() > count {
                return;
            }
        }
    }

    /// Runs a step further along the path.
    pub(super) fn within(&mut self, steps: &[&str], run: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.extend(steps.iter().copied());
        run(self);
        self.path.truncate(length);
    }

    /// Adds an error at the current path.
    pub(super) fn add(&mut self, kind: ErrorType, shown: Option<String>, detail: &str) {
        let mut error = FieldError::new(self.path.clone(), kind, shown, detail);
        if self.warns {
            let last = self.path.rsplit('.').next().unwrap_or_default();
            let duplicate = error
                .message
                .replace("Duplicate value:", &format!("duplicate {last}"));
            error.message = if detail.is_empty() {
                duplicate
            } else {
                detail.to_owned()
            };
        }
        self.errors.push(error);
    }

    /// Adds an error about a value that is not allowed, or a warning.
    pub(super) fn forbid(&mut self, detail: &str) {
        self.add(ErrorType::Forbidden, None, detail);
    }

    /// Adds an error about a malformed value, shown like this.
    pub(super) fn invalid(&mut self, shown: String, detail: &str) {
        self.add(ErrorType::Invalid, Some(shown), detail);
    }

    /// Adds errors about a malformed string.
    pub(super) fn malformed(&mut self, text: &str, details: &[String]) {
        details.iter().for_each(|it| self.invalid(quote(text), it));
    }

    /// Returns whether an error was found at a path or inside it.
    pub(super) fn has_error_in(&self, path: &str) -> bool {
        let rest = |error: &FieldError| Some(error.field.strip_prefix(path)?.chars().next());
        let mut rests = self.errors.iter().filter_map(rest);
        rests.any(|next| matches!(next, None | Some('.' | '[')))
    }
}

/// Returns whether a value differs from the one that Go assumes for a missing field. An object is
/// set even if it is empty: it is a pointer there.
pub(super) fn is_set(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) | Value::Int(0) => false,
        Value::String(text) => !text.is_empty(),
        Value::List(list) => !list.is_empty(),
        _ => true,
    }
}

/// Returns a value as errors show it. A missing one is an empty string.
pub(super) fn shown(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Map(_)) => "\"\"".to_owned(),
        Some(Value::String(text)) => quote(text),
        Some(value) => json_text(&to_json(value)),
    }
}

/// Returns the path of a field of a scope, as errors show it.
pub(super) fn path_in(scope: &Scope<'_>, field: &str) -> String {
    let separator = if scope.path.is_empty() { "" } else { "." };
    format!("{}{separator}{field}", scope.path)
}

/// Returns the elements of the list at a path.
pub(super) fn elements<'a>(scope: &Scope<'a>, path: &str) -> &'a [Value] {
    let found = scope.find(path);
    found.and_then(Value::as_list).unwrap_or_default()
}

/// Returns the name of an element, which a template has in its metadata.
pub(super) fn name_of(value: &Value) -> &str {
    let metadata = get(value, "metadata");
    let named = [Some(value), metadata].into_iter().flatten();
    let mut names = named.filter_map(|it| get(it, "name")?.as_str());
    names.next_back().unwrap_or_default()
}

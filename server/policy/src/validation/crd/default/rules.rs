//! Evaluation of the CEL rules of a schema for a default in it.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go,
//! validateExpressions.

use crate::cost::PER_CALL;
use crate::crd::{refusal, typed};
use crate::field_error::ErrorType;
use crate::field_path::PathRef;
use crate::json_schema::{JsonSchema, MAX_DEPTH};
use crate::typecheck::Checked;
use crate::typecheck::compile;
use crate::validation::Check;
use crate::validation::crd::field_path::find;
use crate::validation::error::{ApiRule, Errors};
use crate::validation::slot::Slot;
use cel::Value;
use cel::eval::{Bindings, Limits, Program};
use kubernetes::entries;
use kubernetes::object;
use std::sync::Arc;
use yaml::{Node, NodeKind};

/// Limit: the bytes of a message. kubernetes/apiserver, pkg/apis/cel/config.go,
/// MaxEvaluatedMessageExpressionSizeBytes.
const MAX_MESSAGE: usize = 5 * 1024;

/// Checks the value in `default` against the rules of the schema in `schema` and of those inside
/// it. `values` is the remaining number of values to visit.
pub(super) fn check(
    check: &Check<'_>,
    default: &Slot<'_, '_>,
    schema: &Slot<'_, '_>,
    errors: &mut Errors,
    values: &mut usize,
) {
    let mut checker = DefaultRuleChecker {
        check,
        errors,
        values,
    };
    if let Some(node) = default.node() {
        checker.value(node, *default.path_ref(), schema, MAX_DEPTH);
    }
}

struct DefaultRuleChecker<'w, 'd> {
    check: &'w Check<'d>,
    errors: &'w mut Errors,
    values: &'w mut usize,
}

impl DefaultRuleChecker<'_, '_> {
    fn value(&mut self, node: Node<'_>, path: PathRef<'_>, slot: &Slot<'_, '_>, depth: usize) {
        let (Some(depth), Some(rest)) = (depth.checked_sub(1), self.values.checked_sub(1)) else {
            return;
        };
        *self.values = rest;
        let Some(schema) = slot
            .node()
            .and_then(JsonSchema::new)
            .filter(|_| !node.is_null())
        else {
            return;
        };
        let rules = slot.child("x-kubernetes-validations");
        if schema.has_any("x-kubernetes-validations")
            && let Some(value) = object(node)
        {
            let value = typed(schema, &value, false, self.check.document.target().server());
            for rule in rules.items().into_iter().flatten() {
                self.rule(&rule, &value, (node, path), schema);
            }
        }
        self.inside(node, path, slot, depth);
    }

    /// Checks the values inside a value.
    fn inside(&mut self, node: Node<'_>, path: PathRef<'_>, slot: &Slot<'_, '_>, depth: usize) {
        match node.kind() {
            NodeKind::Scalar(_) => {}
            NodeKind::Sequence(list) => {
                let items = slot.child("items");
                for (index, item) in list.items().enumerate() {
                    self.value(item, path.index(index), &items, depth);
                }
            }
            NodeKind::Mapping(mapping) => {
                let properties = slot.child("properties");
                for entry in entries(mapping) {
                    let name = entry.key.key_text();
                    let property = properties
                        .child(&name)
                        .with_path(properties.path_ref().key(&name));
                    if property.is_set() {
                        self.value(entry.value, path.child(&name), &property, depth);
                    } else {
                        let of_values = slot.child("additionalProperties");
                        self.value(entry.value, path.key(&name), &of_values, depth);
                    }
                }
            }
        }
    }

    /// Runs a rule with the value as its own old value and, if the old value is optional, without
    /// one.
    fn rule(
        &mut self,
        rule: &Slot<'_, '_>,
        value: &Value,
        place: (Node<'_>, PathRef<'_>),
        schema: JsonSchema<'_>,
    ) {
        let slot = rule.child("rule");
        let Some((expression, checked)) = self.check.expression(&slot) else {
            return;
        };
        let (node, path) = place;
        if let Some(detail) = compile::refusal(expression, checked).map(|it| it.message) {
            let detail = format!("rule compile error: {detail}");
            let (rule, kind) = (ApiRule::DefaultRule, ErrorType::Invalid);
            return self.errors.push_path(rule, kind, path, node, detail);
        }
        let Some(Ok(program)) = checked.program() else {
            return;
        };
        let optional = rule.child("optionalOldSelf").boolean() == Some(true);
        let old = if optional {
            Value::Optional(Some(Arc::new(value.clone())))
        } else {
            value.clone()
        };
        let variables = Bindings::new()
            .with("self", value.clone())
            .with("oldSelf", old);
        if !self.holds(program, &variables, rule, (node, path), schema) {
            return;
        }
        if optional {
            let variables = variables.with("oldSelf", Value::Optional(None));
            self.holds(program, &variables, rule, (node, path), schema);
        }
    }

    /// Returns whether a rule holds, and reports an error if not.
    fn holds(
        &mut self,
        program: &Program,
        variables: &Bindings,
        rule: &Slot<'_, '_>,
        (node, path): (Node<'_>, PathRef<'_>),
        schema: JsonSchema<'_>,
    ) -> bool {
        match program.run(variables, &limits()).result {
            Ok(Value::Bool(true)) => true,
            Ok(_) => {
                let detail = self.message(rule, variables);
                self.broken(rule, detail, (node, path), schema);
                false
            }
            Err(error) => {
                let detail = refusal(&error, name(rule));
                self.report(ErrorType::Invalid, node, path, detail);
                false
            }
        }
    }

    /// Reports a rule that evaluates to false, with its reason and at its field.
    fn broken(
        &mut self,
        rule: &Slot<'_, '_>,
        detail: String,
        (node, path): (Node<'_>, PathRef<'_>),
        schema: JsonSchema<'_>,
    ) {
        let (kind, detail) = match rule.child("reason").string() {
            Some("FieldValueForbidden") => (ErrorType::Forbidden, detail),
            Some("FieldValueRequired") => (ErrorType::Required, detail),
            Some("FieldValueDuplicate") => (ErrorType::Duplicate, String::new()),
            _ => (ErrorType::Invalid, detail),
        };
        let field_path = rule.child("fieldPath");
        let field = field_path.string().filter(|field| !field.is_empty());
        match field.and_then(|field| find(field, schema, true).ok()) {
            Some(found) => self.report(kind, node, path.child(&found.path), detail),
            None => self.report(kind, node, path, detail),
        }
    }

    /// Returns the value of `messageExpression` if it is valid, otherwise `message`, otherwise the
    /// rule.
    fn message(&self, rule: &Slot<'_, '_>, variables: &Bindings) -> String {
        self.check
            .expression(&rule.child("messageExpression"))
            .and_then(|(_, checked)| made_message(checked, variables))
            .unwrap_or_else(|| match rule.child("message").string() {
                Some("") | None => format!("failed rule: {}", name(rule)),
                Some(message) => message.trim().to_owned(),
            })
    }

    fn report(&mut self, kind: ErrorType, node: Node<'_>, path: PathRef<'_>, detail: String) {
        self.errors
            .push_path(ApiRule::Other, kind, path, node, detail);
    }
}

fn made_message(checked: &Checked, variables: &Bindings) -> Option<String> {
    let program = checked.program()?.ok()?;
    let message = program.run(variables, &limits()).result.ok()?;
    let message = message.as_str()?.trim();
    let fits = !message.is_empty() && message.len() <= MAX_MESSAGE;
    let one_line = !message.contains(['\n', '\r']);
    (fits && one_line).then(|| message.to_owned())
}

/// Returns the name of a rule for the server: its message if it has one.
fn name<'a>(rule: &Slot<'_, 'a>) -> &'a str {
    let text = |field: &str| rule.child(field).string().unwrap_or("");
    match text("message") {
        "" => text("rule").trim(),
        message => message.trim(),
    }
}

fn limits() -> Limits<'static> {
    Limits {
        cost: Some(PER_CALL),
        ..Limits::default()
    }
}

//! The walk through an object, on which the rules of its definition are evaluated.

use super::finding::Findings;
use super::recorder::Recorder;
use super::structural::Subject;
use super::{CrdValidator, Rule};
use crate::limits::{EvaluationLimits, stopped};
use crate::message_expression;
use crate::warning::Warning;
use cel::Value;
use cel::eval::Bindings;
use cel::value::{EvalError, EvalErrorKind, Key, Map};
use kubernetes::quote::quote;
use kubernetes::versions::changes::UNCHANGED_MAY_BE_INVALID;
use policy::cost::{PER_CALL, VALIDATIONS};
use policy::crd::{ValueSchema, is_over, refusal, typed};
use policy::field_error::{ErrorSource, ErrorType, FieldError};
use policy::json_schema::JsonSchema;
use policy::manifest::Validation;
use policy::validation::rule_path;

/// Limit: the depth to which an object is visited.
const MAX_DEPTH: usize = 100;

/// A value with its schema.
struct Visit<'a> {
    schema: JsonSchema<'a>,
    /// The same schema.
    values: &'a ValueSchema,
    value: &'a Value,
    old: Option<&'a Value>,
    path: String,
    /// Whether it is a whole object.
    is_resource: bool,
    /// Whether it, or something around it, is unchanged.
    is_unchanged: bool,
    depth: usize,
}

impl<'a> Visit<'a> {
    /// Visits the values inside.
    fn inner(
        &self,
        (schema, values): (JsonSchema<'a>, &'a ValueSchema),
        value: &'a Value,
        old: Option<&'a Value>,
        path: String,
        is_unchanged: bool,
    ) -> Self {
        Self {
            schema,
            values,
            value,
            old,
            path,
            is_resource: schema.flag("x-kubernetes-embedded-resource"),
            is_unchanged,
            depth: self.depth + 1,
        }
    }
}

pub(super) struct ObjectValidation<'a> {
    validator: &'a CrdValidator,
    limits: &'a EvaluationLimits,
    /// The remaining cost units.
    pub(super) left: u64,
    /// Whether no further rule is evaluated.
    is_over: bool,
    pub(super) findings: Findings,
    /// The number of errors that are not from rules, which are first.
    pub(super) structural: usize,
    /// The results of each rule, if they are recorded.
    pub(super) recorder: Option<Recorder>,
}

/// The evaluation ends.
struct Stop;

impl<'a> ObjectValidation<'a> {
    pub(super) fn new(validator: &'a CrdValidator, limits: &'a EvaluationLimits) -> Self {
        Self {
            validator,
            limits,
            left: VALIDATIONS,
            is_over: false,
            findings: Findings::default(),
            structural: 0,
            recorder: None,
        }
    }

    /// Walks through a whole object.
    pub(super) fn start(&mut self, subject: &Subject<'_>) {
        let version = subject.version;
        let schemas = self.validator.schema(version);
        let Some((schema, values)) = schemas.zip(self.validator.values(version)) else {
            return;
        };
        let (errors, is_blocked) = self.validator.structural(subject, values);
        self.findings.errors = errors;
        self.structural = self.findings.errors.len();
        if !is_blocked {
            self.visit(&Visit {
                schema,
                values,
                value: subject.object,
                old: subject.old,
                path: String::new(),
                is_resource: true,
                is_unchanged: false,
                depth: 0,
            });
        }
        self.findings.warn_of_finalizers(subject);
    }

    fn visit(&mut self, visit: &Visit<'_>) {
        let is_bare = !visit.values.has_rules() || matches!(visit.value, Value::Null);
        if self.is_over || visit.depth > MAX_DEPTH || is_bare {
            return;
        }
        let server = self.validator.document.target().server();
        let is_unchanged = visit.is_unchanged
            || UNCHANGED_MAY_BE_INVALID.applies(server)
                && visit
                    .old
                    .is_some_and(|old| visit.values.is_unchanged(visit.value, old));
        if self.rules(visit, is_unchanged).is_err() {
            self.is_over = true;
            return;
        }
        match visit.value {
            Value::Map(map) => self.entries(visit, map, is_unchanged),
            Value::List(list) => {
                let schemas = visit.schema.schema("items").zip(visit.values.items());
                let Some(schemas) = schemas else {
                    return;
                };
                for (index, value) in list.iter().enumerate() {
                    let old = visit.old;
                    let old = old.and_then(|old| visit.values.old_element(value, old));
                    let path = format!("{}[{index}]", visit.path);
                    self.visit(&visit.inner(schemas, value, old, path, is_unchanged));
                }
            }
            _ => {}
        }
    }

    fn entries(&mut self, visit: &Visit<'_>, map: &Map, is_unchanged: bool) {
        let old = visit.old.and_then(Value::as_map);
        for (key, value) in map.iter() {
            let Key::String(name) = key else { continue };
            let old = old.and_then(|old| old.get_str(name));
            let path = &visit.path;
            let Some(values) = visit.values.field(name).filter(|it| it.has_rules()) else {
                continue;
            };
            if let Some(schema) = visit.schema.property(name) {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{name}");
                self.visit(&visit.inner((schema, values), value, old, path, is_unchanged));
            } else if let Some(schema) = visit.schema.schema("additionalProperties") {
                let path = format!("{path}[{name}]");
                self.visit(&visit.inner((schema, values), value, old, path, is_unchanged));
            }
        }
    }

    /// Evaluates the rules of a schema itself.
    fn rules(&mut self, visit: &Visit<'_>, is_unchanged: bool) -> Result<(), Stop> {
        let id = visit.schema.node().id();
        let Some(rules) = self.validator.rules.get(&id) else {
            return Ok(());
        };
        let server = self.validator.document.target().server();
        let typed = |value| typed(visit.schema, value, visit.is_resource, server);
        let (own, old) = (typed(visit.value), visit.old.map(typed));
        for rule in rules {
            if self.limits.is_over() {
                self.findings.stopped = stopped(&EvalError::new(EvalErrorKind::Canceled));
                return Err(Stop);
            }
            if rule.uses_old_self && old.is_none() && !rule.is_old_self_optional {
                continue;
            }
            // Messages see the plain old value, even if it is an optional for the rule.
            let mut own = Bindings::new().with("self", own.clone());
            if let Some(old) = &old {
                own = own.with("oldSelf", old.clone());
            }
            let optional = rule.is_old_self_optional.then(|| {
                let old = old.clone().map_or(Value::Optional(None), Value::some);
                own.clone().with("oldSelf", old)
            });
            let bindings = (optional.as_ref().unwrap_or(&own), &own);
            let before = self.findings.errors.len();
            let ended = self.rule(rule, bindings, visit, is_unchanged);
            if let Some(recorder) = &mut self.recorder {
                recorder.add(rule, bindings, self.findings.errors.get(before));
            }
            ended?;
        }
        Ok(())
    }

    /// Returns the validation of a rule.
    fn validation(&self, rule: &Rule) -> Validation<'a> {
        Validation::new(self.validator.document.node(rule.entry))
    }

    /// Evaluates a rule with its bindings and those of its message.
    fn rule(
        &mut self,
        rule: &Rule,
        (bindings, of_message): (&Bindings, &Bindings),
        visit: &Visit<'_>,
        is_unchanged: bool,
    ) -> Result<(), Stop> {
        let validation = self.validation(rule);
        let outcome = rule.program.run(bindings, &self.limits.for_call(PER_CALL));
        let words = validation
            .message()
            .unwrap_or_else(|| validation.condition());
        let spent = self.left.checked_sub(outcome.cost);
        let Some(left) = spent else {
            let detail = "validation failed due to running out of cost budget, no further validation rules will be run";
            self.add_of_type(visit, visit.path.clone(), detail);
            return Err(Stop);
        };
        self.left = left;
        let error = match outcome.result {
            Ok(Value::Bool(true)) => return Ok(()),
            Ok(_) => return self.failed(rule, of_message, visit, is_unchanged),
            Err(error) => error,
        };
        if let Some(reason) = stopped(&error) {
            self.findings.stopped = Some(reason);
            return Err(Stop);
        }
        self.add_of_type(visit, visit.path.clone(), &refusal(&error, words));
        if is_over(&error) { Err(Stop) } else { Ok(()) }
    }

    /// Returns the value of a message expression. `None` if `message` applies.
    ///
    /// # Errors
    /// The cost limit is exceeded; the message of the server.
    fn message(&mut self, rule: &Rule, bindings: &Bindings) -> Result<Option<String>, String> {
        let Some(program) = &rule.message else {
            return Ok(None);
        };
        let outcome = program.run(bindings, &self.limits.for_call(PER_CALL));
        let Some(left) = self.left.checked_sub(outcome.cost) else {
            return Err("messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run".to_owned());
        };
        self.left = left;
        if let Err(error) = &outcome.result
            && is_over(error)
        {
            let entry = self.validation(rule).message_expression();
            let text = quote(entry.and_then(|it| it.value.as_str()).unwrap_or_default());
            return Err(format!(
                "no further validation rules will be run due to call cost exceeds limit for messageExpression: {text}"
            ));
        }
        let value = outcome.result.ok();
        let message = value.as_ref().and_then(message_expression::message);
        Ok(message.map(str::to_owned))
    }

    /// Adds the error of a rule that is false.
    fn failed(
        &mut self,
        rule: &Rule,
        bindings: &Bindings,
        visit: &Visit<'_>,
        is_unchanged: bool,
    ) -> Result<(), Stop> {
        let validation = self.validation(rule);
        let is_ratcheted = is_unchanged && !rule.uses_old_self;
        let path = validation
            .field_path()
            .and_then(|path| rule_path(path, visit.schema));
        let field = match path {
            Some(path) => format!("{}.{path}", visit.path),
            None => visit.path.clone(),
        };
        let field = field.strip_prefix('.').unwrap_or(&field).to_owned();
        let made = match self.message(rule, bindings) {
            Ok(made) => made,
            Err(detail) => {
                self.add_of_type(visit, field, &detail);
                self.ratchet(is_ratcheted);
                return Err(Stop);
            }
        };
        let detail = made
            .or_else(|| validation.message().map(str::to_owned))
            .unwrap_or_else(|| format!("failed rule: {}", validation.condition()));
        let kind = match validation.reason() {
            Some("FieldValueForbidden") => ErrorType::Forbidden,
            Some("FieldValueRequired") => ErrorType::Required,
            Some("FieldValueDuplicate") => ErrorType::Duplicate,
            _ => ErrorType::Invalid,
        };
        let has_value = !matches!(kind, ErrorType::Forbidden | ErrorType::Required);
        let value = match visit.value {
            Value::String(text) => Some(quote(text)),
            Value::Map(_) | Value::List(_) => None,
            other => Some(other.to_string()),
        };
        let detail = match kind {
            // For a duplicate the server reports only the value.
            ErrorType::Duplicate => "",
            _ => &detail,
        };
        self.add(field, kind, value.filter(|_| has_value), detail);
        self.ratchet(is_ratcheted);
        Ok(())
    }

    /// Turns errors that existed before into warnings.
    fn ratchet(&mut self, is_ratcheted: bool) {
        if is_ratcheted && let Some(error) = self.findings.errors.pop() {
            let warning = Warning::of_field(error.field, &error.message);
            self.findings.warnings.push(warning);
        }
    }

    /// Adds an error that names the type instead of the value.
    fn add_of_type(&mut self, visit: &Visit<'_>, field: String, detail: &str) {
        let ty = Some(quote(visit.schema.ty()));
        let error = FieldError::new(field, ErrorType::Invalid, ty, detail);
        self.findings.errors.push(FieldError {
            source: ErrorSource::FailedRule,
            ..error
        });
    }

    fn add(&mut self, field: String, kind: ErrorType, value: Option<String>, detail: &str) {
        let error = FieldError::new(field, kind, value, detail);
        self.findings.errors.push(error);
    }
}

//! The CEL rules of a schema: their compilation and their cost.
//!
//! A rule is rejected if it could cost too much for the largest object that the schema allows,
//! and a definition if all its rules together could. Authors meet this more often than any other
//! limit. The solution is to bound the lists, maps and strings of the schema.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go,
//! ValidateCustomResourceDefinitionOpenAPISchema; pkg/apiserver/schema/cel/compilation.go,
//! compileRule.

use crate::cost::{PER_RULE, PER_SCHEMA};
use crate::crd::{Declared, RuleContext, SchemaSizes};
use crate::field_error::ErrorType;
use crate::field_path::PathRef;
use crate::typecheck::Checked;
use crate::typecheck::compile::{self, Refusal, RefusalKind};
use crate::validation::Check;
use crate::validation::error::{ApiError, ApiRule, Errors};
use crate::validation::slot::Slot;
use cel::check::Reference;
use cel::estimate::{EstimateOptions, estimate};

/// Limit: how many rules are reported when their total cost is too high.
const MAX_NAMED: usize = 4;

/// The rules of the schema of a version.
pub(super) struct Rules<'c, 'd> {
    check: &'c Check<'d>,
    total: u64,
    /// The most expensive rules, in descending order, each with its error if the total is too
    /// high.
    expensive: Vec<(u64, ApiError)>,
}

/// An expression that compiles.
struct Compiled<'d> {
    checked: &'d Checked,
    /// The maximum cost of one evaluation.
    max_cost: u64,
}

impl<'c, 'd> Rules<'c, 'd> {
    pub(super) const fn new(check: &'c Check<'d>) -> Self {
        Self {
            check,
            total: 0,
            expensive: Vec::new(),
        }
    }

    /// Checks the rules of a schema itself. `uncorrelatable` is the path of the list or map around
    /// it whose items have no old value.
    pub(super) fn check(
        &mut self,
        schema: &Slot<'_, '_>,
        context: &RuleContext,
        uncorrelatable: Option<PathRef<'_>>,
        errors: &mut Errors,
    ) {
        let rules = schema.child("x-kubernetes-validations");
        let Some(items) = rules.items().filter(|items| items.len() > 0) else {
            return;
        };
        let Some(declared) = context.declared() else {
            let detail = "internal error: failed to construct type information for \
                          x-kubernetes-validations rules: unable to convert structural schema \
                          to CEL declarations";
            return errors.push(ErrorType::Internal, &rules, detail);
        };
        let runs = context.max_runs(declared);
        for rule in items {
            let uses_old_self = self.rule(&rule, declared, runs, errors);
            check_old_self(&rule, uses_old_self, uncorrelatable, errors);
        }
    }

    /// Compiles a rule and, if it is valid, its message expression. Returns whether the rule uses
    /// `oldSelf`.
    fn rule(
        &mut self,
        rule: &Slot<'_, '_>,
        declared: &Declared,
        runs: u64,
        errors: &mut Errors,
    ) -> bool {
        let slot = rule.child("rule");
        let compiled = match self.compile(&slot, declared) {
            None => return false,
            Some(Err((refusal, checked))) => {
                let is_compiled = refusal.kind == RefusalKind::Program;
                let uses_old_self = is_compiled && uses(checked, "oldSelf");
                errors.push_refusal(ErrorType::Invalid, &slot, refusal);
                return uses_old_self;
            }
            Some(Ok(compiled)) => compiled,
        };
        let cost = compiled.max_cost.saturating_mul(runs);
        self.add_cost(&slot, "estimated rule cost", cost, errors);
        let uses_old_self = uses(compiled.checked, "oldSelf");
        let slot = rule.child("messageExpression");
        match self.compile(&slot, declared) {
            None => {}
            Some(Err((refusal, _))) => {
                errors.push_refusal(ErrorType::Invalid, &slot, refusal);
            }
            Some(Ok(compiled)) => {
                let name = "estimated messageExpression cost";
                self.add_cost(&slot, name, compiled.max_cost, errors);
            }
        }
        uses_old_self
    }

    /// Compiles the expression of a field. `None` if there is none.
    fn compile(
        &self,
        slot: &Slot<'_, '_>,
        declared: &Declared,
    ) -> Option<Result<Compiled<'d>, (Refusal, &'d Checked)>> {
        let (expression, checked) = self.check.expression(slot)?;
        if let Some(refusal) = compile::refusal(expression, checked) {
            return Some(Err((refusal, checked)));
        }
        let sizes = SchemaSizes { root: declared };
        let options = EstimateOptions::default();
        let max_cost = estimate(checked.answer(), checked.env(), &sizes, options).max;
        Some(Ok(Compiled { checked, max_cost }))
    }

    fn add_cost(&mut self, slot: &Slot<'_, '_>, name: &str, cost: u64, errors: &mut Errors) {
        if cost > PER_RULE {
            let detail = too_expensive(name, cost, PER_RULE);
            errors.push_rule(ApiRule::RuleCost, ErrorType::Forbidden, slot, detail);
        }
        self.total = self.total.saturating_add(cost);
        if cost < PER_SCHEMA / 100 {
            return;
        }
        let detail = "contributed to estimated rule cost total exceeding cost limit for entire \
                      OpenAPIv3 schema";
        let mut named = Errors::default();
        named.push_rule(ApiRule::TotalCost, ErrorType::Forbidden, slot, detail);
        let errors = named.found.into_iter().map(|error| (cost, error));
        self.expensive.extend(errors);
        self.expensive
            .sort_by_cached_key(|(cost, _)| std::cmp::Reverse(*cost));
        self.expensive.truncate(MAX_NAMED);
    }

    /// Reports the rules if their total cost could be too high. `schema` is the outermost one.
    pub(super) fn finish(self, schema: &Slot<'_, '_>, errors: &mut Errors) {
        if self.total <= PER_SCHEMA {
            return;
        }
        let named = self.expensive.into_iter().map(|(_, error)| error);
        errors.found.extend(named);
        let name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let detail = too_expensive(name, self.total, PER_SCHEMA);
        errors.push_rule(ApiRule::TotalCost, ErrorType::Forbidden, schema, detail);
    }
}

/// Checks that `oldSelf` is used only if there is an old value, and that `optionalOldSelf` is
/// set only for a rule that uses it.
fn check_old_self(
    rule: &Slot<'_, '_>,
    uses_old_self: bool,
    uncorrelatable: Option<PathRef<'_>>,
    errors: &mut Errors,
) {
    let optional = rule.child("optionalOldSelf");
    if optional.is_set() && !uses_old_self {
        let detail = "may not be set if oldSelf is not used in rule";
        errors.invalid(&optional, detail);
    }
    if let Some(path) = uncorrelatable.filter(|_| uses_old_self) {
        let path = path.to_path();
        let detail = format!(
            "oldSelf cannot be used on the uncorrelatable portion of the schema within {path}"
        );
        errors.invalid(&rule.child("rule"), detail);
    }
}

/// Returns whether an expression uses the variable `name` of its environment.
fn uses(checked: &Checked, name: &str) -> bool {
    let answer = checked.answer();
    answer.expansion().ids().any(
        |node| matches!(answer.reference(node), Some(Reference::Variable(used)) if &**used == name),
    )
}

/// Returns the message of the server for a cost above a limit.
///
/// Upstream: kubernetes/apiextensions-apiserver,
/// pkg/apis/apiextensions/validation/validation.go, getCostErrorMessage.
// The server also computes in doubles.
fn too_expensive(name: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{name} exceeds budget by factor of {factor} (try simplifying the rule, or adding \
         maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
    )
}

//! The cost of an expression of a document.
//!
//! The server rejects rules of a CustomResourceDefinition by their estimated cost. For other
//! expressions it only counts the cost at run time, against a budget; the estimate shows an author
//! in advance how the budget is spent.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, CostEstimator.

mod bounds;
mod sizes;

pub use bounds::{Bound, bounds};

use crate::crd::SchemaSizes;
use crate::expression::{Expression, Role};
use crate::library;
use crate::policy_document::PolicyDocument;
use cel::cost::{CallEstimate, CostEstimate, EstimatedCall, SizeEstimate, SizeOf};
use cel::estimate::EstimateOptions;
use std::sync::Arc;

/// Limit: the cost units of an expression when it runs once. kubernetes/apiserver,
/// pkg/apis/cel/config.go, PerCallLimit.
pub const PER_CALL: u64 = 1_000_000;

/// Limit: the cost units of all match conditions of a policy or a webhook. The same file,
/// RuntimeCELCostBudgetMatchConditions.
pub const MATCH_CONDITIONS: u64 = 2_500_000;

/// Limit: the cost units of all validations of a binding. The same file,
/// RuntimeCELCostBudget.
pub const VALIDATIONS: u64 = 10_000_000;

/// Limit: the cost units of a rule for all the values of its schema.
/// kubernetes/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go,
/// StaticEstimatedCostLimit.
pub const PER_RULE: u64 = 10_000_000;

/// Limit: the cost units of all rules of a schema and its subschemas. The same file,
/// StaticEstimatedCRDCostLimit.
pub const PER_SCHEMA: u64 = 100_000_000;

/// The entries of a list or a map, and the characters of a string, in a typical object. [`typical`]
/// uses it if a schema has no limits.
pub const TYPICAL: u64 = 10;

/// Returns the cost of an expression of a policy for typical objects: [`TYPICAL`] entries in each
/// list. `None` if it does not compile, and for rules of a
/// CustomResourceDefinition, whose sizes are known.
#[must_use]
pub fn typical(document: &PolicyDocument, expression: &Expression) -> Option<CostEstimate> {
    let checked = document.checked(expression)?;
    let (answer, env) = (checked.answer(), checked.env());
    let is_sound = expression.parse.is_ok() && answer.is_ok();
    if !is_sound || expression.role.schema().is_some() {
        return None;
    }
    let estimate = || {
        let options = EstimateOptions::default();
        cel::estimate::estimate(answer, env, &sizes::TypicalSizes, options)
    };
    Some(*checked.compiled().typical.get_or_init(estimate))
}

/// The estimated cost of a rule of a CustomResourceDefinition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleCost {
    /// The cost of one run.
    pub each: CostEstimate,
    /// The maximum number of evaluations for one object.
    pub runs: u64,
}

impl RuleCost {
    /// Returns the cost that [`PER_RULE`] and [`PER_SCHEMA`] limit.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.each.max.saturating_mul(self.runs)
    }
}

/// Returns the cost of a rule of a CustomResourceDefinition, or of the expression of its message,
/// which counts as if it ran once. `None` for other expressions, and if it does not
/// compile.
#[must_use]
pub fn rule_cost(document: &PolicyDocument, expression: &Expression) -> Option<RuleCost> {
    expression.role.schema()?;
    let each = estimate(document, expression)?;
    let context = document.rule_context(expression)?;
    let runs = match expression.role {
        Role::CrdRule { .. } => context.max_runs(context.declared()?),
        _ => 1,
    };
    Some(RuleCost { each, runs })
}

/// Returns the total cost of a rule of a CustomResourceDefinition, or of its message expression, if
/// it were written as `text`. `None` for other expressions, and if the text does not compile.
#[must_use]
pub fn rule_total_of(
    document: &PolicyDocument,
    expression: &Expression,
    text: &str,
) -> Option<u64> {
    expression.role.schema()?;
    let env = document.checked(expression)?.env();
    let parse = cel::syntax::parse_with(text, document.parse_options());
    let answer = cel::check::check(&parse.ast, env);
    if !parse.is_ok() || !answer.is_ok() {
        return None;
    }
    let context = document.rule_context(expression)?;
    let root = context.declared()?;
    let sizes = SchemaSizes { root };
    let each = cel::estimate::estimate(&answer, env, &sizes, EstimateOptions::default());
    let runs = match expression.role {
        Role::CrdRule { .. } => context.max_runs(root),
        _ => 1,
    };
    Some(RuleCost { each, runs }.total())
}

/// Returns the estimated cost of one evaluation. `None` if the expression does not compile.
///
/// The sizes of values in a rule of a CustomResourceDefinition come from its schema. Those of a
/// policy's objects are unknown, so its loops have no upper bound, [`CostEstimate::is_bounded`].
#[must_use]
pub fn estimate(document: &PolicyDocument, expression: &Expression) -> Option<CostEstimate> {
    let checked = document.checked(expression)?;
    let (answer, env) = (checked.answer(), checked.env());
    if !expression.parse.is_ok() || !answer.is_ok() {
        return None;
    }
    let options = EstimateOptions::default();
    if expression.role.schema().is_none() {
        return Some(cel::estimate::estimate(answer, env, &NoSizes, options));
    }
    let root = document.rule_context(expression)?.declared()?;
    Some(cel::estimate::estimate(
        answer,
        env,
        &SchemaSizes { root },
        options,
    ))
}

/// Returns the minimum cost of an expression of a policy in cost units, for any object, unless it
/// fails earlier. `None` if it does not compile.
///
/// The minimum of [`estimate`] is the API server's own, and is not a lower bound.
#[must_use]
pub fn least(document: &PolicyDocument, expression: &Expression) -> Option<u64> {
    let checked = document.checked(expression)?;
    let is_sound = expression.parse.is_ok() && checked.answer().is_ok();
    let estimate = || cel::estimate::minimum(checked.answer(), checked.env());
    is_sound.then(|| *checked.compiled().least.get_or_init(estimate))
}

/// No variable has a known size; only the costs of Kubernetes' functions are known.
struct NoSizes;

impl SizeOf for NoSizes {
    fn size_of(&self, _: &[Arc<str>]) -> Option<SizeEstimate> {
        None
    }

    fn call(&self, call: &EstimatedCall<'_>) -> Option<CallEstimate> {
        library::equality_estimate(call)
    }
}

#[cfg(test)]
mod tests {
    use super::estimate;
    use crate::recognize;
    use std::sync::Arc;

    /// Returns the estimates of the expressions of a document, in the order of the file.
    fn estimates(text: &str) -> Vec<Option<(u64, u64)>> {
        let found = recognize(&Arc::new(yaml::parse(text.into())));
        let document = found.policies.first().expect("a document");
        let expressions = document.expressions().iter();
        expressions
            .map(|expression| estimate(document, expression))
            .map(|cost| cost.map(|cost| (cost.min, cost.max)))
            .collect()
    }

    #[test]
    fn expressions_of_a_policy_have_an_end_where_nothing_loops() {
        let policy = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec:
  validations:
  - expression: object.spec.replicas <= 5
  - expression: object.spec.containers.all(c, c.image != '')
  - expression: authorizer.group('apps').resource('deployments').check('get').allowed()
  - expression: quantity('1') == quantity('2')
  - expression: object.spec.replicas <= nope
  - expression: object.spec.(
";
        let shown = estimates(policy);
        assert_eq!(
            shown,
            [
                Some((2, 2)),
                Some((2, u64::MAX)),
                Some((350_004, 350_004)),
                Some((3, 3)),
                None,
                None
            ]
        );
    }

    #[test]
    fn rules_of_a_definition_have_the_sizes_of_their_schema() {
        let definition = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: demo}
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          names:
            type: array
            maxItems: 10
            items: {type: string, maxLength: 20}
            x-kubernetes-validations:
            - rule: self.all(n, n.startsWith('a'))
              messageExpression: self.join(',')
";
        assert_eq!(estimates(definition), [Some((2, 52)), Some((1, 82))]);
    }
}

//! Findings and the rules that make them.
//!
//! One rule, one file below this one, with a page beside it that explains the rule to its
//! users. This module holds what they share: the shape of a finding, the table of rules,
//! and the run over a file.

mod absent_request_field;
mod api_error;
mod apply_configuration;
mod cel_in_message;
mod cel_syntax;
mod clauses;
mod conflicting_bindings;
mod constant_condition;
mod constant_message;
mod continuation;
mod cost_budget;
mod damage;
mod duplicate_key;
mod duplicate_name;
mod duplicate_object;
mod facts;
mod failing_message;
mod finding;
mod guard;
mod implicit_type;
mod int_or_string;
mod invalid_identifier;
mod invalid_literal;
mod invalid_value;
mod json_patch_path;
mod kind_problems;
mod match_rules;
mod matching_surprise;
mod missing_field;
mod namespace_object;
mod no_matching_overload;
mod null_object;
mod operations;
mod params_mismatch;
mod property_escaping;
mod reads;
mod repeated_condition;
mod static_manifest;
mod status_warning;
mod swallowed_comment;
mod text_bytes;
mod text_quantity;
mod text_timestamp;
mod type_check;
mod type_mismatch;
mod unavailable_api_version;
mod unavailable_field;
mod unavailable_function;
mod unavailable_root;
mod unbound_policy;
mod undefined_field;
mod undefined_variable;
mod unguarded_field;
mod unguarded_key;
mod unknown_field;
mod unknown_function;
mod unknown_kind;
mod unknown_name;
mod unknown_param_kind;
mod unknown_params;
mod unknown_policy;
mod unknown_resource;
mod unknown_suppression;
mod unmatched_rule;
mod unquoted_expression;
mod unsupported_value;
mod unused_loop_variable;
mod unused_variable;
mod variable_cycle;
mod variable_order;
mod wrong_result;
mod wrong_type;
mod yaml_syntax;

use crate::suppression::Suppression;
use crate::{Place, Settings, SourceFile};
use facts::Facts;
use finding::Finding;
use policy::Expression;
use text::{TextEdit, TextRange};
use unquoted_expression::Unquoted;

/// How bad a finding is. The order is from mild to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// An idea; editors show it faintly.
    Hint,
    /// Worth knowing, harmless.
    Information,
    /// Suspicious, or fails in some cases.
    Warning,
    /// The API server rejects it, or it always fails.
    Error,
}

/// How an editor may draw the range of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The code has no effect: drawn faded.
    Unnecessary,
    /// The code is deprecated: drawn struck through.
    Deprecated,
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place, in the same file unless `elsewhere` says another.
    pub range: TextRange,
    /// The place, where it is in another file of the project.
    pub elsewhere: Option<Place>,
    /// What is there.
    pub message: String,
}

/// A change that ends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the change does, as an order: "Quote the value".
    pub title: String,
    /// The edits, which do not overlap.
    pub edits: Vec<TextEdit>,
    /// Whether this is the one change that is surely meant.
    pub preferred: bool,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of the rule.
    pub code: &'static str,
    /// How bad it is, after settings.
    pub severity: Severity,
    /// The exact place.
    pub range: TextRange,
    /// What is wrong and what to do, in one or two sentences.
    pub message: String,
    /// Kubernetes' own words for it, where it has some.
    pub upstream: Option<String>,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// Changes that end it.
    pub fixes: Vec<Fix>,
    /// How to draw it.
    pub tag: Option<Tag>,
}

/// A rule: its code, its page and its check.
#[derive(Debug)]
pub struct Rule {
    /// The code: lower-case words joined by dashes, never renamed.
    pub code: &'static str,
    /// The severity unless settings say otherwise.
    pub severity: Severity,
    /// The page that explains the rule, in Markdown. Its first line is the title, its first
    /// paragraph the summary.
    pub page: &'static str,
    check: fn(&RuleContext<'_>, &mut Vec<Finding>),
}

/// What a rule reads.
#[derive(Clone, Copy)]
struct RuleContext<'a> {
    file: &'a SourceFile,
    documents: &'a [Facts<'a>],
    unquoted: &'a [Unquoted],
    /// The findings of the rules above this one in the table, before any is silenced.
    found: &'a [Diagnostic],
}

impl<'a> RuleContext<'a> {
    /// The documents that Kubernetes could read as they are, which templates are not.
    fn policies(&self) -> impl Iterator<Item = &'a Facts<'a>> {
        self.documents.iter().filter(|facts| !facts.is_template)
    }

    /// Every expression with the document that it belongs to, in templates as well.
    fn expressions(&self) -> impl Iterator<Item = (&'a Facts<'a>, &'a Expression)> {
        self.documents.iter().flat_map(|facts| {
            let expressions = facts.document.expressions().iter();
            let expressions = expressions.filter(|expression| facts.is_read(expression));
            expressions.map(move |expression| (facts, expression))
        })
    }
}

/// All rules, in the order of their pages: the file, its fields, its expressions.
pub const RULES: &[Rule] = &[
    Rule {
        code: "yaml-syntax",
        severity: Severity::Error,
        page: include_str!("diagnostics/yaml_syntax.md"),
        check: yaml_syntax::check,
    },
    Rule {
        code: "duplicate-key",
        severity: Severity::Error,
        page: include_str!("diagnostics/duplicate_key.md"),
        check: duplicate_key::check,
    },
    Rule {
        code: "implicit-type",
        severity: Severity::Error,
        page: include_str!("diagnostics/implicit_type.md"),
        check: implicit_type::check,
    },
    Rule {
        code: "unknown-kind",
        severity: Severity::Error,
        page: include_str!("diagnostics/unknown_kind.md"),
        check: unknown_kind::check,
    },
    Rule {
        code: "unavailable-api-version",
        severity: Severity::Error,
        page: include_str!("diagnostics/unavailable_api_version.md"),
        check: unavailable_api_version::check,
    },
    Rule {
        code: "unknown-field",
        severity: Severity::Error,
        page: include_str!("diagnostics/unknown_field.md"),
        check: unknown_field::check,
    },
    Rule {
        code: "unavailable-field",
        severity: Severity::Error,
        page: include_str!("diagnostics/unavailable_field.md"),
        check: unavailable_field::check,
    },
    Rule {
        code: "missing-field",
        severity: Severity::Error,
        page: include_str!("diagnostics/missing_field.md"),
        check: missing_field::check,
    },
    Rule {
        code: "wrong-type",
        severity: Severity::Error,
        page: include_str!("diagnostics/wrong_type.md"),
        check: wrong_type::check,
    },
    Rule {
        code: "unsupported-value",
        severity: Severity::Error,
        page: include_str!("diagnostics/unsupported_value.md"),
        check: unsupported_value::check,
    },
    Rule {
        code: "invalid-value",
        severity: Severity::Error,
        page: include_str!("diagnostics/invalid_value.md"),
        check: invalid_value::check,
    },
    Rule {
        code: "duplicate-name",
        severity: Severity::Error,
        page: include_str!("diagnostics/duplicate_name.md"),
        check: duplicate_name::check,
    },
    Rule {
        code: "invalid-identifier",
        severity: Severity::Error,
        page: include_str!("diagnostics/invalid_identifier.md"),
        check: invalid_identifier::check,
    },
    Rule {
        code: "unquoted-expression",
        severity: Severity::Error,
        page: include_str!("diagnostics/unquoted_expression.md"),
        check: unquoted_expression::check,
    },
    Rule {
        code: "swallowed-comment",
        severity: Severity::Error,
        page: include_str!("diagnostics/swallowed_comment.md"),
        check: swallowed_comment::check,
    },
    Rule {
        code: "cel-syntax",
        severity: Severity::Error,
        page: include_str!("diagnostics/cel_syntax.md"),
        check: cel_syntax::check,
    },
    Rule {
        code: "undefined-variable",
        severity: Severity::Error,
        page: include_str!("diagnostics/undefined_variable.md"),
        check: undefined_variable::check,
    },
    Rule {
        code: "variable-order",
        severity: Severity::Error,
        page: include_str!("diagnostics/variable_order.md"),
        check: variable_order::check,
    },
    Rule {
        code: "variable-cycle",
        severity: Severity::Error,
        page: include_str!("diagnostics/variable_cycle.md"),
        check: variable_cycle::check,
    },
    Rule {
        code: "unused-variable",
        severity: Severity::Warning,
        page: include_str!("diagnostics/unused_variable.md"),
        check: unused_variable::check,
    },
    Rule {
        code: "unavailable-root",
        severity: Severity::Error,
        page: include_str!("diagnostics/unavailable_root.md"),
        check: unavailable_root::check,
    },
    Rule {
        code: "unknown-name",
        severity: Severity::Error,
        page: include_str!("diagnostics/unknown_name.md"),
        check: unknown_name::check,
    },
    Rule {
        code: "unknown-function",
        severity: Severity::Error,
        page: include_str!("diagnostics/unknown_function.md"),
        check: unknown_function::check,
    },
    Rule {
        code: "unavailable-function",
        severity: Severity::Error,
        page: include_str!("diagnostics/unavailable_function.md"),
        check: unavailable_function::check,
    },
    Rule {
        code: "undefined-field",
        severity: Severity::Error,
        page: include_str!("diagnostics/undefined_field.md"),
        check: undefined_field::check,
    },
    Rule {
        code: "property-escaping",
        severity: Severity::Error,
        page: include_str!("diagnostics/property_escaping.md"),
        check: property_escaping::check,
    },
    Rule {
        code: "no-matching-overload",
        severity: Severity::Error,
        page: include_str!("diagnostics/no_matching_overload.md"),
        check: no_matching_overload::check,
    },
    Rule {
        code: "type-mismatch",
        severity: Severity::Error,
        page: include_str!("diagnostics/type_mismatch.md"),
        check: type_mismatch::check,
    },
    Rule {
        code: "invalid-literal",
        severity: Severity::Error,
        page: include_str!("diagnostics/invalid_literal.md"),
        check: invalid_literal::check,
    },
    Rule {
        code: "wrong-result",
        severity: Severity::Error,
        page: include_str!("diagnostics/wrong_result.md"),
        check: wrong_result::check,
    },
    Rule {
        code: "null-object",
        severity: Severity::Warning,
        page: include_str!("diagnostics/null_object.md"),
        check: null_object::check,
    },
    Rule {
        code: "unguarded-field",
        severity: Severity::Warning,
        page: include_str!("diagnostics/unguarded_field.md"),
        check: unguarded_field::check,
    },
    Rule {
        code: "unguarded-key",
        severity: Severity::Warning,
        page: include_str!("diagnostics/unguarded_key.md"),
        check: unguarded_key::check,
    },
    Rule {
        code: "absent-request-field",
        severity: Severity::Warning,
        page: include_str!("diagnostics/absent_request_field.md"),
        check: absent_request_field::check,
    },
    Rule {
        code: "namespace-object",
        severity: Severity::Warning,
        page: include_str!("diagnostics/namespace_object.md"),
        check: namespace_object::check,
    },
    Rule {
        code: "text-timestamp",
        severity: Severity::Warning,
        page: include_str!("diagnostics/text_timestamp.md"),
        check: text_timestamp::check,
    },
    Rule {
        code: "text-bytes",
        severity: Severity::Warning,
        page: include_str!("diagnostics/text_bytes.md"),
        check: text_bytes::check,
    },
    Rule {
        code: "int-or-string",
        severity: Severity::Warning,
        page: include_str!("diagnostics/int_or_string.md"),
        check: int_or_string::check,
    },
    Rule {
        code: "text-quantity",
        severity: Severity::Warning,
        page: include_str!("diagnostics/text_quantity.md"),
        check: text_quantity::check,
    },
    Rule {
        code: "apply-configuration",
        severity: Severity::Error,
        page: include_str!("diagnostics/apply_configuration.md"),
        check: apply_configuration::check,
    },
    Rule {
        code: "json-patch-path",
        severity: Severity::Warning,
        page: include_str!("diagnostics/json_patch_path.md"),
        check: json_patch_path::check,
    },
    Rule {
        code: "type-check",
        severity: Severity::Warning,
        page: include_str!("diagnostics/type_check.md"),
        check: type_check::check,
    },
    Rule {
        code: "status-warning",
        severity: Severity::Information,
        page: include_str!("diagnostics/status_warning.md"),
        check: status_warning::check,
    },
    Rule {
        code: "unknown-resource",
        severity: Severity::Warning,
        page: include_str!("diagnostics/unknown_resource.md"),
        check: unknown_resource::check,
    },
    Rule {
        code: "unmatched-rule",
        severity: Severity::Warning,
        page: include_str!("diagnostics/unmatched_rule.md"),
        check: unmatched_rule::check,
    },
    Rule {
        code: "constant-condition",
        severity: Severity::Warning,
        page: include_str!("diagnostics/constant_condition.md"),
        check: constant_condition::check,
    },
    Rule {
        code: "repeated-condition",
        severity: Severity::Warning,
        page: include_str!("diagnostics/repeated_condition.md"),
        check: repeated_condition::check,
    },
    Rule {
        code: "unused-loop-variable",
        severity: Severity::Warning,
        page: include_str!("diagnostics/unused_loop_variable.md"),
        check: unused_loop_variable::check,
    },
    Rule {
        code: "cel-in-message",
        severity: Severity::Warning,
        page: include_str!("diagnostics/cel_in_message.md"),
        check: cel_in_message::check,
    },
    Rule {
        code: "constant-message",
        severity: Severity::Hint,
        page: include_str!("diagnostics/constant_message.md"),
        check: constant_message::check,
    },
    Rule {
        code: "failing-message",
        severity: Severity::Warning,
        page: include_str!("diagnostics/failing_message.md"),
        check: failing_message::check,
    },
    Rule {
        code: "cost-budget",
        severity: Severity::Warning,
        page: include_str!("diagnostics/cost_budget.md"),
        check: cost_budget::check,
    },
    Rule {
        code: "unknown-policy",
        severity: Severity::Warning,
        page: include_str!("diagnostics/unknown_policy.md"),
        check: unknown_policy::check,
    },
    Rule {
        code: "unbound-policy",
        severity: Severity::Information,
        page: include_str!("diagnostics/unbound_policy.md"),
        check: unbound_policy::check,
    },
    Rule {
        code: "params-mismatch",
        severity: Severity::Warning,
        page: include_str!("diagnostics/params_mismatch.md"),
        check: params_mismatch::check,
    },
    Rule {
        code: "unknown-param-kind",
        severity: Severity::Error,
        page: include_str!("diagnostics/unknown_param_kind.md"),
        check: unknown_param_kind::check,
    },
    Rule {
        code: "unknown-params",
        severity: Severity::Information,
        page: include_str!("diagnostics/unknown_params.md"),
        check: unknown_params::check,
    },
    Rule {
        code: "conflicting-bindings",
        severity: Severity::Information,
        page: include_str!("diagnostics/conflicting_bindings.md"),
        check: conflicting_bindings::check,
    },
    Rule {
        code: "duplicate-object",
        severity: Severity::Warning,
        page: include_str!("diagnostics/duplicate_object.md"),
        check: duplicate_object::check,
    },
    Rule {
        code: "static-manifest",
        severity: Severity::Error,
        page: include_str!("diagnostics/static_manifest.md"),
        check: static_manifest::check,
    },
    Rule {
        code: "matching-surprise",
        severity: Severity::Information,
        page: include_str!("diagnostics/matching_surprise.md"),
        check: matching_surprise::check,
    },
    Rule {
        code: "unknown-suppression",
        severity: Severity::Information,
        page: include_str!("diagnostics/unknown_suppression.md"),
        check: unknown_suppression::check,
    },
];

/// Limit: findings of one rule in one file. Nobody reads more, and editors become slow.
const MAX_FINDINGS: usize = 500;

/// The findings in a file, in the order of their places. Settings and comments that
/// suppress findings are applied.
#[must_use]
pub fn diagnostics(file: &SourceFile, settings: &Settings) -> Vec<Diagnostic> {
    let with_level = |diagnostic: &Diagnostic| {
        let severity = settings.severity(diagnostic.code, diagnostic.severity)?;
        Some(Diagnostic {
            severity,
            ..diagnostic.clone()
        })
    };
    file.findings().iter().filter_map(with_level).collect()
}

/// The findings in a file that no comment silences, with the severities of the rules.
pub(crate) fn findings(file: &SourceFile) -> Vec<Diagnostic> {
    let unquoted = unquoted_expression::find(file);
    let documents = facts::of(file, &unquoted);
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut new = Vec::new();
    for rule in RULES {
        let context = RuleContext {
            file,
            documents: &documents,
            unquoted: &unquoted,
            found: &found,
        };
        (rule.check)(&context, &mut new);
        new.truncate(MAX_FINDINGS);
        found.extend(new.drain(..).map(|finding| finding.of(rule)));
    }
    let lines = |diagnostic: &Diagnostic| file.line_index().line(diagnostic.range.start());
    if !file.suppressions().is_empty() {
        found.retain(|diagnostic| !is_silenced(file, diagnostic, lines(diagnostic)));
    }
    found.sort_by_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
    // What an alias stands for is read more than once, and is one mistake.
    found.dedup_by(|next, kept| {
        next.code == kept.code && next.range == kept.range && next.message == kept.message
    });
    found
}

fn is_silenced(file: &SourceFile, diagnostic: &Diagnostic, line: u32) -> bool {
    let names = |suppression: &Suppression| {
        let mut codes = suppression.codes.iter();
        codes.any(|code| code.name == diagnostic.code)
    };
    let mut suppressions = file.suppressions().iter();
    suppressions.any(|suppression| names(suppression) && suppression.covers(line))
}

#[cfg(test)]
mod tests;

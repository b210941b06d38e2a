//! The table of rules.
//!
//! Its order is that of the pages. A rule sees what those above it have found, so that the
//! more exact one can stand first and the other be silent.

mod absent_request_field;
mod apply_configuration;
mod cel_in_message;
mod cel_syntax;
mod conflicting_bindings;
mod constant_condition;
mod constant_message;
mod cost_budget;
mod duplicate_key;
mod duplicate_name;
mod duplicate_object;
mod failing_message;
mod implicit_type;
mod int_or_string;
mod invalid_identifier;
mod invalid_literal;
mod invalid_value;
mod json_patch_missing;
mod json_patch_op;
mod json_patch_path;
mod json_patch_value;
mod matching_surprise;
mod missing_field;
mod namespace_object;
mod no_matching_overload;
mod not_checked;
mod null_object;
mod params_mismatch;
mod program_instantiation;
mod property_escaping;
mod rejected_field;
mod repeated_condition;
mod reserved_name;
mod server_bug;
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
mod unknown_enum_value;
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
mod unmergeable_kind;
pub(super) mod unquoted_expression;
mod unsupported_value;
mod unused_loop_variable;
mod unused_variable;
mod variable_cycle;
mod variable_order;
mod wrong_result;
mod wrong_type;
mod yaml_syntax;

use super::{Rule, Severity};

/// All rules, in the order of their pages: the file, its fields, its expressions.
pub const RULES: &[Rule] = &[
    Rule {
        code: "yaml-syntax",
        severity: Severity::Error,
        page: include_str!("rules/yaml_syntax.md"),
        check: yaml_syntax::check,
    },
    Rule {
        code: "not-checked",
        severity: Severity::Information,
        page: include_str!("rules/not_checked.md"),
        check: not_checked::check,
    },
    Rule {
        code: "duplicate-key",
        severity: Severity::Error,
        page: include_str!("rules/duplicate_key.md"),
        check: duplicate_key::check,
    },
    Rule {
        code: "implicit-type",
        severity: Severity::Error,
        page: include_str!("rules/implicit_type.md"),
        check: implicit_type::check,
    },
    Rule {
        code: "unknown-kind",
        severity: Severity::Error,
        page: include_str!("rules/unknown_kind.md"),
        check: unknown_kind::check,
    },
    Rule {
        code: "unavailable-api-version",
        severity: Severity::Error,
        page: include_str!("rules/unavailable_api_version.md"),
        check: unavailable_api_version::check,
    },
    Rule {
        code: "unknown-field",
        severity: Severity::Error,
        page: include_str!("rules/unknown_field.md"),
        check: unknown_field::check,
    },
    Rule {
        code: "unavailable-field",
        severity: Severity::Error,
        page: include_str!("rules/unavailable_field.md"),
        check: unavailable_field::check,
    },
    Rule {
        code: "missing-field",
        severity: Severity::Error,
        page: include_str!("rules/missing_field.md"),
        check: missing_field::check,
    },
    Rule {
        code: "wrong-type",
        severity: Severity::Error,
        page: include_str!("rules/wrong_type.md"),
        check: wrong_type::check,
    },
    Rule {
        code: "unsupported-value",
        severity: Severity::Error,
        page: include_str!("rules/unsupported_value.md"),
        check: unsupported_value::check,
    },
    Rule {
        code: "invalid-value",
        severity: Severity::Error,
        page: include_str!("rules/invalid_value.md"),
        check: invalid_value::check,
    },
    Rule {
        code: "duplicate-name",
        severity: Severity::Error,
        page: include_str!("rules/duplicate_name.md"),
        check: duplicate_name::check,
    },
    Rule {
        code: "invalid-identifier",
        severity: Severity::Error,
        page: include_str!("rules/invalid_identifier.md"),
        check: invalid_identifier::check,
    },
    Rule {
        code: "unquoted-expression",
        severity: Severity::Error,
        page: include_str!("rules/unquoted_expression.md"),
        check: unquoted_expression::check,
    },
    Rule {
        code: "swallowed-comment",
        severity: Severity::Error,
        page: include_str!("rules/swallowed_comment.md"),
        check: swallowed_comment::check,
    },
    Rule {
        code: "cel-syntax",
        severity: Severity::Error,
        page: include_str!("rules/cel_syntax.md"),
        check: cel_syntax::check,
    },
    Rule {
        code: "undefined-variable",
        severity: Severity::Error,
        page: include_str!("rules/undefined_variable.md"),
        check: undefined_variable::check,
    },
    Rule {
        code: "variable-order",
        severity: Severity::Error,
        page: include_str!("rules/variable_order.md"),
        check: variable_order::check,
    },
    Rule {
        code: "variable-cycle",
        severity: Severity::Error,
        page: include_str!("rules/variable_cycle.md"),
        check: variable_cycle::check,
    },
    Rule {
        code: "unused-variable",
        severity: Severity::Warning,
        page: include_str!("rules/unused_variable.md"),
        check: unused_variable::check,
    },
    Rule {
        code: "unavailable-root",
        severity: Severity::Error,
        page: include_str!("rules/unavailable_root.md"),
        check: unavailable_root::check,
    },
    Rule {
        code: "unknown-function",
        severity: Severity::Error,
        page: include_str!("rules/unknown_function.md"),
        check: unknown_function::check,
    },
    Rule {
        code: "property-escaping",
        severity: Severity::Error,
        page: include_str!("rules/property_escaping.md"),
        check: property_escaping::check,
    },
    Rule {
        code: "unknown-name",
        severity: Severity::Error,
        page: include_str!("rules/unknown_name.md"),
        check: unknown_name::check,
    },
    Rule {
        code: "unavailable-function",
        severity: Severity::Error,
        page: include_str!("rules/unavailable_function.md"),
        check: unavailable_function::check,
    },
    Rule {
        code: "undefined-field",
        severity: Severity::Error,
        page: include_str!("rules/undefined_field.md"),
        check: undefined_field::check,
    },
    Rule {
        code: "no-matching-overload",
        severity: Severity::Error,
        page: include_str!("rules/no_matching_overload.md"),
        check: no_matching_overload::check,
    },
    Rule {
        code: "type-mismatch",
        severity: Severity::Error,
        page: include_str!("rules/type_mismatch.md"),
        check: type_mismatch::check,
    },
    Rule {
        code: "invalid-literal",
        severity: Severity::Error,
        page: include_str!("rules/invalid_literal.md"),
        check: invalid_literal::check,
    },
    Rule {
        code: "program-instantiation",
        severity: Severity::Error,
        page: include_str!("rules/program_instantiation.md"),
        check: program_instantiation::check,
    },
    Rule {
        code: "wrong-result",
        severity: Severity::Error,
        page: include_str!("rules/wrong_result.md"),
        check: wrong_result::check,
    },
    Rule {
        code: "null-object",
        severity: Severity::Warning,
        page: include_str!("rules/null_object.md"),
        check: null_object::check,
    },
    Rule {
        code: "unguarded-field",
        severity: Severity::Warning,
        page: include_str!("rules/unguarded_field.md"),
        check: unguarded_field::check,
    },
    Rule {
        code: "unguarded-key",
        severity: Severity::Warning,
        page: include_str!("rules/unguarded_key.md"),
        check: unguarded_key::check,
    },
    Rule {
        code: "unknown-enum-value",
        severity: Severity::Warning,
        page: include_str!("rules/unknown_enum_value.md"),
        check: unknown_enum_value::check,
    },
    Rule {
        code: "absent-request-field",
        severity: Severity::Warning,
        page: include_str!("rules/absent_request_field.md"),
        check: absent_request_field::check,
    },
    Rule {
        code: "namespace-object",
        severity: Severity::Warning,
        page: include_str!("rules/namespace_object.md"),
        check: namespace_object::check,
    },
    Rule {
        code: "text-timestamp",
        severity: Severity::Warning,
        page: include_str!("rules/text_timestamp.md"),
        check: text_timestamp::check,
    },
    Rule {
        code: "text-bytes",
        severity: Severity::Warning,
        page: include_str!("rules/text_bytes.md"),
        check: text_bytes::check,
    },
    Rule {
        code: "int-or-string",
        severity: Severity::Warning,
        page: include_str!("rules/int_or_string.md"),
        check: int_or_string::check,
    },
    Rule {
        code: "text-quantity",
        severity: Severity::Warning,
        page: include_str!("rules/text_quantity.md"),
        check: text_quantity::check,
    },
    Rule {
        code: "apply-configuration",
        severity: Severity::Error,
        page: include_str!("rules/apply_configuration.md"),
        check: apply_configuration::check,
    },
    Rule {
        code: "json-patch-op",
        severity: Severity::Error,
        page: include_str!("rules/json_patch_op.md"),
        check: json_patch_op::check,
    },
    Rule {
        code: "json-patch-path",
        severity: Severity::Warning,
        page: include_str!("rules/json_patch_path.md"),
        check: json_patch_path::check,
    },
    Rule {
        code: "json-patch-value",
        severity: Severity::Error,
        page: include_str!("rules/json_patch_value.md"),
        check: json_patch_value::check,
    },
    Rule {
        code: "json-patch-missing",
        severity: Severity::Warning,
        page: include_str!("rules/json_patch_missing.md"),
        check: json_patch_missing::check,
    },
    Rule {
        code: "unmergeable-kind",
        severity: Severity::Error,
        page: include_str!("rules/unmergeable_kind.md"),
        check: unmergeable_kind::check,
    },
    Rule {
        code: "type-check",
        severity: Severity::Warning,
        page: include_str!("rules/type_check.md"),
        check: type_check::check,
    },
    Rule {
        code: "status-warning",
        severity: Severity::Information,
        page: include_str!("rules/status_warning.md"),
        check: status_warning::check,
    },
    Rule {
        code: "unknown-resource",
        severity: Severity::Warning,
        page: include_str!("rules/unknown_resource.md"),
        check: unknown_resource::check,
    },
    Rule {
        code: "server-bug",
        severity: Severity::Warning,
        page: include_str!("rules/server_bug.md"),
        check: server_bug::check,
    },
    Rule {
        code: "unmatched-rule",
        severity: Severity::Warning,
        page: include_str!("rules/unmatched_rule.md"),
        check: unmatched_rule::check,
    },
    Rule {
        code: "constant-condition",
        severity: Severity::Warning,
        page: include_str!("rules/constant_condition.md"),
        check: constant_condition::check,
    },
    Rule {
        code: "repeated-condition",
        severity: Severity::Warning,
        page: include_str!("rules/repeated_condition.md"),
        check: repeated_condition::check,
    },
    Rule {
        code: "unused-loop-variable",
        severity: Severity::Warning,
        page: include_str!("rules/unused_loop_variable.md"),
        check: unused_loop_variable::check,
    },
    Rule {
        code: "cel-in-message",
        severity: Severity::Warning,
        page: include_str!("rules/cel_in_message.md"),
        check: cel_in_message::check,
    },
    Rule {
        code: "constant-message",
        severity: Severity::Hint,
        page: include_str!("rules/constant_message.md"),
        check: constant_message::check,
    },
    Rule {
        code: "failing-message",
        severity: Severity::Warning,
        page: include_str!("rules/failing_message.md"),
        check: failing_message::check,
    },
    Rule {
        code: "cost-budget",
        severity: Severity::Warning,
        page: include_str!("rules/cost_budget.md"),
        check: cost_budget::check,
    },
    Rule {
        code: "unknown-policy",
        severity: Severity::Warning,
        page: include_str!("rules/unknown_policy.md"),
        check: unknown_policy::check,
    },
    Rule {
        code: "unbound-policy",
        severity: Severity::Information,
        page: include_str!("rules/unbound_policy.md"),
        check: unbound_policy::check,
    },
    Rule {
        code: "params-mismatch",
        severity: Severity::Warning,
        page: include_str!("rules/params_mismatch.md"),
        check: params_mismatch::check,
    },
    Rule {
        code: "unknown-param-kind",
        severity: Severity::Error,
        page: include_str!("rules/unknown_param_kind.md"),
        check: unknown_param_kind::check,
    },
    Rule {
        code: "unknown-params",
        severity: Severity::Information,
        page: include_str!("rules/unknown_params.md"),
        check: unknown_params::check,
    },
    Rule {
        code: "conflicting-bindings",
        severity: Severity::Information,
        page: include_str!("rules/conflicting_bindings.md"),
        check: conflicting_bindings::check,
    },
    Rule {
        code: "duplicate-object",
        severity: Severity::Warning,
        page: include_str!("rules/duplicate_object.md"),
        check: duplicate_object::check,
    },
    Rule {
        code: "reserved-name",
        severity: Severity::Information,
        page: include_str!("rules/reserved_name.md"),
        check: reserved_name::check,
    },
    Rule {
        code: "static-manifest",
        severity: Severity::Error,
        page: include_str!("rules/static_manifest.md"),
        check: static_manifest::check,
    },
    Rule {
        code: "matching-surprise",
        severity: Severity::Information,
        page: include_str!("rules/matching_surprise.md"),
        check: matching_surprise::check,
    },
    Rule {
        code: "rejected-field",
        severity: Severity::Error,
        page: include_str!("rules/rejected_field.md"),
        check: rejected_field::check,
    },
    Rule {
        code: "unknown-suppression",
        severity: Severity::Information,
        page: include_str!("rules/unknown_suppression.md"),
        check: unknown_suppression::check,
    },
];

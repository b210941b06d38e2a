//! The table of rules.
//!
//! A rule is a module and its page, `rules/<module>.rs` and `rules/<module>.md`, and one row
//! here. A rule with `[off]` reports only if settings enable it. The order is that of the pages. A rule sees what the rules above it have found, so
//! a more exact rule comes first and silences a more general one.

use super::{Rule, Severity};

/// Returns whether a row has `[off]`.
macro_rules! is_optional {
    () => {
        false
    };
    (off) => {
        true
    };
}

/// Declares the module of each row and lists all rules in [`RULES`].
macro_rules! rules {
    ($($module:ident $code:literal $severity:ident $([$level:ident])?)*) => {
        $(mod $module;)*

        /// All rules, in the order of their pages: the file, its fields, its expressions.
        pub const RULES: &[Rule] = &[$(Rule {
            code: $code,
            severity: Severity::$severity,
            is_optional: is_optional!($($level)?),
            page: include_str!(concat!("rules/", stringify!($module), ".md")),
            check: $module::check,
        }),*];
    };
}

rules! {
    yaml_syntax "yaml-syntax" Error
    not_checked "not-checked" Information
    invalid_input "invalid-input" Error
    duplicate_key "duplicate-key" Error
    implicit_type "implicit-type" Error
    unknown_kind "unknown-kind" Error
    unavailable_api_version "unavailable-api-version" Error
    unknown_field "unknown-field" Error
    unavailable_field "unavailable-field" Error
    missing_field "missing-field" Error
    wrong_type "wrong-type" Error
    unsupported_value "unsupported-value" Error
    invalid_value "invalid-value" Error
    duplicate_name "duplicate-name" Error
    invalid_identifier "invalid-identifier" Error
    unquoted_expression "unquoted-expression" Error
    swallowed_comment "swallowed-comment" Error
    cel_syntax "cel-syntax" Error
    undefined_variable "undefined-variable" Error
    variable_order "variable-order" Error
    variable_cycle "variable-cycle" Error
    unused_variable "unused-variable" Warning
    deep_variables "deep-variables" Warning
    unavailable_root "unavailable-root" Error
    unknown_function "unknown-function" Error
    property_escaping "property-escaping" Error
    unknown_name "unknown-name" Error
    unavailable_function "unavailable-function" Error
    undefined_field "undefined-field" Error
    no_matching_overload "no-matching-overload" Error
    type_mismatch "type-mismatch" Error
    invalid_literal "invalid-literal" Error
    program_instantiation "program-instantiation" Error
    wrong_result "wrong-result" Error
    null_object "null-object" Warning
    unguarded_field "unguarded-field" Warning
    unguarded_key "unguarded-key" Warning
    unknown_enum_value "unknown-enum-value" Warning
    absent_request_field "absent-request-field" Warning
    namespace_object "namespace-object" Warning
    text_timestamp "text-timestamp" Warning
    text_bytes "text-bytes" Warning
    int_or_string "int-or-string" Warning
    text_quantity "text-quantity" Warning
    apply_configuration "apply-configuration" Error
    json_patch_op "json-patch-op" Error
    json_patch_path "json-patch-path" Warning
    json_patch_value "json-patch-value" Error
    json_patch_missing "json-patch-missing" Warning
    unmergeable_kind "unmergeable-kind" Error
    type_check "type-check" Warning
    status_warning "status-warning" Information
    unknown_resource "unknown-resource" Warning
    server_bug "server-bug" Warning
    unmatched_rule "unmatched-rule" Warning
    constant_condition "constant-condition" Warning
    repeated_condition "repeated-condition" Warning
    unused_loop_variable "unused-loop-variable" Warning
    cel_in_message "cel-in-message" Warning
    constant_message "constant-message" Hint
    failing_message "failing-message" Warning
    cost_budget "cost-budget" Warning
    unknown_policy "unknown-policy" Warning
    unbound_policy "unbound-policy" Information
    params_mismatch "params-mismatch" Warning
    unknown_param_kind "unknown-param-kind" Error
    unknown_params "unknown-params" Information
    conflicting_bindings "conflicting-bindings" Information
    conflicting_mutations "conflicting-mutations" Warning
    duplicate_object "duplicate-object" Warning
    reserved_name "reserved-name" Information
    static_manifest "static-manifest" Error
    matching_surprise "matching-surprise" Information
    rejected_field "rejected-field" Error
    invalid_object "invalid-object" Error [off]
    unknown_suppression "unknown-suppression" Information
}

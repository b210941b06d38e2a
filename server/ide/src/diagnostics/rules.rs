//! The table of rules.
//!
//! A rule is a module and its page, `rules/<module>.rs` and `rules/<module>.md`, and one row
//! here. A rule with `[off]` reports only if settings enable it. The braces list the safety of
//! its fixes. The order is that of the pages. A rule sees the findings of the rules above it,
//! so a more exact rule comes first and silences a more general one.

use super::{Rule, Safety, Severity};

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
    ($($module:ident $code:literal $severity:ident $([$level:ident])? $({$($safety:ident)+})?)*) => {
        $(mod $module;)*

        /// All rules, in the order of their pages: the file, its fields, its expressions.
        pub const RULES: &[Rule] = &[$(Rule {
            code: $code,
            severity: Severity::$severity,
            is_optional: is_optional!($($level)?),
            fixes: &[$($(Safety::$safety),+)?],
            page: include_str!(concat!("rules/", stringify!($module), ".md")),
            check: $module::check,
        }),*];
    };
}

rules! {
    yaml_syntax "yaml-syntax" Error
    not_checked "not-checked" Information
    invalid_input "invalid-input" Error {Safe}
    duplicate_key "duplicate-key" Error {Unsafe}
    implicit_type "implicit-type" Error {Safe}
    unknown_kind "unknown-kind" Error {Safe}
    unavailable_api_version "unavailable-api-version" Error {Safe}
    unknown_field "unknown-field" Error {Safe}
    unavailable_field "unavailable-field" Error
    missing_field "missing-field" Error {Safe Unsafe}
    wrong_type "wrong-type" Error {Safe}
    unsupported_value "unsupported-value" Error {Safe}
    invalid_value "invalid-value" Error {Safe Unsafe}
    duplicate_name "duplicate-name" Error {Safe Unsafe}
    invalid_identifier "invalid-identifier" Error {Safe}
    unquoted_expression "unquoted-expression" Error {Safe}
    swallowed_comment "swallowed-comment" Error {Safe}
    cel_syntax "cel-syntax" Error {Safe Unsafe}
    undefined_variable "undefined-variable" Error {Safe}
    variable_order "variable-order" Error {Safe}
    variable_cycle "variable-cycle" Error
    unused_variable "unused-variable" Warning {Unsafe}
    deep_variables "deep-variables" Warning
    unavailable_root "unavailable-root" Error {Unsafe}
    unknown_function "unknown-function" Error {Safe}
    property_escaping "property-escaping" Error {Safe}
    unknown_name "unknown-name" Error {Safe}
    unavailable_function "unavailable-function" Error {Safe}
    undefined_field "undefined-field" Error {Safe}
    no_matching_overload "no-matching-overload" Error {Unsafe}
    type_mismatch "type-mismatch" Error {Unsafe}
    invalid_literal "invalid-literal" Error {Safe Unsafe}
    program_instantiation "program-instantiation" Error {Safe}
    wrong_result "wrong-result" Error {Safe}
    null_object "null-object" Warning {Unsafe}
    unguarded_field "unguarded-field" Warning {Unsafe}
    unguarded_key "unguarded-key" Warning {Unsafe}
    unknown_enum_value "unknown-enum-value" Warning {Safe}
    absent_request_field "absent-request-field" Warning {Unsafe}
    namespace_object "namespace-object" Warning {Safe Unsafe}
    text_timestamp "text-timestamp" Warning {Safe}
    text_bytes "text-bytes" Warning {Safe}
    int_or_string "int-or-string" Warning {Unsafe}
    text_quantity "text-quantity" Warning {Safe}
    apply_configuration "apply-configuration" Error {Safe}
    json_patch_op "json-patch-op" Error {Safe}
    json_patch_path "json-patch-path" Warning {Safe}
    json_patch_value "json-patch-value" Error {Safe}
    json_patch_missing "json-patch-missing" Warning {Unsafe}
    unmergeable_kind "unmergeable-kind" Error
    type_check "type-check" Warning {Safe}
    status_warning "status-warning" Information {Unsafe}
    unknown_resource "unknown-resource" Warning {Safe}
    server_bug "server-bug" Warning
    unmatched_rule "unmatched-rule" Warning {Unsafe}
    constant_condition "constant-condition" Warning {Unsafe}
    repeated_condition "repeated-condition" Warning {Unsafe}
    unused_loop_variable "unused-loop-variable" Warning {Unsafe}
    cel_in_message "cel-in-message" Warning {Safe}
    constant_message "constant-message" Hint {Safe}
    failing_message "failing-message" Warning {Unsafe}
    cost_budget "cost-budget" Warning {Safe Unsafe}
    unknown_policy "unknown-policy" Warning {Unsafe}
    unbound_policy "unbound-policy" Information
    params_mismatch "params-mismatch" Warning {Safe}
    unknown_param_kind "unknown-param-kind" Error {Safe}
    unknown_params "unknown-params" Information {Unsafe}
    conflicting_bindings "conflicting-bindings" Information
    conflicting_mutations "conflicting-mutations" Warning
    duplicate_object "duplicate-object" Warning
    reserved_name "reserved-name" Information
    static_manifest "static-manifest" Error
    matching_surprise "matching-surprise" Information {Unsafe}
    rejected_field "rejected-field" Error
    invalid_object "invalid-object" Error [off]
    unknown_suppression "unknown-suppression" Information {Safe}
}

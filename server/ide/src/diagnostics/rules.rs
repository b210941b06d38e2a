//! The table of rules.
//!
//! A rule is a module and its page, `rules/<module>.rs` and `rules/<module>.md`, and one row here.
//! A rule with `[off]` reports only if settings enable it. The braces list the safety of its fixes;
//! if there are none, a string states why. The order is that of the pages. A rule sees the findings
//! of earlier rules, so specific rules come first and suppress general ones.

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
    ($($module:ident $code:literal $severity:ident $([$level:ident])? $({$($safety:ident)+})?
        $(- $no_fix:literal)?)*) => {
        $(mod $module;)*

        /// All rules, in the order of their pages: the file, its fields, its expressions.
        pub const RULES: &[Rule] = &[$(Rule {
            code: $code,
            severity: Severity::$severity,
            is_optional: is_optional!($($level)?),
            fixes: &[$($(Safety::$safety),+)?],
            no_fix: concat!($($no_fix)?),
            page: include_str!(concat!("rules/", stringify!($module), ".md")),
            check: $module::check,
        }),*];
    };
}

rules! {
    yaml_syntax "yaml-syntax" Error
        - "several repairs are possible, and each changes the structure"
    not_checked "not-checked" Information
        - "the document is not wrong"
    invalid_input "invalid-input" Error {Safe}
    duplicate_key "duplicate-key" Error {Unsafe}
    implicit_type "implicit-type" Error {Safe}
    unknown_kind "unknown-kind" Error {Safe}
    unavailable_api_version "unavailable-api-version" Error {Safe}
    unknown_field "unknown-field" Error {Safe}
    unavailable_field "unavailable-field" Error
        - "no other field has the same effect on older versions"
    missing_field "missing-field" Error {Safe Unsafe}
    wrong_type "wrong-type" Error {Safe}
    unsupported_value "unsupported-value" Error {Safe Unsafe}
    invalid_value "invalid-value" Error {Safe Unsafe}
    duplicate_name "duplicate-name" Error {Safe Unsafe}
    invalid_identifier "invalid-identifier" Error {Safe}
    unquoted_expression "unquoted-expression" Error {Safe}
    swallowed_comment "swallowed-comment" Error {Safe}
    cel_syntax "cel-syntax" Error {Safe Unsafe}
    undefined_variable "undefined-variable" Error {Safe}
    variable_order "variable-order" Error {Safe}
    variable_cycle "variable-cycle" Error
        - "only the author knows which reference is wrong"
    unused_variable "unused-variable" Warning {Unsafe}
    deep_variables "deep-variables" Warning
        - "only the author can simplify the variables"
    unavailable_root "unavailable-root" Error {Unsafe}
    unknown_function "unknown-function" Error {Safe}
    property_escaping "property-escaping" Error {Safe}
    unknown_name "unknown-name" Error {Safe}
    unavailable_function "unavailable-function" Error {Safe}
    undefined_field "undefined-field" Error {Safe}
    no_matching_overload "no-matching-overload" Error {Safe Unsafe}
    type_mismatch "type-mismatch" Error {Safe Unsafe}
    invalid_literal "invalid-literal" Error {Safe Unsafe}
    program_instantiation "program-instantiation" Error {Safe}
    wrong_result "wrong-result" Error {Safe Unsafe}
    null_object "null-object" Warning {Unsafe}
    unguarded_field "unguarded-field" Warning {Unsafe}
    unguarded_key "unguarded-key" Warning {Unsafe}
    unknown_enum_value "unknown-enum-value" Warning {Safe Unsafe}
    absent_request_field "absent-request-field" Warning {Unsafe}
    namespace_object "namespace-object" Warning {Safe Unsafe}
    string_timestamp "string-timestamp" Warning {Safe}
    string_bytes "string-bytes" Warning {Safe}
    int_or_string "int-or-string" Warning {Unsafe}
    string_quantity "string-quantity" Warning {Safe}
    apply_configuration "apply-configuration" Error {Safe}
    json_patch_op "json-patch-op" Error {Safe}
    json_patch_path "json-patch-path" Warning {Safe}
    json_patch_value "json-patch-value" Error {Safe}
    json_patch_missing "json-patch-missing" Warning {Unsafe}
    unmergeable_kind "unmergeable-kind" Error
        - "only the author knows which resources to match"
    type_check "type-check" Warning {Safe Unsafe}
    status_warning "status-warning" Information {Unsafe}
    unknown_resource "unknown-resource" Warning {Safe}
    server_bug "server-bug" Warning
        - "the alternative depends on the bug and is on this page"
    unmatched_rule "unmatched-rule" Warning {Unsafe}
    uncompared_field "uncompared-field" Warning
        - "only the author knows the fields that must not change"
    constant_condition "constant-condition" Warning {Unsafe}
    repeated_condition "repeated-condition" Warning {Unsafe}
    unused_loop_variable "unused-loop-variable" Warning {Unsafe}
    cel_in_message "cel-in-message" Warning {Safe}
    constant_message "constant-message" Hint {Safe}
    failing_message "failing-message" Warning {Unsafe}
    cost_budget "cost-budget" Warning {Safe Unsafe}
    non_scalar_set "non-scalar-set" Warning
        - "an atomic list, or a map list with keys, behaves differently"
    unknown_policy "unknown-policy" Warning {Unsafe}
    unbound_policy "unbound-policy" Information
        - "the code action `Create a binding` adds one"
    params_mismatch "params-mismatch" Warning {Safe}
    unknown_param_kind "unknown-param-kind" Error {Safe}
    unknown_params "unknown-params" Information {Unsafe}
    conflicting_bindings "conflicting-bindings" Information
        - "either binding can be the intended one"
    conflicting_mutations "conflicting-mutations" Warning
        - "either policy can be the intended one"
    duplicate_object "duplicate-object" Warning
        - "other files can refer to the name"
    reserved_name "reserved-name" Information
        - "other files can refer to the name"
    static_manifest "static-manifest" Error
        - "the document must be loaded through the API instead"
    matching_surprise "matching-surprise" Information {Unsafe}
    rejected_field "rejected-field" Error
        - "the correction depends on the message of the API server"
    invalid_object "invalid-object" Error [off]
        - "only the author knows the intended value"
    unknown_suppression "unknown-suppression" Information {Safe}
}

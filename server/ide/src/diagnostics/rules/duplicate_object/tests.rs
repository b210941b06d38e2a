//! Documents with the same kind and name.

use crate::fixture::{binding, check_diagnostics, check_project, named_policy, project};

#[test]
fn the_second_in_a_file_overwrites_the_first() {
    let second = "demo\n       #^^^^ warning[duplicate-object]: replaces the first";
    let (first, second) = (named_policy("demo"), named_policy(second));
    check_diagnostics(&format!("{first}---\n{second}"));
}

#[test]
fn another_file_of_the_directory_is_told() {
    let label = "\n       #^^^^ information[duplicate-object]: another file";
    let policy = named_policy(&format!("demo{label}"));
    let source = project([
        ("a/binding.yaml", &binding("b", "policyName: demo")),
        ("a/a.yaml", &policy),
        ("a/b.yaml", &policy),
    ]);
    check_project(&source);
    let quiet = source.replace(label, "");
    check_project(&quiet.replace("a/b.yaml", "b/b.yaml"));
    // Examples are not applied together.
    check_project(&quiet.replace("a/binding.yaml", "b/binding.yaml"));
}

#[test]
fn a_binding_and_a_policy_share_a_name() {
    let (policy, binding) = (named_policy("demo"), binding("demo", "policyName: demo"));
    check_diagnostics(&format!("{policy}---\n{binding}"));
}

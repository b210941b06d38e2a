//! Manifests that cannot be loaded from the manifest directory of a server.

use crate::fixture::{
    binding, check_diagnostics, check_project, named_policy, params_policy, project,
};

/// A name that is reserved for such files.
const STATIC: &str = "a.static.k8s.io # admissible: ignore[reserved-name]";

const READS_DATA: &str = "params.data.a == object.metadata.name";

#[test]
fn there_are_no_parameters() {
    let label = "kind: ConfigMap}\n #^^^^^^^^^ error[static-manifest]: cannot have parameters";
    let policy = params_policy("ConfigMap", READS_DATA)
        .replace("demo", STATIC)
        .replace("kind: ConfigMap}", label);
    let binding = binding(
        "a.static.k8s.io",
        "policyName: a.static.k8s.io
  paramRef: {name: limits, parameterNotFoundAction: Deny}
 #^^^^^^^^ error[static-manifest]: cannot have parameters",
    );
    check_diagnostics(&format!("{policy}---\n{binding}"));
}

#[test]
fn a_binding_is_beside_its_policy() {
    let label =
        "\n             #^^^^^^^^^^^^^^^ warning[static-manifest]: No file in this directory";
    let binding = binding(STATIC, &format!("policyName: a.static.k8s.io{label}"));
    let source = project([
        ("manifests/binding.yaml", &binding),
        ("%/policy.yaml", &named_policy(STATIC)),
    ]);
    check_project(&source.replace('%', "other"));
    check_project(&source.replace('%', "manifests").replace(label, ""));
}

#[test]
fn names_with_and_without_the_end_do_not_mix() {
    let other = named_policy("demo\n       #^^^^ warning[static-manifest]: Move");
    check_diagnostics(&format!("{}---\n{other}", named_policy(STATIC)));
    check_diagnostics(&binding(
        "b",
        "policyName: a.static.k8s.io
             #^^^^^^^^^^^^^^^ warning[static-manifest]: has no effect",
    ));
}

#[test]
fn older_servers_have_no_such_directory() {
    let policy = params_policy("ConfigMap", READS_DATA).replace("demo", "a.static.k8s.io");
    check_diagnostics(&format!("# kubernetes = \"1.33\"\n{policy}"));
}

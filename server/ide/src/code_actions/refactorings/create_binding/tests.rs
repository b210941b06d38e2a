//! A binding is created for a policy without one.

use super::binding_file;
use crate::code_actions::refactorings::refactorings;
use crate::fixture::{binding, findings, named_policy, params_policy};
use crate::project::{FileSummary, Project};
use crate::report::Severity;
use crate::{SourceFile, code_actions::CodeAction};
use expect_test::expect;
use std::path::Path;
use std::sync::Arc;
use text::{TextRange, TextSize, apply_edits};

/// Returns the file of a policy in a project with other files.
fn in_project(text: &str, others: &[(&str, &str)]) -> SourceFile {
    let summary = |(path, text): &(&str, &str)| {
        Arc::new(FileSummary::read(&Arc::from(Path::new(path)), text))
    };
    let files = [("a.yaml", text)]
        .iter()
        .chain(others)
        .map(summary)
        .collect::<Vec<_>>();
    let project = Arc::new(Project::default().with_files(files));
    SourceFile::in_project(text, project).at(Arc::from(Path::new("a.yaml")))
}

fn at(text: &str, name: &str) -> TextSize {
    TextSize::of(text.split_once(name).unwrap().0)
}

/// Returns the action at the name of the first document, which is `demo`.
fn created(text: &str, others: &[(&str, &str)]) -> Option<CodeAction> {
    let file = in_project(text, others);
    refactorings(&file, TextRange::empty(at(text, "demo")))
        .into_iter()
        .find(|it| it.title == "Create a binding for `demo`")
}

fn added(text: &str, others: &[(&str, &str)]) -> String {
    let action = created(text, others).unwrap();
    let after = apply_edits(text, &action.edits).unwrap();
    let errors = |text: &str| {
        let found = findings(text).into_iter();
        found.filter(|it| it.severity >= Severity::Warning).count()
    };
    assert_eq!(errors(&after), errors(text), "{after}");
    let at = usize::from(action.edits[0].range.start());
    after.get(at..).unwrap().to_owned()
}

#[test]
fn the_binding_follows_its_policy() {
    expect![[r#"

        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata:
          name: demo
        spec:
          policyName: demo
          validationActions: [Deny]
    "#]]
    .assert_eq(&added(&named_policy("demo"), &[]));
    let followed = named_policy("demo") + "---\n" + &named_policy("other");
    assert!(added(&followed, &[]).ends_with(&format!("[Deny]\n---\n{}", named_policy("other"))));
    let windows = named_policy("demo").replace('\n', "\r\n");
    assert!(!added(&windows, &[]).replace("\r\n", "").contains('\n'));
    let unended = named_policy("demo").trim_end().to_owned();
    assert!(added(&unended, &[]).ends_with("[Deny]\n"));
}

#[test]
fn the_binding_selects_the_parameters_of_the_project() {
    let policy = params_policy("ConfigMap", "object.spec.replicas <= int(params.data.max)");
    let params = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, namespace: ops}\n"
        .replace(
            "metadata: {name: limits, namespace: ops}",
            "metadata:\n  name: limits\n  namespace: ops",
        );
    let added = added(&policy, &[("b.yaml", &params)]);
    let (_, reference) = added.split_once("  paramRef:\n").unwrap();
    assert_eq!(
        reference,
        "    name: limits\n    namespace: ops\n    parameterNotFoundAction: Deny\n"
    );
}

#[test]
fn a_policy_with_a_binding_needs_no_other() {
    let bound = binding("b", "policyName: demo");
    let policy = named_policy("demo");
    assert_eq!(created(&policy, &[("b.yaml", &bound)]), None);
    assert_eq!(created(&format!("{policy}---\n{bound}"), &[]), None);
}

#[test]
fn a_new_file_has_the_same_binding() {
    let text = named_policy("demo");
    let new = binding_file(&in_project(&text, &[]), at(&text, "demo")).unwrap();
    assert_eq!(new.name, "demo-binding.yaml");
    assert_eq!(added(&text, &[]), format!("\n---\n{}", new.text));
    let bound = [("b.yaml", &*binding("b", "policyName: demo"))];
    assert_eq!(
        binding_file(&in_project(&text, &bound), at(&text, "demo")),
        None
    );
    let windows = text.replace('\n', "\r\n");
    let new = binding_file(&in_project(&windows, &[]), at(&windows, "demo")).unwrap();
    assert!(!new.text.replace("\r\n", "").contains('\n'));
}

#[test]
fn a_name_does_not_lead_out_of_the_folder() {
    let text = named_policy("../demo");
    let file = in_project(&text, &[]);
    assert_eq!(binding_file(&file, at(&text, "../demo")), None);
    assert!(created(&named_policy("demo"), &[]).is_some());
}

#[test]
fn binding_is_not_created_if_its_name_is_invalid_or_taken() {
    let policy = named_policy("demo");
    let offered = |text: &str, name: &str| {
        let file = in_project(text, &[]);
        let cursor = at(text, name);
        let actions = refactorings(&file, TextRange::empty(cursor));
        let has_action = actions
            .iter()
            .any(|it| it.title.starts_with("Create a binding"));
        assert_eq!(has_action, binding_file(&file, cursor).is_some());
        has_action
    };
    assert!(offered(&policy, "demo"));
    assert!(!offered(
        &policy.replace("demo", "Replica_Limit"),
        "Replica_Limit"
    ));
    let typo = binding("demo", "policyName: dmeo");
    assert!(!offered(&format!("{policy}---\n{typo}"), "demo"));
    let other = binding("other", "policyName: dmeo");
    assert!(offered(&format!("{policy}---\n{other}"), "demo"));
}

#[test]
fn binding_of_static_policy_has_no_parameters() {
    let text = params_policy("ConfigMap", "params.data.a == 'b'");
    let name = text.split_once("name: ").unwrap().1.lines().next().unwrap();
    let text = text.replacen(name, "demo.static.k8s.io", 1);
    let file = in_project(&text, &[]);
    let created = binding_file(&file, at(&text, "demo")).unwrap();
    assert!(!created.text.contains("paramRef"), "{}", created.text);
}

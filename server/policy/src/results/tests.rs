//! Each test counts what a change computes again, since a key that lacks an input would reuse an
//! outdated result, and one that holds too much would compile more than necessary.

use super::{Compiled, Source};
use crate::environment::{EnvironmentKind, env};
use crate::typecheck::kinds::KindChecks;
use crate::{ParsedFile, Results};
use cel::syntax::ParseOptions;
use expect_test::{Expect, expect};
use kubernetes::openapi::{Catalog, Definitions};
use kubernetes::{EnvironmentVersion, ServerVersion, Target};
use std::sync::Arc;

/// A policy for three kinds: the third has a definition.
const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: example
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments, daemonsets]}
    - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [widgets]}
  variables:
  - {name: spec, expression: object.spec}
  - {name: count, expression: '1'}
  validations:
  - expression: has(variables.spec.replicas)
  - expression: variables.count < 5
  - expression: object.metadata.name != ''
  - expression: request.operation == 'CREATE'
";

const WIDGETS: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {replicas: {type: integer}}}}
";

/// A file whose versions share results.
struct Versions {
    results: Arc<Results>,
    kinds: Arc<Catalog>,
}

impl Versions {
    fn new() -> Self {
        Self {
            results: Arc::default(),
            kinds: kinds(WIDGETS),
        }
    }

    /// Analyzes a version. Returns the number of sources that are parsed, and of expressions that
    /// are compiled.
    fn computed(&self, text: &str) -> (usize, usize) {
        let before = self.count();
        let file =
            ParsedFile::with_results(text.into(), Target::default(), Arc::clone(&self.results));
        for document in file.policies() {
            assert_eq!(document.all_checked().len(), document.expressions().len());
            let checks = KindChecks::new(document, &self.kinds);
            assert_eq!(checks.kinds().len(), 3);
        }
        let after = self.count();
        file.drop_old_results();
        (after.0 - before.0, after.1 - before.1)
    }

    /// Returns the number of results that are kept.
    fn count(&self) -> (usize, usize) {
        (self.results.sources.count(), self.results.compiled.count())
    }
}

fn kinds(definition: &str) -> Arc<Catalog> {
    let file = ParsedFile::new(definition.into(), Target::default());
    let definitions = file.policies().iter();
    let definitions = definitions.map(|it| Arc::new(Definitions::from_crd(it.root()).unwrap()));
    let built_in = Catalog::built_in(ServerVersion::NEWEST_KINDS);
    Arc::new(built_in.with_definitions(definitions))
}

/// Compares which results are computed for a change of the policy.
fn check(from: &str, to: &str, expect: &Expect) {
    let versions = Versions::new();
    // Six expressions, each without types and for three kinds.
    assert_eq!(versions.computed(POLICY), (6, 24));
    assert!(POLICY.contains(from));
    let (parsed, compiled) = versions.computed(&POLICY.replace(from, to));
    expect.assert_eq(&format!("{parsed} parsed, {compiled} compiled"));
    // No result of the first version is kept that the second does not use.
    assert_eq!(versions.count(), (6, 24));
}

#[test]
fn a_text_that_stays_the_same_costs_nothing() {
    check(
        "name: example",
        "name: example",
        &expect!["0 parsed, 0 compiled"],
    );
}

#[test]
fn lines_above_an_expression_do_not_matter() {
    check(
        "spec:\n  match",
        "# one\n# two\nspec:\n  match",
        &expect!["0 parsed, 0 compiled"],
    );
}

#[test]
fn a_changed_expression_alone_is_compiled_once_for_each_kind() {
    check(
        "name != ''",
        "name != 'a'",
        &expect!["1 parsed, 4 compiled"],
    );
}

#[test]
fn users_of_a_variable_are_compiled_only_if_its_type_changes() {
    check("'1'", "'2'", &expect!["1 parsed, 4 compiled"]);
    // Its one user is compiled, too.
    check("'1'", "'2.0'", &expect!["1 parsed, 8 compiled"]);
    // A variable with an object has the type `dyn`.
    check(
        "expression: object.spec}",
        "expression: object.status}",
        &expect!["1 parsed, 4 compiled"],
    );
}

#[test]
fn other_kinds_keep_their_results() {
    let narrower = "resources: [deployments, replicasets]";
    check(
        "resources: [deployments, daemonsets]",
        narrower,
        &expect!["0 parsed, 6 compiled"],
    );
}

#[test]
fn a_changed_definition_renews_its_own_kind_only() {
    let mut versions = Versions::new();
    assert_eq!(versions.computed(POLICY), (6, 24));
    versions.kinds = kinds(&WIDGETS.replace("replicas: {type: integer}", "size: {type: integer}"));
    assert_eq!(versions.computed(POLICY), (0, 6));
}

#[test]
fn a_result_of_another_scope_is_not_used() {
    let text = POLICY.replace(
        "  variables:",
        "  paramKind: {apiVersion: v1, kind: ConfigMap}\n  variables:",
    );
    let versions = Versions::new();
    assert_eq!(versions.computed(POLICY), (6, 24));
    // Every expression has one more name.
    assert_eq!(versions.computed(&text), (0, 24));
}

#[test]
fn an_expansion_serves_all_environments_with_the_same_macros() {
    let kind = EnvironmentKind::Schema;
    let [old, new] = [EnvironmentVersion::OLDEST, EnvironmentVersion::NEWEST];
    let environments = [new, old, new].map(|version| env(version, kind));
    // The loop is a macro only in new versions, and the checker replaces the call of `sets`.
    for text in [
        "[1].all(i, x, i < x)",
        "sets.contains([1], [1])",
        "[1].all(x, x > 0)",
    ] {
        let source = Source::new(text, ParseOptions::default());
        for env in &environments {
            let shared = Compiled::new(&source, env).answer;
            let own = cel::check::check(&source.ast, env);
            assert_eq!(shared.expansion(), own.expansion(), "{text}");
            assert_eq!(shared.errors(), own.errors(), "{text}");
        }
        let [first, _, third] = &environments;
        let shared = source.expansion(first);
        assert!(Arc::ptr_eq(&shared, &source.expansion(third)));
    }
}

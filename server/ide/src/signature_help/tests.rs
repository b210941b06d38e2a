//! The signatures at a cursor, with the active parameter in angle quotes.

use super::*;
use crate::fixture::{Fixture, policy, source_file};
use expect_test::{Expect, expect};
use std::fmt::Write as _;

fn help(source: &str, chosen: Option<&str>) -> Option<SignatureHelp> {
    let fixture = Fixture::parse(source);
    let cursor = fixture.cursor.expect("a cursor");
    signature_help(&source_file(&fixture.text), cursor, chosen)
}

/// Shows the signatures, the active one with an arrow.
fn shown(help: &SignatureHelp) -> String {
    let mut shown = String::new();
    for (index, signature) in help.signatures.iter().enumerate() {
        let arrow = if index == help.active { "> " } else { "  " };
        let active = signature.active_parameter;
        let span = active.map(|at| signature.parameters[at].span);
        let mut label = signature.label.clone();
        if let Some(span) = span {
            label.insert(span.end() as usize, '»');
            label.insert(span.start() as usize, '«');
        }
        writeln!(shown, "{arrow}{label}").unwrap();
    }
    shown
}

#[track_caller]
fn check_in(source: &str, expected: &Expect) {
    let help = help(source, None);
    expected.assert_eq(&help.map_or("nothing\n".to_owned(), |help| shown(&help)));
}

#[track_caller]
fn check(expression: &str, expected: &Expect) {
    check_in(&validation(&format!("|-\n        {expression}")), expected);
}

fn validation(expression: &str) -> String {
    policy(&format!("  validations:\n    - expression: {expression}\n"))
}

fn mutation(expression: &str) -> String {
    policy(&format!(
        "  mutations:\n    - patchType: ApplyConfiguration\n      applyConfiguration:\n        expression: {expression}\n"
    )).replace("Validating", "Mutating")
}

#[test]
fn only_overloads_of_the_receiver_are_shown() {
    check(
        "object.metadata.name.startsWith($0",
        &expect![[r#"
        > string.startsWith(«string») -> bool
    "#]],
    );
    check(
        "object.metadata.name.replace('a', $0)",
        &expect![[r#"
        > string.replace(string, «string») -> string
          string.replace(string, «string», int) -> string
    "#]],
    );
    check(
        "object.spec.template.spec.containers.size($0)",
        &expect![[r#"
            > list(A).size() -> int
        "#]],
    );
    check(
        "request.userInfo.groups.indexOf($0",
        &expect![[r#"
        > list(A).indexOf(«A») -> int
    "#]],
    );
}

#[test]
fn the_arguments_choose_the_signature() {
    check(
        "int('1'$0)",
        &expect![[r#"
          int(«int») -> int
          int(«double») -> int
          int(«duration») -> int
        > int(«string») -> int
          int(«timestamp») -> int
          int(«uint») -> int
    "#]],
    );
    check(
        "size([1, 2]$0)",
        &expect![[r#"
          size(«bytes») -> int
        > size(«list(A)») -> int
          size(«map(A, B)») -> int
          size(«string») -> int
    "#]],
    );
    check(
        "'abc'.substring(1, $0)",
        &expect![[r#"
          string.substring(int) -> string
        > string.substring(int, «int») -> string
    "#]],
    );
}

#[test]
fn the_selected_signature_stays_while_it_fits() {
    let source = validation("size($0");
    let list = "size(list(A)) -> int";
    let active = |source: &str, chosen| {
        let help = help(source, chosen).unwrap();
        help.signatures[help.active].label.clone()
    };
    assert_ne!(active(&source, None), list);
    assert_eq!(active(&source, Some(list)), list);
    assert_ne!(active(&validation("size('a'$0"), Some(list)), list);
}

#[test]
fn a_namespace_is_part_of_the_name() {
    check(
        "sets.contains([1], $0",
        &expect![[r#"
        > sets.contains(list(T), «list(T)») -> bool
    "#]],
    );
    check(
        "optional.of($0)",
        &expect![[r#"
        > optional.of(«V») -> optional_type(V)
    "#]],
    );
}

#[test]
fn macros_show_their_forms() {
    check(
        "object.spec.template.spec.containers.all(c, $0)",
        &expect![[r#"
            > list.all(x, «condition») -> bool
              list.all(index, «x», condition) -> bool
        "#]],
    );
    check(
        "object.metadata.labels.all(k, v, $0",
        &expect![[r#"
          list.all(x, condition) -> bool
        > list.all(index, x, «condition») -> bool
    "#]],
    );
    check(
        "has($0",
        &expect![[r#"
        > has(«object.field») -> bool
    "#]],
    );
    check(
        "object.spec.?paused.optMap($0",
        &expect![[r#"
        > optional.optMap(«x», value) -> optional
    "#]],
    );
}

#[test]
fn the_number_of_arguments_chooses_the_form() {
    check(
        "[1].map(x, x > 1, $0)",
        &expect![[r#"
          list.map(x, value) -> list
        > list.map(x, condition, «value») -> list
    "#]],
    );
    check(
        "{'a': 1}.transformMap(k, v, v > 1, $0)",
        &expect![[r#"
          map.transformMap(key, x, value) -> map
        > map.transformMap(key, x, condition, «value») -> map
    "#]],
    );
    check(
        "[1].existsOne(i, x, $0)",
        &expect![[r#"
        > list.existsOne(index, x, «condition») -> bool
    "#]],
    );
}

#[test]
fn the_innermost_call_counts_its_own_arguments() {
    check(
        "object.metadata.name.replace('a, (b', [1, 2].join($0', ')",
        &expect![[r#"
              list(string).join() -> string
            > list(string).join(«string») -> string
        "#]],
    );
    check(
        "object.metadata.name.replace('a, (b', $0",
        &expect![[r#"
        > string.replace(string, «string») -> string
          string.replace(string, «string», int) -> string
    "#]],
    );
    check(
        "'a'.replace({'x': 1, 'y': $0",
        &expect![[r#"
        > string.replace(«string», string) -> string
          string.replace(«string», string, int) -> string
    "#]],
    );
    check(
        "'a'.replace((1 + 2), [3, 4][$0",
        &expect![[r#"
        > string.replace(string, «string») -> string
          string.replace(string, «string», int) -> string
    "#]],
    );
    check(
        "'a'.replace('b', 'c')$0",
        &expect![[r#"
        nothing
    "#]],
    );
    check(
        "$0'a'.replace('b', 'c')",
        &expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn every_scalar_style_has_signatures() {
    let label = "> string.startsWith(«string») -> bool\n";
    for scalar in [
        "object.metadata.name.startsWith($0",
        "\"object.metadata.name.startsWith(\\\"😀\\\"$0",
        "'object.metadata.name.startsWith(''a, b''$0)'",
        "|-\n        object.metadata.name\n          .startsWith($0)",
        ">-\n        object.metadata.name\n        .startsWith($0)",
        "\n        object.metadata.name.startsWith($0)",
    ] {
        let help = help(&validation(scalar), None).unwrap_or_else(|| panic!("{scalar}"));
        assert_eq!(shown(&help), label, "{scalar}");
    }
    let flow = policy(
        "  validations: [{expression: \"object.metadata.name.startsWith('a', $0)\", message: no}]\n",
    );
    let flow = help(&flow, None).unwrap();
    assert_eq!(shown(&flow), label.replace(['«', '»'], ""));
}

#[test]
fn objects_have_their_required_fields_first() {
    check_in(
        &mutation("Object{$0"),
        &expect![[r#"
        > Object{«spec: Object.spec», apiVersion: string, kind: string, metadata: Object.metadata, status: Object.status}
    "#]],
    );
    check_in(
        &mutation("\"Object{spec: Object.spec{$0\""),
        &expect![[r#"
        > Object.spec{«selector: Object.spec.selector», template: Object.spec.template, minReadySeconds: int, paused: bool, progressDeadlineSeconds: int, replicas: int, revisionHistoryLimit: int, strategy: Object.spec.strategy}
    "#]],
    );
    check_in(
        &mutation("\"Object{spec: Object.spec{replicas: 1, template: $0\""),
        &expect![[r#"
            > Object.spec{selector: Object.spec.selector, «template: Object.spec.template», minReadySeconds: int, paused: bool, progressDeadlineSeconds: int, replicas: int, revisionHistoryLimit: int, strategy: Object.spec.strategy}
        "#]],
    );
    check_in(
        &mutation(
            "\"Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{volumes: $0\"",
        ),
        &expect![[r#"
            > Object.spec.template.spec{containers: list(Object.spec.template.spec.containers), activeDeadlineSeconds: int, affinity: Object.spec.template.spec.affinity, automountServiceAccountToken: bool, dnsConfig: Object.spec.template.spec.dnsConfig, dnsPolicy: string, enableServiceLinks: bool, ephemeralContainers: list(Object.spec.template.spec.ephemeralContainers), evictionResponders: list(Object.spec.template.spec.evictionResponders), hostAliases: list(Object.spec.template.spec.hostAliases), hostIPC: bool, «volumes: list(Object.spec.template.spec.volumes)», …}
        "#]],
    );
}

#[test]
fn a_patch_has_its_operation_first() {
    let patch = |expression: &str| {
        mutation(expression)
            .replace("ApplyConfiguration", "JSONPatch")
            .replace("applyConfiguration", "jsonPatch")
    };
    check_in(
        &patch("\"[JSONPatch{$0\""),
        &expect![[r#"
        > JSONPatch{«op: string», path: string, from: string, value: dyn}
    "#]],
    );
    check_in(
        &patch("\"[JSONPatch{op: 'add', $0\""),
        &expect![[r#"
        > JSONPatch{op: string, «path: string», from: string, value: dyn}
    "#]],
    );
    let help = help(&patch("\"[JSONPatch{op: $0\""), None).unwrap();
    let active = &help.signatures[0].parameters[0].documentation;
    assert!(active.as_deref().unwrap().starts_with("The operation:"));
}

#[test]
fn a_later_function_says_since_when() {
    let policy = format!("# kubernetes = \"1.30\"\n{}", validation("semver($0"));
    let help = help(&policy, None).unwrap();
    let documentation = help.signatures[0].documentation.as_deref().unwrap();
    assert!(
        documentation.ends_with("Since Kubernetes 1.34."),
        "{documentation}"
    );
}

#[test]
fn there_is_nothing_beside_calls() {
    check(
        "object.metadata.name == $0",
        &expect![[r#"
        nothing
    "#]],
    );
    check(
        "(object.spec.replicas + $0",
        &expect![[r#"
        nothing
    "#]],
    );
    check(
        "unknown($0",
        &expect![[r#"
        nothing
    "#]],
    );
    check_in(
        "kind: Pod$0\n",
        &expect![[r#"
        nothing
    "#]],
    );
}

//! The inputs of documents, and the errors of invalid ones.

use super::*;
use crate::input::{Decision, ExpectField};
use admission::{RowAnswer, UserInfo};
use expect_test::{Expect, expect};

/// Checks a summary of the inputs, then the errors with their positions.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let file = read(Path::new("a/web.inputs/first.yaml"), text);
    let inputs = file.inputs.iter().map(|input| {
        let request = &input.request;
        let decision = input.expect.as_ref().and_then(|it| it.decision);
        let decision = decision.map_or("", Decision::as_str);
        format!(
            "{}. {} [{}] {decision}",
            input.key.document,
            input.label(),
            request.label()
        )
    });
    let errors = file.errors.iter().map(|error| {
        let place = text
            .get(std::ops::Range::<usize>::from(error.range))
            .unwrap();
        format!("{place:?}: {}", error.kind)
    });
    let lines: Vec<String> = inputs.chain(errors).collect();
    expected.assert_eq(&lines.join("\n"));
}

const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}";

#[track_caller]
fn only(text: &str) -> Input {
    let file = read(Path::new("a.yaml"), text);
    assert_eq!(file.errors, []);
    let [input] = file.inputs.as_slice() else {
        panic!("{} inputs", file.inputs.len())
    };
    input.clone()
}

#[test]
fn a_document_is_an_input() {
    check(
        &format!("object: {POD}\nexpect: deny\n"),
        &expect!["0. first [Pod shop/web] deny"],
    );
    check(
        &format!(
            "name: one 🦊\r\nobject: {POD}\r\n---\r\noldObject: {POD}\r\nexpect:\r\n  decision: allow\r\n"
        ),
        &expect![[r#"
            0. one 🦊 [Pod shop/web] 
            1. DELETE Pod shop/web [DELETE Pod shop/web] allow"#]],
    );
}

#[test]
fn a_manifest_stands_for_its_creation() {
    check(POD, &expect!["0. first [Pod shop/web] "]);
    check(
        "apiVersion: v1\nkind: PodList\nitems: []\n",
        &expect![[
            r#""apiVersion: v1": An input has a single object, not a list. Write one document per object, separated by `---`."#
        ]],
    );
}

#[test]
fn a_review_is_an_input() {
    check(
        &format!(
            "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest:\n  uid: x\n  kind: {{group: '', version: v1, kind: Pod}}\n  resource: {{group: '', version: v1, resource: pods}}\n  operation: UPDATE\n  object: {POD}\n  oldObject: {POD}\n  dryRun: false\n  options: null\nexpect: allow\n"
        ),
        &expect!["0. first [UPDATE pods shop/web] allow"],
    );
    check(
        &format!(
            "apiVersion: admission.k8s.io/v1\nkind: AdmissionRequest\noperation: CREATE\nobject: {POD}\noldObject: null\n"
        ),
        &expect!["0. first [Pod shop/web] "],
    );
}

#[test]
fn all_of_an_input_is_read() {
    let text = format!(
        "policy: [a, b]\nraw: true\nobject: {POD}\nparams: [{{a: 1}}, {{a: 2}}]\nnamespaceObject: {{metadata: {{name: shop}}}}\nrequest:\n  operation: CREATE\n  subResource: ''\n  dryRun: true\n  name: other\n  namespace: elsewhere\n  options: {{kind: CreateOptions}}\n"
    );
    let input = only(&text);
    assert!(input.is_for("a") && input.is_for("b") && !input.is_for("c"));
    let request = input.request;
    assert_eq!(request.operation, Some(Operation::Create));
    assert_eq!(request.params.map(|params| params.len()), Some(2));
    assert!(request.namespace_object.is_some() && request.options.is_some());
    assert!(request.dry_run && request.raw);
    assert_eq!(
        (request.name.as_deref(), &*request.namespace),
        (Some("other"), "elsewhere")
    );
}

#[test]
fn users_and_answers_are_read() {
    let text = format!(
        "object: {POD}\nrequest: {{userInfo: {{username: jane, uid: '7', groups: [g], extra: {{k: [v]}}}}}}\nauthorizer:\n- {{user: jane, verb: get, group: apps, resource: deployments, subresource: scale, namespace: shop, name: web, path: /x, decision: allow, reason: because}}\n- {{decision: noOpinion}}\n"
    );
    let request = only(&text).request;
    let user = UserInfo {
        name: "jane".to_owned(),
        uid: "7".to_owned(),
        groups: vec!["g".to_owned()],
        extra: vec![("k".to_owned(), vec!["v".to_owned()])],
    };
    assert_eq!(request.user, Some(user));
    let rows = request.authorizer.rows;
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1].answer, RowAnswer::NoOpinion);
    assert_eq!(
        format!("{:?}", rows[0]),
        r#"AuthorizerRow { user: "jane", verb: "get", group: "apps", resource: "deployments", subresource: "scale", namespace: "shop", name: "web", path: "/x", answer: Allow, reason: "because" }"#
    );
}

#[test]
fn all_expectations_are_read() {
    let text = format!(
        "object: {POD}\nexpect:\n  decision: deny\n  message: nope\n  messageContains: op\n  reason: Forbidden\n  code: 403\n  warnings: []\n  auditAnnotations: {{p/k: v}}\n"
    );
    let expect = only(&text).expect.unwrap();
    let at = |range: TextRange| text.get(std::ops::Range::<usize>::from(range)).unwrap();
    let part = |field| at(expect.location(field).1);
    assert_eq!(at(expect.ranges.whole), "expect");
    assert_eq!(part(ExpectField::Message), "nope");
    assert_eq!(part(ExpectField::Object), "expect");
    assert_eq!(part(ExpectField::Code), "403");
    assert_eq!(expect.warnings, Some(Vec::new()));
    assert_eq!(expect.code, Some(403));
    let annotation = ("p/k".to_owned(), "v".to_owned());
    assert_eq!(expect.audit_annotations, Some(vec![annotation]));
    let text = format!("object: {POD}\nexpect: {{object: {POD}}}\n");
    assert_eq!(only(&text).expect.unwrap().object, only(POD).request.object);
}

#[test]
fn a_parameter_may_be_null() {
    let input = only(&format!("object: {POD}\nparams: null\n"));
    assert_eq!(input.request.params, Some(vec![Value::Null]));
}

#[test]
fn an_unknown_key_gets_a_hint() {
    check(
        &format!("objct: {POD}\noperation: CREATE\ndecision: deny\nspec: {{}}\nzzzzzz: 1\n"),
        &expect![[r#"
            "objct": Unknown key `objct`. Did you mean `object`?
            "operation": Unknown key `operation`. It belongs under `request`.
            "decision": Unknown key `decision`. It belongs under `expect`.
            "spec": Unknown key `spec`. It belongs under `object`.
            "zzzzzz": Unknown key `zzzzzz`. Expected `object`, `expect`, `request`, `params`, `namespaceObject`, `oldObject`, `authorizer`, `policy`, `name` or `raw`."#]],
    );
    check(
        &format!(
            "object: {POD}\nrequest: {{user: x, userInfo: {{name: y}}}}\nexpect: {{msg: z}}\nauthorizer: [{{decison: allow}}]\n"
        ),
        &expect![[r#"
            "user": Unknown key `user`. Did you mean `userInfo`?
            "name": Unknown key `name`. Expected `username`, `uid`, `groups` or `extra`.
            "msg": Unknown key `msg`. Expected `decision`, `message`, `messageContains`, `reason`, `code`, `warnings`, `auditAnnotations` or `object`.
            "{decison: allow}": `decision` is missing. Write `allow`, `deny`, `noOpinion` or `error`.
            "decison": Unknown key `decison`. Did you mean `decision`?"#]],
    );
}

#[test]
fn a_wrong_type_is_named() {
    check(
        &format!(
            "name: 1\nraw: 'yes'\nobject: {POD}\nrequest: [x]\nauthorizer: {{}}\nexpect: [deny]\npolicy: {{}}\n"
        ),
        &expect![[r#"
            "1": `name` must be a string. Quote values that YAML would parse as another type.
            "'yes'": `raw` must be `true` or `false`.
            "[x]": `request` must be a mapping.
            "{}": `authorizer` must be a list of decisions, or `RBAC`.
            "[deny]": `expect` must be a decision such as `allow`, or a mapping with keys such as `decision`.
            "{}": `policy` must be a string. Quote values that YAML would parse as another type."#]],
    );
    check(
        &format!(
            "object: {POD}\nrequest:\n  userInfo: {{groups: g, extra: {{a: b}}}}\n  dryRun: maybe\nexpect: {{code: 7, message: 5, warnings: [1], auditAnnotations: {{a: 1}}}}\n"
        ),
        &expect![[r#"
            "g": `groups` must be a list of strings such as `[a, b]`.
            "b": `extra` must be a list of strings such as `[a, b]`.
            "maybe": `dryRun` must be `true` or `false`.
            "7": `code` must be an HTTP status code such as 403.
            "5": `message` must be a string. Quote values that YAML would parse as another type.
            "1": `warnings` must be a list of strings such as `[a, b]`.
            "1": `auditAnnotations` must be a mapping with string values. Quote values that YAML would parse as another type."#]],
    );
}

#[test]
fn an_object_is_one_and_says_what_it_is() {
    check(
        &format!("object:\n- {POD}\n- {POD}\n"),
        &expect![[
            r#""- {apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}": `object` must be a single object, not a list. Write one document per object, separated by `---`."#
        ]],
    );
    check(
        "object: web\n",
        &expect![[
            r#""web": `object` is not an object. Write `apiVersion`, `kind` and `metadata` under it."#
        ]],
    );
    check(
        "object: {kind: Pod}\noldObject: {apiVersion: v1}\n",
        &expect![[r#"
            "{kind: Pod}": `object` has no `apiVersion`, so its type is unknown.
            "{apiVersion: v1}": `oldObject` has no `kind`, so its type is unknown."#]],
    );
    check(
        "object: {apiVersion: 1, kind: Pod}\n",
        &expect![[
            r#""1": `apiVersion` must be a string. Quote values that YAML would parse as another type."#
        ]],
    );
    check(
        &format!("object: {POD}\nnamespaceObject: {POD}\nparams: []\n"),
        &expect![[r#"
            "Pod": `namespaceObject` must be a Namespace, not a Pod. It is the namespace of the object.
            "[]": `params` has no object. Add one, or remove `params` to use the parameters that the bindings select."#]],
    );
    check(
        &format!("object: {POD}\nparams:\npolicy: []\n"),
        &expect![[r#"
            "params": `params` has no object. Add one, or remove `params` to use the parameters that the bindings select.
            "[]": `policy` has no name. Add one, or remove `policy` to select every policy in the file."#]],
    );
}

#[test]
fn the_operation_fits_the_objects() {
    for (operation, objects) in [
        ("CREATE", "oldObject: @"),
        ("CREATE", "object: @\noldObject: @"),
        ("UPDATE", "object: @"),
        ("DELETE", "object: @"),
        ("CONNECT", "object: @"),
    ] {
        let text = format!("request: {{operation: {operation}}}\n{objects}\n");
        let file = read(Path::new("a.yaml"), &text.replace('@', POD));
        let [error] = file.errors.as_slice() else {
            panic!("{operation} with {objects}")
        };
        assert!(matches!(error.kind, InputErrorKind::Operation(..)));
    }
    check(
        &format!("request: {{operation: DELETE}}\nobject: {POD}\n"),
        &expect![[r#""DELETE": DELETE has no `object`. Rename it to `oldObject`."#]],
    );
    check(
        "request: {operation: CONNECT, subResource: exec, name: web, options: {container: app}}\n",
        &expect!["0. first [CONNECT exec web] "],
    );
    check(
        &format!("request: {{operation: create, object: {POD}}}\nobject: {POD}\n"),
        &expect![[r#"
            "create": `create` is not a valid value of `operation`. Did you mean `CREATE`?
            "object": `object` is also set under `request`. Set it in only one place."#]],
    );
}

#[test]
fn a_test_expects_something_that_can_be() {
    check(
        &format!("object: {POD}\nexpect:\n"),
        &expect![[
            r#""expect": `expect` is empty. Write `decision: allow` or another expectation, or remove `expect`."#
        ]],
    );
    check(
        &format!("object: {POD}\nexpect: {{}}\n"),
        &expect![[
            r#""expect": `expect` is empty. Write `decision: allow` or another expectation, or remove `expect`."#
        ]],
    );
    check(
        &format!("object: {POD}\nexpect: {{message: }}\n"),
        &expect![[
            r#""expect": `expect` is empty. Write `decision: allow` or another expectation, or remove `expect`."#
        ]],
    );
    check(
        &format!("object: {POD}\nexpect: denied\n"),
        &expect![[
            r#""denied": `denied` is not a valid value of `decision`. Expected `allow`, `deny`, `warn`, `audit`, `skip` or `error`."#
        ]],
    );
    check(
        &format!("object: {POD}\nexpect: {{decision: allow, message: x}}\n"),
        &expect![[
            r#""message": `message` can never match when `decision` is `allow`. Change one of them."#
        ]],
    );
}

#[test]
fn nothing_at_all_is_a_mistake() {
    check(
        "",
        &expect![[
            r#""": The file contains no input. Write a manifest under `object`, or write `request`."#
        ]],
    );
    check(
        "# a comment\n---\n",
        &expect![[
            r#""": The file contains no input. Write a manifest under `object`, or write `request`."#
        ]],
    );
    check(
        "- object: x\n",
        &expect![[
            r#""- object: x": An input must be a mapping, not a list. Write one document per input, separated by `---`."#
        ]],
    );
    check(
        "name: x\n",
        &expect![[
            r#""name: x": The input has no object. Write `object` for CREATE, `oldObject` for DELETE, or both for UPDATE."#
        ]],
    );
    check(
        "just a text 🦊\r\n",
        &expect![[
            r#""just a text 🦊": An input must be a mapping with keys such as `object`, `request` and `expect`."#
        ]],
    );
}

#[test]
fn wrong_yaml_and_keys_that_are_there_twice_give_no_input() {
    check(
        &format!("object: {POD}\n---\nobject: 'x\n"),
        &expect![[r#"
            0. Pod shop/web [Pod shop/web] 
            "'": Missing closing `'` of this string."#]],
    );
    check(
        &format!("object: {POD}\r\nexpect: allow\r\nexpect: deny\r\n"),
        &expect![[r#""expect": Duplicate key `expect`: only the last value is used. Remove one."#]],
    );
    check(
        "object:\n  apiVersion: v1\n  kind: Pod\n  metadata: {name: é🦊, name: b}\n",
        &expect![[r#""name": Duplicate key `name`: only the last value is used. Remove one."#]],
    );
}

#[test]
fn aliases_and_merge_keys_are_followed() {
    let text = format!("object: &pod {POD}\noldObject: *pod\nexpect: &e {{decision: deny}}\n");
    check(&text, &expect!["0. first [UPDATE Pod shop/web] deny"]);
    check(
        &format!("request: {{<<: {{operation: CREATE}}, object: {POD}}}\n"),
        &expect!["0. first [Pod shop/web] "],
    );
}

#[test]
fn many_inputs_are_read_fast() {
    let one = format!("object: {POD}\nexpect: allow\n---\n");
    let start = std::time::Instant::now();
    let file = read(Path::new("a.yaml"), &one.repeat(2_000));
    assert_eq!(file.inputs.len(), 2_000);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn a_name_is_there_once() {
    check(
        &format!(
            "name: é🦊\nobject: {POD}\n---\nname: b\nobject: {POD}\n---\nname: 'é🦊'\nobject: {POD}\n---\nobject: {POD}\n---\nobject: {POD}\n"
        ),
        &expect![[r#"
            0. é🦊 [Pod shop/web] 
            1. b [Pod shop/web] 
            3. Pod shop/web [Pod shop/web] 
            4. Pod shop/web [Pod shop/web] 
            "'é🦊'": Another input in this file is already named `é🦊`. Choose a different name."#]],
    );
}

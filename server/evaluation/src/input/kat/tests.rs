//! The inputs that kat tests describe.

use super::*;
use expect_test::{Expect as Expected, expect};

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";

#[track_caller]
fn check(files: &[(&str, &str)], policies: &[&str], expected: &Expected) {
    let files: Vec<(PathBuf, Arc<str>)> = files
        .iter()
        .map(|(path, text)| (PathBuf::from(path), Arc::from(*text)))
        .collect();
    let found = kat(&files, policies);
    let inputs = found.inputs.iter().map(|input| {
        let expect = input.expect.as_ref().unwrap();
        let decision = expect.decision.map_or("", Decision::as_str);
        let policies = input.policies.iter().flatten();
        let policies: Vec<&str> = policies.map(|it| it.name.as_str()).collect();
        format!(
            "{policies:?} {} [{}] {decision} {:?} {:?} {:?} {:?}",
            input.label(),
            input.request.label(),
            expect.message,
            expect.message_contains,
            expect.warnings,
            expect.audit_annotations,
        )
    });
    let errors = found.errors.iter().map(|(path, error)| {
        let text = files.iter().find(|(it, _)| **it == **path);
        let place = text
            .unwrap()
            .1
            .get(std::ops::Range::<usize>::from(error.range))
            .unwrap();
        format!("{}: {place:?}: {}", path.display(), error.kind)
    });
    let lines: Vec<String> = inputs.chain(errors).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn names_say_what_files_hold() {
    let parts = ENDINGS.map(|(ending, _)| kat_name(&format!("p.t.allow{ending}")).is_some());
    assert_eq!(parts, [true; 11]);
    let name = kat_name("p.t.deny.oldObject.yaml").unwrap();
    assert_eq!((name.base, name.part), ("p.t.deny", KatPart::OldObject));
    for other in ["policy.yaml", "object.yaml", ".object.yaml", "p.object.yml"] {
        assert_eq!(kat_name(other), None, "{other}");
    }
}

#[test]
fn files_of_one_name_are_one_test() {
    check(
        &[
            ("tests/p.old.deny.oldObject.yaml", POD),
            ("tests/p.old.deny.message.txt", " No 🦊\r\n"),
            ("tests/p.both.allow.object.yaml", POD),
            ("tests/p.both.allow.oldObject.yaml", POD),
            (
                "tests/p.both.allow.request.yaml",
                "userInfo: {username: jane}\n",
            ),
            ("tests/p.w.warn.object.yaml", POD),
            ("tests/p.w.warn.warnings.txt", "one\r\n\r\n two\n"),
            ("tests/p.a.audit.object.yaml", POD),
            ("tests/p.a.audit.annotations.yaml", "k: v\n"),
            ("tests/other.txt", "x"),
        ],
        &["p"],
        &expect![[r#"
            ["p"] a.audit [Pod web] allow None None None Some([("k", "v")])
            ["p"] both.allow [UPDATE Pod web] allow None None None None
            ["p"] old.deny [DELETE Pod web] deny Some("No 🦊") None None None
            ["p"] w.warn [Pod web] allow None None Some(["one", "two"]) None"#]],
    );
}

#[test]
fn tests_are_for_the_policy_that_their_name_begins_with() {
    let files = [
        ("a.x.allow.object.yaml", POD),
        ("a.b.x.allow.object.yaml", POD),
        ("c.x.allow.object.yaml", POD),
    ];
    check(
        &files,
        &["a", "a.b"],
        &expect![[r#"
            ["a.b"] x.allow [Pod web] allow None None None None
            ["a"] x.allow [Pod web] allow None None None None"#]],
    );
    check(
        &files,
        &["a"],
        &expect![[r#"
            ["a"] b.x.allow [Pod web] allow None None None None
            ["a"] x.allow [Pod web] allow None None None None
            ["a"] c.x.allow [Pod web] allow None None None None"#]],
    );
    check(&files, &[], &expect![]);
}

#[test]
fn a_request_alone_may_have_everything() {
    let exec = "operation: CONNECT\nsubResource: exec\nname: web\nnamespace: shop\noptions: {container: app}\n";
    let create = format!(
        "apiVersion: admission.k8s.io/v1\nkind: AdmissionRequest\noperation: CREATE\nresource: {{group: '', version: v1, resource: pods}}\nobject: {{{}}}\n",
        "apiVersion: v1, kind: Pod, metadata: {name: web}"
    );
    let authorizer = "- {group: '', resource: pods, verb: create, decision: allow}\n";
    check(
        &[
            ("p.exec.deny.request.yaml", exec),
            ("simple.deny.request.yaml", &create),
            ("simple.deny.authorizer.yaml", authorizer),
            ("simple.deny.message.txt", "validation failed: No"),
        ],
        &["p"],
        &expect![[r#"
            ["p"] exec.deny [CONNECT exec shop/web] deny None None None None
            ["p"] simple.deny [pods web] deny None Some("No") None None"#]],
    );
}

#[test]
fn gold_is_the_object_after_the_mutations() {
    let files = [
        (PathBuf::from("t/p.x.object.yaml"), Arc::from(POD)),
        (PathBuf::from("t/p.x.gold.yaml"), Arc::from(POD)),
        (
            PathBuf::from("t/p.x.params.yaml"),
            Arc::from("data: {a: b}\n"),
        ),
    ];
    let found = kat(&files, &["p"]);
    assert_eq!(found.errors, []);
    let input = &found.inputs[0];
    assert_eq!(&*input.key.path, Path::new("t/p.x.object.yaml"));
    assert_eq!(input.request.params.as_ref().map(Vec::len), Some(1));
    let expect = input.expect.as_ref().unwrap();
    assert_eq!(expect.object, input.request.object);
    let (path, range) = expect.location(ExpectField::Object);
    assert_eq!(path.map(|path| &**path), Some(Path::new("t/p.x.gold.yaml")));
    assert_eq!(range, TextRange::up_to(TextSize::of(POD)));
    let (path, _) = expect.location(ExpectField::Decision);
    assert_eq!(path, None);
}

#[test]
fn mistakes_are_in_the_file_that_has_them() {
    check(
        &[
            ("p.a.allow.object.yaml", "kind: Pod\n"),
            ("p.b.allow.request.yaml", "operation: DELETE\n"),
            ("p.b.allow.object.yaml", POD),
            ("p.c.allow.object.yaml", "a: 'b\n"),
            ("p.d.allow.params.yaml", "a: b\n"),
            ("p.e.allow.object.yaml", "# nothing\n"),
            ("p.f.allow.object.yaml", POD),
            ("p.f.allow.request.yaml", "user: x\n"),
        ],
        &["p"],
        &expect![[r#"
            p.a.allow.object.yaml: "kind: Pod": `object` has no `apiVersion`, so its type is unknown.
            p.b.allow.request.yaml: "DELETE": DELETE has no `object`. Rename it to `oldObject`.
            p.c.allow.object.yaml: "'": Missing closing `'` of this string.
            p.d.allow.params.yaml: "": The input has no object. Write `object` for CREATE, `oldObject` for DELETE, or both for UPDATE.
            p.e.allow.object.yaml: "": The file contains no input. Write a manifest under `object`, or write `request`.
            p.f.allow.request.yaml: "user": Unknown key `user`. Did you mean `userInfo`?"#]],
    );
}

//! Finding inputs.

use super::*;
use expect_test::{Expect, expect};
use kubernetes::Target;
use std::fs;

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";

fn parsed(text: impl Into<Arc<str>>) -> ParsedFile {
    ParsedFile::new(text.into(), Target::default())
}

fn policy(name: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {{name: {name}}}\n"
    )
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

/// Checks the inputs of `a/policy.yaml`.
#[track_caller]
fn check(policy: &str, files: &[(&str, &str)], expected: &Expect) {
    expected.assert_eq(&shown(policy, files));
}

fn shown(policy: &str, files: &[(&str, &str)]) -> String {
    let folder = folder(files);
    let path = folder.path().join("a/policy.yaml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, policy).unwrap();
    fs::write(folder.path().join(crate::CONFIG_FILE), "").unwrap();
    let file = parsed(policy);
    let found = find_inputs(&path, &file);
    let short = |path: &Path| {
        let short = path.strip_prefix(folder.path()).unwrap();
        short.display().to_string().replace('\\', "/")
    };
    let inputs = found.inputs.iter().map(|input| {
        let key = &input.key;
        format!("{}#{} {}", short(&key.path), key.document, key.name)
    });
    let problems = found.problems.iter().map(|problem| {
        let text = fs::read_to_string(&problem.path).unwrap();
        let place = text.get(std::ops::Range::<usize>::from(problem.error.range));
        format!("{} {place:?} {}", short(&problem.path), problem.error.kind)
    });
    let lines: Vec<String> = inputs.chain(problems).collect();
    lines.join("\n")
}

#[test]
fn comments_come_first_then_files_beside_then_kat() {
    let named = format!("# admissible: input ../common/🦊.yaml\n{}", policy("p"));
    check(
        &named,
        &[
            ("common/🦊.yaml", POD),
            ("a/policy.inputs/b.yaml", POD),
            (
                "a/policy.inputs/a.json",
                "{\"object\": {\"apiVersion\": \"v1\", \"kind\": \"Pod\"}}",
            ),
            ("a/policy.inputs/.hidden.yaml", POD),
            ("a/policy.inputs/readme.md", "x"),
            (
                "a/policy.inputs.yml",
                "name: one\nobject: {apiVersion: v1, kind: Pod}\n",
            ),
            ("a/p.here.deny.object.yaml", POD),
            ("a/q.here.deny.object.yaml", POD),
            ("a/tests/p.there.allow.object.yaml", POD),
            ("a/other.inputs/c.yaml", POD),
        ],
        &expect![[r#"
            common/🦊.yaml#0 🦊
            a/policy.inputs/a.json#0 a
            a/policy.inputs/b.yaml#0 b
            a/policy.inputs.yml#0 one
            a/p.here.deny.object.yaml#0 here.deny
            a/tests/p.there.allow.object.yaml#0 there.allow"#]],
    );
}

#[test]
fn a_named_folder_gives_its_files_and_each_file_once() {
    let named = format!(
        "# admissible: input ./policy.inputs\n# admissible: input policy.inputs/b.yaml\n{}",
        policy("p")
    );
    check(
        &named,
        &[
            ("a/policy.inputs/b.yaml", POD),
            ("a/policy.inputs/c.yaml", POD),
            ("a/policy.inputs/p.x.deny.object.yaml", POD),
        ],
        &expect![[r#"
            a/policy.inputs/b.yaml#0 b
            a/policy.inputs/c.yaml#0 c
            a/policy.inputs/p.x.deny.object.yaml#0 x.deny"#]],
    );
}

#[test]
fn a_named_file_that_is_missing_is_a_problem_of_the_comment() {
    let named = format!(
        "# admissible: input nowhere.yaml\r\n# admissible: input\r\n{}",
        policy("p")
    );
    check(
        &named,
        &[],
        &expect![[r#"
        a/policy.yaml Some("nowhere.yaml") `nowhere.yaml` cannot be read: no such file or directory. The path is relative to this file.
        a/policy.yaml Some("input") The comment does not name a file. Write a path relative to this file."#]],
    );
}

#[test]
fn nothing_outside_of_the_project_is_read() {
    for path in ["/dev/stdin", "/etc", "../../x.yaml"] {
        let named = format!("# admissible: input {path}\n{}", policy("p"));
        let expected = format!(
            "a/policy.yaml Some(\"{path}\") `{path}` cannot be read: outside the project; a file \
             can refer to files in its repository, in the directory of its `admissible.toml` and \
             in the open folders. The path is relative to this file."
        );
        assert_eq!(shown(&named, &[]), expected);
    }
}

#[cfg(unix)]
#[test]
fn a_link_does_not_leave_the_project() {
    let outer = folder(&[("secret", "s3cret: 1\n"), ("project/policy.yaml", "")]);
    let path = outer.path().join("project/policy.yaml");
    let link = outer.path().join("project/policy.inputs.yaml");
    std::os::unix::fs::symlink("../secret", link).unwrap();
    let found = find_inputs(&path, &parsed(policy("p")));
    let messages: Vec<String> = found
        .problems
        .iter()
        .map(|it| it.error.kind.to_string())
        .collect();
    assert!(found.inputs.is_empty());
    expect![[r#"["The file cannot be read: outside the project; a file can refer to files in its repository, in the directory of its `admissible.toml` and in the open folders."]"#]]
        .assert_eq(&format!("{messages:?}"));
}

#[test]
fn a_named_folder_without_files_is_a_problem_of_the_comment() {
    let named = format!("# admissible: input ../empty\n{}", policy("p"));
    check(
        &named,
        &[("empty/readme.md", "")],
        &expect![[
            r#"a/policy.yaml Some("../empty") The folder `../empty` has no YAML or JSON files."#
        ]],
    );
}

#[test]
fn a_mistake_in_a_named_file_tells_the_comment() {
    let folder = folder(&[("b.yaml", "objct: {}\n"), ("policy.inputs.yaml", "x")]);
    let path = folder.path().join("policy.yaml");
    let text = format!("# admissible: input b.yaml\n{}", policy("p"));
    let file = parsed(text.as_str());
    let (found, comments) = (find_inputs(&path, &file), input::named(&file));
    let named = found.problems.iter().map(|problem| {
        let range = comments.get(problem.named?)?.range;
        text.get(std::ops::Range::<usize>::from(range))
    });
    assert_eq!(named.collect::<Vec<_>>(), [Some("b.yaml"), None]);
}

#[test]
fn errors_at_comments_follow_the_current_text() {
    let folder = folder(&[("b.yaml", "objct: {}\n")]);
    let path = folder.path().join("policy.yaml");
    let text = format!(
        "# admissible: input b.yaml\n# admissible: input missing.yaml\n# admissible: input\n{}",
        policy("p")
    );
    let found = find_inputs(&path, &parsed(text.as_str()));
    let text = format!("# é\r\n\n{text}");
    let errors = found.at_comments((&path, &parsed(text.as_str())), |_| false);
    let places = errors.iter().map(|error| {
        let range = std::ops::Range::<usize>::from(error.range);
        text.get(range).unwrap()
    });
    let places: Vec<&str> = places.collect();
    assert_eq!(places, ["b.yaml", "missing.yaml", "input"]);
}

/// Checks the errors in a file, for these policy files.
#[track_caller]
fn check_one(files: &[(&str, &str)], path: &str, owners: &[&str], expected: &Expect) {
    let folder = folder(files);
    let path = folder.path().join(path);
    let text = fs::read_to_string(&path).unwrap();
    let owners: Vec<ParsedFile> = owners.iter().map(|it| parsed(policy(it))).collect();
    let owners: Vec<Owner<'_>> = owners
        .iter()
        .map(|it| (Path::new("policy.yaml"), it))
        .collect();
    let said = InputFinder::from_working_directory().errors(&path, &text, &owners);
    let said = said.iter().map(|error| {
        let place = text.get(std::ops::Range::<usize>::from(error.range));
        format!("{:?} {}", place.unwrap(), error.kind)
    });
    expected.assert_eq(&said.collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_editor_is_told_of_one_file() {
    let input = "policy: 😀\nobject: {apiVersion: v1, kind: Pod}\nx: 1\n---\npolicy: q\nobject: {apiVersion: v1, kind: Pod}\n";
    let files = [("p.inputs.yaml", input), ("p.inputs/a.yaml", "x: 1")];
    check_one(
        &files,
        "p.inputs.yaml",
        &["p"],
        &expect![[r#"
            "x" Unknown key `x`. Expected `object`, `expect`, `request`, `params`, `namespaceObject`, `oldObject`, `authorizer`, `policy`, `name` or `raw`.
            "q" Policy `q` not found in policy.yaml. The file has `p`."#]],
    );
    let known = expect![[r#"
        "x" Unknown key `x`. Expected `object`, `expect`, `request`, `params`, `namespaceObject`, `oldObject`, `authorizer`, `policy`, `name` or `raw`."#]];
    check_one(&files, "p.inputs.yaml", &["p", "q"], &known);
    check_one(&files, "p.inputs.yaml", &[], &known);
}

#[test]
fn an_editor_is_told_of_a_file_of_kat() {
    let files = [
        ("tests/p.a.deny.request.yaml", "operation: DELETE\n"),
        ("tests/p.a.deny.object.yaml", POD),
        ("tests/p.b.deny.object.yaml", "a: 'b\n"),
    ];
    let path = "tests/p.a.deny.request.yaml";
    check_one(
        &files,
        path,
        &["q", "p", "r"],
        &expect![[r#""DELETE" DELETE has no `object`. Rename it to `oldObject`."#]],
    );
    check_one(&files, "tests/p.a.deny.object.yaml", &["p"], &expect![""]);
    check_one(&files, path, &[], &expect![""]);
}

#[test]
fn mistakes_are_told_with_their_places() {
    check(
        &policy("p"),
        &[
            ("a/policy.inputs/b.yaml", "objct: {}\n"),
            ("a/policy.inputs/c.yaml", ""),
            (
                "a/policy.inputs/d.yaml",
                "policy: [q, p]\nobject: {apiVersion: v1, kind: Pod}\n",
            ),
            ("a/tests/p.x.deny.request.yaml", "operation: CREATE\n"),
        ],
        &expect![[r#"
            a/policy.inputs/b.yaml Some("objct") Unknown key `objct`. Did you mean `object`?
            a/policy.inputs/c.yaml Some("") The file contains no input. Write a manifest under `object`, or write `request`.
            a/policy.inputs/d.yaml Some("q") Policy `q` not found in policy.yaml. The file has `p`.
            a/tests/p.x.deny.request.yaml Some("CREATE") CREATE requires `object`, the new object."#]],
    );
}

#[test]
fn tests_of_another_name_are_for_the_only_policy_of_the_folder() {
    let tests = [("a/tests/web.x.deny.object.yaml", POD)];
    check(
        &policy("p"),
        &tests,
        &expect!["a/tests/web.x.deny.object.yaml#0 web.x.deny"],
    );
    let other = policy("other");
    let [test] = tests;
    check(&policy("p"), &[test, ("a/more.yaml", &other)], &expect![]);
    check(&format!("{}---\n{other}", policy("p")), &[test], &expect![]);
}

#[test]
fn a_file_without_a_policy_has_no_tests_of_kat() {
    check(POD, &[("a/tests/web.x.deny.object.yaml", POD)], &expect![]);
}

#[test]
fn a_finder_reads_open_files_and_tells_which() {
    let folder = folder(&[("policy.yaml", &policy("p")), ("policy.inputs/a.yaml", "")]);
    let path = folder.path().join("policy.yaml");
    let mut finder = InputFinder::with_open(Roots::default(), |_| Some(POD.to_owned()));
    let named = format!("# admissible: input new.yaml\n{}", policy("p"));
    let found = finder.find(&path, &parsed(named));
    assert_eq!(found.inputs.len(), 2);
    assert_eq!(found.problems, []);
    let expected = ["new.yaml", "policy.inputs/a.yaml"];
    assert_eq!(found.files, expected.map(|file| folder.path().join(file)));
}

#[test]
fn the_files_are_bounded() {
    let files: Vec<(String, &str)> = (0..MAX_FILES + 10)
        .map(|number| (format!("policy.inputs/{number}.yaml"), POD))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    let folder = folder(&files);
    let path = folder.path().join("policy.yaml");
    let file = parsed(policy("p"));
    let start = std::time::Instant::now();
    let found = find_inputs(&path, &file);
    assert_eq!(found.inputs.len(), MAX_FILES);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn an_input_leads_to_its_policy() {
    let folder = folder(&[
        ("web.yaml", ""),
        ("kat/policy.yaml", ""),
        ("kat/a.b.policy.yaml", ""),
    ]);
    for (input, policy) in [
        ("web.inputs/x.yaml", Some("web.yaml")),
        ("web.inputs.yaml", Some("web.yaml")),
        ("web.x.deny.object.yaml", Some("web.yaml")),
        ("other.inputs/x.yaml", None),
        ("x.yaml", None),
        ("kat/tests/p.x.deny.object.yaml", Some("kat/policy.yaml")),
        (
            "kat/tests/a.b.x.deny.message.txt",
            Some("kat/a.b.policy.yaml"),
        ),
        ("kat/tests/x.yaml", None),
    ] {
        let found = policy_of_input(&folder.path().join(input));
        let expected = policy.map(|policy| folder.path().join(policy));
        assert_eq!(found, expected, "{input}");
    }
}

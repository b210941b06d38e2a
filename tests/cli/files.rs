//! Which files are checked, and what becomes of those that cannot be.

use crate::project::{GOOD, Project, bad};
use expect_test::expect;

/// The files that a run has checked.
fn checked(project: &Project, arguments: &[&str]) -> Vec<String> {
    let report = project.json(arguments);
    let files = report["files"].as_array().unwrap();
    files
        .iter()
        .map(|file| file["path"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_directory_is_searched_as_git_sees_it() {
    let project = Project::new(&[
        (".gitignore", "rendered/\n"),
        ("a.yaml", GOOD),
        ("b.yml", GOOD),
        ("c.json", "{}"),
        ("d.txt", GOOD),
        (".hidden.yaml", GOOD),
        ("rendered/e.yaml", GOOD),
        ("sub/f.yaml", GOOD),
    ]);
    assert_eq!(
        checked(&project, &[]),
        ["a.yaml", "b.yml", "c.json", "sub/f.yaml"]
    );
    assert_eq!(
        checked(&project, &["sub", "./d.txt", ".hidden.yaml"]),
        [".hidden.yaml", "d.txt", "sub/f.yaml"]
    );
    assert_eq!(checked(&project, &["rendered"]), ["rendered/e.yaml"]);
}

#[test]
fn patterns_are_expanded_without_a_shell() {
    let project = Project::new(&[("a/b/c.yaml", GOOD), ("a/d.yaml", GOOD), ("e.json", "{}")]);
    assert_eq!(
        checked(&project, &["**/*.yaml"]),
        ["a/b/c.yaml", "a/d.yaml"]
    );
    assert_eq!(
        checked(&project, &["a/*.yaml", "*.json"]),
        ["a/d.yaml", "e.json"]
    );
    let run = project.run(["check", "*.yml"]);
    assert_eq!(run.code, 2);
    run.reports("*.yml: no file matches");
}

#[test]
fn json_is_checked_too() {
    let text = r#"{"apiVersion": "admissionregistration.k8s.io/v1",
  "kind": "ValidatingAdmissionPolicy",
  "metadata": {"name": "a"},
  "spec": {"matchConstraints": {"resourceRules": [{"apiGroups": ["apps"], "apiVersions": ["v1"],
    "operations": ["CREATE"], "resources": ["deployments"]}]},
    "validations": [{"expression": "(object.spec.replicas"}]}}"#;
    let report = Project::new(&[("a.json", text)]).json(["a.json"]);
    assert_eq!(report["findings"][0]["code"], "cel-syntax");
    assert_eq!(report["findings"][0]["range"]["start"]["line"], 6);
}

#[test]
fn what_cannot_be_read_has_a_message_and_the_rest_goes_on() {
    let project = Project::new(&[
        ("bad.yaml", bad().as_bytes()),
        ("binary.yaml", b"a: \0\x01\x02"),
        ("latin1.yaml", b"a: b\nname: caf\xE9\n"),
        ("truncated.yaml", b"a: \xF0\x9F\x98"),
        ("utf16.yaml", b"\xFF\xFEa\0:\0"),
        ("empty.yaml", b""),
    ]);
    // A file of 40 MB that takes no room on the disk.
    let huge = std::fs::File::create(project.path().join("huge.yaml")).unwrap();
    huge.set_len(40_000_000).unwrap();
    let run = project.run(["check", "--quiet"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.stdout.matches("error[").count(), 1, "{}", run.stdout);
    expect![[r#"
        error: binary.yaml: not a text file: it has a NUL byte at offset 3
        error: huge.yaml: larger than 32 MiB; split it, or exclude it in `admissible.toml`
        error: latin1.yaml: not UTF-8: invalid byte at offset 14 (line 2); save it as UTF-8
        error: truncated.yaml: not UTF-8: invalid byte at offset 3 (line 1); save it as UTF-8
        error: utf16.yaml: UTF-16 or UTF-32 text; save it as UTF-8
    "#]]
    .assert_eq(&run.stderr);
}

#[cfg(unix)]
#[test]
fn links_and_pipes() {
    use std::os::unix::fs::symlink;
    let project = Project::new(&[("real/a.yaml", GOOD)]);
    let at = |path: &str| project.path().join(path);
    symlink(at("real"), at("real/loop")).unwrap();
    symlink("itself.yaml", at("itself.yaml")).unwrap();
    symlink("nowhere", at("broken.yaml")).unwrap();
    assert_eq!(checked(&project, &["."]), ["real/a.yaml"]);
    let run = project.run(["check", "itself.yaml", "broken.yaml"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("broken.yaml: the link points to `nowhere`"),
        "{}",
        run.stderr
    );
    run.reports("itself.yaml: cannot read");
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_is_named_is_read() {
    let run = Project::new::<&str>(&[]).run_with_input(["check", "/dev/stdin"], bad().as_bytes());
    assert_eq!(run.code, 1);
    run.prints(" --> /dev/stdin:13:");
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_is_shown_as_well_as_can_be() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let project = Project::new::<&str>(&[]);
    let name = OsStr::from_bytes(b"a\xFF\x1b[31m.yaml");
    std::fs::write(project.path().join(name), bad()).unwrap();
    let run = project.run(["check"]);
    assert_eq!(run.code, 1);
    run.prints(" --> a\u{fffd}␛[31m.yaml:13:");
    assert_eq!(checked(&project, &[]), ["a\u{fffd}\u{1b}[31m.yaml"]);
}

#[cfg(unix)]
#[test]
fn only_an_argument_can_name_a_pipe() {
    let named = format!("# admissible: input pipe\n{GOOD}");
    let project = Project::new(&[
        ("a.yaml", named.as_str()),
        ("admissible.toml", "schemas = ['pipe']\n"),
    ]);
    let pipe = project.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let run = project.run(["test", "a.yaml"]);
    assert!(
        run.stderr
            .contains("`pipe` cannot be read: not a regular file"),
        "{run:?}"
    );
    let run = project.run(["check", "a.yaml"]);
    run.reports("not a regular file");
    std::thread::spawn(move || std::fs::write(pipe, GOOD));
    let run = project.run(["check", "pipe"]);
    run.prints("1 file (1 policy)");
}

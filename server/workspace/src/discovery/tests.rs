//! Searches over real directories.

use super::*;
use expect_test::{Expect, expect};
use std::fs;
use tempfile::TempDir;

/// Returns a tree of files.
fn tree(entries: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in entries {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// Checks the result for the arguments, relative to the root of the tree.
#[track_caller]
fn check(root: &TempDir, arguments: &[&str], expected: &Expect) {
    let arguments: Vec<_> = arguments
        .iter()
        .map(|path| root.path().join(path))
        .collect();
    let found = find_files(&arguments, &Arc::new(ConfigCache::default()));
    let relative = |path: &Path| {
        let path = path.strip_prefix(root.path()).unwrap();
        path.display().to_string().replace('\\', "/")
    };
    let mut actual: Vec<String> = found.files.iter().map(|file| relative(file)).collect();
    for problem in &found.problems {
        actual.push(format!("{}: {}", relative(&problem.path), problem.error));
    }
    expected.assert_eq(&actual.join("\n"));
}

#[test]
fn a_directory_gives_its_manifests_in_order() {
    let root = tree(&[
        ("b.yml", ""),
        ("a/z.YAML", ""),
        ("a/y.json", ""),
        ("a-b.yaml", ""),
        ("notes.md", ""),
        ("Makefile", ""),
    ]);
    check(
        &root,
        &[""],
        &expect![[r#"
        a/y.json
        a/z.YAML
        a-b.yaml
        b.yml"#]],
    );
}

#[test]
fn a_directory_of_dumps_also_has_lines() {
    let root = tree(&[
        ("dump/b.ndjson", ""),
        ("dump/a.JSONL", ""),
        ("dump/c.json", ""),
        ("dump/d.yaml", ""),
        ("dump/notes.md", ""),
        ("dump/.hidden.ndjson", ""),
    ]);
    let folder = [root.path().join("dump")];
    let names = |found: Discovery| {
        let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_owned();
        found.files.iter().map(name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(find_dumps(&folder)), "a.JSONL b.ndjson c.json d.yaml");
    let manifests = find_files(&folder, &Arc::default());
    assert_eq!(names(manifests), "c.json d.yaml");
}

#[test]
fn hidden_and_ignored_files_are_passed_over() {
    let root = tree(&[
        (".gitignore", "out/\n*.gen.yaml\n"),
        (".hidden.yaml", ""),
        (".github/workflow.yaml", ""),
        ("out/a.yaml", ""),
        ("b.gen.yaml", ""),
        ("sub/.gitignore", "!b.gen.yaml\n/only-here.yaml\n"),
        ("sub/b.gen.yaml", ""),
        ("sub/only-here.yaml", ""),
        ("only-here.yaml", ""),
    ]);
    check(
        &root,
        &[""],
        &expect![[r#"
        only-here.yaml
        sub/b.gen.yaml"#]],
    );
    check(
        &root,
        &["b.gen.yaml", ".hidden.yaml", "out"],
        &expect![[r#"
            .hidden.yaml
            b.gen.yaml
            out/a.yaml"#]],
    );
}

#[test]
fn the_configuration_excludes() {
    let root = tree(&[
        ("admissible.toml", "exclude = ['vendor/', 'x.yaml']"),
        ("vendor/a.yaml", ""),
        ("x.yaml", ""),
        ("y.yaml", ""),
        ("nested/admissible.toml", "exclude = ['y.yaml']"),
        ("nested/x.yaml", ""),
        ("nested/y.yaml", ""),
    ]);
    check(
        &root,
        &[""],
        &expect![[r#"
        nested/x.yaml
        y.yaml"#]],
    );
    check(
        &root,
        &["vendor", "x.yaml"],
        &expect![[r#"
        vendor/a.yaml
        x.yaml"#]],
    );
}

#[test]
fn a_file_is_found_once() {
    let root = tree(&[("a/b.yaml", ""), ("c.txt", "")]);
    check(
        &root,
        &["a", "a/b.yaml", "a/./b.yaml", "c.txt", "*.txt"],
        &expect![[r#"
            a/b.yaml
            c.txt"#]],
    );
}

#[test]
fn patterns_are_expanded() {
    let root = tree(&[
        ("p/a.yaml", ""),
        ("p/b.json", ""),
        ("p/c.tpl", ""),
        ("p/notes.md", ""),
        ("p/deep/d.yaml", ""),
        ("p/deep/.e.yaml", ""),
        ("q/f.yaml", ""),
    ]);
    check(&root, &["p/*.yaml"], &expect!["p/a.yaml"]);
    check(
        &root,
        &["**/*.{yaml,json}"],
        &expect![[r#"
        p/a.yaml
        p/b.json
        p/deep/d.yaml
        q/f.yaml"#]],
    );
    check(
        &root,
        &["p/*"],
        &expect![[r#"
        p/a.yaml
        p/b.json
        p/deep/d.yaml"#]],
    );
    check(&root, &["[pq]/*.tpl"], &expect!["p/c.tpl"]);
}

#[test]
fn what_cannot_be_found_is_a_problem_and_the_rest_goes_on() {
    let root = tree(&[("a.yaml", "")]);
    check(
        &root,
        &["missing.yaml", "a.yaml", "*.nope", "none/*.yaml", "[a"],
        &expect![[r#"
            a.yaml
            *.nope: no file matches the pattern; hidden and ignored files are not searched
            [a: invalid pattern: unclosed character class; missing ']'
            missing.yaml: no such file or directory
            none/*.yaml: no file matches the pattern; hidden and ignored files are not searched"#]],
    );
}

#[test]
fn a_file_whose_name_looks_like_a_pattern_is_taken() {
    let root = tree(&[("a[1].yaml", ""), ("a1.yaml", "")]);
    check(&root, &["a[1].yaml"], &expect!["a[1].yaml"]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_unless_named() {
    use std::os::unix::fs::symlink;
    let root = tree(&[("real/a.yaml", "")]);
    let at = |path: &str| root.path().join(path);
    symlink(at("real"), at("real/loop")).unwrap();
    symlink(at("real"), at("link")).unwrap();
    symlink(at("real/a.yaml"), at("b.yaml")).unwrap();
    symlink("c.yaml", at("c.yaml")).unwrap();
    symlink("nothing", at("broken.yaml")).unwrap();
    check(&root, &[""], &expect!["real/a.yaml"]);
    check(
        &root,
        &["link", "b.yaml", "c.yaml", "broken.yaml"],
        &expect![[r#"
            b.yaml
            link/a.yaml
            broken.yaml: the link points to `nothing`, which does not exist
            c.yaml: cannot read: Too many levels of symbolic links (os error 40)"#]],
    );
}

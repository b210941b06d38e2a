//! The configuration file: its settings, and the ranges of its errors.

use super::*;
use crate::CONFIG_FILE;
use expect_test::{Expect, expect};
use std::fmt::Write;

/// Checks the problems of a configuration, each with its line and the source of its range.
#[track_caller]
fn check(text: &str, expected: &Expect) -> Config {
    let path = Path::new("/repo/admissible.toml");
    let config = parse::parse(path, &text.into(), &["unknown-field", "unused-variable"]);
    let mut actual = String::new();
    for problem in config.problems() {
        let range = usize::from(problem.range.start())..usize::from(problem.range.end());
        let before = text.get(..range.start).unwrap();
        let line = before.matches('\n').count() + 1;
        let words = text.get(range).unwrap();
        let _ = writeln!(actual, "{line} `{words}`: {}", problem.message);
    }
    expected.assert_eq(&actual);
    config
}

#[test]
fn levels_become_settings() {
    let config = check(
        "[rules]\nunused-variable = \"off\"\nunknown-field = \"hint\"\n",
        &expect![""],
    );
    let settings = config.settings();
    assert_eq!(
        settings.severity("unused-variable", ide::Severity::Error),
        None
    );
    assert_eq!(
        settings.severity("unknown-field", ide::Severity::Error),
        Some(ide::Severity::Hint)
    );
}

#[test]
fn patterns_exclude_as_in_gitignore() {
    let config = check(
        "exclude = ['charts/', '*.tpl.yaml', '/top.yaml', '!charts/keep.yaml']",
        &expect![""],
    );
    let excludes = |path: &str| config.excludes(&Path::new("/repo").join(path));
    assert!(excludes("charts/a/b.yaml"));
    assert!(excludes("deep/charts/b.yaml"));
    assert!(excludes("deep/x.tpl.yaml"));
    assert!(excludes("top.yaml"));
    assert!(!excludes("deep/top.yaml"));
    assert!(!excludes("chart.yaml"));
    assert!(!config.excludes(Path::new("/elsewhere/charts/a.yaml")));
    assert!(!config.excludes(Path::new("/repo")));
}

#[test]
fn unknown_words_are_reported_where_they_stand() {
    check(
        "rule = 1\n[rules]\nunknown-feild = \"off\"\nqqqqqqqqqqqq = \"off\"\nunused-variable = \"warn\"\nunknown-field = \"loud\"\n[other]\n",
        &expect![[r#"
            1 `rule`: Unknown key `rule`. Did you mean `rules`?
            3 `unknown-feild`: There is no rule `unknown-feild`. Did you mean `unknown-field`?
            4 `qqqqqqqqqqqq`: There is no rule `qqqqqqqqqqqq`. Run `admissible rules` to list them.
            5 `"warn"`: There is no level `warn`. Did you mean `warning`?
            6 `"loud"`: There is no level `loud`. Write one of `"off"`, `"warning"`, `"error"`, `"information"`, `"hint"` or `"on"`.
            7 `other`: Unknown key `other`. The keys are `kubernetes`, `exclude`, `schemas`, `rules` and `format`.
        "#]],
    );
}

#[test]
fn wrong_shapes_are_reported_where_they_stand() {
    check(
        "exclude = \"a\"\nrules = [1]\n",
        &expect![[r#"
        1 `"a"`: `exclude` must be a list of patterns. Write `exclude = ["charts/**"]`.
        2 `[1]`: `rules` must be a table of rule codes and levels. Write `[rules]` on its own line, followed by `unused-variable = "off"`.
    "#]],
    );
    check(
        "exclude = [1, \"ok/**\", \"{a\"]\n[rules]\nunused-variable = false\n",
        &expect![[r#"
            1 `1`: A pattern must be a string. Quote it.
            1 `"{a"`: Invalid pattern: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?).
            3 `false`: The level of a rule must be a string. Write one of `"off"`, `"warning"`, `"error"`, `"information"`, `"hint"` or `"on"`.
        "#]],
    );
}

#[test]
fn a_target_is_a_version_or_a_range() {
    let target = |text: &str| {
        let target = check(text, &expect![""]).target();
        target.map(|target| target.to_string())
    };
    assert_eq!(target("kubernetes = '1.33'").as_deref(), Some("1.33"));
    let range = target("kubernetes = \"v1.30 .. 1.36\"");
    assert_eq!(range.as_deref(), Some("1.30..1.36"));
    assert_eq!(target("exclude = []"), None);
}

#[test]
fn schemas_are_paths() {
    let config = check("schemas = ['crds', 'vendor/*.json']\n", &expect![""]);
    let paths = config.schemas().unwrap().iter();
    assert_eq!(
        paths.map(|it| it.path.as_str()).collect::<Vec<_>>(),
        ["crds", "vendor/*.json"]
    );
    assert_eq!(check("", &expect![""]).schemas(), None);
    check(
        "schemas = 'crds'\n",
        &expect![[r#"
            1 `'crds'`: `schemas` must be a list of files, directories and patterns. Write `schemas = ["crds"]`.
        "#]],
    );
    check(
        "schemas = [1]\n",
        &expect![[r#"
            1 `1`: A path must be a non-empty string.
        "#]],
    );
}

#[test]
fn mistakes_in_a_target_say_what_to_write() {
    check(
        "kubernetes = 1.30\n",
        &expect![[r#"
            1 `1.30`: A version must be a string. Quote it: `kubernetes = "1.33"`, or `"1.30..1.36"` for a range.
        "#]],
    );
    check(
        "kubernetes = \"1.30.2\"\n",
        &expect![[r#"
            1 `"1.30.2"`: Write the minor version, such as `1.33`, or a range, such as `1.30..1.36`.
        "#]],
    );
    check(
        "kubernetes = '1.19..1.36'\n",
        &expect![["
            1 `'1.19..1.36'`: Kubernetes 1.19 is not supported. Write a version from 1.25 to 1.38.
        "]],
    );
    let config = check(
        "kubernetes = '1.36..1.30'\n[rules]\nunused-variable = \"off\"\n",
        &expect![["
            1 `'1.36..1.30'`: The range goes backward. Write the older version first.
        "]],
    );
    assert_eq!(config.target(), None);
    assert_eq!(config.settings().rules.len(), 1);
    check(
        "kubernets = '1.30'\n",
        &expect![["
            1 `kubernets`: Unknown key `kubernets`. Did you mean `kubernetes`?
        "]],
    );
}

#[test]
fn what_is_right_in_a_broken_file_counts() {
    let config = check(
        "[rules]\nunused-variable = \"off\"\nunknown-field = \nexclude\n",
        &expect![[r#"
            3 ``: This is not valid TOML: string values must be quoted, expected literal string.
            4 ``: This is not valid TOML: key with no value, expected `=`.
        "#]],
    );
    assert_eq!(
        config
            .settings()
            .severity("unused-variable", ide::Severity::Error),
        None
    );
}

#[test]
fn an_empty_text_is_the_default() {
    let config = check("", &expect![""]);
    assert_eq!(config.settings(), Config::default().settings());
    assert!(!config.excludes(Path::new("/repo/a.yaml")));
}

#[test]
fn the_nearest_file_governs_up_to_the_repository() {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().canonicalize().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("admissible.toml", "exclude = ['outer.yaml']");
    write("repo/.git/HEAD", "");
    write("repo/a/b/c.yaml", "");
    write("repo/a/admissible.toml", "exclude = ['inner.yaml']");
    let found = |path: &str| Config::find(&root.join(path));
    assert_eq!(found("x.yaml"), Some(root.join("admissible.toml")));
    let inner = Some(root.join("repo/a/admissible.toml"));
    assert_eq!(found("repo/a/b/c.yaml"), inner);
    assert_eq!(found("repo/a/b/not-saved-yet.yaml"), inner);
    assert_eq!(found("repo/a"), inner);
    assert_eq!(found("repo/x.yaml"), None);

    let configs = ConfigCache::default();
    assert!(configs.excludes(&root.join("repo/a/b/inner.yaml")));
    assert!(configs.excludes(&root.join("repo/a/b/../inner.yaml")));
    assert!(!configs.excludes(&root.join("repo/a/../inner.yaml")));
    assert!(configs.excludes(&root.join("outer.yaml")));
    assert!(configs.with_problems().is_empty());
}

#[test]
fn a_file_that_cannot_be_read_says_so() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join(CONFIG_FILE);
    std::fs::write(&path, b"exclude = ['\xFF']").unwrap();
    let config = Config::load(&path, &Roots::default());
    let messages: Vec<&str> = config
        .problems()
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    expect!["not UTF-8: invalid byte at offset 12 (line 1); save it as UTF-8"]
        .assert_eq(&messages.join("\n"));
    let configs = ConfigCache::default();
    assert_eq!(
        configs
            .for_file(&root.path().join("a.yaml"))
            .problems()
            .len(),
        1
    );
    assert_eq!(configs.with_problems().len(), 1);
}

#[test]
fn the_line_width_is_a_number_within_limits() {
    let config = check("[format]\nline-width = 80\n", &expect![""]);
    assert_eq!(config.line_width(), Some(80));
    let config = check(
        "[format]\nline-width = 10\nlinewidth = 80\n",
        &expect![[r#"
            2 `10`: Invalid `line-width`: expected a number from 40 to 1000.
            3 `linewidth`: Unknown key `linewidth` below `format`. Did you mean `line-width`?
        "#]],
    );
    assert_eq!(config.line_width(), None);
    check(
        "format = 80\n",
        &expect![[r#"
            1 `80`: `format` must be a table. Write `[format]` on its own line, followed by `line-width = 100`.
        "#]],
    );
}

#[test]
fn the_problems_of_a_file_are_counted_up_to_a_limit() {
    let keys: String = (0..100_000).map(|it| format!("key{it} = 1\n")).collect();
    let config = Config::parse(Path::new("admissible.toml"), keys);
    assert_eq!(config.problems().len(), 100);
}

#[test]
fn a_directory_below_a_known_one_has_its_configuration() {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().canonicalize().unwrap();
    for folder in ["a/b", "a/own", "a/repository/.git", "a/repository/c"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    for folder in ["a", "a/own"] {
        std::fs::write(root.join(folder).join(CONFIG_FILE), "").unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.join("a/own"), root.join("a/link")).unwrap();
    let folders = [
        "a",
        "a/b",
        "a/own",
        "a/repository",
        "a/repository/c",
        "a/missing",
        "a/link",
    ];
    let known = ConfigCache::default();
    for folder in folders {
        let file = root.join(folder).join("p.yaml");
        // A cache without the parent directories looks up everything.
        let fresh = ConfigCache::default();
        let config = known.for_file(&file);
        assert_eq!(config.path(), fresh.for_file(&file).path(), "{folder}");
        assert_eq!(known.real_path(&file), fresh.real_path(&file), "{folder}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_does_not_leave_the_project() {
    use std::os::unix::fs::symlink;
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("project");
    std::fs::create_dir_all(root.join(".git")).unwrap();
    std::fs::write(outer.path().join("secret"), "s3cret line\n").unwrap();
    std::fs::write(root.join("shared.toml"), "kubernetes = '1.30'\n").unwrap();
    let path = root.join(CONFIG_FILE);
    symlink(outer.path().join("secret"), &path).unwrap();
    let config = ConfigCache::default().for_file(&root.join("a.yaml"));
    assert_eq!((config.text(), config.problems().len()), ("", 1));
    expect!["outside the project; a file can refer to files in its repository, in the directory of its `admissible.toml` and in the open folders"]
        .assert_eq(&config.problems()[0].message);
    std::fs::remove_file(&path).unwrap();
    symlink("shared.toml", &path).unwrap();
    let config = ConfigCache::default().for_file(&root.join("a.yaml"));
    assert_eq!(config.problems(), []);
    assert!(config.target().is_some());
}

//! The schemas of a configuration, and their problems.

use super::Schemas;
use crate::{CONFIG_FILE, Config, ConfigCache, Roots};
use expect_test::{Expect, expect};
use std::fs;

/// Checks the problems of a configuration, with these files next to it.
#[track_caller]
fn check(config: &str, files: &[(&str, &str)], expected: &Expect) -> Schemas {
    let (schemas, shown) = read(config, files);
    expected.assert_eq(&shown);
    schemas
}

/// Returns the schemas of a configuration, and its problems as they are shown.
fn read(config: &str, files: &[(&str, &str)]) -> (Schemas, String) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let path = folder.path().join(CONFIG_FILE);
    fs::write(&path, config).unwrap();
    let schemas = Schemas::read(&Config::load(&path, &Roots::default()), &Roots::default());
    let shown = schemas.problems.iter().map(|problem| {
        let range = std::ops::Range::<usize>::from(problem.range);
        format!("{}: {}\n", config.get(range).unwrap(), problem.message)
    });
    let shown = shown.collect();
    (schemas, shown)
}

#[test]
fn entries_are_relative_to_the_configuration() {
    let files = [("crds/a.yaml", "a: 1\n"), ("vendor/b.yaml", "b: 1\n")];
    let schemas = check(
        "schemas = ['crds', 'vendor/*.yaml']\n",
        &files,
        &expect![""],
    );
    assert_eq!(schemas.files.len(), 2);
    assert_eq!(schemas.definitions.map(|found| found.len()), Some(0));
}

#[test]
fn a_configuration_without_the_key_names_none() {
    let schemas = check("exclude = []\n", &[], &expect![""]);
    assert!(schemas.definitions.is_none());
}

#[test]
fn definitions_and_documents_bring_kinds() {
    let crd = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.rules.example.com}
spec:
  group: rules.example.com
  scope: Namespaced
  names: {kind: Limit, plural: limits}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object}}
";
    let openapi = r#"{"openapi": "3.0.0", "components": {"schemas": {"com.example.Gate": {
        "type": "object",
        "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Gate"}]
    }}}}"#;
    let files = [("crds/limit.yaml", crd), ("gate.json", openapi)];
    let schemas = check("schemas = ['crds', 'gate.json']\n", &files, &expect![""]);
    let project = ide::Project::default().with_schemas(schemas.definitions.unwrap());
    let kind = |group: &str, kind: &str| project.kinds().schema(group, "v1", kind).is_some();
    assert!(kind("rules.example.com", "Limit"));
    assert!(kind("example.com", "Gate"));
    assert!(!kind("example.com", "Limit"));
}

#[test]
fn what_cannot_be_read_is_shown_at_its_entry() {
    check(
        "schemas = ['none', '*.json', 'a.yaml']\n",
        &[("a.yaml", "a: 1\n")],
        &expect![[r#"
            'none': `none`: no such file or directory.
            '*.json': `*.json`: no file matches the pattern; hidden and ignored files are not searched.
            'a.yaml': `a.yaml`: the file is neither a CustomResourceDefinition nor an OpenAPI v3 document, nor a list of resources.
        "#]],
    );
}

#[test]
fn dump_of_a_server_has_documents_without_schemas() {
    let index = r#"{"paths": {"version": {"serverRelativeURL": "/openapi/v3/version?hash=1"}}}"#;
    let version = r#"{"openapi": "3.0.0", "info": {}, "paths": {}, "components": {}}"#;
    let list = r#"{"kind": "APIResourceList", "groupVersion": "example.com/v1", "resources": [
        {"name": "gates", "singularName": "gate", "namespaced": false, "kind": "Gate", "verbs": ["get"]}
    ]}"#;
    let files = [
        ("oa/index.json", index),
        ("oa/version.json", version),
        ("list.json", list),
    ];
    let config = "schemas = ['oa', 'oa/*.json', 'oa/index.json', 'list.json']\n";
    let schemas = check(config, &files, &expect![""]);
    let project = ide::Project::default().with_schemas(schemas.definitions.unwrap());
    let gate = project.kinds().kind("example.com", "v1", "Gate").unwrap();
    assert_eq!((gate.plural, gate.namespaced), ("gates", false));
    // A document that is named one by one should have schemas.
    let shown = read("schemas = ['oa/version.json']\n", &files).1;
    assert!(shown.contains("has no `components.schemas`"), "{shown}");
}

#[test]
fn the_problems_are_those_of_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(CONFIG_FILE), "schemas = ['none']\n").unwrap();
    let configs = ConfigCache::default();
    let config = configs.for_file(&folder.path().join("a.yaml"));
    assert!(configs.with_problems().is_empty());
    let schemas = configs.schemas(&config);
    assert_eq!(schemas.problems.len(), 1);
    assert_eq!(configs.with_problems().len(), 1);
}

#[test]
fn nothing_outside_of_the_project_is_read() {
    let outside = "outside the project; a file can refer to files in its repository, in the \
                   directory of its `admissible.toml` and in the open folders.\n";
    for path in ["/dev/stdin", "/etc", "../*.yaml", "x/../../y"] {
        let config = format!("schemas = ['{path}']\n");
        let expected = format!("'{path}': `{path}`: {outside}");
        assert_eq!(read(&config, &[]).1, expected);
    }
}

#[test]
fn a_message_does_not_quote_the_file() {
    for text in [
        "{\"openapi\": s3cret}",
        "{\"openapi\": \"s3cret\"}",
        "s3cret: [",
        "kind: s3cret",
    ] {
        let shown = read("schemas = ['a.json']\n", &[("a.json", text)]).1;
        assert!(!shown.is_empty() && !shown.contains("s3cret"), "{shown}");
    }
}

//! The schemas accept and reject what the readers do, with a JSON Schema validator.

use super::{config_schema, inputs_schema};
use evaluation::input::{InputErrorKind, StructureError, keys, read};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use text::{Key, ValueType};
use workspace::Config;

fn validator(schema: &Value) -> Validator {
    assert!(jsonschema::meta::is_valid(schema), "a schema of its draft");
    jsonschema::validator_for(schema).unwrap()
}

/// Values of every shape.
fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(7),
        json!(100),
        json!(403),
        json!(600),
        json!(1.5),
        json!(""),
        json!("x"),
        json!("CREATE"),
        json!("deny"),
        json!("off"),
        json!("1.33"),
        json!([]),
        json!(["x"]),
        json!([""]),
        json!([1]),
        json!([null]),
        json!([{}]),
        json!([{ "decision": "allow" }]),
        json!([{ "decision": "maybe" }]),
        json!({}),
        json!({ "a": "x" }),
        json!({ "a": 1 }),
        json!({ "a": ["x"] }),
        json!({ "decision": "warn" }),
        json!({ "decision": null }),
        json!({ "message": 1 }),
        json!({ "apiVersion": "v1", "kind": "Namespace" }),
        json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "a" } }),
        json!({ "apiVersion": "", "kind": "Pod" }),
        json!({ "kind": "Pod" }),
        json!({ "kind": 1 }),
        json!({ "group": "apps", "version": "v1", "kind": "Deployment" }),
        json!({ "group": "apps", "version": "v1", "resource": "deployments" }),
        json!({ "username": "jane", "groups": ["a"] }),
        json!({ "username": 1 }),
    ]
}

/// Returns whether the reader accepts a document, ignoring errors that involve several keys.
fn is_read(document: &Value) -> bool {
    let file = read(Path::new("a.inputs.yaml"), &document.to_string());
    let mut errors = file.errors.iter().map(|error| &error.kind);
    errors.all(|kind| {
        matches!(
            kind,
            InputErrorKind::Operation(..)
                | InputErrorKind::Twice { .. }
                | InputErrorKind::NeverHolds { .. }
        )
    })
}

#[track_caller]
fn compare(validator: &Validator, document: &Value) {
    let errors = validator.iter_errors(document).map(|it| it.to_string());
    let errors: Vec<String> = errors.collect();
    let read = read(Path::new("a.inputs.yaml"), &document.to_string());
    assert_eq!(
        errors.is_empty(),
        is_read(document),
        "{document}\nschema: {errors:?}\nreader: {:?}",
        read.errors
    );
}

/// Returns a document with a value at a path of keys, in an input with an object.
fn document(path: &[&str], value: &Value) -> Value {
    let mut document = json!({ "object": { "apiVersion": "v1", "kind": "Pod" } });
    let mut at = &mut document;
    for (index, name) in path.iter().enumerate() {
        let is_row = index == 0 && *name == "authorizer" && path.len() > 1;
        at = &mut at[*name];
        if is_row {
            *at = json!([{ "decision": "allow" }]);
            at = &mut at[0];
        } else if index + 1 < path.len() && !at.is_object() {
            *at = json!({});
        }
    }
    *at = value.clone();
    document
}

/// Compares every key of a table with every value, and the tables below it.
fn compare_keys(validator: &Validator, table: &'static [Key], path: &[&'static str]) -> usize {
    let mut compared = 0;
    for key in table {
        let path = [path, &[key.name]].concat();
        for value in values() {
            compare(validator, &document(&path, &value));
            compared += 1;
        }
        if !matches!(key.value, ValueType::Open(_)) {
            compared += compare_keys(validator, keys(&path), &path);
        }
    }
    let unknown = [path, &["unknownKey"]].concat();
    compare(validator, &document(&unknown, &json!("x")));
    compared
}

#[test]
fn the_schema_of_inputs_agrees_with_the_reader_on_every_key() {
    let validator = validator(&inputs_schema());
    let compared = compare_keys(&validator, keys(&[]), &[]);
    assert!(compared > 1000, "{compared}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn the_schema_of_inputs_finds_what_a_document_is() {
    let validator = validator(&inputs_schema());
    let pod = json!({ "apiVersion": "v1", "kind": "Pod" });
    let review = json!({ "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview" });
    let with = |base: &Value, key: &str, value: &Value| {
        let mut changed = base.clone();
        changed[key] = value.clone();
        changed
    };
    let request = json!({ "uid": "x", "operation": "CREATE", "object": pod });
    let documents = [
        json!([]),
        json!("text"),
        json!({ "name": "nothing to do" }),
        json!({ "request": { "name": "x" } }),
        json!({ "request": { "object": pod } }),
        json!({ "request": { "object": null } }),
        json!({ "object": null, "oldObject": pod }),
        pod.clone(),
        with(&pod, "spec", &json!({ "containers": [] })),
        with(&pod, "expect", &json!("deny")),
        with(&pod, "kind", &json!(1)),
        with(&pod, "kind", &json!("")),
        with(&pod, "apiVersion", &json!(1)),
        json!({ "apiVersion": "v1", "kind": "PodList", "items": [] }),
        json!({ "apiVersion": "v1", "kind": "PriceList" }),
        json!({ "apiVersion": "v1" }),
        review.clone(),
        with(&review, "request", &request),
        with(&review, "request", &json!({ "nmae": "x", "object": pod })),
        with(&with(&review, "request", &request), "response", &json!({})),
        with(
            &with(&review, "request", &request),
            "expect",
            &json!("allow"),
        ),
        with(&with(&review, "request", &request), "other", &json!(1)),
        with(
            &with(&review, "kind", &json!("AdmissionRequest")),
            "object",
            &pod,
        ),
        with(&with(&review, "object", &pod), "expect", &json!("allow")),
    ];
    for document in &documents {
        compare(&validator, document);
    }
    assert!(validator.is_valid(&pod) && !validator.is_valid(&review));
}

/// Returns the documents of the YAML files in a directory whose names end with a suffix.
fn examples(directory: &str, suffix: &str) -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(directory);
    let files = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(suffix));
    let mut documents = Vec::new();
    for file in files {
        let stream = yaml::parse(fs::read_to_string(file).unwrap().into());
        let roots = stream.documents().filter_map(yaml::Document::root);
        let values = roots.filter_map(kubernetes::object);
        documents.extend(values.map(|value| kubernetes::quote::to_json(&value)));
    }
    documents
}

#[test]
fn every_example_is_valid() {
    let validator = validator(&inputs_schema());
    let inputs = examples("examples", ".inputs.yaml");
    assert!(inputs.len() >= 4, "{}", inputs.len());
    for input in inputs {
        let errors: Vec<String> = validator
            .iter_errors(&input)
            .map(|it| it.to_string())
            .collect();
        assert!(errors.is_empty(), "{input}\n{errors:?}");
        let mut wrong = input.clone();
        wrong["expcet"] = json!("deny");
        assert!(!validator.is_valid(&wrong));
    }
}

#[test]
fn what_the_schema_of_inputs_leaves_to_the_reader_is_known() {
    let validator = validator(&inputs_schema());
    let pod = json!({ "apiVersion": "v1", "kind": "Pod" });
    for document in [
        json!({ "object": pod, "request": { "operation": "DELETE" } }),
        json!({ "object": pod, "request": { "object": pod } }),
        json!({ "object": pod, "expect": { "decision": "allow", "message": "x" } }),
    ] {
        let file = read(Path::new("a.yaml"), &document.to_string());
        assert_ne!(file.errors, []);
        assert!(validator.is_valid(&document), "{document}");
    }
    let kinds = read(Path::new("a.yaml"), "").errors;
    let empty = InputErrorKind::Structure(StructureError::Empty);
    assert_eq!(kinds.first().map(|it| &it.kind), Some(&empty));
}

/// Compares the schema of `admissible.toml` with its reader.
#[track_caller]
fn compare_config(validator: &Validator, config: &Value) {
    let text = toml::to_string(config).unwrap();
    let parsed = Config::parse(Path::new("/a/admissible.toml"), text.as_str());
    let errors = validator.iter_errors(config).map(|it| it.to_string());
    let errors: Vec<String> = errors.collect();
    let problems: Vec<&str> = parsed.problems().iter().map(|it| &*it.message).collect();
    assert_eq!(
        errors.is_empty(),
        problems.is_empty(),
        "{text}\nschema: {errors:?}\nreader: {problems:?}"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn the_schema_of_the_configuration_agrees_with_the_reader() {
    let validator = validator(&config_schema());
    let values = values()
        .into_iter()
        .filter(|value| !value.to_string().contains("null"));
    for value in values {
        for key in ide::CONFIG_KEYS {
            compare_config(&validator, &json!({ key.name: value }));
        }
        compare_config(&validator, &json!({ "rules": { "null-object": value } }));
        compare_config(&validator, &json!({ "format": { "line-width": value } }));
    }
    for level in ide::Level::NAMES {
        compare_config(&validator, &json!({ "rules": { "null-object": level } }));
        compare_config(&validator, &json!({ "rules": { "no-such-rule": level } }));
    }
    for version in [
        "1.25",
        "1.38",
        "1.24",
        "1.39",
        "v1.33",
        "1.30..1.36",
        "1.30 .. v1.36",
        "1.36..1.30",
        "1.33..1.33",
        "1.3",
        "2.30",
        "1.30.1",
        "1.30..",
        "..1.30",
        "1.30..1.36..1.38",
    ] {
        compare_config(&validator, &json!({ "kubernetes": version }));
    }
    for config in [
        json!({}),
        json!({ "exclude": ["charts/"], "schemas": ["crds"], "format": { "line-width": 80 } }),
        json!({ "line-width": 80 }),
        json!({ "format": { "width": 80 } }),
        json!({ "schemas": [""] }),
    ] {
        compare_config(&validator, &config);
    }
}

#[test]
fn the_pages_name_every_key() {
    let inputs = include_str!("../../../docs/inputs.md");
    let commands = include_str!("../../../docs/command-line.md");
    for path in [
        &[][..],
        &["request"],
        &["request", "userInfo"],
        &["expect"],
        &["authorizer"],
    ] {
        let named = keys(path).iter().filter(|key| key.value != ValueType::Any);
        for key in named {
            let name = format!("`{}`", key.name);
            assert!(inputs.contains(&name), "{path:?} {name}");
        }
    }
    for key in ide::CONFIG_KEYS {
        let is_named = [format!("\n{} = ", key.name), format!("\n[{}]", key.name)];
        assert!(
            is_named.iter().any(|it| commands.contains(it)),
            "{}",
            key.name
        );
    }
}

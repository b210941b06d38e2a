//! The metadata of custom resources and of the resources inside them.

use super::json;
use crate::defaults::{apply, tree};
use crate::object::object;
use crate::openapi::{Catalog, Definitions};
use crate::versions::ServerVersion;
use std::sync::Arc;

const DEFINITION: &str = "
spec:
  group: x.io
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          inner: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
          list: {type: array, items: {type: object, x-kubernetes-embedded-resource: true}}
";

/// Compares the part of a custom resource at a path of field names.
#[track_caller]
fn check(rest: &str, path: &[&str], expected: &str) {
    let read = |text: &str| yaml::parse(text.into());
    let definition = read(DEFINITION);
    let root = definition.documents().next().unwrap().root().unwrap();
    let definitions = Definitions::from_crd(root).map(Arc::new);
    let kinds = Catalog::built_in(ServerVersion(36)).with_definitions(definitions);
    let stream = read(&format!("{{apiVersion: x.io/v1, kind: Widget, {rest}}}"));
    let root = stream.documents().next().unwrap().root().unwrap();
    let mut value = object(root).unwrap();
    apply(&kinds, &mut value);
    let part = tree::at(&value, path).map_or_else(|| "nothing".to_owned(), json);
    assert_eq!(part, expected, "{path:?} of {value}");
}

#[test]
fn metadata_is_read_into_its_type_and_written_out_again() {
    let written = "metadata: {name: w, labels: {}, annotations: {a: null, b: ''}, finalizers: [], \
                   generateName: '', generation: 0, creationTimestamp: null, bogus: 1}";
    let expected = "{annotations: {a: \"\", b: \"\"}, name: \"w\"}";
    check(written, &["metadata"], expected);
    check("metadata: null", &["metadata"], "{}");
    check("spec: {}", &["metadata"], "nothing");
    check(
        &format!("inner: {{{written}}}"),
        &["inner", "metadata"],
        expected,
    );
    // A field of that name elsewhere is not metadata.
    check(
        "inner: {spec: {metadata: {labels: {}}}}",
        &["inner", "spec"],
        "{metadata: {labels: {}}}",
    );
}

#[test]
fn metadata_in_a_list_is_normalized() {
    let resource = "{apiVersion: v1, kind: A, metadata: {labels: {}, annotations: {a: b}}}";
    check(
        &format!("list: [{resource}]"),
        &["list"],
        "[{apiVersion: \"v1\", kind: \"A\", metadata: {annotations: {a: \"b\"}}}]",
    );
}

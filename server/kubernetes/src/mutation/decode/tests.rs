//! Decoding of patched documents.

use super::{check_conversion, decoded};
use crate::names::GroupVersion;
use crate::openapi::Catalog;
use crate::versions::ServerVersion;
use cel::Value;

const SERVICE: &str = "{apiVersion: v1, kind: Service, metadata: {name: a}}";
const CUSTOM: &str = "{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}}";

fn read(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().unwrap().root().unwrap();
    crate::object::object(root).unwrap()
}

fn answer(before: &str, patched: &str) -> Result<String, String> {
    let kinds = Catalog::built_in(ServerVersion(36));
    let before = read(before);
    let value = decoded(&kinds, &before, read(patched)).map_err(|error| error.to_string())?;
    let api_version = before.as_map().unwrap().get_str("apiVersion").unwrap();
    let GroupVersion { group, version } = GroupVersion::parse(api_version.as_str().unwrap());
    check_conversion(&kinds, &value, (group, version)).map(|()| value.to_string())
}

#[test]
fn a_kind_that_is_removed_stays() {
    for patched in [
        "{apiVersion: v1, kind: Service, metadata: {name: a}}",
        "{apiVersion: v1, metadata: {name: a}}",
        "{kind: Service, metadata: {name: a}}",
        "{apiVersion: null, kind: null, metadata: {name: a}}",
    ] {
        let object = answer(SERVICE, patched).unwrap();
        assert!(object.contains("apiVersion: v1"), "{object}");
        assert!(object.contains("kind: Service"), "{object}");
    }
    let pod = answer(
        SERVICE,
        "{apiVersion: v1, kind: Pod, spec: {hostNetwork: true}}",
    );
    assert!(pod.unwrap().contains("kind: Pod"));
    assert!(answer(CUSTOM, "{apiVersion: example.com/v1, kind: Gadget}").is_ok());
}

#[test]
fn another_kind_is_read_as_such() {
    let scheme = r#"in scheme "pkg/api/legacyscheme/scheme.go:30""#;
    for (patched, expected) in [
        (
            "{apiVersion: v1, kind: x}",
            format!(
                "Internal error occurred: no kind \"x\" is registered for version \"v1\" {scheme}"
            ),
        ),
        (
            "{apiVersion: apps/v1, kind: Service}",
            format!(
                "Internal error occurred: no kind \"Service\" is registered for version \"apps/v1\" {scheme}"
            ),
        ),
        (
            "{apiVersion: a/b/c, kind: Service}",
            "Internal error occurred: unexpected GroupVersion string: a/b/c".to_owned(),
        ),
        (
            "{apiVersion: v1, kind: Pod, spec: {ports: []}}",
            "Internal error occurred: strict decoding error: unknown field \"spec.ports\""
                .to_owned(),
        ),
        (
            "{apiVersion: apps/v1, kind: Deployment}",
            format!("v1.Deployment is not suitable for converting to \"v1\" {scheme}"),
        ),
    ] {
        assert_eq!(answer(SERVICE, patched).unwrap_err(), expected, "{patched}");
    }
    assert_eq!(
        answer(
            "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler}",
            "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler}"
        )
        .unwrap_err(),
        "converting (v1.HorizontalPodAutoscaler) to (v2.HorizontalPodAutoscaler): unknown conversion"
    );
}

#[test]
fn a_kind_of_a_wrong_type_is_not_read() {
    for (before, patched, expected) in [
        (
            SERVICE,
            "{apiVersion: v1, kind: [a]}",
            "array into Go struct field .kind of type string",
        ),
        (
            CUSTOM,
            "{apiVersion: 1, kind: {}}",
            "number into Go struct field .apiVersion of type string",
        ),
        (
            SERVICE,
            "[]",
            "array into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }",
        ),
    ] {
        let start = "Internal error occurred: couldn't get version/kind; json parse error: json: cannot unmarshal ";
        let expected = format!("{start}{expected}");
        assert_eq!(answer(before, patched).unwrap_err(), expected);
    }
    assert_eq!(
        answer(CUSTOM, "{metadata: {name: a<b}, kind: '', apiVersion: v1}").unwrap_err(),
        r#"Internal error occurred: Object 'Kind' is missing in '{"apiVersion":"v1","kind":"","metadata":{"name":"a\u003cb"}}'"#
    );
}

#[test]
fn the_entries_of_a_map_have_no_names() {
    for (metadata, expected) in [
        (
            "{labels: {a: 1}}",
            "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
        ),
        (
            "{labels: {a: {b: c}}, name: 1}",
            "json: cannot unmarshal object into Go struct field ObjectMeta.metadata.labels of type string",
        ),
        (
            "{lables: {a: b}}",
            "strict decoding error: unknown field \"metadata.lables\"",
        ),
    ] {
        let patched = format!("{{apiVersion: v1, kind: Service, metadata: {metadata}}}");
        let expected = format!("Internal error occurred: {expected}");
        assert_eq!(answer(SERVICE, &patched).unwrap_err(), expected);
    }
    // A type with a custom decoder ends the decoding, and errors before it are not reported.
    let pod = "{apiVersion: v1, kind: Pod, metadata: {labels: {a: 1}}, spec: {overhead: {cpu: x}}}";
    let error = answer("{apiVersion: v1, kind: Pod}", pod).unwrap_err();
    assert!(
        error.starts_with("Internal error occurred: quantities must match"),
        "{error}"
    );
}

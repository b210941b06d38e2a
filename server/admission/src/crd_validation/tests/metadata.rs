//! The metadata of embedded resources, as the server checks it.

use super::{embedded, embedded_on};
use expect_test::expect;

#[test]
fn the_lists_in_the_metadata_of_embedded_resources_are_checked() {
    embedded_on(
        "1.37",
        "{by: {one: {apiVersion: v1, kind: Pod, metadata: {generation: -1, \
         ownerReferences: [{apiVersion: a/b/c, kind: A, name: a, uid: u, controller: true}, \
         {apiVersion: v1, kind: Event, name: b, uid: u, controller: true}, {apiVersion: a/}], \
         finalizers: [orphan, foregroundDeletion, a b], managedFields: [{}, \
         {operation: Set, fieldsType: V2, manager: \"a\\tb\"}]}}}}",
        &expect![[r#"
            spec.by[one].metadata.generation: Invalid value: -1: must be greater than or equal to 0
            spec.by[one].metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>
            spec.by[one].metadata.ownerReferences[1]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"b","uid":"u","controller":true}: /v1, Kind=Event is disallowed from being an owner
            spec.by[one].metadata.ownerReferences: Invalid value: [{"apiVersion":"a/b/c","kind":"A","name":"a","uid":"u","controller":true},{"apiVersion":"v1","kind":"Event","name":"b","uid":"u","controller":true},{"apiVersion":"a/","kind":"","name":"","uid":""}]: Only one reference can have Controller set to true. Found "true" in references for A/a and Event/b
            spec.by[one].metadata.ownerReferences[2].apiVersion: Invalid value: "a/": must be <group>/<version> or <version>
            spec.by[one].metadata.ownerReferences[2].kind: Required value: must not be empty
            spec.by[one].metadata.ownerReferences[2].name: Required value: must not be empty
            spec.by[one].metadata.ownerReferences[2].uid: Required value: must not be empty
            spec.by[one].metadata.finalizers: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            spec.by[one].metadata.finalizers: Invalid value: ["orphan","foregroundDeletion","a b"]: finalizer orphan and foregroundDeletion cannot be both set
            spec.by[one].metadata.managedFields[0].operation: Required value: must not be empty
            spec.by[one].metadata.managedFields[1].operation: Unsupported value: "Set": supported values: "Apply", "Update"
            spec.by[one].metadata.managedFields[1].fieldsType: Invalid value: "V2": must be `FieldsV1`
            spec.by[one].metadata.managedFields[1].manager: Invalid value: "a\tb": invalid character U+0009 (at position 1)
            <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"#]],
    );
    let metadata = |size: usize| {
        format!(
            "{{pod: {{apiVersion: v1, kind: Pod, metadata: {{annotations: {{a: {}}}}}}}}}",
            "x".repeat(size)
        )
    };
    embedded(
        &metadata(256 * 1024 - 1),
        &expect!["spec: Invalid value: failed rule: false"],
    );
    embedded(
        &metadata(256 * 1024),
        &expect![[r#"
        spec.pod.metadata.annotations: Too long: may not be more than 262144 bytes
        <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"#]],
    );
}

#[test]
fn servers_before_1_37_report_invalid_values() {
    embedded(
        "{by: {one: {apiVersion: v1, kind: Pod, metadata: {ownerReferences: [\
         {apiVersion: a/b/c, kind: A, name: a, uid: u}, {apiVersion: a/}, \
         {apiVersion: v1, kind: Event, name: b, uid: u}], \
         managedFields: [{}, {operation: Set}]}}}}",
        &expect![[r#"
            spec.by[one].metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty
            spec.by[one].metadata.ownerReferences.apiVersion: Invalid value: "a/": version must not be empty
            spec.by[one].metadata.ownerReferences.kind: Invalid value: "": must not be empty
            spec.by[one].metadata.ownerReferences.name: Invalid value: "": must not be empty
            spec.by[one].metadata.ownerReferences.uid: Invalid value: "": must not be empty
            spec.by[one].metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"b","uid":"u"}: /v1, Kind=Event is disallowed from being an owner
            spec.by[one].metadata.managedFields[0].operation: Invalid value: "": must be `Apply` or `Update`
            spec.by[one].metadata.managedFields[1].operation: Invalid value: "Set": must be `Apply` or `Update`
            spec: Invalid value: failed rule: false"#]],
    );
}

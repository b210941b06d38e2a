//! The request for an existing object.

use admission::{AuthorizerTable, Inputs, Operation, Otherwise, Request, RequestError, Resource};
use cel::Value;
use cel::value::{Key, Map};
use kubernetes::defaults;
use kubernetes::openapi::Catalog;
use std::sync::Arc;

/// The metadata that the API server sets, which a creation does not have.
const WRITTEN: [&str; 8] = [
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "managedFields",
    "selfLink",
];

/// Returns an object as admission sees it. An object from a server has its defaults.
pub(super) fn defaulted(mut object: Value, kinds: &Catalog) -> Value {
    if !is_of_server(&object) {
        defaults::apply(kinds, &mut object);
    }
    object
}

/// Returns the request that creates, updates or deletes an object.
///
/// # Errors
/// If there is no object, which cannot happen here.
pub(super) fn request(
    object: &Value,
    operation: Operation,
    resource: &Resource,
    kinds: &Catalog,
) -> Result<Request, RequestError> {
    let described = object;
    let (object, old_object) = match operation {
        Operation::Create => (Some(new(object, kinds)), None),
        Operation::Delete => (None, Some(object.clone())),
        Operation::Update | Operation::Connect => (Some(object.clone()), Some(object.clone())),
    };
    let inputs = Inputs {
        object,
        old_object,
        ..Inputs::default()
    };
    let is_complete = operation == Operation::Update && is_of_server(described);
    let mut request = Request::from_resource(inputs, resource.clone())?;
    request.is_unchanged = operation == Operation::Update;
    // The default user has all rights. The rights of the object's author are unknown.
    request.authorizer = Arc::new(AuthorizerTable {
        otherwise: Otherwise::NoOpinion,
        ..AuthorizerTable::default()
    });
    if !is_complete {
        request.fill_in();
    }
    Ok(request)
}

/// Returns the object without the fields that the API server sets, as for a creation.
fn new(object: &Value, kinds: &Catalog) -> Value {
    let mut object = object.clone();
    if !is_of_server(&object) {
        return object;
    }
    let Some(fields) = object.as_map_mut() else {
        return object;
    };
    fields.take_str("status");
    if let Some(metadata) = fields.get_str_mut("metadata").and_then(Value::as_map_mut) {
        metadata.retain(|key, _| !is_written(key));
    }
    defaults::apply(kinds, &mut object);
    object
}

fn is_written(key: &Key) -> bool {
    matches!(key, Key::String(name) if WRITTEN.contains(&&**name))
}

/// Returns whether an object comes from a server.
pub(super) fn is_of_server(object: &Value) -> bool {
    metadata(object)
        .is_some_and(|it| it.get_str("uid").is_some() && it.get_str("resourceVersion").is_some())
}

/// Returns the metadata of an object.
fn metadata(object: &Value) -> Option<&Map> {
    object.as_map()?.get_str("metadata")?.as_map()
}

#[cfg(test)]
mod tests {
    use super::*;
    use admission::JsonReader;
    use kubernetes::ServerVersion;

    fn read(text: &str) -> Value {
        JsonReader::default().read(text).unwrap().0
    }

    #[test]
    fn the_authorizer_has_no_opinion() {
        let kinds = Catalog::built_in(ServerVersion::NEWEST);
        let pod = read(r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}"#);
        let pods = Resource {
            group: String::new(),
            version: "v1".to_owned(),
            kind: "Pod".to_owned(),
            plural: "pods".to_owned(),
            namespaced: Some(true),
        };
        let request = request(&pod, Operation::Create, &pods, &kinds).unwrap();
        let AuthorizerTable {
            otherwise, rows, ..
        } = &*request.authorizer;
        assert!(*otherwise == Otherwise::NoOpinion && rows.is_empty());
    }

    #[test]
    fn a_new_object_has_nothing_that_the_server_writes() {
        let kinds = Catalog::built_in(ServerVersion::NEWEST);
        let config = read(
            r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7","managedFields":[]},"data":{"a":"b"}}"#,
        );
        let created = new(&config, &kinds);
        assert_eq!(
            created.to_string(),
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: n}, data: {a: b}}"
        );
    }

    #[test]
    fn an_object_of_a_server_has_its_defaults() {
        let kinds = Catalog::built_in(ServerVersion::NEWEST);
        let has_policy = |metadata: &str| {
            let pod = format!(
                r#"{{"apiVersion":"v1","kind":"Pod","metadata":{metadata},"spec":{{"containers":[]}}}}"#
            );
            defaulted(read(&pod), &kinds)
                .to_string()
                .contains("restartPolicy")
        };
        assert!(has_policy(r#"{"name":"a"}"#));
        assert!(!has_policy(
            r#"{"name":"a","uid":"u","resourceVersion":"1"}"#
        ));
    }
}

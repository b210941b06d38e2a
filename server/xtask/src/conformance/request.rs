//! The policy and the request of a case.

use super::case::Case;
use admission::{
    AuthorizerRow, AuthorizerTable, Inputs, Operation, Otherwise, Request, Resources, RowAnswer,
    UserInfo,
};
use cel::Value;
use cel::value::MapBuilder;
use kubernetes::ServerVersion;
use kubernetes::defaults;
use kubernetes::object;
use kubernetes::openapi::Catalog;
use policy::PolicyDocument;
use serde_json::Value as Json;
use std::sync::Arc;

/// Returns the policy of a case.
pub(super) fn policy(case: &Case) -> Result<Arc<PolicyDocument>, String> {
    let manifest = case.require(&["manifest"])?;
    let recognition = policy::recognize(&Arc::new(yaml::parse(manifest.into())));
    let document = recognition.policies.into_iter().next();
    document.ok_or_else(|| "malformed: no policy".into())
}

/// Reads an object.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().and_then(yaml::Document::root);
    root.and_then(object)
        .ok_or_else(|| "malformed: no object".into())
}

/// Returns the kinds of the server that answered the cases.
pub(super) fn catalog() -> Arc<Catalog> {
    Catalog::built_in(ServerVersion(36))
}

fn input(case: &Case, field: &str) -> Result<Option<Value>, String> {
    case.text(&[field]).map(read).transpose()
}

/// Returns an object of a case: as written, or with the defaults of its kind.
fn defaulted(case: &Case, field: &str) -> Result<Option<Value>, String> {
    let mut object = input(case, field)?;
    let is_raw = case.get(&["raw"]).and_then(Json::as_bool);
    if let (Some(object), Some(false) | None) = (&mut object, is_raw) {
        defaults::apply(&catalog(), object);
    }
    Ok(object)
}

/// Returns the request of a case. Cases that were recorded in process have no options.
pub(super) fn request(case: &Case) -> Result<Request, String> {
    let inputs = Inputs {
        object: defaulted(case, "object")?,
        old_object: defaulted(case, "oldObject")?,
        params: input(case, "params")?,
        namespace_object: input(case, "namespaceObject")?,
    };
    let mut request =
        Request::new(inputs, &Resources::default()).map_err(|error| error.to_string())?;
    request.options = Value::Map(MapBuilder::default().build());
    request.authorizer = Arc::new(table(case));
    if let Some(written) = case.get(&["request"]) {
        set_fields(&mut request, written);
    }
    Ok(request)
}

fn set_fields(request: &mut Request, written: &Json) {
    let text = |field: &str| written.get(field).and_then(Json::as_str).map(str::to_owned);
    if let Some(operation) = text("Operation").and_then(|word| Operation::parse(&word)) {
        request.operation = operation;
    }
    let resource = &mut request.resource;
    for (field, name) in [
        (&mut resource.group, "Group"),
        (&mut resource.version, "Version"),
        (&mut resource.kind, "Kind"),
        (&mut resource.plural, "Resource"),
        (&mut request.subresource, "SubResource"),
        (&mut request.name, "Name"),
        (&mut request.namespace, "Namespace"),
    ] {
        if let Some(text) = text(name) {
            *field = text;
        }
    }
    request.dry_run = written
        .get("DryRun")
        .and_then(Json::as_bool)
        .unwrap_or(false);
    if let Some(user) = written.get("User") {
        request.user = self::user(user);
    }
}

fn user(user: &Json) -> UserInfo {
    let text = |field: &str| user.get(field).and_then(Json::as_str).unwrap_or_default();
    let extra = user.get("Extra").and_then(Json::as_object);
    UserInfo {
        name: text("Name").to_owned(),
        uid: text("UID").to_owned(),
        groups: strings(user.get("Groups")),
        extra: extra
            .into_iter()
            .flatten()
            .map(|(key, values)| (key.clone(), strings(Some(values))))
            .collect(),
    }
}

fn strings(list: Option<&Json>) -> Vec<String> {
    let list = list.and_then(Json::as_array).into_iter().flatten();
    list.filter_map(Json::as_str).map(str::to_owned).collect()
}

fn table(case: &Case) -> AuthorizerTable {
    let rows = case.get(&["authz"]).and_then(Json::as_array);
    AuthorizerTable {
        rows: rows.into_iter().flatten().map(row).collect(),
        otherwise: Otherwise::NoOpinion,
        ..AuthorizerTable::default()
    }
}

fn row(row: &Json) -> AuthorizerRow {
    let text = |field: &str| {
        let text = row.get(field).and_then(Json::as_str);
        text.unwrap_or_default().to_owned()
    };
    AuthorizerRow {
        user: text("User"),
        verb: text("Verb"),
        group: text("Group"),
        resource: text("Resource"),
        subresource: text("SubResource"),
        namespace: text("Namespace"),
        name: text("Name"),
        path: text("Path"),
        answer: match text("Decision").as_str() {
            "allow" => RowAnswer::Allow,
            "deny" => RowAnswer::Deny,
            "error" => RowAnswer::Error,
            _ => RowAnswer::NoOpinion,
        },
        reason: text("Reason"),
    }
}

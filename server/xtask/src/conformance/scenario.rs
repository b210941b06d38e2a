//! `admission.jsonl`: the responses of an API server with policies to requests.

mod chance;

use super::case::{Case, Outcome};
use super::engine::from_json;
use super::request;
use admission::{
    ApiServer, AuthorizerRow, AuthorizerTable, Cause, EvaluationLimits, Inputs, Operation, Request,
    Resources, Response, RowAnswer, UserInfo,
};
use cel::Value;
use cel::value::Map;
use chance::{without_chance, without_filled_in};
use kubernetes::defaults;
use kubernetes::metadata_field;
use kubernetes::mutation::custom::unknown_fields;
use kubernetes::openapi::{Catalog, Definitions};
use policy::PolicyDocument;
use policy::field_error::ErrorType;
use policy::validation::{ApiError, validate};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The kinds that the server of the cases had besides, and which name parameters.
const KINDS: [(&str, &str, &str); 2] = [
    ("ReplicaLimit", "replicalimits", "Namespaced"),
    ("ClusterLimit", "clusterlimits", "Cluster"),
];

/// The cases that no server answered: their objects may be in any namespace.
const IN_PROCESS: &str = "three-o";

/// The cases of a server whose controllers ran.
const WITH_CONTROLLERS: &str = "three-server";

/// Checks that every response equals that of Kubernetes.
pub(super) fn check(case: &Case) -> Outcome {
    check_sent(case, |_| ())
}

/// Returns whether a case has an embedded resource.
pub(super) fn has_embedded_resource(case: &Case) -> bool {
    let mut setup = documents(case, "setup").into_iter();
    setup.any(|it| it.to_string().contains("x-kubernetes-embedded-resource"))
}

/// Checks the responses without warnings about unknown fields.
pub(super) fn check_without_unknown_fields(case: &Case) -> Outcome {
    check_sent(case, |request| request.unknown_fields.clear())
}

fn check_sent(case: &Case, change: fn(&mut Request)) -> Outcome {
    let api_server = match api_server(case) {
        Ok(api_server) => api_server,
        Err(refusal) => {
            let expected = case.text(&["expect", "setupError"]);
            let same = expected.is_some_and(|it| parts(it) == parts(&refusal));
            let expected = expected.unwrap_or("no error");
            let words = || format!("we say {refusal}\nKubernetes says {expected}");
            return if same { Ok(()) } else { Err(words()) };
        }
    };
    if let Some(expected) = case.text(&["expect", "setupError"]) {
        return Err(format!("we accept it; Kubernetes says {expected}"));
    }
    let requests = case.get(&["requests"]).and_then(Json::as_array);
    for (number, case_request) in requests.into_iter().flatten().enumerate() {
        answer(&api_server, case_request, change)
            .map_err(|why| format!("request {number}: {why}"))?;
    }
    Ok(())
}

/// Returns the errors in a rejection, whose order is not compared.
fn parts(refusal: &str) -> Vec<&str> {
    let (start, list) = refusal.split_once(" is invalid: ").unwrap_or((refusal, ""));
    let list = list
        .strip_prefix('[')
        .and_then(|it| it.strip_suffix(']'))
        .unwrap_or(list);
    let list = list.strip_prefix("spec.").unwrap_or(list);
    let mut parts: Vec<&str> = list.split(", spec.").chain([start]).collect();
    parts.sort_unstable();
    parts
}

/// Returns the documents of a list in the case.
fn documents(case: &Case, field: &str) -> Vec<Json> {
    let list = case.get(&[field]).and_then(Json::as_array);
    list.cloned().unwrap_or_default()
}

/// Returns the server of the setup, or the message with which it rejects the setup.
fn api_server(case: &Case) -> Result<ApiServer, String> {
    let mut resources = Resources::default();
    for (kind, plural, scope) in KINDS {
        let text = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "spec": { "group": "rules.example.com", "scope": scope,
                "names": { "kind": kind, "plural": plural } },
        });
        read(&text)
            .iter()
            .for_each(|document| resources.add(document));
    }
    let mut added: Vec<Arc<PolicyDocument>> = Vec::new();
    let mut definitions = Vec::new();
    for json in documents(case, "setup") {
        for document in read(&json) {
            refusal(&document, &json)?;
            resources.add(&document);
            definitions.extend(Definitions::from_crd(document.root()).map(Arc::new));
            added.push(document);
        }
    }
    let kinds = request::catalog();
    let kinds = match definitions.as_slice() {
        [] => kinds,
        _ => Arc::new(kinds.with_definitions(definitions)),
    };
    let mut api_server = server(case, kinds, resources);
    added
        .into_iter()
        .for_each(|document| api_server.add(document));
    for json in documents(case, "existing").iter().chain(&own_objects()) {
        let mut object = from_json(json);
        defaults::apply_stored(api_server.kinds(), &mut object);
        api_server.add_object(object);
    }
    Ok(api_server)
}

/// Returns the server of a case, without objects.
fn server(case: &Case, kinds: Arc<Catalog>, resources: Resources) -> ApiServer {
    let mut api_server = ApiServer::new(kinds, resources);
    if !case.id.starts_with(IN_PROCESS) {
        api_server = api_server.with_all_objects();
    }
    // The other servers ran without controllers, which create the service accounts.
    if !case.id.starts_with(WITH_CONTROLLERS) {
        api_server = api_server.ignoring_service_accounts();
    }
    api_server
}

/// Returns the objects that every cluster has.
fn own_objects() -> Vec<Json> {
    let names = ["default", "kube-system", "kube-public", "kube-node-lease"];
    let namespaces = names.map(
        |name| json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } }),
    );
    let account = json!({
        "apiVersion": "v1", "kind": "ServiceAccount",
        "metadata": { "name": "default", "namespace": "default" },
    });
    namespaces.into_iter().chain([account]).collect()
}

fn read(json: &Json) -> Vec<Arc<PolicyDocument>> {
    let text = json.to_string();
    policy::recognize(&Arc::new(yaml::parse(text.as_str().into()))).policies
}

/// Checks a document as the server does. The error is the message with which it rejects it.
fn refusal(document: &PolicyDocument, json: &Json) -> Result<(), String> {
    let errors = validate(document);
    if errors.is_empty() {
        return Ok(());
    }
    let kind = document.kind();
    let name = json.pointer("/metadata/name").and_then(Json::as_str);
    let (name, group) = (name.unwrap_or_default(), kind.group());
    let words: Vec<String> = errors.iter().map(|it| message(document, it)).collect();
    let words = match words.as_slice() {
        [one] => one.clone(),
        all => format!("[{}]", all.join(", ")),
    };
    Err(format!(
        "setup failed: {kind} {{'name': '{name}'}}: {kind}.{group} \"{name}\" is invalid: {words}"
    ))
}

/// Returns an error as the server prints it: with the value, except for types without one.
fn message(document: &PolicyDocument, error: &ApiError) -> String {
    let ApiError {
        field,
        kind,
        detail,
        ..
    } = error;
    let has_value = !matches!(
        kind,
        ErrorType::Required
            | ErrorType::Forbidden
            | ErrorType::TooLong
            | ErrorType::TooMany
            | ErrorType::TooFew
    );
    let node = error.node.map(|node| document.node(node));
    let value = node.and_then(yaml::Node::as_str).filter(|_| has_value);
    let value = value.map_or_else(String::new, |value| format!(": {value:?}"));
    let detail = if detail.is_empty() {
        String::new()
    } else {
        format!(": {detail}")
    };
    let kind = kind.prefix();
    format!("{field}: {kind}{value}{detail}")
}

/// Limit: the orders of evaluation that are tried, and those of keys.
const MAX_ORDERS: usize = 720;

/// Compares the response to a request, in any order of evaluation and of map keys that the server
/// may have used.
fn answer(api_server: &ApiServer, case_request: &Json, change: fn(&mut Request)) -> Outcome {
    let mut request = request_of(api_server, case_request)?;
    change(&mut request);
    let usual = answer_in_order(api_server, &request, case_request);
    if usual.is_ok() {
        return usual;
    }
    let is_right = |order: usize| {
        let keys = request.with_keys_in_order(order);
        answer_in_order(&api_server.clone().in_order(order), &request, case_request).is_ok()
            || answer_in_order(api_server, &keys, case_request).is_ok()
    };
    if (1..MAX_ORDERS).any(is_right) {
        Ok(())
    } else {
        usual
    }
}

fn answer_in_order(api_server: &ApiServer, request: &Request, case_request: &Json) -> Outcome {
    let response = api_server.admit(request, &EvaluationLimits::default());
    let expected = case_request.get("expect").cloned().unwrap_or_default();
    let mut ours = summary(&response);
    // The server generates a random name from `generateName`.
    let sent = request.inputs.object.as_ref();
    let prefix = sent.and_then(|it| metadata_field(it, "generateName"));
    let without_chance = |json| without_chance(json, prefix.unwrap_or("g-"));
    let mut expected = without_chance(expected);
    let object = expected.as_object_mut().and_then(|it| it.remove("object"));
    if in_any_order(without_chance(ours.take())) != in_any_order(expected.clone()) {
        let ours = summary(&response);
        return Err(format!("we say {ours}\nKubernetes says {expected}"));
    }
    let Some(object) = object else { return Ok(()) };
    let expected = from_json(&object);
    let ours = response.object.map(without_filled_in);
    if ours.as_ref() == Some(&expected) {
        return Ok(());
    }
    let ours = ours.map_or_else(String::new, |it| it.to_string());
    Err(format!("we have {ours}\nKubernetes has {expected}"))
}

/// Returns the rejection of a custom resource with its errors sorted: Kubernetes visits the
/// properties of an object in random order. The message lists the causes.
fn in_any_order(mut answer: Json) -> Json {
    let Some(fields) = answer.as_object_mut() else {
        return answer;
    };
    let causes = fields.get("causes").and_then(Json::as_array);
    let mut causes: Vec<Json> = causes.cloned().unwrap_or_default();
    let mut listed: Vec<String> = Vec::new();
    for cause in &causes {
        let text = |name: &str| cause.get(name).and_then(Json::as_str);
        let Some((field, message)) = text("field").zip(text("message")) else {
            return answer;
        };
        let text = format!("{field}: {message}");
        if !listed.contains(&text) {
            listed.push(text);
        }
    }
    let list = format!("[{}]", listed.join(", "));
    let message = fields.get("message").and_then(Json::as_str);
    if let Some(start) = message.and_then(|message| message.strip_suffix(list.as_str())) {
        let start = start.to_owned();
        let part = |cause: &Json, name: &str| cause.get(name).map(Json::to_string);
        causes.sort_by_key(|cause| (part(cause, "field"), part(cause, "message")));
        fields.insert("message".to_owned(), start.into());
        fields.insert("causes".to_owned(), causes.into());
    }
    answer
}

fn summary(response: &Response) -> Json {
    let warnings: Vec<&str> = response
        .warnings
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    if response.allowed {
        return json!({ "allowed": true, "code": response.code, "warnings": warnings });
    }
    let causes: Vec<Json> = response.causes.iter().map(cause).collect();
    json!({
        "allowed": false,
        "code": response.code,
        "warnings": warnings,
        "message": response.message,
        "reason": response.reason,
        "causes": causes,
    })
}

fn cause(cause: &Cause) -> Json {
    let Cause {
        message,
        reason,
        field,
        ..
    } = cause;
    if reason.is_empty() {
        return json!({ "message": message });
    }
    json!({ "message": message, "reason": reason, "field": field })
}

fn request_of(api_server: &ApiServer, case_request: &Json) -> Result<Request, String> {
    let verb = case_request.get("verb").and_then(Json::as_str);
    let verb = verb.ok_or("malformed: no verb")?;
    let mut written = from_json(case_request.get("object").ok_or("malformed: no object")?);
    let decoded = unknown_fields(api_server.kinds(), &written);
    defaults::apply(api_server.kinds(), &mut written);
    let old = || existing(api_server, &written).ok_or("malformed: it does not exist");
    let inputs = match verb {
        "CREATE" => Inputs {
            object: Some(written.clone()),
            ..Inputs::default()
        },
        "DELETE" => Inputs {
            old_object: Some(old()?.clone()),
            ..Inputs::default()
        },
        _ => Inputs {
            object: Some(written.clone()),
            old_object: Some(old()?.clone()),
            ..Inputs::default()
        },
    };
    let mut request =
        Request::new(inputs, api_server.resources()).map_err(|error| error.to_string())?;
    if verb == "SCALE" {
        let replicas = case_request.get("replicas").and_then(Json::as_i64);
        request.subresource = "scale".to_owned();
        request.inputs.object = Some(scale(old()?, replicas));
        request.inputs.old_object = Some(scale(old()?, None));
    }
    match decoded {
        Ok(unknown) => request.unknown_fields = unknown,
        Err(error) => request.decode_error = Some(error),
    }
    request.user = user(case_request);
    request.authorizer = Arc::new(rights(&request.user));
    request.dry_run = true;
    request.options = options(&request, case_request);
    request.fill_in();
    request.validates = true;
    Ok(request)
}

/// Returns the options of a case, which has been sent without those of `kubectl`, and with a query
/// such as `&fieldValidation=Strict`.
fn options(request: &Request, case_request: &Json) -> Value {
    let kind = match request.operation {
        Operation::Create => "CreateOptions",
        Operation::Delete => "DeleteOptions",
        Operation::Update | Operation::Connect => "UpdateOptions",
    };
    let query = case_request.get("query").and_then(Json::as_str);
    let parts = query.unwrap_or_default().split('&');
    let sent = parts.filter_map(|part| part.split_once('='));
    let ty = [("apiVersion", "meta.k8s.io/v1"), ("kind", kind)];
    let mut options = Map::default();
    for (name, value) in ty.into_iter().chain(sent) {
        options.set_str(name, Value::string(value));
    }
    Value::Map(options)
}

/// Returns the object that exists already.
fn existing<'a>(api_server: &'a ApiServer, object: &Value) -> Option<&'a Value> {
    let field = |field: &str| object.as_map()?.get_str(field)?.as_str();
    let metadata = object.as_map()?.get_str("metadata")?.as_map()?;
    let named = |field: &str| metadata.get_str(field).and_then(Value::as_str);
    let namespace = named("namespace").unwrap_or_default();
    api_server.object(
        field("apiVersion")?,
        field("kind")?,
        namespace,
        named("name")?,
    )
}

/// Returns the object of the scale subresource, with other replicas than the whole object has.
///
/// Upstream: kubernetes/kubernetes, pkg/registry/apps/deployment/storage/storage.go,
/// scaleFromDeployment.
fn scale(object: &Value, replicas: Option<i64>) -> Value {
    let part = |name: &str| object.as_map()?.get_str(name)?.as_map();
    let mut metadata = Map::default();
    for field in [
        "name",
        "namespace",
        "uid",
        "resourceVersion",
        "creationTimestamp",
    ] {
        if let Some(value) = part("metadata").and_then(|it| it.get_str(field)) {
            metadata.set_str(field, value.clone());
        }
    }
    let known = part("spec").and_then(|spec| spec.get_str("replicas")?.as_int());
    let mut spec = Map::default();
    spec.set_str("replicas", Value::Int(replicas.or(known).unwrap_or(1)));
    let mut status = Map::default();
    status.set_str("replicas", Value::Int(0));
    if let Some(selector) = part("spec").and_then(|spec| selector(spec.get_str("selector")?)) {
        status.set_str("selector", Value::string(selector));
    }
    let mut scale = Map::default();
    scale.set_str("apiVersion", Value::string("autoscaling/v1"));
    scale.set_str("kind", Value::string("Scale"));
    scale.set_str("metadata", Value::Map(metadata));
    scale.set_str("spec", Value::Map(spec));
    scale.set_str("status", Value::Map(status));
    Value::Map(scale)
}

/// Returns a label selector as a string: `app=web,tier=front`.
fn selector(selector: &Value) -> Option<String> {
    let labels = selector.as_map()?.get_str("matchLabels")?.as_map()?;
    let mut labels: Vec<String> = labels
        .iter()
        .map(|(key, value)| {
            let (key, value) = (key.value(), value.as_str().unwrap_or_default());
            format!("{}={value}", key.as_str().unwrap_or_default())
        })
        .collect();
    labels.sort_unstable();
    Some(labels.join(","))
}

fn user(case_request: &Json) -> UserInfo {
    let Some(user) = case_request.get("user") else {
        return UserInfo {
            name: "admin".to_owned(),
            ..UserInfo::default()
        };
    };
    let text = |field: &str| user.get(field).and_then(Json::as_str).unwrap_or_default();
    let groups = user.get("groups").and_then(Json::as_array);
    let groups = groups.into_iter().flatten().filter_map(Json::as_str);
    UserInfo {
        name: text("name").to_owned(),
        uid: text("uid").to_owned(),
        groups: groups.map(str::to_owned).collect(),
        extra: Vec::new(),
    }
}

/// Returns the permissions of the groups in the cases.
pub(super) fn rights(user: &UserInfo) -> AuthorizerTable {
    let is_in = |group: &str| user.groups.iter().any(|known| known == group);
    let allow = |verb: &str, resource: &str| AuthorizerRow {
        user: user.name.clone(),
        verb: verb.to_owned(),
        resource: resource.to_owned(),
        answer: RowAnswer::Allow,
        ..AuthorizerRow::default()
    };
    let rows = if is_in("system:masters") || is_in("dev") {
        vec![allow("", "")]
    } else if is_in("limited") {
        vec![allow("create", "configmaps"), allow("update", "configmaps")]
    } else {
        Vec::new()
    };
    AuthorizerTable {
        rows,
        ..AuthorizerTable::default()
    }
}

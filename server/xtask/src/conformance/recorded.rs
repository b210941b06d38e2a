//! `cases.jsonl`: single requests to an API server of another version, and its responses.
//!
//! The manifests are files next to the cases, which name them. A case has only what was recorded:
//! a part of the message, the lines of the errors, or fields that a mutation added.

use super::case::{Case, Outcome};
use super::engine::from_json;
use super::{request, scenario};
use admission::{ApiServer, EvaluationLimits, Inputs, Request, Resources, Response, UserInfo};
use cel::Value;
use cel::eval::{Bindings, Limits, Program};
use kubernetes::defaults;
use kubernetes::mutation::custom::unknown_fields;
use kubernetes::openapi::{Catalog, Definitions};
use kubernetes::{ServerVersion, Target};
use policy::ParsedFile;
use policy::environment::{EnvironmentKind, env};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The server that answered.
const SERVER: ServerVersion = ServerVersion(37);

/// The folder of the files, at the beginning of their names.
const FILES: &str = "files/";

/// Returns the cases with the contents of the files that they name.
pub(super) fn with_files(folder: &Path, bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let names_file = |line: &&[u8]| {
        line.windows(FILES.len())
            .any(|part| part == FILES.as_bytes())
    };
    let line = |line: &[u8]| {
        let json = Some(line).filter(names_file);
        let json = json.and_then(|line| serde_json::from_slice(line).ok());
        json.map_or_else(
            || line.to_vec(),
            |json| with_contents(folder, json).to_string().into_bytes(),
        )
    };
    lines.map(line).collect::<Vec<_>>().join(&b'\n')
}

fn with_contents(folder: &Path, json: Json) -> Json {
    match json {
        Json::String(text) if text.starts_with(FILES) => fs::read_to_string(folder.join(&text))
            .unwrap_or(text)
            .into(),
        Json::Array(list) => list
            .into_iter()
            .map(|it| with_contents(folder, it))
            .collect(),
        Json::Object(map) => {
            let fields = map.into_iter();
            let fields = fields.map(|(key, value)| (key, with_contents(folder, value)));
            Json::Object(fields.collect())
        }
        other => other,
    }
}

/// Checks that the response has what was recorded.
pub(super) fn check(case: &Case) -> Outcome {
    let api_server = api_server(case)?;
    let request = request_of(&api_server, case)?;
    let response = api_server.admit(&request, &EvaluationLimits::default());
    compare(case, &response).map_err(|what| {
        format!(
            "{what}: we say {} with {:?} and the warnings {:?}",
            response.message, response.causes, response.warnings
        )
    })
}

fn api_server(case: &Case) -> Result<ApiServer, String> {
    let target = Target::new(SERVER, SERVER).ok_or("the server is not known")?;
    let policies = case.get(&["policies"]).and_then(Json::as_array);
    let texts = policies.into_iter().flatten().chain(case.get(&["crd"]));
    let mut documents = Vec::new();
    for text in texts.filter_map(Json::as_str) {
        let file = ParsedFile::new(text.into(), target);
        if file.policies().is_empty() {
            return Err("a file has no policy or definition that is supported".into());
        }
        documents.extend(file.policies().iter().cloned());
    }
    let mut resources = Resources::default();
    documents.iter().for_each(|it| resources.add(it));
    let roots = documents.iter().map(|it| it.root());
    let definitions: Vec<_> = roots.filter_map(Definitions::from_crd).collect();
    let definitions: Vec<_> = definitions.into_iter().map(Arc::new).collect();
    let kinds = Catalog::built_in(SERVER).with_definitions(definitions);
    let mut api_server = ApiServer::new(Arc::new(kinds), resources).ignoring_service_accounts();
    documents.into_iter().for_each(|it| api_server.add(it));
    for field in ["params", "namespace", "oldObject"] {
        if let Some(text) = case.text(&[field]) {
            let mut object = request::read(text)?;
            defaults::apply_stored(api_server.kinds(), &mut object);
            api_server.add_object(object);
        }
    }
    Ok(api_server)
}

fn request_of(api_server: &ApiServer, case: &Case) -> Result<Request, String> {
    let mut object = request::read(case.require(&["object"])?)?;
    let decoded = unknown_fields(api_server.kinds(), &object);
    defaults::apply(api_server.kinds(), &mut object);
    let old = case.text(&["oldObject"]).map(request::read).transpose()?;
    let inputs = Inputs {
        object: Some(object),
        old_object: old,
        ..Inputs::default()
    };
    let made = Request::new(inputs, api_server.resources());
    let mut request = made.map_err(|error| error.to_string())?;
    match decoded {
        Ok(unknown) => request.unknown_fields = unknown,
        Err(error) => request.decode_error = Some(error),
    }
    if let Some(validation) = case.text(&["fieldValidation"]) {
        request.set_field_validation(validation);
    }
    request.user = UserInfo::default();
    request.authorizer = Arc::new(scenario::rights(&request.user));
    request.fill_in();
    Ok(request)
}

/// Returns what differs.
fn compare(case: &Case, response: &Response) -> Outcome {
    if case.get(&["allowed"]) != Some(&Json::Bool(response.allowed)) {
        return Err("allowed".into());
    }
    let message = case.text(&["message"]).unwrap_or_default();
    if !response.message.ends_with(message) {
        return Err("message".into());
    }
    if case
        .text(&["reason"])
        .is_some_and(|reason| reason != response.reason)
    {
        return Err("reason".into());
    }
    let list = |field: &str| {
        let list = case.get(&[field]).and_then(Json::as_array)?;
        let texts = list.iter().filter_map(Json::as_str);
        Some(texts.map(str::to_owned).collect::<Vec<_>>())
    };
    let warnings = response.warnings.iter().map(|it| it.message.clone());
    if list("warnings").is_some_and(|expected| !warnings.eq(expected)) {
        return Err("warnings".into());
    }
    let causes = response.causes.iter();
    let causes = causes.map(|cause| format!("{}: {}", cause.field, cause.message));
    if list("errors").is_some_and(|expected| !causes.eq(expected)) {
        return Err("errors".into());
    }
    let added = case.get(&["added"]).and_then(Json::as_object);
    for (path, expected) in added.into_iter().flatten() {
        let object = response.object.clone().unwrap_or(Value::Null);
        if field(object, path)? != from_json(expected) {
            return Err(path.clone());
        }
    }
    Ok(())
}

/// Returns the value at a path, which is a part of an expression.
fn field(object: Value, path: &str) -> Result<Value, String> {
    let kind = EnvironmentKind::Admission {
        params: false,
        authorizer: false,
        patch_types: false,
    };
    let env = env(SERVER.environment(), kind);
    let checked = cel::check::check(&cel::parse(&format!("object.{path}")).ast, &env);
    let program = Program::new(&checked, &env).map_err(|error| error.to_string())?;
    let bindings = Bindings::new().with("object", object);
    let outcome = program.run(&bindings, &Limits::default());
    outcome.result.map_err(|error| error.to_string())
}

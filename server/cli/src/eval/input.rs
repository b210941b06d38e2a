//! The requests of an evaluation.

use crate::arguments::{Eval, RequestOptions};
use crate::loader::Loaded;
use crate::problem::Problem;
use crate::reader::{Reader, STDIN};
use crate::report::shown;
use admission::{Operation, UserInfo};
use evaluation::input::{self, Input, InputKey, Origin, RequestInput};
use evaluation::run::syntax_error;
use policy::Kind;
use std::path::Path;
use std::sync::Arc;
use text::TextRange;
use workspace::find_inputs;

/// The requests of an evaluation.
pub(super) struct Requests {
    /// The inputs.
    pub(super) inputs: Vec<Arc<Input>>,
    /// Whether they are named by arguments.
    pub(super) are_named: bool,
    /// Whether they have names. Requests that the arguments describe have none.
    pub(super) have_names: bool,
    /// Problems with other inputs.
    pub(super) problems: Vec<Problem>,
}

/// The group of every authenticated user.
const AUTHENTICATED: &str = "system:authenticated";

/// Checks that the file has a policy that can be evaluated.
///
/// # Errors
/// If it has none, with the reason and the position.
pub(super) fn check_policies(loaded: &Loaded) -> Result<(), Vec<Problem>> {
    let file = &loaded.file;
    let problem = |range, message: &str| Err(vec![loaded.text.problem(range, message)]);
    if let Some(error) = syntax_error(file) {
        return problem(error.range, &error.kind.to_string());
    }
    let is_asked = |kind: Kind| {
        kind.is_policy()
            || kind.is_webhook_configuration()
            || kind == Kind::CustomResourceDefinition
    };
    if file.policies().iter().any(|it| is_asked(it.kind())) {
        return Ok(());
    }
    let first = file.policies().first();
    let range = first.map_or_else(TextRange::default, |it| it.kind_range());
    let message = "the file has no policy, no webhook configuration and no \
                   CustomResourceDefinition";
    problem(range, message)
}

/// Returns the requests that the options name, or those that belong to the policies. All
/// errors are reported at once.
pub(super) fn requests(
    options: &Eval,
    loaded: &Loaded,
    reader: &mut Reader,
) -> Result<Requests, Vec<Problem>> {
    let request = &options.request;
    if request.object.is_some() || request.old_object.is_some() {
        return Ok(Requests {
            inputs: vec![Arc::new(described(request, reader)?)],
            are_named: true,
            have_names: false,
            problems: Vec::new(),
        });
    }
    let mut found = match &options.input {
        Some(path) => in_file(path, loaded, reader)?,
        None => inputs_of_policy(options, loaded)?,
    };
    if let Some(name) = &options.name {
        named(name, &mut found)?;
    }
    Ok(found)
}

/// Returns the inputs in a file.
fn in_file(path: &Path, loaded: &Loaded, reader: &mut Reader) -> Result<Requests, Vec<Problem>> {
    let text = reader.read(path).map_err(|problem| vec![problem])?;
    let file = input::read(Path::new(&text.path), text.text());
    let of_policies = Path::new(&loaded.text.path);
    let unknown = |it: &Input| input::unknown_policies(it, of_policies, &loaded.file);
    let mut errors = file.errors;
    errors.extend(file.inputs.iter().flat_map(unknown));
    if !errors.is_empty() {
        let errors = errors.iter();
        return Err(errors
            .map(|error| text.problem(error.range, error.kind.to_string()))
            .collect());
    }
    Ok(Requests {
        inputs: file.inputs.into_iter().map(Arc::new).collect(),
        are_named: true,
        have_names: true,
        problems: Vec::new(),
    })
}

/// Returns the inputs that belong to the policies of a file.
fn inputs_of_policy(options: &Eval, loaded: &Loaded) -> Result<Requests, Vec<Problem>> {
    let path = &options.policy;
    if path == Path::new(STDIN) {
        let message = "standard input has no inputs file; pass inputs with --input, or an object \
                       with --object";
        return Err(vec![Problem::new(&loaded.text.path, message)]);
    }
    let found = find_inputs(path, &loaded.file);
    let problems = Problem::of_inputs(&found, shown);
    if found.inputs.is_empty() && problems.is_empty() {
        let mut documents = loaded.file.policies().iter();
        let message = if documents.any(|it| it.is_evaluated()) {
            format!(
                "no input found for the policy; create one with `admissible init-input {}`, or \
                 pass an object with --object",
                loaded.text.path
            )
        } else {
            "no input found for the webhooks; pass inputs with --input, or an object with --object"
                .to_owned()
        };
        return Err(vec![Problem::new(&loaded.text.path, message)]);
    }
    Ok(Requests {
        inputs: found.inputs,
        are_named: false,
        have_names: true,
        problems,
    })
}

/// Keeps only the input with one name.
fn named(name: &str, requests: &mut Requests) -> Result<(), Vec<Problem>> {
    let names: Vec<String> = requests.inputs.iter().map(|it| it.label()).collect();
    requests.inputs.retain(|it| it.label() == name);
    requests.are_named = true;
    if !requests.inputs.is_empty() {
        return Ok(());
    }
    let advice = match text::nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("available: {}", names.join(", ")),
    };
    let message = format!("no input is named `{name}`; {advice}");
    Err(vec![Problem::new("", message)])
}

/// Returns the request that the options describe.
fn described(options: &RequestOptions, reader: &mut Reader) -> Result<Input, Vec<Problem>> {
    let (request, mut problems) = request_of(options, reader);
    if problems.is_empty()
        && let Some(message) = mismatch(options)
    {
        problems.push(Problem::new("", message));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let path = options.object.as_deref().or(options.old_object.as_deref());
    Ok(Input {
        key: InputKey {
            path: Arc::from(path.unwrap_or(Path::new(""))),
            document: 0,
            name: String::new(),
        },
        origin: Origin::Document,
        policies: None,
        request,
        expect: None,
    })
}

fn request_of(options: &RequestOptions, reader: &mut Reader) -> (RequestInput, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut read = |path: Option<&Path>| -> Option<_> {
        let object = path.map(|path| reader.object(path))?;
        object.map_err(|problem| problems.push(problem)).ok()
    };
    let user = options.user.as_ref();
    let request = RequestInput {
        operation: options.operation,
        object: read(options.object.as_deref()),
        old_object: read(options.old_object.as_deref()),
        params: read(options.params.as_deref()).map(|params| vec![params]),
        namespace_object: read(options.namespace_object.as_deref()),
        user: user.map(|name| UserInfo {
            name: name.clone(),
            uid: String::new(),
            groups: groups(&options.groups),
            extra: Vec::new(),
        }),
        subresource: options.subresource.clone().unwrap_or_default(),
        dry_run: options.dry_run,
        raw: options.raw,
        ..RequestInput::default()
    };
    (request, problems)
}

/// Returns the groups of a user. The API server adds one to every authenticated user.
fn groups(written: &[String]) -> Vec<String> {
    let mut groups = written.to_vec();
    if !groups.iter().any(|it| it == AUTHENTICATED) {
        groups.push(AUTHENTICATED.to_owned());
    }
    groups
}

/// Returns why the operation does not fit the objects, if it does not.
fn mismatch(options: &RequestOptions) -> Option<&'static str> {
    let (object, old) = (options.object.is_some(), options.old_object.is_some());
    match options.operation? {
        Operation::Create if old => Some("CREATE does not accept --old-object"),
        Operation::Update if !(object && old) => Some("UPDATE requires --object and --old-object"),
        Operation::Delete if object => Some("DELETE requires --old-object, not --object"),
        Operation::Connect if old => Some("CONNECT does not accept --old-object"),
        Operation::Connect if options.subresource.is_none() => {
            Some("CONNECT requires --subresource, such as exec")
        }
        _ => None,
    }
}

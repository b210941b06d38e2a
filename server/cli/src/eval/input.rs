//! The requests of an evaluation.

use crate::arguments::{Eval, RequestOptions};
use crate::loader::Loaded;
use crate::problem::Problem;
use crate::reader::{Reader, STDIN, shown_argument};
use crate::report::shown;
use admission::{Operation, UserInfo};
use evaluation::input::{self, Input, InputErrorKind, InputKey, Origin, RequestInput};
use evaluation::run::syntax_error;
use policy::{Kind, ParsedFile};
use std::path::Path;
use std::sync::Arc;
use text::TextRange;
use workspace::{FoundInputs, find_inputs};

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

/// The message about a path without a policy.
pub(super) const NO_POLICY: &str =
    "no policy, no webhook configuration and no CustomResourceDefinition found";

/// Checks that the files have a policy that can be evaluated.
///
/// # Errors
/// If it has none, with the reason and the position.
pub(super) fn check_policies(loaded: &Loaded) -> Result<(), Vec<Problem>> {
    let errors = loaded.files().filter_map(|(text, file)| {
        let error = syntax_error(file)?;
        Some(text.problem(error.range, error.kind.to_string()))
    });
    let errors: Vec<Problem> = errors.collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let is_asked = |kind: Kind| {
        kind.is_policy()
            || kind.is_webhook_configuration()
            || kind == Kind::CustomResourceDefinition
    };
    if loaded.policies.iter().any(|it| is_asked(it.kind())) {
        return Ok(());
    }
    let first = loaded.policies.first();
    let range = first.map_or_else(TextRange::default, |it| it.kind_range());
    Err(vec![loaded.text.problem(range, NO_POLICY)])
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
    let (mut found, are_named) = match &options.input {
        Some(path) => (in_file(path, options, loaded, reader)?, true),
        None => (inputs_of_policy(options, loaded)?, options.name.is_some()),
    };
    let named = options.name.as_ref();
    let named = named.and_then(|name| self::named(name, &mut found));
    let mut problems = Problem::of_inputs(&found, shown);
    problems.extend(named);
    Ok(Requests {
        inputs: found.inputs,
        are_named,
        have_names: true,
        problems,
    })
}

/// Returns the inputs in a file, and its errors.
fn in_file(
    path: &Path,
    options: &Eval,
    loaded: &Loaded,
    reader: &mut Reader,
) -> Result<FoundInputs, Vec<Problem>> {
    let text = reader.read(path).map_err(|problem| vec![problem])?;
    let path = Path::new(&text.path);
    let files: Vec<&ParsedFile> = loaded.files().map(|(_, file)| &**file).collect();
    let mut found = FoundInputs::default();
    let policies = Path::new(&options.policy);
    let unknown = |input: &Input| input::unknown_policies(input, policies, &files);
    found.add(path, text.text(), None, unknown);
    Ok(found)
}

/// Returns the inputs that belong to the policies of a file.
fn inputs_of_policy(options: &Eval, loaded: &Loaded) -> Result<FoundInputs, Vec<Problem>> {
    let path = &options.policy;
    let without = |what: &str| {
        let message =
            format!("{what} has no inputs; pass inputs with --input, or an object with --object");
        Err(vec![Problem::new(&shown_argument(path), message)])
    };
    if path == Path::new(STDIN) {
        return without("standard input");
    }
    if path.is_dir() {
        return without("a directory");
    }
    let found = find_inputs(path, &loaded.file);
    if found.inputs.is_empty() && found.problems.is_empty() {
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
    Ok(found)
}

/// Keeps only the input with one name, and the problems that concern it. Returns the problem if
/// there is none.
fn named(name: &str, found: &mut FoundInputs) -> Option<Problem> {
    let names: Vec<String> = found.inputs.iter().map(|it| it.label()).collect();
    found.inputs.retain(|it| it.label() == name);
    if !found.inputs.is_empty() {
        found.problems.retain(|it| match &it.error.kind {
            InputErrorKind::DuplicateName { name: second } => second == name,
            _ => false,
        });
        return None;
    }
    let advice = match text::nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "all have errors".to_owned(),
        None => format!("available: {}", names.join(", ")),
    };
    let message = format!("no input is named `{name}`; {advice}");
    Some(Problem::new("", message))
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

//! The files of an evaluation.

use crate::arguments::Eval;
use crate::problem::Problem;
use crate::report::shown;
use ide::SourceFile;
use ide::evaluate::syntax_error;
use policy::{Kind, PolicyDocument};
use std::sync::Arc;
use text::TextRange;

/// The problem of objects that make no request.
pub(super) fn request_problem(options: &Eval, message: &str) -> Problem {
    let path = options.object.as_deref().or(options.old_object.as_deref());
    Problem {
        path: path.map_or_else(String::new, shown),
        message: message.to_owned(),
        place: None,
    }
}

/// Whether a document can be evaluated.
pub(super) fn is_evaluated(document: &PolicyDocument) -> bool {
    document.kind() == Kind::ValidatingAdmissionPolicy
}

/// Whether the file has a policy that can be evaluated.
///
/// # Errors
/// Why not, and where.
pub(super) fn check_policies(file: &SourceFile) -> Result<(), (TextRange, String)> {
    if let Some(error) = syntax_error(file) {
        return Err((error.range, error.kind.to_string()));
    }
    if file.policies().iter().any(|it| is_evaluated(it)) {
        return Ok(());
    }
    let place = |document: &PolicyDocument| {
        let root = document.root();
        root.get("kind").unwrap_or(root).range()
    };
    let mutating = |document: &&Arc<PolicyDocument>| document.kind().is_policy();
    if let Some(document) = file.policies().iter().find(mutating) {
        let message = "a MutatingAdmissionPolicy cannot be evaluated yet; only a ValidatingAdmissionPolicy can";
        return Err((place(document), message.to_owned()));
    }
    Err((
        file.policies()
            .first()
            .map_or_else(TextRange::default, |it| place(it)),
        "there is no ValidatingAdmissionPolicy in the file".to_owned(),
    ))
}

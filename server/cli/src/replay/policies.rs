//! The policies of a replay, with their bindings.

use super::bound_policy::Policy;
use super::lookup::LookedUp;
use super::not_found;
use crate::arguments::Replay;
use crate::loader::{LoadedTogether, Loader};
use crate::problem::Problem;
use crate::reader::{Reader, TextFile};
use crate::report::shown;
use admission::ApiServer;
use cel::Value;
use evaluation::run::{Programs, related_server_with, syntax_error};
use policy::{Kind, PolicyDocument, may_hold_policy};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workspace::find_files;

/// The compiled policies.
#[derive(Debug)]
pub(super) struct Policies {
    /// By path and position.
    pub(super) policies: Vec<Policy>,
    /// A server with the bindings, without the policies.
    pub(super) api_server: ApiServer,
    /// The objects that the policies use: namespaces and parameters.
    pub(super) looked_up: LookedUp,
    /// The objects next to the policies.
    pub(super) objects: Vec<Value>,
}

impl Policies {
    /// Reads the policies that the options name. Returns `None` after reporting an error in them.
    pub(super) fn load(options: &Replay, problems: &mut Vec<Problem>) -> Option<Self> {
        let path = options.policy.as_deref().unwrap_or(Path::new(""));
        let found = find_files(&[path.to_path_buf()], &Arc::default());
        problems.extend(found.problems.iter().map(not_found));
        let loader = Loader::new(options.kubernetes);
        let loaded = loader.load_together(path, read(&found.files, problems));
        problems.extend(loader.config_problems());
        let policies = Self::new(loaded, problems);
        if problems.is_empty() && policies.policies.is_empty() {
            problems.push(Problem::new(&shown(path), NO_POLICY));
        }
        problems.is_empty().then_some(policies)
    }

    fn new(loaded: LoadedTogether, problems: &mut Vec<Problem>) -> Self {
        let mut policies: Vec<Policy> = Vec::new();
        for (text, file) in &loaded.files {
            if let Some(error) = syntax_error(file) {
                problems.push(text.problem(error.range, error.kind.to_string()));
            }
            let programs = Programs::new(file);
            for (index, document) in file.policies().iter().enumerate() {
                let kind = document.kind();
                if !kind.is_policy() && kind != Kind::CustomResourceDefinition {
                    continue;
                }
                let refusals = programs.refusals(file, index);
                problems.extend(refusals.into_iter().map(|(range, reason)| {
                    let message = format!("the API server rejects the expression: {reason}");
                    text.problem(range, message)
                }));
                policies.push(Policy::new(&text.path, document, &loaded.bindings));
            }
        }
        let mut bindings = loaded.bindings;
        bindings.retain(|it| policies.iter().any(|policy| it.binds(&policy.document)));
        let api_server = related_server_with(&loaded.kinds, loaded.resources, &bindings, []);
        Self {
            looked_up: LookedUp::new(&policies, &bindings),
            policies,
            // A dump rarely has all definitions of its cluster, and its objects were admitted.
            api_server: api_server.assuming_kinds().without_refusals(),
            objects: loaded.objects,
        }
    }

    /// Returns the index of a binding on the server.
    pub(super) fn place_of(&self, binding: &Arc<PolicyDocument>) -> Option<usize> {
        let mut bindings = (0..).map_while(|place| self.api_server.binding(place));
        bindings.position(|it| Arc::ptr_eq(it, binding))
    }

    /// Returns the policies without a binding.
    pub(super) fn unbound(&self) -> impl Iterator<Item = &Policy> {
        let policies = self.policies.iter();
        policies.filter(|it| it.bindings.is_empty() && it.validator.is_none())
    }
}

const NO_POLICY: &str =
    "no ValidatingAdmissionPolicy, MutatingAdmissionPolicy or CustomResourceDefinition found";

/// Reads the files that may hold a policy.
fn read(files: &[PathBuf], problems: &mut Vec<Problem>) -> Vec<(PathBuf, TextFile)> {
    let mut texts = Vec::new();
    for path in files {
        match Reader::default().read(path) {
            Ok(text) if may_hold_policy(text.text()) => texts.push((path.clone(), text)),
            Ok(_) => {}
            Err(problem) => problems.push(problem),
        }
    }
    texts
}

//! The policies of a replay, with their bindings.

use super::bound_policy::Policy;
use super::lookup::LookedUp;
use crate::arguments::Replay;
use crate::loader::{LoadedTogether, Loader};
use crate::problem::Problem;
use crate::reader::read_policies;
use crate::report::shown;
use admission::ApiServer;
use cel::Value;
use evaluation::run::{Programs, related_server_with, syntax_error};
use policy::{Kind, PolicyDocument};
use std::path::Path;
use std::sync::Arc;

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
        let loader = Loader::new(options.kubernetes);
        let loaded = loader.load_together(path, read_policies(path, problems));
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
            let programs = Programs::new(file.policies());
            for (index, document) in file.policies().iter().enumerate() {
                let kind = document.kind();
                if !kind.is_policy() && kind != Kind::CustomResourceDefinition {
                    continue;
                }
                let refusals = programs.refusals(document, index);
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

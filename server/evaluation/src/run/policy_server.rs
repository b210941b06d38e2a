//! An API server with the policies of one file and the manifests of its project.
//!
//! Bindings, parameters, namespaces and definitions may be in the file or anywhere in the
//! project. The project changes rarely and is shared; the policies change with every
//! keystroke.

use super::Programs;
use super::cache::AnswerCache;
use crate::input::{DEFAULT_NAMESPACE, set_namespace};
use crate::samples::Sample;
use admission::{ApiServer, CompiledPolicy, CrdValidator, OmittedKinds, Resources};
use cel::Value;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::Catalog;
use kubernetes::{defaults, string_field};
use policy::{ParsedFile, PolicyDocument};
use std::sync::Arc;

/// An API server with the policies of a file.
#[derive(Clone, Debug)]
pub struct PolicyServer {
    /// Without the documents of the file.
    surroundings: ApiServer,
    api_server: ApiServer,
    /// The index in the file of each policy of the server, ascending.
    policies: Vec<usize>,
    /// The rules of each definition that is evaluated, with its index in the file, ascending.
    crd_validators: Vec<(usize, Arc<CrdValidator>)>,
    cache: Arc<AnswerCache>,
}

/// Returns the bindings in a parsed file.
#[must_use]
pub fn bindings_of(file: &ParsedFile) -> Vec<Arc<PolicyDocument>> {
    let bindings = file.policies().iter().filter(|it| it.kind().is_binding());
    bindings.cloned().collect()
}

/// The objects of one file that admission uses, prepared once.
#[derive(Clone, Debug, Default)]
pub struct RelatedFile {
    objects: Vec<Value>,
    bindings: Vec<Arc<PolicyDocument>>,
    omitted: OmittedKinds,
}

impl RelatedFile {
    /// Sets the defaults of a file's manifests, and the namespace `default` if they leave theirs to
    /// the command that applies them.
    #[must_use]
    pub fn new(kinds: &Catalog, samples: &[Sample], bindings: &[Arc<PolicyDocument>]) -> Self {
        let objects = samples.iter().map(|sample| {
            let mut object = sample.value.clone();
            defaults::apply_stored(kinds, &mut object);
            if is_namespaced(kinds, &object) {
                set_namespace(&mut object, DEFAULT_NAMESPACE);
            }
            object
        });
        Self {
            objects: objects.collect(),
            bindings: bindings.to_vec(),
            omitted: OmittedKinds::default(),
        }
    }

    /// Returns the file with the kinds of which it has further objects.
    #[must_use]
    pub fn omitting(self, omitted: OmittedKinds) -> Self {
        Self { omitted, ..self }
    }
}

fn is_namespaced(kinds: &Catalog, object: &Value) -> bool {
    let text = |field| string_field(object, field).unwrap_or_default();
    let GroupVersion { group, version } = GroupVersion::parse(text("apiVersion"));
    let kind = kinds.kind(group, version, text("kind"));
    kind.is_some_and(|it| it.namespaced)
}

/// Returns an API server with the bindings and objects of these files.
#[must_use]
pub fn related_server<'a>(
    kinds: &Arc<Catalog>,
    resources: Resources,
    files: impl IntoIterator<Item = &'a RelatedFile>,
) -> ApiServer {
    let mut api_server = ApiServer::new(Arc::clone(kinds), resources).evaluating_unbound();
    for file in files {
        for binding in &file.bindings {
            api_server.add(Arc::clone(binding));
        }
        for object in &file.objects {
            api_server.add_object(object.clone());
        }
        api_server.add_omitted(&file.omitted);
    }
    api_server
}

/// Returns an API server with the bindings of other files, and with manifests that may be
/// parameters, namespaces or existing objects.
#[must_use]
pub fn related_server_with<'a>(
    kinds: &Arc<Catalog>,
    resources: Resources,
    bindings: impl IntoIterator<Item = &'a Arc<PolicyDocument>>,
    samples: impl IntoIterator<Item = &'a Sample>,
) -> ApiServer {
    let bindings: Vec<Arc<PolicyDocument>> = bindings.into_iter().cloned().collect();
    let samples: Vec<Sample> = samples.into_iter().cloned().collect();
    let file = RelatedFile::new(kinds, &samples, &bindings);
    related_server(kinds, resources, [&file])
}

impl PolicyServer {
    /// Returns the policies of a file, compiled, on the API server of their project.
    #[must_use]
    pub fn new(
        policies: &[Arc<PolicyDocument>],
        programs: &Programs,
        surroundings: &ApiServer,
    ) -> Self {
        Self::with_policies(policies, programs, surroundings, &|_| true)
    }

    /// Returns the server with only the selected policies of the file.
    #[must_use]
    pub fn only(
        &self,
        policies: &[Arc<PolicyDocument>],
        programs: &Programs,
        is_included: &dyn Fn(&PolicyDocument) -> bool,
    ) -> Self {
        Self::with_policies(policies, programs, &self.surroundings, is_included)
    }

    fn with_policies(
        policies: &[Arc<PolicyDocument>],
        programs: &Programs,
        surroundings: &ApiServer,
        is_included: &dyn Fn(&PolicyDocument) -> bool,
    ) -> Self {
        let mut server = Self::without_policies(surroundings);
        let compiled = programs.policies.iter().zip(&programs.crd_validators);
        for (index, (document, (compiled, validator))) in policies.iter().zip(compiled).enumerate()
        {
            let is_wanted = is_included(document);
            if let Some(validator) = validator.clone() {
                if is_wanted {
                    server.add_crd_validator(index, validator);
                } else {
                    server.api_server.add_crd_validator(validator);
                }
            } else if !document.kind().is_policy() {
                server.api_server.add(Arc::clone(document));
            } else if is_wanted {
                server.add_policy(index, Arc::clone(document), Arc::clone(compiled));
            }
        }
        server
    }

    /// Returns the API server of the project, without policies.
    #[must_use]
    pub fn without_policies(surroundings: &ApiServer) -> Self {
        Self {
            surroundings: surroundings.clone(),
            api_server: surroundings.clone(),
            policies: Vec::new(),
            crd_validators: Vec::new(),
            cache: Arc::default(),
        }
    }

    /// Adds a policy with its index in the file, which must be after those of all policies so far.
    pub fn add_policy(
        &mut self,
        index: usize,
        document: Arc<PolicyDocument>,
        compiled: Arc<CompiledPolicy>,
    ) {
        self.api_server.add_policy(document, compiled);
        self.policies.push(index);
    }

    /// Adds the rules of a definition with its index, which is after those of all so far.
    pub fn add_crd_validator(&mut self, index: usize, validator: Arc<CrdValidator>) {
        self.api_server.add_crd_validator(Arc::clone(&validator));
        self.crd_validators.push((index, validator));
    }

    /// Returns the server.
    #[must_use]
    pub fn api_server(&self) -> &ApiServer {
        &self.api_server
    }

    /// Returns the cached answers.
    pub(super) fn cache(&self) -> &AnswerCache {
        &self.cache
    }

    /// Returns the index in the file of a policy of the server.
    #[must_use]
    pub fn document(&self, index: usize) -> Option<usize> {
        self.policies.get(index).copied()
    }

    /// Returns the rules of a definition of the file, by its index in the file.
    #[must_use]
    pub fn crd_validator(&self, policy: usize) -> Option<&Arc<CrdValidator>> {
        let known = self
            .crd_validators
            .binary_search_by_key(&policy, |(index, _)| *index);
        Some(&self.crd_validators.get(known.ok()?)?.1)
    }

    /// Returns the rules of all definitions of the file, with their indexes in the file.
    pub fn crds_with_rules(&self) -> impl Iterator<Item = (usize, &Arc<CrdValidator>)> {
        self.crd_validators.iter().map(|(index, it)| (*index, it))
    }

    /// Returns the index in the server of a policy of the file.
    #[must_use]
    pub fn index_of(&self, policy: usize) -> Option<usize> {
        self.policies.binary_search(&policy).ok()
    }
}

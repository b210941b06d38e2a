//! Inputs and manifests, prepared for evaluation once.
//!
//! A keystroke changes a policy and rarely its inputs. So the objects with their defaults, their
//! requests and the context of a file are kept as long as their files and kinds do not change. When
//! one file changes, the results of the others are kept.

use admission::{ApiServer, CustomResources, Resources};
use evaluation::input::Input;
use evaluation::run::{PreparedInput, RelatedFile, order, related_server};
use evaluation::samples::MAX_SAMPLES;
use ide::Project;
use kubernetes::openapi::Catalog;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use text::memo::{Identity, Memo};
use workspace::{FoundInputs, SampleFile};

/// Files with manifests, by path.
pub(crate) type SampleFiles = BTreeMap<PathBuf, Arc<SampleFile>>;

/// The manifests that are visible to one file. An open document has its text in the editor.
#[derive(Clone, Debug)]
pub(crate) struct SampleView {
    on_disk: Arc<SampleFiles>,
    /// Replacements for files on disk. `None` removes one.
    open: BTreeMap<PathBuf, Option<Arc<SampleFile>>>,
}

impl SampleView {
    pub(crate) fn new(
        on_disk: Arc<SampleFiles>,
        open: BTreeMap<PathBuf, Option<Arc<SampleFile>>>,
    ) -> Self {
        Self { on_disk, open }
    }

    /// Returns all files with manifests.
    pub(crate) fn files(&self) -> SampleFiles {
        let mut files = SampleFiles::clone(&self.on_disk);
        for (path, file) in &self.open {
            match file {
                Some(file) => drop(files.insert(path.clone(), Arc::clone(file))),
                None => drop(files.remove(path)),
            }
        }
        files
    }

    /// Returns whether two views have the same files.
    fn is_same(&self, other: &Self) -> bool {
        let address = |file: &Option<Arc<SampleFile>>| file.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.on_disk, &other.on_disk)
            && self.open.len() == other.open.len()
            && self
                .open
                .iter()
                .zip(&other.open)
                .all(|(new, old)| new.0 == old.0 && address(new.1) == address(old.1))
    }
}

/// The context in which the policies of one file are evaluated.
#[derive(Debug)]
pub(crate) struct EvaluationContext {
    source: ContextSource,
    /// Bindings, objects and the definitions of custom resources.
    pub(crate) api_server: ApiServer,
    /// The inputs and manifests, the best first.
    pub(crate) inputs: Vec<Arc<PreparedInput>>,
}

/// The key of a context.
#[derive(Clone, Debug)]
struct ContextSource {
    samples: SampleView,
    inputs: Arc<FoundInputs>,
    kinds: Arc<Catalog>,
    custom_resources: Arc<CustomResources>,
}

impl ContextSource {
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.kinds, &other.kinds)
            && Arc::ptr_eq(&self.custom_resources, &other.custom_resources)
            && Arc::ptr_eq(&self.inputs, &other.inputs)
            && self.samples.is_same(&other.samples)
    }
}

/// The contexts of the open policy files.
#[derive(Debug, Default)]
pub(crate) struct EvaluationCache {
    /// By the path of the policy file.
    contexts: Mutex<HashMap<PathBuf, Arc<EvaluationContext>>>,
    files: Memo<(KindsKey, Identity<SampleFile>, Owner), Arc<PreparedFile>>,
    inputs: Memo<(KindsKey, Identity<Input>), Arc<PreparedInput>>,
}

/// Everything on which the kinds of objects depend: the catalog, and the files that define kinds.
type KindsKey = (Identity<Catalog>, Arc<[Identity<SampleFile>]>);

/// The owner of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    /// The policy file itself. Its bindings come with its policies.
    Policies,
    /// Another file.
    Other,
}

impl Owner {
    fn new(file: &Path, policies: &Path) -> Self {
        if file == policies {
            Self::Policies
        } else {
            Self::Other
        }
    }
}

#[derive(Debug)]
struct PreparedFile {
    related: RelatedFile,
    inputs: Vec<Arc<PreparedInput>>,
}

impl EvaluationCache {
    /// Returns the context of the policy file at `path`.
    pub(crate) fn context(
        &self,
        path: &Path,
        samples: SampleView,
        inputs: Arc<FoundInputs>,
        project: &Project,
    ) -> Arc<EvaluationContext> {
        let source = ContextSource {
            samples,
            inputs,
            kinds: Arc::clone(project.kinds()),
            custom_resources: Arc::clone(project.custom_resources()),
        };
        let cached = self.contexts().get(path).cloned();
        if let Some(context) = cached
            && context.source.is_same(&source)
        {
            return context;
        }
        let context = Arc::new(self.prepare(path, source));
        self.contexts()
            .insert(path.to_path_buf(), Arc::clone(&context));
        context
    }

    /// Forgets a file that is closed.
    pub(crate) fn forget(&self, path: &Path) {
        let mut contexts = self.contexts();
        contexts.remove(path);
        if contexts.is_empty() {
            self.files.end(self.files.begin());
            self.inputs.end(self.inputs.begin());
        }
    }

    fn contexts(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<EvaluationContext>>> {
        // An entry is never half-written.
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn prepare(&self, path: &Path, source: ContextSource) -> EvaluationContext {
        let rounds = (self.files.begin(), self.inputs.begin());
        let files = source.samples.files();
        let mut resources = Resources::from_catalog(Arc::clone(&source.kinds));
        let defined = files.values().map(|file| &file.resources);
        defined.for_each(|it| resources.extend(it));
        let defining = files.values().filter(|file| !file.resources.is_empty());
        let defining = defining.map(Identity::from).collect();
        let kinds = Kinds {
            key: (Identity::from(&source.kinds), defining),
            catalog: &source.kinds,
            resources: &resources,
        };
        let mut ready = Vec::with_capacity(files.len());
        for (file_path, file) in &files {
            let owner = Owner::new(file_path, path);
            let key = (kinds.key.clone(), Identity::from(file), owner);
            ready.push(self.files.get(key, || Arc::new(kinds.file(file, owner))));
        }
        let inputs = source.inputs.inputs.iter();
        let mut prepared: Vec<Arc<PreparedInput>> = inputs
            .map(|input| {
                let key = (kinds.key.clone(), Identity::from(input));
                self.inputs.get(key, || kinds.input(Arc::clone(input)))
            })
            .collect();
        add_manifests(&mut prepared, &source.inputs, &ready);
        order(&mut prepared, Some(path));
        let related = ready.iter().map(|ready| &ready.related);
        let api_server = related_server(&source.kinds, resources.clone(), related)
            .with_custom_resources(Arc::clone(&source.custom_resources));
        self.files.end(rounds.0);
        self.inputs.end(rounds.1);
        EvaluationContext {
            source,
            api_server,
            inputs: prepared,
        }
    }
}

/// Adds the manifests of files. Inputs files may also be manifests, which count once.
fn add_manifests(
    prepared: &mut Vec<Arc<PreparedInput>>,
    inputs: &FoundInputs,
    files: &[Arc<PreparedFile>],
) {
    let input_files: HashSet<&Path> = inputs.files.iter().map(|it| &**it).collect();
    let is_other = |it: &&Arc<PreparedInput>| !input_files.contains(&*it.key().path);
    let manifests = files.iter().flat_map(|file| &file.inputs);
    prepared.extend(manifests.filter(is_other).cloned());
}

/// The kinds for which files and inputs are prepared.
struct Kinds<'c> {
    key: KindsKey,
    catalog: &'c Catalog,
    resources: &'c Resources,
}

impl Kinds<'_> {
    fn file(&self, file: &SampleFile, owner: Owner) -> PreparedFile {
        let bindings = match owner {
            Owner::Policies => &[],
            Owner::Other => file.bindings.as_slice(),
        };
        let prepare = |sample| self.input(Arc::new(Input::from_sample(sample)));
        PreparedFile {
            related: RelatedFile::new(self.catalog, &file.samples, bindings)
                .omitting(file.omitted.clone()),
            // A dump of parameters has thousands, and few are useful as inputs.
            inputs: file.samples.iter().take(MAX_SAMPLES).map(prepare).collect(),
        }
    }

    fn input(&self, input: Arc<Input>) -> Arc<PreparedInput> {
        Arc::new(PreparedInput::new(input, self.catalog, self.resources))
    }
}

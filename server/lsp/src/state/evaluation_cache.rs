//! Inputs and manifests, prepared for evaluation once.
//!
//! A keystroke changes a policy and seldom what it is evaluated against. So the objects with
//! their defaults, their requests and the context of a file are kept as long as the files and
//! the kinds that they come from stay the same. When one file changes, what comes from the
//! others is kept.

use admission::{ApiServer, Resources};
use evaluation::input::Input;
use evaluation::run::{PreparedInput, RelatedFile, order, related_server};
use kubernetes::openapi::Catalog;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use workspace::{FoundInputs, SampleFile};

/// Files with manifests, by path.
pub(crate) type SampleFiles = BTreeMap<PathBuf, Arc<SampleFile>>;

/// The manifests that are visible to one file. An open document counts as it is in the editor.
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
    /// Bindings, definitions and objects.
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
}

impl ContextSource {
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.kinds, &other.kinds)
            && Arc::ptr_eq(&self.inputs, &other.inputs)
            && self.samples.is_same(&other.samples)
    }
}

/// The contexts of the open policy files.
#[derive(Debug, Default)]
pub(crate) struct EvaluationCache(Mutex<CachedContexts>);

#[derive(Debug, Default)]
struct CachedContexts {
    /// By the path of the policy file.
    contexts: HashMap<PathBuf, Arc<EvaluationContext>>,
    pool: PreparedPool,
}

/// The prepared files and inputs, for one set of kinds.
#[derive(Debug, Default)]
struct PreparedPool {
    kinds: Option<Arc<Catalog>>,
    /// The files that define kinds.
    defining: Vec<Arc<SampleFile>>,
    /// By address, and whether it is the policy file itself. The file is kept as well, so that
    /// its address is not reused.
    files: HashMap<(usize, bool), Arc<PreparedFile>>,
    inputs: HashMap<usize, Arc<PreparedInput>>,
}

#[derive(Debug)]
struct PreparedFile {
    file: Arc<SampleFile>,
    /// Whether it is the policy file itself, whose bindings and definitions come with its
    /// policies.
    is_own: bool,
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
        kinds: &Arc<Catalog>,
    ) -> Arc<EvaluationContext> {
        let source = ContextSource {
            samples,
            inputs,
            kinds: Arc::clone(kinds),
        };
        // An entry is never half-written.
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(context) = cached.contexts.get(path)
            && context.source.is_same(&source)
        {
            return Arc::clone(context);
        }
        let context = Arc::new(cached.pool.context(path, source));
        cached
            .contexts
            .insert(path.to_path_buf(), Arc::clone(&context));
        context
    }

    /// Forgets a file that is closed.
    pub(crate) fn forget(&self, path: &Path) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.contexts.remove(path);
        if cached.contexts.is_empty() {
            cached.pool = PreparedPool::default();
        }
    }
}

impl PreparedPool {
    fn context(&mut self, path: &Path, source: ContextSource) -> EvaluationContext {
        let files = source.samples.files();
        let mut resources = Resources::default();
        for file in files.values() {
            resources.extend(&file.resources);
        }
        self.reset_for(&source.kinds, &files);
        let mut ready = Vec::with_capacity(files.len());
        for (file_path, file) in &files {
            ready.push(self.file(file, file_path == path, &source.kinds, &resources));
        }
        let inputs = source.inputs.inputs.iter();
        let mut prepared: Vec<Arc<PreparedInput>> = inputs
            .map(|input| self.input(input, &source.kinds, &resources))
            .collect();
        // Inputs files may be manifests as well. They count once.
        let input_files: HashSet<&Path> = source.inputs.files.iter().map(|it| &**it).collect();
        let is_other = |it: &&Arc<PreparedInput>| !input_files.contains(&*it.key().path);
        let manifests = ready.iter().flat_map(|ready| &ready.inputs);
        prepared.extend(manifests.filter(is_other).cloned());
        order(&mut prepared, Some(path));
        let related = ready.iter().map(|ready| &ready.related);
        let api_server = related_server(&source.kinds, resources, related);
        self.keep_only(&ready, &prepared);
        EvaluationContext {
            source,
            api_server,
            inputs: prepared,
        }
    }

    /// Forgets everything if the kinds have changed.
    fn reset_for(&mut self, kinds: &Arc<Catalog>, files: &SampleFiles) {
        let has_kinds = |file: &&Arc<SampleFile>| !file.resources.is_empty();
        let defining: Vec<Arc<SampleFile>> = files.values().filter(has_kinds).cloned().collect();
        let same_kinds = self.kinds.as_ref().is_some_and(|it| Arc::ptr_eq(it, kinds));
        let same_files = defining.len() == self.defining.len()
            && defining
                .iter()
                .zip(&self.defining)
                .all(|(new, old)| Arc::ptr_eq(new, old));
        if !same_kinds || !same_files {
            *self = Self {
                kinds: Some(Arc::clone(kinds)),
                defining,
                ..Self::default()
            };
        }
    }

    fn file(
        &mut self,
        file: &Arc<SampleFile>,
        is_own: bool,
        kinds: &Catalog,
        resources: &Resources,
    ) -> Arc<PreparedFile> {
        let entry = self.files.entry((Arc::as_ptr(file).addr(), is_own));
        let ready = entry.or_insert_with(|| {
            let prepare = |sample| {
                let input = Arc::new(Input::from_sample(sample));
                Arc::new(PreparedInput::new(input, kinds, resources))
            };
            let lookups = if is_own { &[] } else { file.lookups.as_slice() };
            Arc::new(PreparedFile {
                file: Arc::clone(file),
                is_own,
                related: RelatedFile::new(kinds, &file.samples, lookups),
                inputs: file.samples.iter().map(prepare).collect(),
            })
        });
        Arc::clone(ready)
    }

    fn input(
        &mut self,
        input: &Arc<Input>,
        kinds: &Catalog,
        resources: &Resources,
    ) -> Arc<PreparedInput> {
        let entry = self.inputs.entry(Arc::as_ptr(input).addr());
        let ready = entry.or_insert_with(|| {
            let input = Arc::clone(input);
            Arc::new(PreparedInput::new(input, kinds, resources))
        });
        Arc::clone(ready)
    }

    /// Forgets older states of files. Files of another document are prepared again when that
    /// document is evaluated.
    fn keep_only(&mut self, ready: &[Arc<PreparedFile>], prepared: &[Arc<PreparedInput>]) {
        let files: HashSet<(usize, bool)> = ready
            .iter()
            .map(|it| (Arc::as_ptr(&it.file).addr(), it.is_own))
            .collect();
        self.files.retain(|key, _| files.contains(key));
        let inputs: HashSet<usize> = prepared
            .iter()
            .map(|it| Arc::as_ptr(it.input()).addr())
            .collect();
        self.inputs.retain(|address, _| inputs.contains(address));
    }
}

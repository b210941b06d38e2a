//! What policies are tried on, made ready once.
//!
//! A keystroke changes a policy and seldom what it is tried on. So the objects with their
//! defaults, the requests that they make and what lies around a file are kept as long as the
//! files and the kinds that they come from stay the same. What comes from a file that did not
//! change is kept when another one does.

use crate::inputs::Beside;
use crate::samples::SampleView;
use ide::evaluate::{Candidate, ReadyFile, order, surroundings_of};
use ide::input::Input;
use ide::{ApiServer, Catalog, Resources};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use workspace::SampleFile;

/// What lies around one file, ready for its policies.
#[derive(Debug)]
pub(crate) struct Around {
    source: Source,
    /// Bindings, definitions and objects.
    pub(crate) cluster: ApiServer,
    /// What the policies are tried on, the best first.
    pub(crate) candidates: Vec<Arc<Candidate>>,
}

/// What it was made of.
#[derive(Clone, Debug)]
struct Source {
    samples: SampleView,
    inputs: Arc<Beside>,
    kinds: Arc<Catalog>,
}

impl Source {
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.kinds, &other.kinds)
            && Arc::ptr_eq(&self.inputs, &other.inputs)
            && self.samples.is_same(&other.samples)
    }
}

/// What was made ready in a session.
#[derive(Debug, Default)]
pub(crate) struct Candidates(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By the path of the file that it lies around.
    around: HashMap<PathBuf, Arc<Around>>,
    pool: Pool,
}

/// What is ready of each file and input, for some kinds.
#[derive(Debug, Default)]
struct Pool {
    kinds: Option<Arc<Catalog>>,
    /// The files that bring kinds.
    bringing: Vec<Arc<SampleFile>>,
    /// By address, and whether it is the file that they lie around. The file itself is kept as
    /// well, so that its address stays its own.
    files: HashMap<(usize, bool), Arc<Ready>>,
    inputs: HashMap<usize, Arc<Candidate>>,
}

#[derive(Debug)]
struct Ready {
    file: Arc<SampleFile>,
    /// Whether it is the file that the others lie around. What admission looks up in it comes
    /// with its policies.
    is_own: bool,
    around: ReadyFile,
    candidates: Vec<Arc<Candidate>>,
}

impl Candidates {
    /// What lies around the file at `path`.
    pub(crate) fn around(
        &self,
        path: &Path,
        samples: SampleView,
        inputs: Arc<Beside>,
        kinds: &Arc<Catalog>,
    ) -> Arc<Around> {
        let source = Source {
            samples,
            inputs,
            kinds: Arc::clone(kinds),
        };
        // An entry is never half-written.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(around) = known.around.get(path)
            && around.source.is_same(&source)
        {
            return Arc::clone(around);
        }
        let around = Arc::new(known.pool.around(path, source));
        known.around.insert(path.to_path_buf(), Arc::clone(&around));
        around
    }

    /// Forgets a file that is closed.
    pub(crate) fn forget(&self, path: &Path) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.around.remove(path);
        if known.around.is_empty() {
            known.pool = Pool::default();
        }
    }
}

impl Pool {
    fn around(&mut self, path: &Path, source: Source) -> Around {
        let files = source.samples.files();
        let mut resources = Resources::default();
        for file in files.values() {
            resources.extend(&file.resources);
        }
        self.empty_for_others(&source.kinds, &files);
        let mut ready = Vec::with_capacity(files.len());
        for (of, file) in &files {
            ready.push(self.ready(file, of == path, &source.kinds, &resources));
        }
        let inputs = source.inputs.inputs();
        let inputs = inputs.map(|input| self.candidate(input, &source.kinds, &resources));
        let mut candidates: Vec<Arc<Candidate>> = inputs.collect();
        // The files of inputs may be manifests as well. They are tried once.
        let tried: HashSet<&Path> = source.inputs.files().collect();
        let others = ready.iter().flat_map(|ready| &ready.candidates);
        let others = others.filter(|it| !tried.contains(&*it.key().path));
        candidates.extend(others.cloned());
        order(&mut candidates, Some(path));
        let around = ready.iter().map(|ready| &ready.around);
        let cluster = surroundings_of(&source.kinds, resources, around);
        self.keep_only(&ready, &candidates);
        Around {
            source,
            cluster,
            candidates,
        }
    }

    /// Forgets everything when the kinds are others.
    fn empty_for_others(
        &mut self,
        kinds: &Arc<Catalog>,
        files: &BTreeMap<PathBuf, Arc<SampleFile>>,
    ) {
        let bringing = files.values().filter(|file| !file.resources.is_empty());
        let bringing: Vec<Arc<SampleFile>> = bringing.cloned().collect();
        let same_kinds = self.kinds.as_ref().is_some_and(|it| Arc::ptr_eq(it, kinds));
        let same_files = bringing.len() == self.bringing.len()
            && bringing
                .iter()
                .zip(&self.bringing)
                .all(|(new, old)| Arc::ptr_eq(new, old));
        if !same_kinds || !same_files {
            *self = Self {
                kinds: Some(Arc::clone(kinds)),
                bringing,
                ..Self::default()
            };
        }
    }

    fn ready(
        &mut self,
        file: &Arc<SampleFile>,
        is_own: bool,
        kinds: &Catalog,
        resources: &Resources,
    ) -> Arc<Ready> {
        let ready = self.files.entry((Arc::as_ptr(file).addr(), is_own));
        let ready = ready.or_insert_with(|| {
            let candidate = |sample| {
                let input = Arc::new(Input::of_sample(sample));
                Arc::new(Candidate::new(input, kinds, resources))
            };
            let lookups = if is_own { &[] } else { file.lookups.as_slice() };
            Arc::new(Ready {
                file: Arc::clone(file),
                is_own,
                around: ReadyFile::new(kinds, &file.samples, lookups),
                candidates: file.samples.iter().map(candidate).collect(),
            })
        });
        Arc::clone(ready)
    }

    fn candidate(
        &mut self,
        input: &Arc<Input>,
        kinds: &Catalog,
        resources: &Resources,
    ) -> Arc<Candidate> {
        let ready = self.inputs.entry(Arc::as_ptr(input).addr());
        let ready = ready.or_insert_with(|| {
            let input = Arc::clone(input);
            Arc::new(Candidate::new(input, kinds, resources))
        });
        Arc::clone(ready)
    }

    /// Forgets what belongs to older states of files. What another document has is made anew
    /// when that document is asked about.
    fn keep_only(&mut self, ready: &[Arc<Ready>], candidates: &[Arc<Candidate>]) {
        let files: HashSet<(usize, bool)> = ready
            .iter()
            .map(|it| (Arc::as_ptr(&it.file).addr(), it.is_own))
            .collect();
        self.files.retain(|key, _| files.contains(key));
        let inputs: HashSet<usize> = candidates
            .iter()
            .map(|it| Arc::as_ptr(it.input()).addr())
            .collect();
        self.inputs.retain(|address, _| inputs.contains(address));
    }
}

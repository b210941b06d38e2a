//! A file with policies and its surroundings, ready to be evaluated.
//!
//! Bindings, parameters, namespaces and CRDs are rarely in the file of the policy. They come from
//! its project: the files of one configuration file or, without one, the directory of the policy.
//! Of two objects with the same name, the nearest is used, since it is most likely applied together
//! with the policy.

mod dependencies;

pub(crate) use dependencies::Dependencies;

use crate::problem::Problem;
use crate::reader::TextFile;
use admission::{EvaluationLimits, Resources};
use cel::Value;
use evaluation::input::Input;
use evaluation::run::{
    Evaluator, PolicyServer, PreparedInput, Programs, distance, related_server_with,
};
use evaluation::samples::{ParamKinds, Sample};
use ide::{FileSummary, Project, SourceFile};
use kubernetes::Target;
use kubernetes::openapi::Catalog;
use policy::{Kind, PolicyDocument};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use workspace::{
    Config, ConfigCache, ProjectLimits, Roots, SampleFile, SampleLimits, find_samples, gather,
};

/// Limit: files of a project without a configuration file. The directory of a policy may be
/// the home directory of a user.
const MAX_UNGOVERNED: usize = 500;

/// Loads files with policies. The rest of each project is read once.
#[derive(Debug)]
pub(crate) struct Loader {
    configs: Arc<ConfigCache>,
    /// The target that the arguments name.
    target: Option<Target>,
    /// By the directory of the project.
    project_files: Mutex<HashMap<PathBuf, Arc<ProjectFiles>>>,
}

/// The files of a project.
#[derive(Debug)]
struct ProjectFiles {
    project: Arc<Project>,
    files: Vec<Neighbor>,
    /// The kinds of which all objects were searched for.
    param_kinds: ParamKinds,
}

/// The contents of a file of a project that others use.
#[derive(Debug)]
struct Neighbor {
    path: PathBuf,
    content: SampleFile,
}

/// Files with policies that one server would have.
#[derive(Debug)]
pub(crate) struct LoadedTogether {
    /// The files in their project, with their contents.
    pub(crate) files: Vec<(TextFile, SourceFile)>,
    /// The kinds of the server.
    pub(crate) kinds: Arc<Catalog>,
    /// The resources that CRDs in the project define.
    pub(crate) resources: Resources,
    /// The bindings in the project.
    pub(crate) bindings: Vec<Arc<PolicyDocument>>,
    /// The namespaces and parameters in the project, the nearest first.
    pub(crate) objects: Vec<Value>,
}

/// The contents of a project that some files use.
struct NearbyFiles<'a> {
    resources: Resources,
    bindings: Vec<&'a Arc<PolicyDocument>>,
    /// The objects that the policies use, including those in the files themselves.
    samples: Vec<&'a Sample>,
}

/// A path, as written or found, and the file that was read there.
pub(crate) type NamedText = (PathBuf, TextFile);

/// A file with policies, or several that one server has, ready to be evaluated.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The path as displayed, and the content.
    pub(crate) text: TextFile,
    /// The file in its project.
    pub(crate) file: SourceFile,
    /// The other files of a directory.
    pub(crate) others: Vec<(TextFile, SourceFile)>,
    /// The documents of all files.
    pub(crate) policies: Vec<Arc<PolicyDocument>>,
    /// Their expressions.
    pub(crate) programs: Programs,
    /// The API server that evaluates them.
    pub(crate) server: PolicyServer,
    /// The limits of an evaluation.
    pub(crate) limits: EvaluationLimits,
    /// The objects that its policies use from other files.
    pub(crate) dependencies: Dependencies,
    /// The files that it was found in.
    pub(crate) neighbors: Vec<PathBuf>,
}

/// Limit: the evaluation of one input. The budget of the API server ends it much earlier,
/// unless the policies use operations without a cost.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the limits of the evaluation of one input, which begins now.
pub(crate) fn limits() -> EvaluationLimits {
    EvaluationLimits::within(PATIENCE)
}

impl Loaded {
    /// Returns the files with their contents.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&TextFile, &SourceFile)> {
        let others = self.others.iter().map(|(text, file)| (text, file));
        std::iter::once((&self.text, &self.file)).chain(others)
    }

    /// Returns the file of a document, by its index.
    pub(crate) fn text_of(&self, policy: usize) -> &TextFile {
        let mut before = 0;
        let mut files = self.files();
        let found = files.find(|(_, file)| {
            before += file.policies().len();
            policy < before
        });
        found.map_or(&self.text, |(text, _)| text)
    }

    /// Returns the policies, ready to be evaluated.
    pub(crate) fn evaluator(&self) -> Evaluator<'_> {
        Evaluator {
            policies: &self.policies,
            programs: &self.programs,
            server: &self.server,
            inputs: &[],
            limits: &self.limits,
        }
    }

    /// Returns an input with its requests.
    pub(crate) fn prepared_input(&self, input: Arc<Input>) -> PreparedInput {
        let api_server = self.server.api_server();
        PreparedInput::new(input, api_server.kinds(), api_server.resources())
    }
}

impl Loader {
    /// Returns a loader for a target; by default that of the configuration.
    pub(crate) fn new(target: Option<Target>) -> Self {
        Self {
            configs: Arc::new(ConfigCache::within(Roots::from_working_directory())),
            target,
            project_files: Mutex::default(),
        }
    }

    /// Returns the errors in the configurations of the loaded files.
    pub(crate) fn config_problems(&self) -> Vec<Problem> {
        Problem::of_configs(&self.configs)
    }

    /// Returns the project of a directory.
    pub(crate) fn project_of(&self, folder: &Path) -> Arc<Project> {
        let config = self.configs.for_file(&folder.join("policy.yaml"));
        let root = config.root().unwrap_or(folder);
        let project_files = self.project_files(root, &config, &ParamKinds::new());
        Arc::clone(&project_files.project)
    }

    /// Loads a file that was read. `path` is its path, or that of standard input.
    pub(crate) fn load(&self, path: &Path, text: TextFile) -> Loaded {
        self.load_all(path, (path.to_path_buf(), text), Vec::new())
    }

    /// Loads files that were read, as if one server had all their policies. `from` is the path in
    /// the arguments: the first file, or a directory.
    pub(crate) fn load_all(&self, from: &Path, first: NamedText, others: Vec<NamedText>) -> Loaded {
        let texts: Vec<&NamedText> = std::iter::once(&first).chain(&others).collect();
        let (project_files, project) = self.project_with(from, &texts);
        let (text, file) = self.in_project(&project, first);
        let others = others.into_iter().map(|it| self.in_project(&project, it));
        let others: Vec<(TextFile, SourceFile)> = others.collect();
        let files = || std::iter::once(&file).chain(others.iter().map(|(_, file)| file));
        let contents: Vec<SampleFile> = files().map(content).collect();
        let own: Vec<(&SourceFile, &SampleFile)> = files().zip(&contents).collect();
        let api_server = project_files.api_server(&project, &own);
        let policies = files().flat_map(|file| file.policies()).cloned();
        let policies: Vec<Arc<PolicyDocument>> = policies.collect();
        let programs = Programs::new(&policies);
        let dependencies = Dependencies::new(files());
        let neighbors = project_files.files.iter();
        let neighbors = neighbors.filter(|it| dependencies.is_touched_by(&it.content));
        Loaded {
            neighbors: neighbors.map(|it| it.path.clone()).collect(),
            server: PolicyServer::new(&policies, &programs, &api_server),
            limits: EvaluationLimits::default(),
            dependencies,
            text,
            file,
            others,
            policies,
            programs,
        }
    }

    /// Loads files that were read, as if one server had all their policies. `from` is the path in
    /// the arguments: one of them, or their directory.
    pub(crate) fn load_together(&self, from: &Path, texts: Vec<NamedText>) -> LoadedTogether {
        let (project_files, project) = self.project_with(from, &texts.iter().collect::<Vec<_>>());
        let files = texts.into_iter().map(|it| self.in_project(&project, it));
        project_files.together(files.collect(), &project)
    }

    /// Returns the files of the project of some files, and the project with these files.
    fn project_with(&self, from: &Path, texts: &[&NamedText]) -> (Arc<ProjectFiles>, Arc<Project>) {
        let first = texts.first().map_or(from, |(path, _)| path);
        let config = self.configs.for_file(first);
        let real = self
            .configs
            .real_path(if from.is_dir() { from } else { first });
        let folder = match config.root() {
            Some(root) => root,
            None if real.is_dir() => &real,
            None => real.parent().unwrap_or(&real),
        };
        let summaries = texts.iter().map(|(path, text)| {
            let path = Arc::from(self.configs.real_path(path));
            Arc::new(FileSummary::read(&path, text.text()))
        });
        let summaries: Vec<Arc<FileSummary>> = summaries.collect();
        let policies = summaries.iter().flat_map(|it| &it.policies);
        let kinds = policies.filter_map(|it| it.spec.param_kind.as_ref());
        let kinds = kinds.map(|it| (it.api_version().to_owned(), it.kind().to_owned()));
        let project_files = self.project_files(folder, &config, &kinds.collect());
        let project = project_files.with(summaries);
        (project_files, project)
    }

    fn in_project(
        &self,
        project: &Arc<Project>,
        (path, text): NamedText,
    ) -> (TextFile, SourceFile) {
        let file = SourceFile::in_project(Arc::clone(text.text()), Arc::clone(project));
        let file = file.at(Arc::from(self.configs.real_path(&path)));
        (text, file)
    }

    /// Returns the files of a project, with all objects of some kinds.
    fn project_files(
        &self,
        folder: &Path,
        config: &Config,
        wanted: &ParamKinds,
    ) -> Arc<ProjectFiles> {
        // Two files of one project may be loaded at the same time, which reads it once.
        let mut project_files = self
            .project_files
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = project_files.get(folder);
        if let Some(known) = known.filter(|it| wanted.is_subset(&it.param_kinds)) {
            return Arc::clone(known);
        }
        let mut wanted = wanted.clone();
        wanted.extend(known.iter().flat_map(|it| it.param_kinds.iter().cloned()));
        let found = Arc::new(self.search(folder, config, wanted));
        project_files.insert(folder.to_path_buf(), Arc::clone(&found));
        found
    }

    fn search(&self, folder: &Path, config: &Config, mut param_kinds: ParamKinds) -> ProjectFiles {
        let folders = [folder.to_path_buf()];
        let (mut of_project, mut of_samples) = (ProjectLimits::default(), SampleLimits::default());
        if config.root().is_none() {
            of_project.files = MAX_UNGOVERNED;
            of_samples.files = MAX_UNGOVERNED;
        }
        // A configuration further down has a separate project.
        let is_other = |file: &Path| self.configs.for_file(file).path() != config.path();
        let gathered = gather(&folders, &self.configs, of_project, &is_other);
        let target = self.target.or(config.target()).unwrap_or_default();
        let mut project = Project::new(target).with_files(gathered.files);
        if let Some(definitions) = &self.configs.schemas(config).definitions {
            project = project.with_schemas(definitions.iter().cloned());
        }
        let mut files = find_samples(&folders, &self.configs, of_samples, &param_kinds);
        let of_files = files.iter().flat_map(|(_, file)| &file.param_kinds);
        param_kinds.extend(of_files.cloned());
        files.retain(|(path, _)| !is_other(path));
        ProjectFiles {
            param_kinds,
            project: Arc::new(project),
            files: files
                .into_iter()
                .map(|(path, content)| Neighbor { path, content })
                .collect(),
        }
    }
}

impl ProjectFiles {
    /// Returns the project with some files added, which a search may not find.
    fn with(&self, files: impl IntoIterator<Item = Arc<FileSummary>>) -> Arc<Project> {
        let project_files = self.project.files();
        let is_known =
            |file: &Arc<FileSummary>| project_files.iter().any(|it| it.file == file.file);
        let files = files.into_iter();
        let new: Vec<_> = files.filter(|it| !it.is_empty() && !is_known(it)).collect();
        if new.is_empty() {
            return Arc::clone(&self.project);
        }
        let files = project_files.iter().cloned().chain(new);
        Arc::new(Project::clone(&self.project).with_files(files))
    }

    /// Returns the samples of the project and of the files themselves, the nearest first.
    fn nearby<'a>(
        &'a self,
        kinds: &Arc<Catalog>,
        own: &'a [(&SourceFile, &SampleFile)],
    ) -> NearbyFiles<'a> {
        let far = |it: &Neighbor| {
            own.iter()
                .map(|(file, _)| distance(file.path(), &it.path))
                .min()
        };
        let is_other = |it: &&Neighbor| own.iter().all(|(file, _)| **file.path() != *it.path);
        let mut others: Vec<&Neighbor> = self.files.iter().filter(is_other).collect();
        others.sort_by_cached_key(|it| far(it));
        let contents = || own.iter().map(|(_, content)| *content);
        let mut resources = Resources::from_catalog(Arc::clone(kinds));
        // Of two that define a kind, the later is used here.
        let of_others = others.iter().rev().map(|it| &it.content);
        of_others
            .chain(contents())
            .for_each(|it| resources.extend(&it.resources));
        let wanted: HashSet<(&str, &str)> =
            own.iter().flat_map(|(file, _)| used_kinds(file)).collect();
        let mut added = HashSet::new();
        let samples = contents().chain(others.iter().map(|it| &it.content));
        let samples = samples.flat_map(|it| &it.samples).filter(|it| {
            let kind = (it.api_version.as_str(), it.kind.as_str());
            wanted.contains(&kind) && added.insert((kind, &it.namespace, &it.name))
        });
        let samples = samples.collect();
        let documents = own.iter().flat_map(|(file, _)| file.policies());
        let mut seen: HashSet<(Kind, String)> = documents.map(key).collect();
        let bindings = others.iter().flat_map(|it| &it.content.bindings);
        NearbyFiles {
            resources,
            bindings: bindings.filter(|it| seen.insert(key(it))).collect(),
            samples,
        }
    }

    /// Returns the API server that the project provides for some files, the nearest manifests
    /// first.
    fn api_server(
        &self,
        project: &Project,
        own: &[(&SourceFile, &SampleFile)],
    ) -> admission::ApiServer {
        let kinds = project.kinds();
        let nearby = self.nearby(kinds, own);
        let (bindings, samples) = (nearby.bindings, nearby.samples);
        let mut api_server = related_server_with(kinds, nearby.resources, bindings, samples)
            .with_custom_resources(Arc::clone(project.custom_resources()));
        for file in &self.files {
            api_server.add_omitted(&file.content.omitted);
        }
        api_server
    }

    /// Returns the files that provide something, the nearest first.
    fn together(&self, files: Vec<(TextFile, SourceFile)>, project: &Project) -> LoadedTogether {
        let contents: Vec<SampleFile> = files.iter().map(|(_, file)| content(file)).collect();
        let own: Vec<(&SourceFile, &SampleFile)> =
            files.iter().map(|(_, file)| file).zip(&contents).collect();
        let nearby = self.nearby(project.kinds(), &own);
        let bindings = own.iter().flat_map(|(file, _)| file.policies());
        let bindings = bindings.filter(|it| it.kind().is_binding());
        LoadedTogether {
            bindings: bindings.chain(nearby.bindings).cloned().collect(),
            objects: nearby.samples.iter().map(|it| it.value.clone()).collect(),
            kinds: Arc::clone(project.kinds()),
            resources: nearby.resources,
            files,
        }
    }
}

fn content(file: &SourceFile) -> SampleFile {
    SampleFile::read(file.path(), file.text())
}

fn key(document: &Arc<PolicyDocument>) -> (Kind, String) {
    (
        document.kind(),
        document.name().unwrap_or_default().to_owned(),
    )
}

/// The kinds by which the authorizer decides.
const ROLES: [(&str, &str); 4] = [
    ("rbac.authorization.k8s.io/v1", "ClusterRole"),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
    ("rbac.authorization.k8s.io/v1", "Role"),
    ("rbac.authorization.k8s.io/v1", "RoleBinding"),
];

/// Returns the kinds of the objects that the policies of a file use.
fn used_kinds(file: &SourceFile) -> HashSet<(&str, &str)> {
    let params = file.policies().iter().filter_map(|document| {
        let kind = document.policy()?.param_kind.as_ref()?;
        Some((kind.api_version(), kind.kind()))
    });
    let uses_authorizer = file.text().contains("authorizer");
    let roles = ROLES.into_iter().filter(|_| uses_authorizer);
    params.chain(admission::PLUGIN_KINDS).chain(roles).collect()
}

#[cfg(test)]
mod tests;

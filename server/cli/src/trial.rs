//! A file with policies and what lies around it, ready to be tried.
//!
//! Bindings, parameters, namespaces and definitions of kinds are rarely in the file of the
//! policy. They come from its project: what one configuration file governs, and without one
//! the folder of the policy. Of what is there twice the nearest counts, since it is most
//! likely applied together with the policy.

use crate::problem::{Place, Problem};
use crate::report::{Source, shown_from_here};
use crate::texts::Text;
use ide::evaluate::{Candidate, Programs, Setup, Trial, distance, surroundings};
use ide::input::Input;
use ide::{EvaluationLimits, FileSummary, Project, Resources, Sample, SourceFile, Target};
use policy::admission::Definition;
use policy::{Kind, PolicyDocument};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use text::LineIndex;
use workspace::{Config, Configs, ProjectLimits, SampleFile, SampleLimits, find_samples, gather};

/// Limit: the files of a project that no configuration file delimits. The folder of a policy
/// may be the home of a user.
const MAX_UNGOVERNED: usize = 500;

/// Loads files with policies. What lies around them is found once for each project.
#[derive(Debug)]
pub(crate) struct Loader {
    configs: Arc<Configs>,
    /// The servers that somebody has named for the run.
    target: Option<Target>,
    /// By the folder of the project.
    around: Mutex<HashMap<PathBuf, Arc<Around>>>,
}

/// What lies in a project.
#[derive(Debug)]
struct Around {
    project: Arc<Project>,
    files: Vec<Neighbour>,
}

/// What a file of a project gives to those beside it.
#[derive(Debug)]
struct Neighbour {
    path: PathBuf,
    content: SampleFile,
    /// The rules of its CustomResourceDefinitions, with the names of these.
    definitions: Vec<(String, Arc<Definition>)>,
}

/// A file with policies, ready to be tried.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The path, as it is shown, and the text.
    pub(crate) text: Text,
    /// The file in its project.
    pub(crate) file: SourceFile,
    /// Its expressions.
    pub(crate) programs: Programs,
    /// What answers.
    pub(crate) setup: Setup,
    /// What bounds an evaluation.
    pub(crate) limits: EvaluationLimits,
}

impl Loaded {
    /// The file, to be tried.
    pub(crate) fn trial(&self) -> Trial<'_> {
        Trial {
            file: &self.file,
            programs: &self.programs,
            setup: &self.setup,
            candidates: &[],
            limits: &self.limits,
        }
    }

    /// An input with the requests that it makes.
    pub(crate) fn candidate(&self, input: Arc<Input>) -> Candidate {
        let cluster = self.setup.cluster();
        Candidate::new(input, cluster.kinds(), cluster.resources())
    }
}

impl Loader {
    /// A loader for these servers; for those of the configuration without some.
    pub(crate) fn new(target: Option<Target>) -> Self {
        Self {
            configs: Arc::default(),
            target,
            around: Mutex::default(),
        }
    }

    /// What is wrong in the configurations that count for the files that were loaded.
    pub(crate) fn config_problems(&self) -> Vec<Problem> {
        let configs = self.configs.with_problems();
        let problems = configs.iter().flat_map(|config| {
            let path = config.path().map(shown_from_here).unwrap_or_default();
            let source = || Source {
                text: config.text().into(),
                lines: LineIndex::new(config.text()),
            };
            let problems = config.problems().iter();
            problems.map(move |problem| Problem {
                path: path.clone(),
                message: problem.message.clone(),
                place: Some(Place::Text(source(), problem.range)),
            })
        });
        problems.collect()
    }

    /// Loads a file that was read. `path` says where it is, or where standard input would be.
    pub(crate) fn load(&self, path: &Path, text: Text) -> Loaded {
        let real = self.configs.real_path(path);
        let around = self.around(path, &real);
        let own = SampleFile::read(&real, &text.text);
        let summary = Arc::new(FileSummary::read(&Arc::from(real.as_path()), &text.text));
        let project = around.with(&summary);
        let file = SourceFile::in_project(Arc::clone(&text.text), project);
        let file = file.at(Arc::from(real.as_path()));
        let programs = Programs::new(&file);
        let cluster = around.cluster(&file, &own);
        let setup = Setup::new(&file, &programs, &cluster);
        Loaded {
            text,
            file,
            programs,
            setup,
            limits: EvaluationLimits::default(),
        }
    }

    fn around(&self, path: &Path, real: &Path) -> Arc<Around> {
        let config = self.configs.of(path);
        let folder = config.root().or(real.parent()).unwrap_or(real);
        // Two files of one project may be loaded at the same time, which searches it once.
        let mut around = self.around.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = around.get(folder) {
            return Arc::clone(known);
        }
        let found = Arc::new(self.search(folder, &config));
        around.insert(folder.to_path_buf(), Arc::clone(&found));
        found
    }

    fn search(&self, folder: &Path, config: &Config) -> Around {
        let folders = [folder.to_path_buf()];
        let (mut of_project, mut of_samples) = (ProjectLimits::default(), SampleLimits::default());
        if config.root().is_none() {
            of_project.files = MAX_UNGOVERNED;
            of_samples.files = MAX_UNGOVERNED;
        }
        // Another configuration below has a project of its own.
        let is_other = |file: &Path| self.configs.of(file).path() != config.path();
        let gathered = gather(&folders, &self.configs, of_project, &is_other);
        let target = self.target.or(config.target()).unwrap_or_default();
        let mut project = Project::new(target).with_files(gathered.files);
        if let Some(definitions) = &self.configs.schemas(config).definitions {
            project = project.with_schemas(definitions.iter().cloned());
        }
        let mut files = find_samples(&folders, &self.configs, of_samples);
        files.retain(|(path, _)| !is_other(path));
        Around {
            project: Arc::new(project),
            files: files.into_iter().map(Neighbour::new).collect(),
        }
    }
}

impl Neighbour {
    fn new((path, content): (PathBuf, SampleFile)) -> Self {
        let lookups = content.lookups.iter();
        let definitions = lookups.filter(|it| it.kind() == Kind::CustomResourceDefinition);
        let definitions = definitions.map(|it| {
            let name = it.name().unwrap_or_default().to_owned();
            (name, Arc::new(Definition::new(Arc::clone(it))))
        });
        Self {
            definitions: definitions.collect(),
            path,
            content,
        }
    }
}

impl Around {
    /// The project with a file, which it does not know where a search would not find it.
    fn with(&self, file: &Arc<FileSummary>) -> Arc<Project> {
        let is_known = |it: &Arc<FileSummary>| it.file == file.file;
        if file.is_empty() || self.project.files().iter().any(is_known) {
            return Arc::clone(&self.project);
        }
        let files = self.project.files().iter().chain([file]);
        let project = Project::clone(&self.project).with_files(files.cloned());
        Arc::new(project)
    }

    /// What lies around the policies of a file, the nearest first.
    fn cluster(&self, file: &SourceFile, own: &SampleFile) -> ide::Cluster {
        let others = self.files.iter();
        let mut others: Vec<&Neighbour> = others.filter(|it| *it.path != **file.path()).collect();
        others.sort_by_key(|it| distance(file.path(), &it.path));
        let mut resources = Resources::default();
        // Of two that bring a kind, the later counts here.
        for other in others.iter().rev() {
            resources.extend(&other.content.resources);
        }
        resources.extend(&own.resources);
        let wanted = wanted(file);
        let mut known = HashSet::new();
        let samples = others.iter().flat_map(|it| &it.content.samples);
        let samples = own.samples.iter().chain(samples);
        let samples = samples.filter(|it| {
            let kind = (it.api_version.as_str(), it.kind.as_str());
            wanted.contains(&kind) && known.insert((kind, &it.namespace, &it.name))
        });
        let samples: Vec<&Sample> = samples.collect();
        let kinds = file.project().kinds();
        let mut cluster = surroundings(kinds, resources, [], samples);
        let mut seen: HashSet<(Kind, String)> = file.policies().iter().map(key).collect();
        for other in others {
            let lookups = other.content.lookups.iter();
            for binding in lookups.filter(|it| it.kind().is_binding()) {
                if seen.insert(key(binding)) {
                    cluster.add(Arc::clone(binding));
                }
            }
            for (name, definition) in &other.definitions {
                if seen.insert((Kind::CustomResourceDefinition, name.clone())) {
                    cluster.add_definition(Arc::clone(definition));
                }
            }
        }
        cluster
    }
}

fn key(document: &Arc<PolicyDocument>) -> (Kind, String) {
    (
        document.kind(),
        document.name().unwrap_or_default().to_owned(),
    )
}

/// The kinds of the objects that the policies of a file look up.
fn wanted(file: &SourceFile) -> HashSet<(&str, &str)> {
    let params = file.policies().iter().filter_map(|document| {
        let kind = document.root().get("spec")?.get("paramKind")?;
        let text = |field: &str| kind.get(field)?.as_str();
        Some((text("apiVersion")?, text("kind")?))
    });
    params.chain([("v1", "Namespace")]).collect()
}

#[cfg(test)]
mod tests;

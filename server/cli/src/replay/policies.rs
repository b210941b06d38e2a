//! The policies of a replay, with what they are bound by.

use crate::arguments::Replay;
use crate::problem::{Place, Problem};
use crate::report::{Source, shown};
use cel::Value;
use ide::evaluate::syntax_error;
use ide::{FileSummary, Project, Resources, SourceFile, Target};
use policy::admission::{Cluster, CompiledPolicy};
use policy::openapi::Catalog;
use policy::{Kind, PolicyDocument, may_hold_policy};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::TextRange;
use workspace::{Config, Configs, find_files, is_manifest, read_file};
use yaml::Node;

/// Policies that are ready to run.
#[derive(Debug)]
pub(super) struct Policies {
    /// In the order of their paths and places.
    pub(super) policies: Vec<Policy>,
    /// A server with the bindings and without the policies.
    pub(super) cluster: Cluster,
    /// The kinds of objects that the policies look up: namespaces and parameters.
    pub(super) looked_up: Vec<LookedUp>,
    /// The files of the policies and those beside them, which may hold such objects.
    pub(super) files: Vec<PathBuf>,
}

/// A policy.
#[derive(Debug)]
pub(super) struct Policy {
    /// The name, empty where it has none.
    pub(super) name: String,
    /// The path of its file, as it is shown.
    pub(super) path: String,
    pub(super) document: Arc<PolicyDocument>,
    pub(super) compiled: Arc<CompiledPolicy>,
    /// The names of its bindings with their actions. None where nothing binds it.
    pub(super) bindings: Vec<Binding>,
    /// Whether a failure denies the request.
    pub(super) fails: bool,
}

/// A binding of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binding {
    pub(super) name: String,
    /// `validationActions`.
    pub(super) actions: Vec<String>,
}

/// A kind of objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LookedUp {
    pub(super) api_version: String,
    pub(super) kind: String,
}

impl LookedUp {
    /// Whether an object is of this kind.
    pub(super) fn is(&self, object: &Value) -> bool {
        let text = |field: &str| object.as_map()?.get_str(field)?.as_str();
        text("apiVersion") == Some(&*self.api_version) && text("kind") == Some(&*self.kind)
    }
}

impl Policies {
    /// Reads the policies that the options name. `None` when something about them is wrong,
    /// which is said.
    pub(super) fn load(options: &Replay, problems: &mut Vec<Problem>) -> Option<Self> {
        let configs = Arc::new(Configs::default());
        let found = find_files(std::slice::from_ref(&options.policy), &configs);
        for problem in found.problems {
            problems.push(Problem::of_file(
                &shown(&problem.path),
                problem.error.to_string(),
            ));
        }
        let config = configs.of(found.files.first().unwrap_or(&options.policy));
        let target = options.kubernetes.or(config.target()).unwrap_or_default();
        let named = read(&found.files, target, Some(problems));
        let others = beside(&options.policy, &config, &configs, &found.files);
        let beside = read(&others, target, None);
        let summaries = named.iter().chain(&beside).map(summary);
        let mut project = Project::new(target).with_files(summaries).cut();
        if let Some(definitions) = configs.schemas(&config).definitions.clone() {
            project = project.with_schemas(definitions);
        }
        let project = Arc::new(project);
        let mut policies = Self::of(&named, &beside, &project, problems);
        policies.files = found.files.into_iter().chain(others).collect();
        if problems.is_empty() && policies.policies.is_empty() {
            problems.push(Problem::of_file(&shown(&options.policy), NO_POLICY));
        }
        problems.is_empty().then_some(policies)
    }

    fn of(
        named: &[(PathBuf, SourceFile)],
        beside: &[(PathBuf, SourceFile)],
        project: &Arc<Project>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let all = |files: &[(PathBuf, SourceFile)]| -> Vec<(PathBuf, SourceFile)> {
            let files = files.iter();
            files
                .map(|(path, file)| (path.clone(), file.with_project(Arc::clone(project))))
                .collect()
        };
        let (named, beside) = (all(named), all(beside));
        let documents = named
            .iter()
            .chain(&beside)
            .flat_map(|(_, it)| it.policies());
        let documents: Vec<&Arc<PolicyDocument>> = documents.collect();
        let mut policies: Vec<Policy> = Vec::new();
        for (path, file) in &named {
            for document in file.policies().iter().filter(|it| is_policy(it)) {
                let policy = policy(path, document, &documents);
                refusals(path, file, &policy, problems);
                policies.push(policy);
            }
        }
        let mut resources = Resources::default();
        let kinds: Arc<Catalog> = Arc::clone(project.kinds());
        documents.iter().for_each(|it| resources.add(it));
        let mut cluster = Cluster::new(kinds, resources).asking_unbound();
        let bound = |it: &&&Arc<PolicyDocument>| policies.iter().any(|policy| policy.is_bound(it));
        let bindings: Vec<&Arc<PolicyDocument>> = documents.iter().filter(bound).copied().collect();
        for binding in &bindings {
            cluster.add(Arc::clone(binding));
        }
        let looked_up = looked_up(&policies, &bindings);
        Self {
            policies,
            cluster,
            looked_up,
            files: Vec::new(),
        }
    }

    /// The policies that nothing binds.
    pub(super) fn unbound(&self) -> impl Iterator<Item = &Policy> {
        self.policies.iter().filter(|it| it.bindings.is_empty())
    }
}

const NO_POLICY: &str =
    "there is no ValidatingAdmissionPolicy and no MutatingAdmissionPolicy in it";

impl Policy {
    /// Whether a document binds it.
    fn is_bound(&self, binding: &PolicyDocument) -> bool {
        is_bound(&self.document, binding)
    }
}

fn is_policy(document: &PolicyDocument) -> bool {
    matches!(
        document.kind(),
        Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy
    )
}

fn is_bound(policy: &PolicyDocument, binding: &PolicyDocument) -> bool {
    let kind = match policy.kind() {
        Kind::MutatingAdmissionPolicy => Kind::MutatingAdmissionPolicyBinding,
        _ => Kind::ValidatingAdmissionPolicyBinding,
    };
    let name = spec(binding, "policyName").and_then(Node::as_str);
    binding.kind() == kind && name.is_some() && name == policy.name()
}

fn policy(path: &Path, document: &Arc<PolicyDocument>, all: &[&Arc<PolicyDocument>]) -> Policy {
    let bindings = all.iter().filter(|it| is_bound(document, it));
    Policy {
        name: document.name().unwrap_or_default().to_owned(),
        path: shown(path),
        compiled: Arc::new(CompiledPolicy::new(document)),
        bindings: bindings.map(|it| binding(it)).collect(),
        fails: spec(document, "failurePolicy").and_then(Node::as_str) != Some("Ignore"),
        document: Arc::clone(document),
    }
}

fn binding(document: &PolicyDocument) -> Binding {
    let actions = spec(document, "validationActions").and_then(Node::as_sequence);
    let actions = actions.into_iter().flat_map(yaml::Sequence::items);
    Binding {
        name: document.name().unwrap_or_default().to_owned(),
        actions: actions
            .filter_map(|action| action.as_str().map(str::to_owned))
            .collect(),
    }
}

/// Says which expressions the API server would not take.
fn refusals(path: &Path, file: &SourceFile, policy: &Policy, problems: &mut Vec<Problem>) {
    let document = &policy.document;
    for (index, expression) in document.expressions().iter().enumerate() {
        if let Some(reason) = policy.compiled.refusal(index) {
            let reason = reason.lines().next().unwrap_or(reason);
            let message = format!("the expression does not compile: {reason}");
            let range = document.node(expression.node).range();
            problems.push(in_file(path, file, range, message));
        }
    }
}

fn in_file(path: &Path, file: &SourceFile, range: TextRange, message: String) -> Problem {
    let source = Source {
        text: file.text().into(),
        lines: file.line_index().clone(),
    };
    Problem {
        path: shown(path),
        message,
        place: Some(Place::Text(source, range)),
    }
}

/// What the policies and their bindings look up beside the object.
fn looked_up(policies: &[Policy], bindings: &[&Arc<PolicyDocument>]) -> Vec<LookedUp> {
    let mut all = Vec::new();
    let documents = policies.iter().map(|it| &it.document);
    let selects = |(document, field): (&Arc<PolicyDocument>, &str)| {
        let owner = spec(document, field);
        owner.is_some_and(|owner| owner.get("namespaceSelector").is_some())
    };
    let reads = |document: &Arc<PolicyDocument>| {
        let mut expressions = document.expressions().iter();
        expressions.any(|expression| expression.text().contains("namespaceObject"))
    };
    let of_policies = documents.clone().map(|it| (it, "matchConstraints"));
    let of_bindings = bindings.iter().map(|it| (*it, "matchResources"));
    if documents.clone().any(reads) || of_policies.chain(of_bindings).any(selects) {
        all.push(LookedUp {
            api_version: "v1".to_owned(),
            kind: "Namespace".to_owned(),
        });
    }
    for kind in documents.filter_map(|it| spec(it, "paramKind")) {
        let text = |field: &str| kind.get(field).and_then(Node::as_str).map(str::to_owned);
        if let (Some(api_version), Some(kind)) = (text("apiVersion"), text("kind")) {
            let looked_up = LookedUp { api_version, kind };
            if !all.contains(&looked_up) {
                all.push(looked_up);
            }
        }
    }
    all
}

fn spec<'d>(document: &'d PolicyDocument, field: &str) -> Option<Node<'d>> {
    document.root().get("spec")?.get(field)
}

fn summary((_, file): &(PathBuf, SourceFile)) -> Arc<FileSummary> {
    Arc::clone(file.summary())
}

/// Reads the files that may hold a policy or a binding. Without `problems`, what cannot be
/// read is passed over.
fn read(
    files: &[PathBuf],
    target: Target,
    mut problems: Option<&mut Vec<Problem>>,
) -> Vec<(PathBuf, SourceFile)> {
    let mut read = Vec::new();
    for path in files {
        let text = match (read_file(path), &mut problems) {
            (Ok(text), _) => text,
            (Err(error), Some(problems)) => {
                problems.push(Problem::of_file(&shown(path), error.to_string()));
                continue;
            }
            (Err(_), None) => continue,
        };
        if !may_hold_policy(&text) {
            continue;
        }
        let project = Arc::new(Project::new(target));
        let file = SourceFile::in_project(text, project).at(Arc::from(path.as_path()));
        if let (Some(error), Some(problems)) = (syntax_error(&file), &mut problems) {
            problems.push(in_file(path, &file, error.range, error.kind.to_string()));
        }
        read.push((path.clone(), file));
    }
    read
}

/// The other files that may bind the policies: those that the same configuration governs, or
/// those in the folder of the policy.
fn beside(
    policy: &Path,
    config: &Config,
    configs: &Arc<Configs>,
    named: &[PathBuf],
) -> Vec<PathBuf> {
    let known: HashSet<PathBuf> = named.iter().map(|it| configs.real_path(it)).collect();
    let files = match (config.root(), policy.is_file()) {
        (Some(root), _) => find_files(&[root.to_path_buf()], configs).files,
        (None, true) => {
            let folder = policy.parent().filter(|it| !it.as_os_str().is_empty());
            let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
            let entries = entries.into_iter().flatten().flatten();
            let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            files.retain(|file| file.is_file() && is_manifest(file));
            files.sort_unstable();
            files
        }
        (None, false) => Vec::new(),
    };
    let is_other = |file: &PathBuf| !known.contains(&configs.real_path(file));
    files.into_iter().filter(is_other).collect()
}

//! The initial request of an input, which matches the rules of the policy.

use super::crd;
use super::draft::{Authorization, Draft, Schemas};
use super::placeholder::{map, placeholder, set};
use super::solver::Solver;
use super::target::{self, Target};
use crate::file::SourceFile;
use crate::project::BindingSummary;
use admission::{ApiServer, Operation};
use cel::Value;
use cel::syntax::ExprKind;
use evaluation::run::Evaluator;
use kubernetes::names::NAMESPACE_NAME;
use kubernetes::openapi::{Catalog, Schema};
use policy::manifest::{MatchResources, Operator, Selector};
use policy::typecheck::kinds::KindChecks;
use policy::{Kind, PolicyDocument};

/// The name of all objects.
const NAME: &str = "example";

/// The namespace of all objects.
const NAMESPACE: &str = "default";

/// A policy for which an input is generated.
pub(super) struct Base<'a> {
    catalog: &'a Catalog,
    evaluator: Evaluator<'a>,
    plain: &'a ApiServer,
    policy: usize,
    document: &'a PolicyDocument,
    checks: &'a KindChecks,
    /// The match rules of its bindings.
    bound: Vec<&'a MatchResources>,
}

impl<'a> Base<'a> {
    pub(super) fn new(
        file: &'a SourceFile,
        evaluator: Evaluator<'a>,
        plain: &'a ApiServer,
        policy: usize,
    ) -> Option<Self> {
        let document = file.policies().get(policy)?;
        let bindings = file
            .surroundings()
            .bindings_of(document.kind(), document.name());
        let rules = |it: &'a BindingSummary| it.spec.match_resources.as_deref();
        Some(Self {
            catalog: file.project().kinds(),
            evaluator,
            plain,
            policy,
            document,
            checks: file.kind_checks(policy)?,
            bound: bindings.into_iter().filter_map(rules).collect(),
        })
    }

    /// Returns the solver of a draft.
    pub(super) fn solver(&self, draft: Draft, schemas: Schemas<'a>) -> Solver<'a> {
        let (evaluator, plain) = (self.evaluator, self.plain);
        Solver::new(evaluator, plain, self.policy, self.document, schemas, draft)
    }

    /// Returns the operations and kinds that may match, the most common first.
    pub(super) fn requests(&self) -> Vec<(Operation, Target)> {
        use Operation::{Connect, Create, Delete, Update};
        let targets = match self.document.kind() {
            Kind::CustomResourceDefinition => crd::targets(self.document, self.catalog),
            _ => target::targets(self.document, self.checks, self.catalog),
        };
        let operations = if self.names("oldObject") || self.names("oldSelf") {
            [Update, Delete, Create, Connect]
        } else {
            [Create, Update, Delete, Connect]
        };
        let mut pairs = Vec::new();
        for (first, operation) in operations.into_iter().enumerate() {
            for (second, target) in targets.iter().enumerate() {
                pairs.push((first + second, operation, target.clone()));
            }
        }
        pairs.sort_by_cached_key(|(distance, ..)| *distance);
        let pairs = pairs.into_iter();
        pairs
            .map(|(_, operation, target)| (operation, target))
            .collect()
    }

    /// Returns whether an expression reads a variable.
    fn names(&self, variable: &str) -> bool {
        self.document.expressions().iter().any(|expression| {
            let ast = expression.ast();
            ast.ids().any(|id| match ast.kind(id) {
                ExprKind::Ident { name, .. } => ast.name(*name) == variable,
                _ => false,
            })
        })
    }

    /// Returns the draft of a request, with the schemas of its objects.
    pub(super) fn draft(&self, operation: Operation, target: &Target) -> (Draft, Schemas<'a>) {
        let schemas = Schemas {
            object: self
                .catalog
                .schema(&target.group, &target.version, &target.kind),
            params: self.checks.params_schema(),
            namespace: self.catalog.schema("", "v1", "Namespace"),
        };
        let object = || Some(self.object(schemas.object, target));
        let is_old = matches!(operation, Operation::Update | Operation::Delete);
        let draft = Draft {
            object: object().filter(|_| operation != Operation::Delete),
            old_object: object().filter(|_| is_old),
            params: self.params(schemas.params),
            namespace: (target.namespaced && self.reads_namespace()).then(|| self.namespace()),
            request: Some(request(operation, target)),
            authorizer: self.names("authorizer").then_some(Authorization {
                decision: "allow",
                reason: None,
            }),
        };
        (draft, schemas)
    }

    fn object(&self, schema: Option<Schema<'_>>, target: &Target) -> Value {
        let mut object = headed(&target.api_version(), &target.kind, schema);
        if !target.has_metadata(schema) {
            return object;
        }
        let name = target.name.as_deref().unwrap_or(NAME);
        let mut metadata = map([("name", Value::string(name))]);
        if target.namespaced {
            set(&mut metadata, "namespace", Value::string(NAMESPACE));
        }
        let mut labels = self.labels(|it| it.object_selector.as_ref());
        if target.group.is_empty() && target.kind == "Namespace" {
            // A namespace is selected by its own labels.
            labels.extend(self.labels(|it| it.namespace_selector.as_ref()));
        }
        label(&mut metadata, labels);
        set(&mut object, "metadata", metadata);
        object
    }

    /// Returns whether an expression, or the labels that a selector reads, require a namespace of
    /// which more than the name is known.
    fn reads_namespace(&self) -> bool {
        let mut selectors = self.selectors(|it| it.namespace_selector.as_ref());
        self.names("namespaceObject") || selectors.any(|it| !it.reads_only(NAMESPACE_NAME))
    }

    /// Returns the labels that the selectors of the policy and its bindings require.
    fn labels(
        &self,
        selector: impl Fn(&MatchResources) -> Option<&Selector>,
    ) -> Vec<(String, String)> {
        self.selectors(selector).flat_map(labels).collect()
    }

    fn selectors(
        &self,
        selector: impl Fn(&MatchResources) -> Option<&Selector>,
    ) -> impl Iterator<Item = &Selector> {
        let policy = self.document.policy();
        let constraints = policy.and_then(|it| it.match_constraints.as_deref());
        let rules = constraints.into_iter().chain(self.bound.iter().copied());
        rules.filter_map(selector)
    }

    fn params(&self, schema: Option<Schema<'_>>) -> Option<Value> {
        let kind = self.document.policy()?.param_kind.as_ref()?;
        let (api_version, kind) = (kind.api_version.as_ref()?, kind.kind.as_ref()?);
        let mut params = headed(&api_version.text, &kind.text, schema);
        set(
            &mut params,
            "metadata",
            map([("name", Value::string(NAME))]),
        );
        Some(params)
    }

    fn namespace(&self) -> Value {
        let mut namespace = headed("v1", "Namespace", None);
        let mut metadata = map([("name", Value::string(NAMESPACE))]);
        label(
            &mut metadata,
            self.labels(|it| it.namespace_selector.as_ref()),
        );
        set(&mut namespace, "metadata", metadata);
        namespace
    }
}

fn label(metadata: &mut Value, labels: Vec<(String, String)>) {
    if !labels.is_empty() {
        let labels = labels
            .into_iter()
            .map(|(key, value)| (key, Value::string(value)));
        set(metadata, "labels", map(labels));
    }
}

fn request(operation: Operation, target: &Target) -> Value {
    let mut request = map([("operation", Value::string(operation.as_str()))]);
    let mut add = |field: &str, text: &str| set(&mut request, field, Value::string(text));
    if let Some(subresource) = &target.subresource {
        add("subResource", subresource);
        add("name", target.name.as_deref().unwrap_or(NAME));
        if target.namespaced {
            add("namespace", NAMESPACE);
        }
    }
    if let Some((group, version)) = &target.of {
        let names = [
            ("group", group),
            ("version", version),
            ("resource", &target.plural),
        ]
        .map(|(field, text)| (field, Value::string(text.as_str())));
        set(&mut request, "resource", map(names));
    }
    request
}

/// Returns an object of a kind with its required fields.
fn headed(api_version: &str, kind: &str, schema: Option<Schema<'_>>) -> Value {
    let mut object = match schema {
        Some(_) => placeholder(schema, ""),
        None => map::<&str>([]),
    };
    // A kind may have no specification, but a specification requires its fields.
    let spec = schema.and_then(|schema| schema.property("spec"));
    let spec = placeholder(spec, "spec");
    if spec.as_map().is_some_and(|it| !it.is_empty()) {
        set(&mut object, "spec", spec);
    }
    set(&mut object, "apiVersion", Value::string(api_version));
    set(&mut object, "kind", Value::string(kind));
    object
}

/// Returns labels that a selector matches.
fn labels(selector: &Selector) -> Vec<(String, String)> {
    let labels = selector.labels.iter();
    let labels = labels.filter_map(|(key, value)| Some((&**key, value.as_deref()?)));
    let requirements = selector.requirements.iter().filter_map(|it| {
        let value = match it.operator? {
            Operator::In => &*it.values.first()?.text,
            Operator::Exists => NAME,
            Operator::NotIn | Operator::DoesNotExist => return None,
        };
        Some((&*it.key, value))
    });
    let labels = labels.chain(requirements);
    labels
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

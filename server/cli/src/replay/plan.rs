//! Which policies are asked about the objects of a kind, and as which request.
//!
//! An object of a dump exists. What a rollout meets first is its next change, so it is tried
//! as an update that changes nothing, by every policy whose rules name updates of its kind.
//! A policy that looks at creations only is asked about its creation, and one that looks at
//! deletions only about its deletion. The rules of a definition are tried as on a creation.

use super::judge::Name;
use super::lookup::Known;
use super::policies::{Policies, spec};
use super::request::defaulted;
use cel::Value;
use policy::PolicyDocument;
use policy::admission::{ApiServer, CompiledPolicy, Operation, Resource};
use std::collections::HashMap;
use std::sync::Arc;
use yaml::{Node, Sequence};

/// How the objects of one kind are tried.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) resource: Resource,
    pub(super) requests: Vec<Planned>,
}

/// A request, and who is asked about it.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) operation: Operation,
    /// A server with the policies that are asked.
    pub(super) cluster: ApiServer,
    /// The place among all policies of each policy of that server.
    pub(super) places: Vec<usize>,
    /// The places of the policies that take parameters of which nobody says which they are.
    pub(super) without_params: Vec<usize>,
    /// The place of the definition whose rules are tried, and no policy.
    pub(super) definition: Option<usize>,
}

/// The plans of all kinds that were met. Each thread has its own.
#[derive(Debug)]
pub(super) struct Plans<'p> {
    policies: &'p Policies,
    /// Ready to run on this thread: the values in them are counted, and threads that count
    /// the same ones wait for each other.
    compiled: Vec<Arc<CompiledPolicy>>,
    /// A server with the bindings and the parameters.
    cluster: ApiServer,
    /// The parameters that are known.
    params: Known,
    /// The namespaces, by their names: a dump may have thousands.
    namespaces: HashMap<String, Value>,
    operation: Option<Operation>,
    /// By `kind` and `apiVersion`.
    known: HashMap<String, HashMap<String, Arc<Plan>>>,
}

/// The operations in the order in which they are tried.
const OPERATIONS: [Operation; 3] = [Operation::Update, Operation::Create, Operation::Delete];

impl<'p> Plans<'p> {
    /// No plans yet. `looked_up` is what the policies look up beside the objects.
    pub(super) fn new(
        policies: &'p Policies,
        looked_up: &[Value],
        operation: Option<Operation>,
    ) -> Self {
        let mut plans = Self {
            policies,
            compiled: policies
                .policies
                .iter()
                .map(|it| Arc::new(CompiledPolicy::new(&it.document)))
                .collect(),
            cluster: policies.cluster.clone(),
            params: Known::default(),
            namespaces: HashMap::new(),
            operation,
            known: HashMap::new(),
        };
        plans.add(looked_up.iter().cloned());
        plans
    }

    /// Adds objects that policies look up. Those that were known by the same names make way.
    pub(super) fn add(&mut self, objects: impl IntoIterator<Item = Value>) {
        let (looked_up, kinds) = (&self.policies.looked_up, self.policies.cluster.kinds());
        let mut has_params = false;
        for object in objects {
            let object = defaulted(object, kinds);
            if looked_up.takes_as_namespace(&object) {
                let name = Name::of(&object).name;
                self.namespaces.insert(name, object.clone());
            }
            if looked_up.takes_as_params(&object) {
                has_params = true;
                self.params.add(object);
            }
        }
        if has_params {
            self.cluster = self.policies.cluster.clone();
            for object in self.params.objects() {
                self.cluster.add_object(object.clone());
            }
            self.known.clear();
        }
    }

    /// The namespace of that name.
    pub(super) fn namespace(&self, name: &str) -> Option<&Value> {
        self.namespaces.get(name)
    }

    /// How the objects of a kind are tried.
    pub(super) fn of(&mut self, api_version: &str, kind: &str) -> Arc<Plan> {
        let known = self.known.get(kind).and_then(|it| it.get(api_version));
        if let Some(plan) = known {
            return Arc::clone(plan);
        }
        let plan = Arc::new(self.plan(api_version, kind));
        let of_kind = self.known.entry(kind.to_owned()).or_default();
        of_kind.insert(api_version.to_owned(), Arc::clone(&plan));
        plan
    }

    fn plan(&self, api_version: &str, kind: &str) -> Plan {
        let resource = self.cluster.resources().resource(api_version, kind);
        let mut requests: Vec<Planned> = Vec::new();
        let policies = self.policies.policies.iter().zip(&self.compiled);
        for (place, (policy, compiled)) in policies.enumerate() {
            let Some(operation) = operation(&policy.document, &resource, self.operation) else {
                continue;
            };
            let known = requests.iter().position(|it| it.operation == operation);
            let index = known.unwrap_or_else(|| {
                requests.push(Planned::new(operation, self.cluster.clone()));
                requests.len() - 1
            });
            if let Some(planned) = requests.get_mut(index) {
                let document = Arc::clone(&policy.document);
                planned.cluster.add_policy(document, Arc::clone(compiled));
                planned.places.push(place);
                // Without a binding, the only object of its kind is taken.
                let takes_params = spec(&policy.document, "paramKind").is_some();
                if takes_params
                    && policy.bindings.is_empty()
                    && self.params.params_of(&policy.document) != 1
                {
                    planned.without_params.push(place);
                }
            }
        }
        requests.extend(self.definitions(&resource));
        Plan { resource, requests }
    }

    /// The creations by which the rules of definitions are tried: an update that changes
    /// nothing breaks none.
    fn definitions(&self, resource: &Resource) -> Vec<Planned> {
        if !matches!(self.operation, None | Some(Operation::Create)) {
            return Vec::new();
        }
        let base = &self.policies.cluster;
        let policies = self.policies.policies.iter().enumerate();
        let planned = policies.filter_map(|(place, policy)| {
            let definition = policy.definition.as_ref()?;
            if !definition.is_of(&resource.group, &resource.kind) {
                return None;
            }
            let mut cluster = ApiServer::new(Arc::clone(base.kinds()), base.resources().clone());
            cluster.add_definition(Arc::clone(definition));
            Some(Planned {
                definition: Some(place),
                ..Planned::new(Operation::Create, cluster)
            })
        });
        planned.collect()
    }
}

impl Planned {
    fn new(operation: Operation, cluster: ApiServer) -> Self {
        Self {
            operation,
            cluster,
            places: Vec::new(),
            without_params: Vec::new(),
            definition: None,
        }
    }
}

/// The operation as which a policy is asked about a resource: the one that is wanted, or the
/// first that its rules name. `None` where they do not. Versions are left to the policy
/// itself, which may look at several.
fn operation(
    policy: &PolicyDocument,
    resource: &Resource,
    wanted: Option<Operation>,
) -> Option<Operation> {
    let constraints = policy.root().get("spec")?.get("matchConstraints")?;
    let names = |operation: &Operation| {
        items(constraints.get("resourceRules")).any(|rule| {
            // Events are in two groups.
            (resource.plural == "events" || contains(rule.get("apiGroups"), &resource.group))
                && names_resource(rule, &resource.plural)
                && contains(rule.get("operations"), operation.as_str())
        })
    };
    match wanted {
        Some(operation) => names(&operation).then_some(operation),
        None => OPERATIONS.into_iter().find(names),
    }
}

fn names_resource(rule: Node<'_>, plural: &str) -> bool {
    let names = items(rule.get("resources")).filter_map(Node::as_str);
    names
        .map(|name| name.strip_suffix("/*").unwrap_or(name))
        .any(|name| name == "*" || name == plural)
}

fn contains(list: Option<Node<'_>>, word: &str) -> bool {
    let mut words = items(list).filter_map(Node::as_str);
    words.any(|entry| entry == "*" || entry == word)
}

fn items(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    let list = list.and_then(Node::as_sequence);
    list.into_iter().flat_map(Sequence::items)
}

//! The requests for the objects of a kind, and the policies that they match.
//!
//! An object in a dump exists, and the first request that a rollout meets is its next change. So it
//! is evaluated as an update that changes nothing, by every policy whose rules match updates of its
//! kind. For a policy that matches only creations it is a creation, and for one that matches only
//! deletions, a deletion. The rules of a CRD are evaluated on creation.

use super::lookup::FoundObjects;
use super::name::Name;
use super::policies::Policies;
use super::request::defaulted;
use admission::{ApiServer, CompiledPolicy, Operation, Resource};
use cel::Value;
use evaluation::run::PolicyServer;
use policy::PolicyDocument;
use policy::manifest::has;
use std::collections::HashMap;
use std::sync::Arc;

/// The requests for the objects of one kind.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) resource: Resource,
    pub(super) requests: Vec<Planned>,
}

/// A request, and the policies that may match it.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) operation: Operation,
    /// A server with these policies, or with the rules of a CRD instead. Their indices are those
    /// among all policies.
    pub(super) server: PolicyServer,
    /// The indexes of the policies whose parameters no binding selects.
    pub(super) without_params: Vec<usize>,
}

/// The plans of all kinds seen so far. Each thread has its own.
#[derive(Debug)]
pub(super) struct Plans<'p> {
    policies: &'p Policies,
    /// Compiled for this thread: values in them are reference counted, and threads that share
    /// the counts slow each other down.
    compiled: Vec<Arc<CompiledPolicy>>,
    /// A server with the bindings and the parameters.
    api_server: ApiServer,
    /// The known parameters.
    params: FoundObjects,
    /// The namespaces by name: a dump may have thousands.
    namespaces: HashMap<String, Value>,
    operation: Option<Operation>,
    /// By `kind` and `apiVersion`.
    plans: HashMap<String, HashMap<String, OfKind>>,
}

/// The plans of a kind: of all policies, or of some.
type OfKind = HashMap<Option<Vec<usize>>, Arc<Plan>>;

/// Limit: the plans of a kind that are kept. Each has its own policies.
const MAX_PLANS: usize = 256;

/// The operations, in the order of evaluation.
const OPERATIONS: [Operation; 3] = [Operation::Update, Operation::Create, Operation::Delete];

impl<'p> Plans<'p> {
    /// Returns an empty set of plans. `looked_up` holds the objects that the policies use besides
    /// the dump.
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
            api_server: policies.api_server.clone(),
            params: FoundObjects::default(),
            namespaces: HashMap::new(),
            operation,
            plans: HashMap::new(),
        };
        plans.add(looked_up.iter().cloned());
        plans
    }

    /// Adds objects that policies use. They replace those with the same names.
    pub(super) fn add(&mut self, objects: impl IntoIterator<Item = Value>) {
        let (looked_up, kinds) = (&self.policies.looked_up, self.policies.api_server.kinds());
        let mut has_params = false;
        for object in objects {
            let object = defaulted(object, kinds);
            if looked_up.takes_as_namespace(&object) {
                let name = Name::new(&object).name;
                self.namespaces.insert(name, object.clone());
            }
            if looked_up.takes_as_params(&object) {
                has_params = true;
                self.params.add(object);
            }
        }
        if has_params {
            self.api_server = self.policies.api_server.clone();
            for object in self.params.objects() {
                self.api_server.add_object(object.clone());
            }
            self.plans.clear();
        }
    }

    /// Returns the namespace with a name.
    pub(super) fn namespace(&self, name: &str) -> Option<&Value> {
        self.namespaces.get(name)
    }

    /// Returns the plan of a kind, for some policies or for all.
    pub(super) fn plan_for(
        &mut self,
        api_version: &str,
        kind: &str,
        policies: Option<Vec<usize>>,
    ) -> Arc<Plan> {
        let of_kind = self.plans.get(kind).and_then(|it| it.get(api_version));
        if let Some(plan) = of_kind.and_then(|it| it.get(&policies)) {
            return Arc::clone(plan);
        }
        let plan = Arc::new(self.plan(api_version, kind, policies.as_deref()));
        let of_kind = self.plans.entry(kind.to_owned()).or_default();
        let of_kind = of_kind.entry(api_version.to_owned()).or_default();
        if of_kind.len() >= MAX_PLANS {
            of_kind.clear();
        }
        of_kind.insert(policies, Arc::clone(&plan));
        plan
    }

    fn plan(&self, api_version: &str, kind: &str, only: Option<&[usize]>) -> Plan {
        let resource = self.api_server.resources().resource(api_version, kind);
        let mut requests: Vec<Planned> = Vec::new();
        let policies = self
            .policies
            .policies
            .iter()
            .zip(&self.compiled)
            .enumerate();
        let is_wanted = |place: &usize| only.is_none_or(|only| only.contains(place));
        for (place, (policy, compiled)) in policies.filter(|(place, _)| is_wanted(place)) {
            let Some(operation) = operation(&policy.document, &resource, self.operation) else {
                continue;
            };
            let existing = requests.iter().position(|it| it.operation == operation);
            let index = existing.unwrap_or_else(|| {
                requests.push(Planned::new(operation, &self.api_server));
                requests.len() - 1
            });
            if let Some(planned) = requests.get_mut(index) {
                let document = Arc::clone(&policy.document);
                let compiled = Arc::clone(compiled);
                planned.server.add_policy(place, document, compiled);
                // Without a binding, the only object of the kind is used.
                if policy.document.has_params()
                    && policy.bindings.is_empty()
                    && self.params.params_of(&policy.document) != 1
                {
                    planned.without_params.push(place);
                }
            }
        }
        requests.extend(self.crd_requests(&resource));
        Plan { resource, requests }
    }

    /// Adds the creations against which validation rules of CRDs are evaluated: an update
    /// without changes violates none.
    fn crd_requests(&self, resource: &Resource) -> Vec<Planned> {
        if !matches!(self.operation, None | Some(Operation::Create)) {
            return Vec::new();
        }
        let base = &self.policies.api_server;
        let policies = self.policies.policies.iter().enumerate();
        let planned = policies.filter_map(|(place, policy)| {
            let validator = policy.validator.as_ref()?;
            if !validator.is_of(&resource.group, &resource.kind) {
                return None;
            }
            let api_server = ApiServer::new(Arc::clone(base.kinds()), base.resources().clone());
            let mut planned = Planned::new(Operation::Create, &api_server);
            let validator = Arc::clone(validator);
            planned.server.add_crd_validator(place, validator);
            Some(planned)
        });
        planned.collect()
    }
}

impl Planned {
    fn new(operation: Operation, api_server: &ApiServer) -> Self {
        Self {
            operation,
            server: PolicyServer::without_policies(api_server),
            without_params: Vec::new(),
        }
    }
}

/// Returns the operation for the evaluation of a policy: the requested one, or the first that its
/// rules match. `None` if they match none. Versions are ignored here, since a policy may match
/// several.
pub(super) fn operation(
    policy: &PolicyDocument,
    resource: &Resource,
    wanted: Option<Operation>,
) -> Option<Operation> {
    let rules = policy.policy()?.rules().iter();
    let names = |operation: &Operation| {
        rules.clone().any(|rule| {
            // Events are in two groups.
            (resource.plural == "events" || has(&rule.groups, &resource.group))
                && rule.has_resource(&resource.plural, "")
                && rule.has_operation(operation.as_str())
        })
    };
    match wanted {
        Some(operation) => names(&operation).then_some(operation),
        None => OPERATIONS.into_iter().find(names),
    }
}

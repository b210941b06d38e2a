//! The validation of built-in kinds, as far as policies often break it: containers, volumes and
//! their names in pods and workloads, and addresses of services. It also covers certificate
//! requests and updates of jobs.
//!
//! The API server validates an object after the mutating policies. For pods, workloads and
//! services only those errors count that the object did not have before: the object of an input
//! is often shorter than a real one.
//!
//! Limit: most of the validation is missing.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/core/validation/validation.go, ValidatePodSpec and
//! ValidateServiceClusterIPsRelatedFields.

mod certificates;
mod internal_json;
mod jobs;
mod pkcs10;

use super::fields::{get, list, text};
use super::request::{Operation, Request};
use cel::Value;
use kubernetes::names::format::dns_1123_label;
use kubernetes::quote::quote;
use policy::FieldPath;
use policy::field_error::{ErrorType, FieldError};

use std::collections::HashSet;

/// The path of the pod specification in the kinds that have one. That of a StatefulSet is only
/// validated with its pods.
const POD_SPECS: [(&str, &str, &[&str]); 8] = [
    ("", "Pod", &["spec"]),
    ("", "PodTemplate", &["template", "spec"]),
    ("", "ReplicationController", &["spec", "template", "spec"]),
    ("apps", "DaemonSet", &["spec", "template", "spec"]),
    ("apps", "Deployment", &["spec", "template", "spec"]),
    ("apps", "ReplicaSet", &["spec", "template", "spec"]),
    (
        "batch",
        "CronJob",
        &["spec", "jobTemplate", "spec", "template", "spec"],
    ),
    ("batch", "Job", &["spec", "template", "spec"]),
];

/// Returns the errors of the object of a request. `before` is the object before the policies, if
/// they have changed it.
pub(super) fn errors(request: &Request, before: Option<&Value>) -> Vec<FieldError> {
    let is_written = matches!(request.operation, Operation::Create | Operation::Update);
    let object = request.inputs.object.as_ref().filter(|_| is_written);
    let Some(object) = object.filter(|_| request.subresource.is_empty()) else {
        return Vec::new();
    };
    let mut found = Errors::default();
    if request.fills_in {
        found.whole(request, object);
    }
    if before.is_some() {
        found.0.extend(new_errors(request, object, before));
    }
    found.0
}

/// Returns the errors that an object did not have before the policies.
fn new_errors(request: &Request, object: &Value, before: Option<&Value>) -> Vec<FieldError> {
    let mut known: Vec<(String, String)> = Vec::new();
    if let Some(before) = before {
        known.extend(common_errors(request, before).iter().map(without_places));
    }
    let mut errors = common_errors(request, object);
    errors.retain(|error| {
        let key = without_places(error);
        let index = known.iter().position(|known| *known == key);
        index.map(|index| known.swap_remove(index)).is_none()
    });
    errors
}

/// Returns an error without list indices, which other elements change.
fn without_places(error: &FieldError) -> (String, String) {
    let path = error.field.chars().filter(|it| !it.is_ascii_digit());
    (path.collect(), error.message.clone())
}

/// Returns the errors that policies often cause.
fn common_errors(request: &Request, object: &Value) -> Vec<FieldError> {
    let mut found = Errors::default();
    let (group, kind) = (&*request.resource.group, &*request.resource.kind);
    let mut specs = POD_SPECS.iter();
    if let Some((.., path)) = specs.find(|(of, name, _)| (*of, *name) == (group, kind)) {
        let spec = path
            .iter()
            .try_fold(object, |value, field| get(value, field));
        let root = path
            .iter()
            .fold(FieldPath::root(), |root, field| root.child(field));
        if let Some(spec) = spec {
            found.pod(spec, &root);
        }
    } else if (group, kind) == ("", "Service")
        && let Some(spec) = get(object, "spec")
    {
        found.service(spec, &FieldPath::root().child("spec"));
    }
    found.0
}

#[derive(Default)]
struct Errors(Vec<FieldError>);

impl Errors {
    fn add(&mut self, path: &FieldPath, kind: ErrorType, value: Option<&str>, detail: &str) {
        let value = value.map(quote);
        self.0
            .push(FieldError::new(path.to_string(), kind, value, detail));
    }

    /// Adds an error about a value, printed as in errors.
    fn value(&mut self, path: &FieldPath, kind: ErrorType, value: String, detail: &str) {
        self.0
            .push(FieldError::new(path.to_string(), kind, Some(value), detail));
    }

    /// Checks an object of a kind that is validated whether or not a policy has changed it.
    fn whole(&mut self, request: &Request, object: &Value) {
        let resource = &request.resource;
        let old = request.inputs.old_object.as_ref();
        match (&*resource.group, &*resource.kind, request.operation) {
            ("certificates.k8s.io", "CertificateSigningRequest", Operation::Create) => {
                self.certificate_request(object);
            }
            ("batch", "Job", Operation::Update) => {
                if let Some(old) = old {
                    self.job_update(object, old);
                }
            }
            _ => {}
        }
    }

    /// Checks a name that is a DNS label.
    fn label(&mut self, name: &str, path: &FieldPath) {
        if name.is_empty() {
            return self.add(path, ErrorType::Required, None, "");
        }
        for detail in dns_1123_label(name) {
            self.add(path, ErrorType::Invalid, Some(name), &detail);
        }
    }

    fn pod(&mut self, spec: &Value, root: &FieldPath) {
        let volumes = self.volumes(spec, &root.child("volumes"));
        let path = root.child("containers");
        let containers = list(spec, "containers");
        if containers.is_empty() {
            self.add(&path, ErrorType::Required, None, "");
        }
        let mut names = HashSet::new();
        self.containers(containers, &path, &volumes, &mut names);
        let path = root.child("initContainers");
        self.containers(list(spec, "initContainers"), &path, &volumes, &mut names);
    }

    /// Returns the names of the volumes without errors.
    fn volumes<'a>(&mut self, spec: &'a Value, root: &FieldPath) -> HashSet<&'a str> {
        let mut names = HashSet::new();
        for (index, volume) in list(spec, "volumes").iter().enumerate() {
            let path = root.index(index).child("name");
            let name = text(volume, "name");
            let count = self.0.len();
            self.label(name, &path);
            if names.contains(name) {
                self.add(&path, ErrorType::Duplicate, Some(name), "");
            }
            if self.0.len() == count {
                names.insert(name);
            }
        }
        names
    }

    fn containers<'a>(
        &mut self,
        containers: &'a [Value],
        root: &FieldPath,
        volumes: &HashSet<&str>,
        names: &mut HashSet<&'a str>,
    ) {
        for (index, container) in containers.iter().enumerate() {
            let path = root.index(index);
            let name = text(container, "name");
            self.label(name, &path.child("name"));
            if text(container, "image").is_empty() {
                self.add(&path.child("image"), ErrorType::Required, None, "");
            }
            self.ports(container, &path.child("ports"));
            self.env(container, &path.child("env"));
            self.mounts(container, &path.child("volumeMounts"), volumes);
            if !names.insert(name) {
                self.add(&path.child("name"), ErrorType::Duplicate, Some(name), "");
            }
        }
    }

    fn ports(&mut self, container: &Value, root: &FieldPath) {
        let mut names = HashSet::new();
        for (index, port) in list(container, "ports").iter().enumerate() {
            let path = root.index(index);
            let name = text(port, "name");
            if !name.is_empty() && !names.insert(name) {
                self.add(&path.child("name"), ErrorType::Duplicate, Some(name), "");
            }
            let number = get(port, "containerPort").and_then(Value::as_int);
            if number.unwrap_or(0) == 0 {
                self.add(&path.child("containerPort"), ErrorType::Required, None, "");
            }
        }
    }

    fn env(&mut self, container: &Value, root: &FieldPath) {
        for (index, variable) in list(container, "env").iter().enumerate() {
            if text(variable, "name").is_empty() {
                let path = root.index(index).child("name");
                self.add(&path, ErrorType::Required, None, "");
            }
        }
    }

    fn mounts(&mut self, container: &Value, root: &FieldPath, volumes: &HashSet<&str>) {
        let mut paths = HashSet::new();
        for (index, mount) in list(container, "volumeMounts").iter().enumerate() {
            let path = root.index(index);
            let [name, target] = ["name", "mountPath"].map(|field| text(mount, field));
            if name.is_empty() {
                self.add(&path.child("name"), ErrorType::Required, None, "");
            }
            if !volumes.contains(name) {
                self.add(&path.child("name"), ErrorType::NotFound, Some(name), "");
            }
            if target.is_empty() {
                self.add(&path.child("mountPath"), ErrorType::Required, None, "");
            }
            if !paths.insert(target) {
                let path = path.child("mountPath");
                self.add(&path, ErrorType::Invalid, Some(target), "must be unique");
            }
        }
    }

    fn service(&mut self, spec: &Value, root: &FieldPath) {
        if text(spec, "type") != "ExternalName" {
            return;
        }
        for field in ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
            let is_set = match get(spec, field) {
                Some(Value::List(list)) => !list.is_empty(),
                other => other.is_some(),
            };
            if is_set {
                let detail = "may not be set for ExternalName services";
                self.add(&root.child(field), ErrorType::Forbidden, None, detail);
            }
        }
    }
}

//! The plugin ServiceAccount: the name of the service account of a pod, the volume with its token,
//! and its image pull secrets.
//!
//! The server adds them before the policies, and again after a policy has changed a new pod: to
//! the containers that the policy has added. An update cannot change them, so a changed pod keeps
//! those of the old one.
//!
//! The suffix of the volume's name is random on a server, and fixed here.
//!
//! Limit: a service account that may exist, although it is not among the objects, has no settings.
//! Mirror pods are skipped, but not checked.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/serviceaccount/admission.go, Admit,
//! shouldAutomount, mountServiceAccountToken and TokenVolumeSource.

use super::{Cluster, Notes, PluginResult, Refusal, spec_mut};
use crate::create_defaults::{GENERATED, default};
use crate::fields::{get, list, text};
use crate::map::map;
use crate::request::{Operation, Request};
use cel::Value;
use cel::value::Map;
use kubernetes::quote::quote;

/// The service account of a pod that names none.
const DEFAULT: &str = "default";

/// The prefix of the name of the token volume.
const VOLUME: &str = "kube-api-access-";

/// The mount path of the token.
const MOUNT_PATH: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The annotation of a pod that a kubelet runs on its own and only reports.
const MIRROR: &str = "kubernetes.io/config.mirror";

/// How long a token is valid, in seconds.
///
/// Upstream: kubernetes/kubernetes, pkg/serviceaccount/claims.go,
/// WarnOnlyBoundTokenExpirationSeconds.
const EXPIRATION: i64 = 60 * 60 + 7;

/// The mode of the files in the volume.
const MODE: i64 = 0o644;

/// The field of pods and service accounts that decides whether the token is mounted.
const AUTOMOUNT: &str = "automountServiceAccountToken";

pub(super) fn admit(
    request: &mut Request,
    cluster: &Cluster<'_>,
    notes: &mut Notes,
) -> PluginResult {
    if !request.is_of_pod() || !cluster.has_service_accounts {
        return Ok(());
    }
    let namespace = request.namespace.clone();
    let inputs = &mut request.inputs;
    let is_mirror = inputs.object.as_ref().is_some_and(is_mirror);
    let Some(spec) = inputs.object.as_mut().and_then(spec_mut) else {
        return Ok(());
    };
    if request.operation == Operation::Update {
        if let Some(old) = inputs.old_object.as_ref().and_then(|old| get(old, "spec")) {
            keep(spec, old);
        }
        return Ok(());
    }
    if is_mirror {
        return Ok(());
    }
    let name = spec.get_str("serviceAccountName").and_then(Value::as_str);
    let name = name.filter(|name| !name.is_empty()).unwrap_or(DEFAULT);
    let account = cluster.named(("v1", "ServiceAccount"), (&namespace, name), notes);
    let account = account.map_err(|()| {
        Refusal::Forbidden(format!(
            "error looking up service account {namespace}/{name}: serviceaccount {} not found",
            quote(name)
        ))
    })?;
    let name = Value::string(name);
    set_name(spec, &name);
    create(spec, account);
    Ok(())
}

/// Mounts the token in a new pod, and sets the secrets of its account.
fn create(spec: &mut Map, account: Option<&Value>) {
    let flag = spec.get_str(AUTOMOUNT).and_then(boolean);
    let flag = flag.or_else(|| boolean(get(account?, AUTOMOUNT)?));
    if flag.unwrap_or(true) {
        mount(spec, None);
    }
    let secrets = account.map_or(&[][..], |account| list(account, "imagePullSecrets"));
    let own = spec.get_str("imagePullSecrets").and_then(Value::as_list);
    if own.is_none_or(<[Value]>::is_empty) && !secrets.is_empty() {
        spec.set_str("imagePullSecrets", Value::list(secrets.to_vec()));
    }
}

fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        _ => None,
    }
}

/// Sets the name, also in its deprecated field.
fn set_name(spec: &mut Map, name: &Value) {
    for field in ["serviceAccountName", "serviceAccount"] {
        spec.set_str(field, name.clone());
    }
}

/// Restores what an update of a pod cannot change.
fn keep(spec: &mut Map, old: &Value) {
    if spec.get_str("serviceAccountName").is_none()
        && let Some(name) = get(old, "serviceAccountName")
    {
        set_name(spec, name);
    }
    let volume = list(old, "volumes").iter().find(|it| is_token(it));
    if let Some(volume) = volume {
        mount(spec, Some(volume));
    }
    if let Some(secrets) = get(old, "imagePullSecrets") {
        default(spec, "imagePullSecrets", || secrets.clone());
    }
}

/// Mounts the token in each container that mounts nothing at the path, and adds the volume if one
/// needs it.
fn mount(spec: &mut Map, volume: Option<&Value>) {
    let volumes = spec.get_str("volumes").and_then(Value::as_list);
    let mut volumes = volumes.unwrap_or_default().to_vec();
    let known = volumes.iter().find(|it| is_token(it));
    let is_new = known.is_none();
    let volume = known.or(volume).cloned().unwrap_or_else(token);
    let mount = map([
        ("name", Value::string(text(&volume, "name"))),
        ("readOnly", Value::Bool(true)),
        ("mountPath", Value::string(MOUNT_PATH)),
    ]);
    let mut is_needed = false;
    for field in ["initContainers", "containers"] {
        let containers = spec.get_str_mut(field).and_then(Value::as_list_mut);
        for container in containers.into_iter().flatten() {
            let mounts = list(container, "volumeMounts");
            if mounts.iter().any(|it| text(it, "mountPath") == MOUNT_PATH) {
                continue;
            }
            let mounts = [mounts, std::slice::from_ref(&mount)].concat();
            if let Some(container) = container.as_map_mut() {
                container.set_str("volumeMounts", Value::list(mounts));
                is_needed = true;
            }
        }
    }
    if is_new && is_needed {
        volumes.push(volume);
        spec.set_str("volumes", Value::list(volumes));
    }
}

/// Returns the volume with the token, the certificate of the server, and the namespace.
fn token() -> Value {
    let file = |fields: [(&'static str, Value); 2]| Value::list(vec![map(fields)]);
    let token = map([
        ("expirationSeconds", Value::Int(EXPIRATION)),
        ("path", Value::string("token")),
    ]);
    let certificate = map([
        ("name", Value::string("kube-root-ca.crt")),
        (
            "items",
            file(["key", "path"].map(|field| (field, Value::string("ca.crt")))),
        ),
    ]);
    let reference = map([
        ("apiVersion", Value::string("v1")),
        ("fieldPath", Value::string("metadata.namespace")),
    ]);
    let namespace = file([
        ("path", Value::string("namespace")),
        ("fieldRef", reference),
    ]);
    let sources = vec![
        map([("serviceAccountToken", token)]),
        map([("configMap", certificate)]),
        map([("downwardAPI", map([("items", namespace)]))]),
    ];
    let projected = map([
        ("sources", Value::list(sources)),
        ("defaultMode", Value::Int(MODE)),
    ]);
    map([
        ("name", Value::string(format!("{VOLUME}{GENERATED}"))),
        ("projected", projected),
    ])
}

fn is_token(volume: &Value) -> bool {
    text(volume, "name").starts_with(VOLUME)
}

fn is_mirror(pod: &Value) -> bool {
    let annotations = get(pod, "metadata").and_then(|it| get(it, "annotations"));
    annotations.is_some_and(|it| get(it, MIRROR).is_some())
}

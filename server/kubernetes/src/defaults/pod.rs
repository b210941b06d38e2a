//! Defaults of pods and their parts.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/core/v1/defaults.go.

use super::Rule;
use super::image::tag;
use super::tree::{
    add_missing, default, default_int, default_text, elements_mut, empty, get, get_mut, set,
    text_of,
};
use cel::Value;
use cel::value::Key;

/// The mode of files in a volume: `0644`.
const FILE_MODE: i64 = 0o644;

/// Returns the defaulting function of a type.
pub(super) fn rule(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "Pod" => pod,
        "PodSpec" => pod_spec,
        "Container" | "EphemeralContainer" => container,
        "Volume" => volume,
        "Probe" => probe,
        "HTTPGetAction" => http_get,
        "GRPCAction" => |it| default(it, "service", || Value::string("")),
        "SecretVolumeSource"
        | "ConfigMapVolumeSource"
        | "DownwardAPIVolumeSource"
        | "ProjectedVolumeSource" => |it| default_int(it, "defaultMode", FILE_MODE),
        "ServiceAccountTokenProjection" => |it| default_int(it, "expirationSeconds", 3600),
        "ObjectFieldSelector" => |it| default_text(it, "apiVersion", "v1"),
        "HostPathVolumeSource" => |it| default(it, "type", || Value::string("")),
        "ISCSIVolumeSource" | "ISCSIPersistentVolumeSource" => {
            |it| default_text(it, "iscsiInterface", "default")
        }
        "RBDVolumeSource" | "RBDPersistentVolumeSource" => rbd,
        "AzureDiskVolumeSource" => azure_disk,
        "ScaleIOVolumeSource" => |it| scale_io(it, "xfs"),
        "ScaleIOPersistentVolumeSource" => |it| scale_io(it, "xfs"),
        "ContainerPort" | "ServicePort" => |it| default_text(it, "protocol", "TCP"),
        _ => return None,
    })
}

fn pod(pod: &mut Value) {
    let Some(spec) = get_mut(pod, "spec") else {
        return;
    };
    let is_on_host = get(spec, "hostNetwork").and_then(Value::as_bool) == Some(true);
    for list in ["containers", "initContainers"] {
        for container in elements_mut(spec, list) {
            requests_from_limits(container);
            if is_on_host {
                host_ports(container);
            }
        }
    }
    super::pod_resources::apply(spec);
    default(spec, "enableServiceLinks", || Value::Bool(true));
}

fn requests_from_limits(container: &mut Value) {
    let Some(resources) = get_mut(container, "resources") else {
        return;
    };
    let Some(limits) = get(resources, "limits").cloned() else {
        return;
    };
    let mut requests = get(resources, "requests").cloned().unwrap_or_else(empty);
    add_missing(&mut requests, &limits);
    set(resources, "requests", requests);
}

fn host_ports(container: &mut Value) {
    for port in elements_mut(container, "ports") {
        let given = get(port, "hostPort").and_then(Value::as_int);
        if matches!(given, None | Some(0))
            && let Some(number) = get(port, "containerPort").cloned()
        {
            set(port, "hostPort", number);
        }
    }
}

fn pod_spec(spec: &mut Value) {
    default_text(spec, "dnsPolicy", "ClusterFirst");
    default_text(spec, "restartPolicy", "Always");
    default(spec, "securityContext", empty);
    default_int(spec, "terminationGracePeriodSeconds", 30);
    default_text(spec, "schedulerName", "default-scheduler");
}

fn container(container: &mut Value) {
    let policy = pull_policy(text_of(container, "image"));
    default_text(container, "imagePullPolicy", policy);
    default_text(container, "terminationMessagePath", "/dev/termination-log");
    default_text(container, "terminationMessagePolicy", "File");
}

fn pull_policy(image: &str) -> &'static str {
    if tag(image) == Some("latest") {
        "Always"
    } else {
        "IfNotPresent"
    }
}

/// Sets `emptyDir` in a volume that has only a name.
fn volume(volume: &mut Value) {
    let is_name = |key: &Key| matches!(key, Key::String(key) if &**key == "name");
    let fields = volume.as_map();
    let is_bare = fields.is_some_and(|fields| {
        fields
            .iter()
            .all(|(key, value)| is_name(key) || matches!(value, Value::Null))
    });
    if is_bare {
        set(volume, "emptyDir", empty());
    }
    if let Some(image) = get_mut(volume, "image") {
        let policy = pull_policy(text_of(image, "reference"));
        default_text(image, "pullPolicy", policy);
    }
}

fn probe(probe: &mut Value) {
    default_int(probe, "timeoutSeconds", 1);
    default_int(probe, "periodSeconds", 10);
    default_int(probe, "successThreshold", 1);
    default_int(probe, "failureThreshold", 3);
}

fn http_get(action: &mut Value) {
    default_text(action, "path", "/");
    default_text(action, "scheme", "HTTP");
}

fn rbd(source: &mut Value) {
    default_text(source, "pool", "rbd");
    default_text(source, "user", "admin");
    default_text(source, "keyring", "/etc/ceph/keyring");
}

fn azure_disk(source: &mut Value) {
    default_text(source, "cachingMode", "ReadWrite");
    default_text(source, "kind", "Shared");
    default_text(source, "fsType", "ext4");
    default(source, "readOnly", || Value::Bool(false));
}

fn scale_io(source: &mut Value, file_system: &str) {
    default_text(source, "storageMode", "ThinProvisioned");
    default_text(source, "fsType", file_system);
}

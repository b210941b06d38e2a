//! The checks that the level `restricted` adds to those of `baseline`.
//!
//! Upstream: kubernetes/pod-security-admission, policy/check_*.go.

use super::baseline::{added_capabilities, bad_seccomp, seccomp_setters};
use super::{Pod, Violation, in_context, named, plural, quoted, uses};
use crate::fields::{get, list, text};
use cel::Value;
use std::collections::BTreeSet;

pub(super) fn privilege_escalation(pod: &Pod<'_>, minor: u8) -> Option<Violation> {
    let no = Some(&Value::Bool(false));
    let field = ["allowPrivilegeEscalation"];
    let containers = pod.containers_with(|container| in_context(container, &field) != no);
    if containers.is_empty() || minor >= 25 && pod.is_windows() {
        return None;
    }
    let containers = named("container", &containers);
    let words = format!("{containers} must set securityContext.allowPrivilegeEscalation=false");
    Some(("allowPrivilegeEscalation != false", words))
}

pub(super) fn capabilities(pod: &Pod<'_>, minor: u8) -> Option<Violation> {
    if minor >= 25 && pod.is_windows() {
        return None;
    }
    let containers = pod.containers_with(|container| {
        let dropped = in_context(container, &["capabilities", "drop"]).and_then(Value::as_list);
        dropped.is_none_or(|all| all.iter().all(|it| it.as_str() != Some("ALL")))
    });
    let kept = (!containers.is_empty()).then(|| {
        let containers = named("container", &containers);
        format!("{containers} must set securityContext.capabilities.drop=[\"ALL\"]")
    });
    let added = added_capabilities(pod, &["NET_BIND_SERVICE"]);
    let words: Vec<String> = kept.into_iter().chain(added).collect();
    (!words.is_empty()).then(|| ("unrestricted capabilities", words.join("; ")))
}

/// Checks it without the exception for pods with users of their own.
pub(super) fn proc_mount(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    super::baseline::proc_mount(pod, 0)
}

/// The types of volumes that are allowed.
const VOLUMES: [&str; 9] = [
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "image",
    "persistentVolumeClaim",
    "projected",
    "secret",
];

/// The others.
const OTHER_VOLUMES: [&str; 21] = [
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "gitRepo",
    "nfs",
    "iscsi",
    "glusterfs",
    "rbd",
    "flexVolume",
    "cinder",
    "cephfs",
    "flocker",
    "fc",
    "azureFile",
    "vsphereVolume",
    "quobyte",
    "azureDisk",
    "photonPersistentDisk",
    "portworxVolume",
    "scaleIO",
    "storageos",
];

pub(super) fn volumes(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    let all = list(pod.spec, "volumes").iter();
    let bad = all.filter(|volume| VOLUMES.iter().all(|field| get(volume, field).is_none()));
    let bad: Vec<&Value> = bad.collect();
    if bad.is_empty() {
        return None;
    }
    let types: BTreeSet<&str> = bad
        .iter()
        .map(|volume| {
            let mut types = OTHER_VOLUMES.into_iter();
            types
                .find(|field| get(volume, field).is_some())
                .unwrap_or("unknown")
        })
        .collect();
    let names: Vec<&str> = bad.iter().map(|it| text(it, "name")).collect();
    let (volumes, uses) = (named("volume", &names), uses(names.len()));
    let word = plural("restricted volume type", types.len());
    let words = format!("{volumes} {uses} {word} {}", quoted(types));
    Some(("restricted volume types", words))
}

pub(super) fn run_as_non_root(pod: &Pod<'_>, minor: u8) -> Option<Violation> {
    const FIELD: [&str; 1] = ["runAsNonRoot"];
    if minor >= 35 && pod.has_own_users() {
        return None;
    }
    let reason = "runAsNonRoot != true";
    let setters = pod.setters(&FIELD, |it| *it == Value::Bool(false));
    if let Some(words) = setters.words() {
        let words = format!("{words} must not set securityContext.runAsNonRoot=false");
        return Some((reason, words));
    }
    let words = unset(pod, &FIELD)?;
    Some((
        reason,
        format!("{words} must set securityContext.runAsNonRoot=true"),
    ))
}

/// Returns the containers for which neither they nor the pod set a field.
fn unset(pod: &Pod<'_>, path: &[&str]) -> Option<String> {
    let containers = pod.containers_with(|container| in_context(container, path).is_none());
    let is_set = containers.is_empty() || in_context(pod.spec, path).is_some();
    (!is_set).then(|| format!("pod or {}", named("container", &containers)))
}

pub(super) fn run_as_user(pod: &Pod<'_>, minor: u8) -> Option<Violation> {
    if minor >= 35 && pod.has_own_users() {
        return None;
    }
    let words = pod
        .setters(&["runAsUser"], |it| it.as_int() == Some(0))
        .words()?;
    Some(("runAsUser=0", format!("{words} must not set runAsUser=0")))
}

pub(super) fn seccomp(pod: &Pod<'_>, minor: u8) -> Option<Violation> {
    if minor >= 25 && pod.is_windows() {
        return None;
    }
    bad_seccomp(&seccomp_setters(pod)).or_else(|| {
        let words = unset(pod, &["seccompProfile"])?;
        let words = format!(
            "{words} must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \
             \"Localhost\""
        );
        Some(("seccompProfile", words))
    })
}

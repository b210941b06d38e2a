//! The checks of the level `baseline`.
//!
//! Upstream: kubernetes/pod-security-admission, policy/check_*.go.

use super::{Pod, Setters, Violation, in_context, named, plural, quoted, uses};
use crate::fields::{get, list, text};
use cel::Value;
use cel::value::Map;
use kubernetes::defaults::key_text;
use kubernetes::quote::quote;
use std::collections::BTreeSet;

const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

pub(super) fn app_armor(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    let is_bad = |it: &Value| !matches!(it.as_str(), Some("RuntimeDefault" | "Localhost"));
    let setters = pod.setters(&["appArmorProfile", "type"], is_bad);
    let annotations = pod.annotations.and_then(Value::as_map);
    let annotations = annotations.into_iter().flat_map(Map::iter);
    let forbidden: BTreeSet<String> = annotations
        .filter_map(|(key, value)| {
            let key = key_text(key).filter(|it| it.starts_with(APP_ARMOR))?;
            let profile = value.as_str().unwrap_or_default();
            let is_allowed =
                matches!(profile, "" | "runtime/default") || profile.starts_with("localhost/");
            (!is_allowed).then(|| format!("{key}={}", quote(profile)))
        })
        .collect();
    let annotation = (!forbidden.is_empty()).then(|| plural("annotation", forbidden.len()));
    let places: Vec<String> = setters.words().into_iter().chain(annotation).collect();
    let values = setters.values.iter().map(|it| (*it).to_owned());
    let values: Vec<String> = values.chain(forbidden).collect();
    let reason = if values.len() == 1 {
        "forbidden AppArmor profile"
    } else {
        "forbidden AppArmor profiles"
    };
    (!places.is_empty()).then(|| {
        let places = places.join(" and ");
        let values = quoted(values);
        (
            reason,
            format!("{places} must not set AppArmor profile type to {values}"),
        )
    })
}

/// The capabilities of a container without any settings.
const CAPABILITIES: [&str; 13] = [
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
];

pub(super) fn capabilities(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    let words = added_capabilities(pod, &CAPABILITIES)?;
    Some(("non-default capabilities", words))
}

/// Returns which containers add capabilities other than the allowed ones.
pub(super) fn added_capabilities(pod: &Pod<'_>, allowed: &[&str]) -> Option<String> {
    let mut added = BTreeSet::new();
    let containers = pod.containers_with(|container| {
        let all = in_context(container, &["capabilities", "add"]).and_then(Value::as_list);
        let all = all.unwrap_or_default().iter().filter_map(Value::as_str);
        let bad: Vec<&str> = all.filter(|it| !allowed.contains(it)).collect();
        added.extend(bad.iter().copied());
        !bad.is_empty()
    });
    (!containers.is_empty()).then(|| {
        let (containers, added) = (named("container", &containers), quoted(added));
        format!("{containers} must not include {added} in securityContext.capabilities.add")
    })
}

pub(super) fn host_namespaces(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    let fields = ["hostNetwork", "hostPID", "hostIPC"].into_iter();
    let set = fields.filter(|field| get(pod.spec, field) == Some(&Value::Bool(true)));
    let set: Vec<String> = set.map(|field| format!("{field}=true")).collect();
    (!set.is_empty()).then(|| ("host namespaces", set.join(", ")))
}

pub(super) fn host_path_volumes(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    let volumes = list(pod.spec, "volumes").iter();
    let volumes = volumes.filter(|it| get(it, "hostPath").is_some());
    let names: Vec<&str> = volumes.map(|it| text(it, "name")).collect();
    (!names.is_empty()).then(|| ("hostPath volumes", named("volume", &names)))
}

pub(super) fn host_ports(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    let mut ports = BTreeSet::new();
    let containers = pod.containers_with(|container| {
        let all = list(container, "ports").iter();
        let all = all.filter_map(|port| get(port, "hostPort")?.as_int());
        let bad: Vec<String> = all.filter(|it| *it != 0).map(|it| it.to_string()).collect();
        let is_bad = !bad.is_empty();
        ports.extend(bad);
        is_bad
    });
    (!containers.is_empty()).then(|| {
        let (containers, uses) = (named("container", &containers), uses(containers.len()));
        let word = plural("hostPort", ports.len());
        let ports = ports.into_iter().collect::<Vec<_>>().join(", ");
        ("hostPort", format!("{containers} {uses} {word} {ports}"))
    })
}

/// Checks the hosts that probes and lifecycle handlers connect to.
pub(super) fn hosts(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    const HANDLERS: [&[&str]; 5] = [
        &["livenessProbe"],
        &["readinessProbe"],
        &["startupProbe"],
        &["lifecycle", "postStart"],
        &["lifecycle", "preStop"],
    ];
    let mut hosts = BTreeSet::new();
    let containers: BTreeSet<&str> = pod
        .containers_with(|container| {
            let handlers = HANDLERS.iter().filter_map(|path| {
                path.iter()
                    .try_fold(container, |value, field| get(value, field))
            });
            let actions = handlers.flat_map(|it| [get(it, "httpGet"), get(it, "tcpSocket")]);
            let found = actions.flatten().map(|it| text(it, "host"));
            let found: Vec<&str> = found.filter(|it| !it.is_empty()).collect();
            hosts.extend(found.iter().copied());
            !found.is_empty()
        })
        .into_iter()
        .collect();
    let containers: Vec<&str> = containers.into_iter().collect();
    (!containers.is_empty()).then(|| {
        let (named, uses) = (named("container", &containers), uses(containers.len()));
        let word = plural("probe or lifecycle host", hosts.len());
        let detail = format!("{named} {uses} {word} {}", quoted(hosts));
        ("probe or lifecycle host", detail)
    })
}

pub(super) fn privileged(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    let setters = pod
        .setters(&["privileged"], |it| *it == Value::Bool(true))
        .words()?;
    Some((
        "privileged",
        format!("{setters} must not set securityContext.privileged=true"),
    ))
}

pub(super) fn proc_mount(pod: &Pod<'_>, minor: u8) -> Option<Violation> {
    if minor >= 35 && pod.has_own_users() {
        return None;
    }
    let setters = pod.setters(&["procMount"], |it| it.as_str() != Some("Default"));
    let (words, types) = (setters.words()?, quoted(&setters.values));
    Some((
        "procMount",
        format!("{words} must not set securityContext.procMount to {types}"),
    ))
}

pub(super) fn selinux(pod: &Pod<'_>, minor: u8) -> Option<Violation> {
    const TYPES: [&str; 5] = [
        "",
        "container_t",
        "container_init_t",
        "container_kvm_t",
        "container_engine_t",
    ];
    let allowed = TYPES.iter().take(if minor >= 31 { 5 } else { 4 });
    let (mut types, mut has_user, mut has_role) = (BTreeSet::new(), false, false);
    let setters = pod.setters(&["seLinuxOptions"], |options| {
        let ty = text(options, "type");
        let is_allowed = allowed.clone().any(|it| *it == ty);
        if !is_allowed {
            types.insert(ty);
        }
        let [user, role] = ["user", "role"].map(|field| !text(options, field).is_empty());
        has_user |= user;
        has_role |= role;
        !is_allowed || user || role
    });
    let words = setters.words()?;
    let types =
        (!types.is_empty()).then(|| format!("{} {}", plural("type", types.len()), quoted(&types)));
    let user = has_user.then(|| "user may not be set".to_owned());
    let role = has_role.then(|| "role may not be set".to_owned());
    let data: Vec<String> = [types, user, role].into_iter().flatten().collect();
    let data = data.join("; ");
    Some((
        "seLinuxOptions",
        format!("{words} set forbidden securityContext.seLinuxOptions: {data}"),
    ))
}

pub(super) fn seccomp(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    bad_seccomp(&seccomp_setters(pod))
}

/// Returns where a seccomp profile is one that no level allows.
pub(super) fn seccomp_setters<'a>(pod: &Pod<'a>) -> Setters<'a> {
    let is_bad = |it: &Value| !matches!(it.as_str(), Some("RuntimeDefault" | "Localhost"));
    pod.setters(&["seccompProfile", "type"], is_bad)
}

pub(super) fn bad_seccomp(setters: &Setters<'_>) -> Option<Violation> {
    let (words, types) = (setters.words()?, quoted(&setters.values));
    let words = format!("{words} must not set securityContext.seccompProfile.type to {types}");
    Some(("seccompProfile", words))
}

/// The safe sysctls, with the first minor version that allows each.
const SYSCTLS: [(&str, u8); 14] = [
    ("kernel.shm_rmid_forced", 0),
    ("net.ipv4.ip_local_port_range", 0),
    ("net.ipv4.tcp_syncookies", 0),
    ("net.ipv4.ping_group_range", 0),
    ("net.ipv4.ip_unprivileged_port_start", 0),
    ("net.ipv4.ip_local_reserved_ports", 27),
    ("net.ipv4.tcp_keepalive_time", 29),
    ("net.ipv4.tcp_fin_timeout", 29),
    ("net.ipv4.tcp_keepalive_intvl", 29),
    ("net.ipv4.tcp_keepalive_probes", 29),
    ("net.ipv4.tcp_rmem", 32),
    ("net.ipv4.tcp_wmem", 32),
    ("net.ipv4.tcp_slow_start_after_idle", 37),
    ("net.ipv4.tcp_notsent_lowat", 37),
];

pub(super) fn sysctls(pod: &Pod<'_>, minor: u8) -> Option<Violation> {
    let is_safe = |name: &str| {
        SYSCTLS
            .iter()
            .any(|(it, since)| *it == name && *since <= minor)
    };
    let all = in_context(pod.spec, &["sysctls"]).and_then(Value::as_list);
    let names = all.unwrap_or_default().iter().map(|it| text(it, "name"));
    let bad: Vec<&str> = names.filter(|name| !is_safe(name)).collect();
    (!bad.is_empty()).then(|| ("forbidden sysctls", bad.join(", ")))
}

pub(super) fn windows_host_process(pod: &Pod<'_>, _: u8) -> Option<Violation> {
    let path = ["windowsOptions", "hostProcess"];
    let words = pod.setters(&path, |it| *it == Value::Bool(true)).words()?;
    let words = format!("{words} must not set securityContext.windowsOptions.hostProcess=true");
    Some(("hostProcess", words))
}

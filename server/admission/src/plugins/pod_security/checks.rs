//! The checks of the Pod Security Standards, in the order in which the server reports them.
//!
//! Limit: the annotations for seccomp that versions before 1.19 check are not checked.
//!
//! Upstream: kubernetes/pod-security-admission, policy/registry.go and policy/checks.go.

mod baseline;
mod restricted;

use super::labels::{Level, Standard};
use crate::fields::{get, list, text};
use cel::Value;
use kubernetes::ServerVersion;
use std::collections::BTreeSet;

/// A pod, or the template of pods.
pub(super) struct Pod<'a> {
    annotations: Option<&'a Value>,
    spec: &'a Value,
    server: ServerVersion,
}

/// Why a pod does not meet a standard: the reason and its details.
type Violation = (&'static str, String);

/// A check of a pod by the rules of a minor version.
struct Check {
    level: Level,
    /// The first minor version that has it.
    since: u8,
    /// The first minor version in which a check of the level `restricted` replaces it.
    replaced: u8,
    check: fn(&Pod<'_>, u8) -> Option<Violation>,
}

const NEVER: u8 = u8::MAX;

const fn baseline(since: u8, replaced: u8, check: fn(&Pod<'_>, u8) -> Option<Violation>) -> Check {
    Check {
        level: Level::Baseline,
        since,
        replaced,
        check,
    }
}

const fn restricted(since: u8, check: fn(&Pod<'_>, u8) -> Option<Violation>) -> Check {
    Check {
        level: Level::Restricted,
        since,
        replaced: NEVER,
        check,
    }
}

const CHECKS: [Check; 19] = [
    baseline(0, NEVER, baseline::app_armor),
    baseline(0, 22, baseline::capabilities),
    baseline(0, NEVER, baseline::host_namespaces),
    baseline(0, 0, baseline::host_path_volumes),
    baseline(0, NEVER, baseline::host_ports),
    baseline(34, NEVER, baseline::hosts),
    baseline(0, NEVER, baseline::privileged),
    baseline(0, 35, baseline::proc_mount),
    baseline(0, NEVER, baseline::selinux),
    baseline(19, 19, baseline::seccomp),
    baseline(0, NEVER, baseline::sysctls),
    baseline(0, NEVER, baseline::windows_host_process),
    restricted(8, restricted::privilege_escalation),
    restricted(22, restricted::capabilities),
    restricted(35, restricted::proc_mount),
    restricted(0, restricted::volumes),
    restricted(0, restricted::run_as_non_root),
    restricted(23, restricted::run_as_user),
    restricted(19, restricted::seccomp),
];

/// Returns how a pod violates a standard, as the server writes it. `None` if it does not.
pub(super) fn violations(standard: Standard, pod: &Pod<'_>) -> Option<String> {
    let minor = standard.minor.unwrap_or(u8::MAX).min(pod.server.0);
    let is_restricted = standard.level == Level::Restricted;
    let checks = CHECKS.iter().filter(|check| {
        check.level <= standard.level
            && check.since <= minor
            && !(is_restricted && check.replaced <= minor)
    });
    let found = checks.filter_map(|check| (check.check)(pod, minor));
    let found: Vec<String> = found
        .map(|(reason, detail)| format!("{reason} ({detail})"))
        .collect();
    (standard.level != Level::Privileged && !found.is_empty()).then(|| found.join(", "))
}

impl<'a> Pod<'a> {
    pub(super) fn new(pod: &'a Value, spec: &'a Value, server: ServerVersion) -> Self {
        Self {
            annotations: get(pod, "metadata").and_then(|it| get(it, "annotations")),
            spec,
            server,
        }
    }

    fn containers(&self) -> impl Iterator<Item = &'a Value> + use<'a> {
        let spec = self.spec;
        let fields = ["initContainers", "containers", "ephemeralContainers"];
        fields.into_iter().flat_map(move |field| list(spec, field))
    }

    /// Returns the names of the containers of which a condition holds.
    fn containers_with(&self, mut test: impl FnMut(&'a Value) -> bool) -> Vec<&'a str> {
        let containers = self.containers().filter(|it| test(it));
        containers.map(|it| text(it, "name")).collect()
    }

    fn is_windows(&self) -> bool {
        get(self.spec, "os").is_some_and(|os| text(os, "name") == "windows")
    }

    /// Returns whether its users are not those of the node.
    fn has_own_users(&self) -> bool {
        get(self.spec, "hostUsers") == Some(&Value::Bool(false))
    }

    /// Returns where a field of the security context has a value that fails a condition.
    fn setters(&self, path: &[&str], mut is_bad: impl FnMut(&'a Value) -> bool) -> Setters<'a> {
        let mut values = BTreeSet::new();
        let mut test = |owner: &'a Value| {
            let value = in_context(owner, path).filter(|value| is_bad(value));
            values.extend(value.and_then(Value::as_str));
            value.is_some()
        };
        let is_pod = test(self.spec);
        let containers = self.containers_with(test);
        Setters {
            is_pod,
            containers,
            values,
        }
    }
}

/// The places of values that a standard does not allow.
struct Setters<'a> {
    is_pod: bool,
    containers: Vec<&'a str>,
    /// The values that are strings.
    values: BTreeSet<&'a str>,
}

impl Setters<'_> {
    /// Returns them: `pod and container "a"`. `None` if there is none.
    fn words(&self) -> Option<String> {
        let pod = self.is_pod.then(|| "pod".to_owned());
        let containers = &self.containers;
        let containers = (!containers.is_empty()).then(|| named("container", containers));
        let words: Vec<String> = pod.into_iter().chain(containers).collect();
        (!words.is_empty()).then(|| words.join(" and "))
    }
}

/// Returns a field below the security context of a pod or a container.
fn in_context<'a>(owner: &'a Value, path: &[&str]) -> Option<&'a Value> {
    let context = get(owner, "securityContext")?;
    path.iter()
        .try_fold(context, |value, field| get(value, field))
}

/// Returns names with their kind: `containers "a", "b"`.
fn named(word: &str, names: &[&str]) -> String {
    format!("{} {}", plural(word, names.len()), quoted(names))
}

fn plural(word: &str, count: usize) -> String {
    format!("{word}{}", if count == 1 { "" } else { "s" })
}

/// Returns `uses` for one and `use` for several.
fn uses(count: usize) -> &'static str {
    if count == 1 { "uses" } else { "use" }
}

fn quoted<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let words = words
        .into_iter()
        .map(|word| format!("\"{}\"", word.as_ref()));
    words.collect::<Vec<_>>().join(", ")
}

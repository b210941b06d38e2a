//! The default roles and bindings, which every API server creates.
//!
//! `defaults.jsonl` holds one object in a line. A rule with `since` exists on servers from that
//! version on.
//!
//! Limit: the roles of the components of a cluster, such as the scheduler and the controllers, are
//! not included, nor are rules that only older servers had.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go,
//! clusterRoles and clusterRoleBindings.

use super::Roles;
use crate::json::JsonReader;
use cel::Value;
use kubernetes::ServerVersion;
use std::sync::{Arc, OnceLock};

const OBJECTS: &str = include_str!("defaults.jsonl");

/// The number of known servers.
const SERVERS: usize = (ServerVersion::NEWEST.0 - ServerVersion::OLDEST.0) as usize + 1;

/// Returns the default roles and bindings of a server.
pub(super) fn of_server(server: ServerVersion) -> Arc<Roles> {
    static SHARED: [OnceLock<Arc<Roles>>; SERVERS] = [const { OnceLock::new() }; SERVERS];
    let server = server.clamp(ServerVersion::OLDEST, ServerVersion::NEWEST);
    let place = usize::from(server.0 - ServerVersion::OLDEST.0);
    match SHARED.get(place) {
        Some(shared) => Arc::clone(shared.get_or_init(|| Arc::new(read(server)))),
        None => Arc::new(read(server)),
    }
}

fn read(server: ServerVersion) -> Roles {
    let mut roles = Roles::default();
    let mut reader = JsonReader::default();
    for line in OBJECTS.lines() {
        if let Ok((mut object, _)) = reader.read(line) {
            keep_rules(&mut object, server);
            roles.add(&object);
        }
    }
    roles
}

/// Removes the rules of later servers.
fn keep_rules(object: &mut Value, server: ServerVersion) {
    let rules = object.as_map_mut().and_then(|it| it.get_str_mut("rules"));
    if let Some(rules) = rules.and_then(Value::as_list_mut) {
        rules.retain(|rule| since(rule).is_none_or(|since| since <= i64::from(server.0)));
    }
}

/// Returns the first server that has a rule.
fn since(rule: &Value) -> Option<i64> {
    rule.as_map()?.get_str("since")?.as_int()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kubernetes::versions::changes;

    #[test]
    fn every_line_is_an_object_with_its_rules() {
        let mut versions = std::collections::BTreeSet::new();
        for line in OBJECTS.lines() {
            let (object, end) = JsonReader::default().read(line).unwrap();
            assert_eq!(end, line.len());
            for rule in crate::fields::list(&object, "rules") {
                versions.extend(since(rule));
            }
        }
        let documented = [
            changes::KUBELET_API_IN_PARTS,
            changes::CLAIMS_IN_ROLES,
            changes::DEBUGGING_PAGES_MONITORED,
        ]
        .map(|change| i64::from(change.since.0));
        assert!(versions.into_iter().eq(documented));
        let roles = of_server(ServerVersion::NEWEST);
        let [roles, bindings] = [roles.cluster_roles.len(), roles.cluster_bindings.len()];
        assert_eq!(roles + bindings, OBJECTS.lines().count());
    }
}

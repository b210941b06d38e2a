//! Conditions that inputs meet and violate.

use super::{DEPLOYMENTS, policy, written};
use crate::file::SourceFile;
use ::policy::Role;
use evaluation::input::{Decision, read};
use std::fs;
use std::path::Path;

/// Validations of deployments.
const CONDITIONS: [&str; 40] = [
    "object.spec.replicas >= 3 && object.spec.replicas < 9",
    "object.spec.replicas * 2 - 1 == 7",
    "object.metadata.name.startsWith('team-') && object.metadata.name.endsWith('-prod')",
    "object.metadata.annotations['sign'].contains('é🦊')",
    "object.metadata.name.matches('^(a|b)[0-9]{3}-x+$')",
    "object.metadata.name != 'example'",
    "size(object.metadata.name) <= 3",
    "object.metadata.labels['tier'] in ['web', 'db']",
    "!('tier' in object.metadata.labels) || object.metadata.labels['tier'] == 'web'",
    "has(object.metadata.annotations) && 'a.b/c' in object.metadata.annotations",
    "object.metadata.?labels['owner'].orValue('') != ''",
    "object.metadata.?labels[?'owner'].hasValue()",
    "has(object.spec.template.spec.hostNetwork) ? !object.spec.template.spec.hostNetwork : true",
    "!has(object.spec.template.spec.volumes) || object.spec.template.spec.volumes.all(v, !has(v.hostPath))",
    "object.spec.template.spec.containers.all(c, c.image.startsWith('docker.io/'))",
    "object.spec.template.spec.containers.exists(c, c.name == 'proxy')",
    "object.spec.template.spec.containers.exists_one(c, c.name == 'proxy')",
    "object.spec.template.spec.containers.filter(c, c.image.endsWith(':latest')).size() == 0",
    "(object.spec.template.spec.containers + object.spec.template.spec.?initContainers.orValue([])).map(c, c.image).all(i, i.split(':')[1] != 'latest')",
    "object.spec.template.spec.containers.map(c, c.name).join(',') == 'a,b'",
    "object.spec.template.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && quantity(c.resources.limits['memory']).isLessThan(quantity('2Gi')))",
    "object.spec.template.spec.containers.all(c, has(c.resources.requests) && quantity(c.resources.requests.cpu).compareTo(quantity('500m')) <= 0)",
    "object.spec.template.spec.containers.all(c, c.?securityContext.?allowPrivilegeEscalation.orValue(true) == false)",
    "object.spec.template.spec.containers.all(c, c.?ports.orValue([]).all(p, p.containerPort > 1024))",
    "object.metadata.labels.exists(k, k.startsWith('team.'))",
    "object.metadata.labels.all(k, v, k != 'a' || v == 'b')",
    "size(object.spec.template.spec.containers) == 3",
    "object.spec.template.spec.?securityContext.?runAsNonRoot.orValue(false) == true",
    "'system:masters' in request.userInfo.groups",
    "request.userInfo.username.startsWith('system:serviceaccount:')",
    "request.namespace == 'shop' || request.dryRun",
    "namespaceObject.metadata.labels['env'] == 'prod'",
    "authorizer.group('apps').resource('deployments').check('delete').allowed()",
    "duration(object.metadata.annotations['ttl']) <= duration('1h')",
    "timestamp(object.metadata.annotations['end']) > timestamp('2030-01-01T00:00:00Z')",
    "int(object.metadata.annotations['cost']) < 100",
    "isURL(object.metadata.annotations['see'])",
    "url(object.metadata.annotations['see']).getHostname() == 'example.org'",
    "{'small': 1, 'large': 9}[object.metadata.labels['size']] >= object.spec.replicas",
    "sets.contains(['web', 'db'], [object.metadata.labels['tier']])",
];

/// Returns the decisions that the inputs for a policy expect.
fn decisions(text: &str, policy: usize) -> Vec<String> {
    let inputs = written(text, policy).unwrap_or_default();
    let file = read(Path::new("p.inputs.yaml"), &inputs);
    assert!(file.errors.is_empty(), "{inputs}");
    let decisions = file.inputs.iter().map(|input| {
        let decision = input.expect.as_ref().and_then(|it| it.decision);
        decision.map_or("none", Decision::as_str).to_owned()
    });
    decisions.collect()
}

/// Checks that a first input meets every validation and that a second one violates it.
#[track_caller]
fn check_met(rule: &str, validations: &[&str]) {
    let mut missed = String::new();
    for validation in validations {
        let rest =
            format!("  validations:\n  - expression: >-\n      {validation}\n    message: no");
        let text = policy(rule, &rest);
        if decisions(&text, 0) != ["allow", "deny"] {
            let inputs = written(&text, 0).unwrap_or_default();
            missed.push_str(&format!("{validation}\n{inputs}\n"));
        }
    }
    assert_eq!(missed, "");
}

/// Returns a rule for all requests for a resource.
fn rule(group: &str, resource: &str) -> String {
    format!(
        "{{apiGroups: ['{group}'], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [{resource}]}}"
    )
}

#[test]
fn conditions_of_pods_are_met_and_broken() {
    check_met(
        &rule("", "pods"),
        &[
            "object.spec.containers.all(c, has(c.securityContext) && has(c.securityContext.capabilities) && c.securityContext.capabilities.drop.exists(d, d == 'ALL'))",
            "object.spec.containers.all(c, c.?securityContext.?seccompProfile.?type.orValue('') in ['RuntimeDefault', 'Localhost'])",
            "!has(object.spec.securityContext) || !has(object.spec.securityContext.runAsNonRoot) || object.spec.securityContext.runAsNonRoot != false",
            "['app', 'team'].all(l, l in object.metadata.labels)",
            "object.spec.containers.filter(c, !c.image.contains('@sha256:')).map(c, c.name) == []",
            "object.spec.containers.all(c, has(c.livenessProbe) && has(c.readinessProbe))",
            "object.spec.?priorityClassName.orValue('none').startsWith('team-')",
            "object.spec.containers.all(c, c.?env.orValue([]).all(e, !e.name.startsWith('SECRET_')))",
        ],
    );
}

#[test]
fn conditions_of_other_kinds_are_met_and_broken() {
    check_met(
        &rule("networking.k8s.io", "ingresses"),
        &[
            "object.spec.rules.all(r, r.host.endsWith('.example.com'))",
            "object.spec.tls.all(t, t.hosts.all(h, h.endsWith('.corp')))",
        ],
    );
    check_met(
        &rule("", "services"),
        &[
            "object.spec.type != 'LoadBalancer' || object.metadata.annotations['internal'] == 'true'",
        ],
    );
    check_met(
        &rule("", "persistentvolumeclaims"),
        &["!quantity(object.spec.resources.requests.storage).isGreaterThan(quantity('10Gi'))"],
    );
    check_met(
        &rule("rbac.authorization.k8s.io", "rolebindings"),
        &["!object.subjects.exists(s, s.kind == 'Group' && s.name == 'system:masters')"],
    );
    check_met(
        &rule("rbac.authorization.k8s.io", "roles"),
        &["!object.rules.exists(r, '*' in r.verbs)"],
    );
    check_met(
        &rule("batch", "cronjobs"),
        &[
            "object.spec.schedule.split(' ').size() == 5 && object.spec.concurrencyPolicy == 'Forbid'",
        ],
    );
}

#[test]
fn conditions_are_met_and_broken() {
    check_met(DEPLOYMENTS, &CONDITIONS);
    let updates =
        "{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}";
    check_met(
        updates,
        &[
            "object.spec.replicas == oldObject.spec.replicas",
            "object.spec.replicas >= oldObject.spec.replicas + 2",
            "object.metadata.labels['owner'] != oldObject.metadata.labels['owner']",
        ],
    );
    let all = "{apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [deployments]}";
    check_met(all, &["request.operation != 'DELETE'", "oldObject == null"]);
}

#[test]
fn conditions_that_need_other_fields_are_met_and_broken() {
    check_met(
        &rule("", "services"),
        &[
            "!object.spec.ports.exists(p, has(p.nodePort))",
            "object.spec.loadBalancerSourceRanges.all(r, r != '0.0.0.0/0')",
        ],
    );
    check_met(
        &rule("", "pods"),
        &[
            "object.spec.containers.all(c, c.volumeMounts.all(m, m.mountPath != '/'))",
            "object.spec.tolerations.all(t, t.operator != 'Exists' || has(t.key))",
            "object.spec.containers.all(c, c.envFrom.all(e, !has(e.secretRef)))",
        ],
    );
    check_met(
        &rule("", "persistentvolumes"),
        &["!has(object.spec.nfs)", "object.spec.csi.driver != 'b.io'"],
    );
    check_met(
        &rule("batch", "jobs"),
        &["object.spec.podFailurePolicy.rules.all(r, r.action != 'Ignore')"],
    );
}

#[test]
fn updates_keep_what_is_immutable() {
    let updates = "{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments, statefulsets]}";
    check_met(
        updates,
        &[
            "object.spec.selector.matchLabels['app'] == 'web'",
            "object.spec.template.metadata.labels['app'] != 'web'",
            "oldObject.spec.selector.matchLabels['app'] != 'web'",
        ],
    );
    let rest = "  validations:\n  - expression: object.spec.selector != oldObject.spec.selector";
    assert_eq!(decisions(&policy(updates, rest), 0), ["deny"]);
}

#[test]
fn a_condition_on_invalid_objects_has_no_input() {
    for condition in [
        "object.spec.replicas < 0",
        "object.spec.template.spec.restartPolicy == 'Never'",
        "size(object.spec.template.spec.containers) == 0",
    ] {
        let rest = format!("  validations:\n  - expression: {condition}");
        assert_eq!(decisions(&policy(DEPLOYMENTS, &rest), 0), ["deny"]);
    }
}

/// Counts the policies of the examples and of the cases that can be denied and allowed, of
/// conformance.
#[test]
fn the_policies_of_the_examples_are_allowed_and_denied() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["examples", "tests/examples/good"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            for (index, document) in SourceFile::new(text.as_str()).policies().iter().enumerate() {
                if !document.kind().is_policy() {
                    continue;
                }
                let decisions = decisions(&text, index);
                let name = document.name();
                assert_eq!(decisions[0], "allow", "{name:?}");
                let conditions = [Role::Validation, Role::MatchCondition];
                let mut expressions = document.expressions().iter();
                if expressions.any(|it| conditions.contains(&it.role)) {
                    assert!(
                        ["deny", "warn", "skip"].contains(&&*decisions[1]),
                        "{name:?}"
                    );
                }
            }
        }
    }
}

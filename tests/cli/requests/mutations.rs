//! `eval`: what mutating policies change.

use super::*;

fn mutating(name: &str, spec: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: \
         {{name: {name}}}\nspec:\n  matchConstraints: {{{EVERYTHING}}}\n  failurePolicy: Fail\n{spec}"
    )
}

#[test]
#[expect(clippy::too_many_lines, reason = "files and the whole output")]
fn mutations_are_shown_as_a_difference_and_asked_again() {
    let first = mutating(
        "a-image",
        "  reinvocationPolicy: IfNeeded
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: \"object.spec.containers.filter(c, !c.image.contains('/')).size() == 0 ? [] : [JSONPatch{op: 'replace', path: '/spec/containers/' + string(object.spec.containers.size() - 1) + '/image', value: 'mirror/' + object.spec.containers[object.spec.containers.size() - 1].image}]\"
",
    );
    let second = mutating(
        "b-sidecar",
        "  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: \"Object{spec: Object.spec{containers: [Object.spec.containers{name: 'proxy', image: 'envoy:1'}]}}\"
",
    );
    let check_it = policy(
        "  validations:
    - expression: object.spec.containers.all(c, c.image.startsWith('mirror/'))
",
    );
    let policies = [first, second, check_it].join("---\n");
    inputs(
        &policies,
        "name: a pod\nobject: {apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: app, image: app}]}}\n",
        0,
        &expect![[r#"
            a pod (i.yaml)
            Changed: CREATE of pods (v1) by a-image (no binding found, assuming one; cost 95)
              spec.mutations[0].jsonPatch.expression (line 11) is applied
            --- before
            +++ after
            @@ -12,7 +12,7 @@
               namespace: default
             spec:
               containers:
            -  - image: app
            +  - image: mirror/app
                 imagePullPolicy: Always
                 name: app
                 resources: {}
            Changed: CREATE of pods (v1) by b-sidecar (no binding found, assuming one; cost 130)
              spec.mutations[0].applyConfiguration.expression (line 23) is applied
            --- before
            +++ after
            @@ -22,6 +22,12 @@
                 - mountPath: /var/run/secrets/kubernetes.io/serviceaccount
                   name: kube-api-access-x7k2p
                   readOnly: true
            +  - image: envoy:1
            +    imagePullPolicy: IfNotPresent
            +    name: proxy
            +    resources: {}
            +    terminationMessagePath: /dev/termination-log
            +    terminationMessagePolicy: File
               dnsPolicy: ClusterFirst
               enableServiceLinks: true
               preemptionPolicy: PreemptLowerPriority
            Changed: CREATE of pods (v1) by a-image (no binding found, assuming one; cost 100)
              spec.mutations[0].jsonPatch.expression (line 11) is applied
            --- before
            +++ after
            @@ -22,7 +22,7 @@
                 - mountPath: /var/run/secrets/kubernetes.io/serviceaccount
                   name: kube-api-access-x7k2p
                   readOnly: true
            -  - image: envoy:1
            +  - image: mirror/envoy:1
                 imagePullPolicy: IfNotPresent
                 name: proxy
                 resources: {}
            Allowed: CREATE of pods (v1) by guard (no binding found, assuming Deny; cost 17)
            HTTP 201: allowed
            note: not validated here: names of resources, resource claims, hugepages, Windows options, rare volume types
            note: the object depends on the order of the mutating policies, which is random
        "#]],
    );
}

#[test]
fn a_mutation_that_fails_denies_at_its_place() {
    let policy = mutating(
        "broken",
        "  reinvocationPolicy: Never
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: \"[JSONPatch{op: 'remove', path: '/metadata/labels/x'}]\"
",
    );
    inputs(
        &policy,
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}",
        1,
        &expect![[r#"
            i (i.yaml)
            error: denied because it fails: JSON Patch: remove operation does not apply: doc is missing path: "/metadata/labels/x": missing value
              --> p.yaml:11:21
               |
            11 |         expression: "[JSONPatch{op: 'remove', path: '/metadata/labels/x'}]"
               |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            Denied: CREATE of configmaps (v1) by broken (no binding found, assuming one; cost 50)
            HTTP 403 Invalid: policy "broken" denied request: JSON Patch: remove operation does not apply: doc is missing path: "/metadata/labels/x": missing value
        "#]],
    );
}

#[test]
fn each_mutation_is_traced_on_what_the_ones_before_it_left() {
    let policy = mutating(
        "steps",
        "  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: \"Object{data: {'a': '1'}}\"
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: \"Object{data: {'b': object.data.a + '2'}}\"
    - patchType: JSONPatch
      jsonPatch:
        expression: \"object.data.b == '12' ? [JSONPatch{op: 'remove', path: '/data/a'}] : []\"
",
    );
    let files = [
        ("p.yaml", policy.as_str()),
        (
            "o.yaml",
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}",
        ),
    ];
    let run = Project::new(&files).run(["eval", "p.yaml", "--object", "o.yaml", "--trace"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    for line in ["object.data.a = \"1\"\n", "object.data.b == '12' = true\n"] {
        run.prints(line);
    }
}

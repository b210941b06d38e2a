//! Complete and half-written manifests.

use super::*;
use crate::policy_document::PolicyDocument;
use crate::recognition::recognize;
use std::sync::Arc;

fn document(spec: &str) -> Arc<PolicyDocument> {
    let text = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
         metadata: {{name: a}}\nspec:\n{spec}"
    );
    let recognition = recognize(&Arc::new(yaml::parse(text.as_str().into())));
    Arc::clone(recognition.policies.first().unwrap())
}

#[test]
fn what_is_half_written_is_absent() {
    for spec in [
        "",
        "  matchConstraints:\n  paramKind:\n",
        "  paramKind: ConfigMap\n",
    ] {
        assert_eq!(document(spec).policy(), Some(&Policy::default()), "{spec}");
    }
    let spec = "  matchConstraints:\n    resourceRules:\n    - apiGroups: [1, apps, ~]\n      \
                resources: pods\n    -\n";
    let document = document(spec);
    let constraints = document.policy().unwrap().match_constraints.as_ref();
    let [rule, empty] = constraints.unwrap().rules.as_slice() else {
        panic!("two rules")
    };
    let [group] = rule.groups.as_slice() else {
        panic!("one group")
    };
    assert_eq!(&*group.text, "apps");
    assert_eq!(document.stream().slice(group.at.range), "apps");
    assert!(rule.resources.is_empty() && !empty.is_complete());
}

#[test]
fn manifests_with_the_same_values_are_equal_wherever_they_are_written() {
    let block = "  failurePolicy: Ignore\n  matchConstraints:\n    resourceRules:\n    - \
                 apiGroups: ['']\n      resources:\n      - pods\n";
    let flow = "  matchConstraints: {resourceRules: [{apiGroups: [''], resources: [pods]}]}\n  \
                failurePolicy: \"Ignore\"\n";
    assert_eq!(document(block).policy(), document(flow).policy());
    let other = flow.replace("pods", "nodes");
    assert_ne!(document(block).policy(), document(&other).policy());
}

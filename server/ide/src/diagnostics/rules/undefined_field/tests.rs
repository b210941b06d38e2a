//! Undefined fields of objects that the compiler declares.

use crate::fixture::{
    changes, check_diagnostics, corrected, crd, findings, fixed, policy as typed,
    untyped_policy as policy,
};
use expect_test::expect;

#[test]
fn the_fields_of_the_request_are_fixed() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: request.user.name == 'a'
                         #^^^^ error[undefined-field]
    - expression: |
        namespaceObject.metadata.ownerReferences == []
                                #^^^^^^^^^^^^^^^ error[undefined-field]
    - expression: object.anything.goes && request.userInfo.extra['a'] == ['b'] && params_.x
                                                                                 #^^^^^^^ error[unknown-name]
",
    ));
}

#[test]
fn the_schema_says_what_self_has() {
    check_diagnostics(&crd(
        "
        properties:
          spec:
            type: object
            required: [min, max]
            properties:
              min: {type: integer}
              max: {type: integer}
            x-kubernetes-validations:
            - rule: self.min <= self.maxx
                                    #^^^^ error[undefined-field]: Did you mean `max`?
            - rule: self.min <= self.max
        x-kubernetes-validations:
        - rule: self.metadata.name == 'a' && self.metadata.labels.size() == 0
                                                          #^^^^^^ error[undefined-field]: only `name`
",
    ));
}

#[test]
fn the_nearest_is_offered() {
    let text = policy("  validations:\n    - expression: request.userInfo.usrname == 'a'\n");
    expect![[r#"
        -    - expression: request.userInfo.usrname == 'a'
        +    - expression: request.userInfo.username == 'a'
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "undefined-field")));
}

#[test]
fn names_of_an_admission_review_are_corrected() {
    for (before, expected) in [
        (
            "request.object.spec.replicas == 1",
            "object.spec.replicas == 1",
        ),
        (
            "request.user.username == ''",
            "request.userInfo.username == ''",
        ),
    ] {
        assert_eq!(corrected("undefined-field", before), expected);
    }
    // `has()` needs a field, and a user has no such field.
    for expression in ["has(request.object)", "request.user.uidx == ''"] {
        let found = findings(&typed(&format!(
            "  validations:\n    - expression: {expression}\n"
        )));
        assert!(found[0].fixes.is_empty(), "{expression}: {found:#?}");
    }
}

#[test]
fn a_rule_begins_where_it_is_written() {
    let text = crd(
        "
        properties:
          spec:
            type: object
            properties: {min: {type: integer}, max: {type: integer}}
            required: [min, max]
            x-kubernetes-validations:
              - rule: self.spec.min <= 5 && self.max > 0
                          #^^^^ error[undefined-field]: `self` is already `spec` here. Remove `.spec`.
              - rule: self.spec.other <= 5
                          #^^^^ error[undefined-field]: The schema of this value has no field `spec`.
",
    );
    check_diagnostics(&text);
    let text = text.replace("self.spec.other <= 5", "self.min <= self.max");
    expect![[r#"
        -              - rule: self.spec.min <= 5 && self.max > 0
        -                          #^^^^ error[undefined-field]: `self` is already `spec` here. Remove `.spec`.
        -              - rule: self.min <= self.max
        -                          #^^^^ error[undefined-field]: The schema of this value has no field `spec`.
        +              - rule: self.min <= 5 && self.max > 0
        +              - rule: self.min <= self.max
    "#]].assert_eq(&changes(&text, &fixed(&text, "undefined-field")));
}

#[test]
fn a_method_that_is_not_called_is_named() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: authorizer.path('/x').check('get').allowed
                                                    #^^^^^^^ error[undefined-field]: Write `allowed()`
    - expression: url('https://é😀').host == 'x'
                                   #^^^^ error[undefined-field]: Write `getHost()`
    - expression: quantity('1').value > 1
                               #^^^^^ error[undefined-field]: methods such as `asApproximateFloat()`
    - expression: namespaceObject.name == 'x'
                                 #^^^^ error[undefined-field]: Did you mean `metadata.name`?
",
    ));
}

//! The hover of the element at the cursor.

use super::*;
use crate::fixture::{Fixture, binding, crd, policy, slice, source_file};
use expect_test::{Expect, expect};

#[track_caller]
fn check(source: &str, expected: &Expect) {
    let fixture = Fixture::parse(source);
    let file = source_file(&fixture.text);
    let shown = match hover(&file, fixture.cursor.expect("a cursor")) {
        Some(hover) => format!(
            "`{}`\n{}\n",
            slice(&fixture.text, hover.range),
            hover.markdown
        ),
        None => "nothing\n".to_owned(),
    };
    expected.assert_eq(&shown);
}

/// Returns the Markdown at the cursor.
fn hovered(source: &str) -> Option<String> {
    let fixture = Fixture::parse(source);
    let file = source_file(&fixture.text);
    let hover = hover(&file, fixture.cursor.expect("a cursor"))?;
    Some(hover.markdown)
}

fn validation(expression: &str) -> String {
    policy(&format!(
        "  variables: [{{name: limit, expression: '5'}}]\n  validations:\n    - expression: {expression}\n"
    ))
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn names_have_types_and_reasons() {
    check(
        &validation("obj$0ect.spec.replicas < 1"),
        &expect![[r#"
            `object`
            ```cel
            object: Deployment
            ```

            The object from the incoming request. Null for DELETE requests.
        "#]],
    );
    check(
        &validation("requ$0est.name == 'a'"),
        &expect![[r#"
        `request`
        ```cel
        request: kubernetes.AdmissionRequest
        ```

        The attributes of the request, such as the operation, the resource and the user.
    "#]],
    );
    check(
        &validation("variables.li$0mit == 1"),
        &expect![[r#"
        `limit`
        ```cel
        limit: int
        ```

        ```cel
        5
        ```
    "#]],
    );
    check(
        &validation("request.userInfo.gro$0ups.size() == 1"),
        &expect![[r#"
            `groups`
            ```cel
            groups: list(string)
            ```

            Field of `kubernetes.UserInfo`. groups is the names of groups this user is a part of.
        "#]],
    );
    check(
        &validation("object.list.all(c, c$0.x)"),
        &expect![[r#"
        `c`
        ```cel
        c: dyn
        ```

        Loop variable of `all` over `object.list`.
    "#]],
    );
    check(
        &validation("type(object) == int$0"),
        &expect![[r#"
        `int`
        ```cel
        type int
        ```
    "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn functions_show_the_signature_that_is_meant_first() {
    check(
        &validation("request.name.starts$0With('a')"),
        &expect![[r#"
            `startsWith`
            ```cel
            string.startsWith(string) -> bool
            ```

            Returns true if the string starts with the other string.

            Example: `'team-a'.startsWith('team-')`
        "#]],
    );
    check(
        &validation("si$0ze(request.name) == 1"),
        &expect![[r#"
            `size`
            ```cel
            size(string) -> int
            ```

            Returns the number of elements of a list, entries of a map, code points of a string, or bytes.

            Example: `size([1, 2]) == 2 && 'été'.size() == 3`

            Other signatures:

            ```cel
            size(bytes) -> int
            bytes.size() -> int
            size(list(A)) -> int
            list(A).size() -> int
            size(map(A, B)) -> int
            map(A, B).size() -> int
            ```

            … and 1 more.
        "#]],
    );
    check(
        &validation("opti$0onal.of(1).hasValue()"),
        &expect![[r#"
            `optional`
            ```cel
            optional.of(V) -> optional_type(V)
            ```

            Returns an optional that contains the value.

            Example: `optional.of(1).value() == 1`

            Since Kubernetes 1.29.
        "#]],
    );
    check(
        &validation("cidr('10.0.0.0/8').containsIP$0('10.0.0.1')"),
        &expect![[r#"
            `containsIP`
            ```cel
            net.CIDR.containsIP(string) -> bool
            ```

            Returns whether the range contains an IP address, which may be a string.

            Example: `cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))`

            Since Kubernetes 1.31.

            Other signatures:

            ```cel
            net.CIDR.containsIP(net.IP) -> bool
            ```
        "#]],
    );
}

#[test]
fn macros_and_operators_are_explained() {
    check(
        &validation("'[1].exi$0sts(x, x == 1)'"),
        &expect![[r#"
            `exists`
            ```cel
            list.exists(x, condition) -> bool
            ```

            Here it returns `bool`.

            Returns whether the condition is true for at least one element of a list or key of a map. With two variables, the first is the index or key and the second the value.

            Example: `[1, 2].exists(x, x > 1)`
        "#]],
    );
    check(
        &validation("1 +$0 2 == 3"),
        &expect![[r#"
            `+`
            ```cel
            int + int -> int
            ```

            Adds numbers, timestamps and durations; concatenates strings, bytes and lists.

            Example: `1 + 2 == 3 && 'a' + 'b' == 'ab' && [1] + [2] == [1, 2]`
        "#]],
    );
    check(
        &validation("h$0as(object.a)"),
        &expect![[r#"
            `has`
            ```cel
            has(object.field) -> bool
            ```

            Here it returns `bool`.

            Returns whether the field is present. For a map key, use `'key' in map`.

            Example: `has({'a': 1}.a) && !has({'a': 1}.b)`
        "#]],
    );
}

#[test]
fn places_are_found_in_every_style() {
    for expression in [
        "\"'\\u00e9😀' == request.na$0me\"",
        ">-\r\n        true &&\r\n        request.na$0me == ''",
    ] {
        check(
            &validation(expression),
            &expect![[r#"
                `name`
                ```cel
                name: string
                ```

                Field of `kubernetes.AdmissionRequest`. The name of the object. Empty if the server generates it, and for deletions of a collection.
            "#]],
        );
    }
    check(
        &validation("'request.name == ''a'' && request.dry$0Run'"),
        &expect![[r#"
            `dryRun`
            ```cel
            dryRun: bool
            ```

            Field of `kubernetes.AdmissionRequest`. Whether the request is not persisted.
        "#]],
    );
}

#[test]
fn a_half_written_expression_is_explained_as_far_as_it_goes() {
    check(
        &validation("request.na$0me == object."),
        &expect![[r#"
            `name`
            ```cel
            name: string
            ```

            Field of `kubernetes.AdmissionRequest`. The name of the object. Empty if the server generates it, and for deletions of a collection.
        "#]],
    );
    check(
        &validation("nope$0.x"),
        &expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn macros_say_since_when_they_are_there() {
    check(
        &validation("object.map.a$0ll(k, v, k != v)"),
        &expect![[r#"
            `all`
            ```cel
            list.all(x, condition) -> bool
            ```

            Here it returns `bool`.

            Returns whether the condition is true for all elements of a list or all keys of a map. With two variables, the first is the index or key and the second the value.

            Example: `[1, 2].all(x, x > 0)`

            With two variables since Kubernetes 1.33.
        "#]],
    );
    check(
        &validation("object.list.sort$0By(x, x.y).size() == 1"),
        &expect![[r#"
            `sortBy`
            ```cel
            list.sortBy(x, key) -> list
            ```

            Here it returns `dyn`.

            Returns the elements of a list sorted by their keys, which are numbers, strings, bytes, booleans, timestamps or durations.

            Example: `['ccc', 'a', 'bb'].sortBy(x, size(x)) == ['a', 'bb', 'ccc']`

            Since Kubernetes 1.35.
        "#]],
    );
}

#[test]
fn what_only_newer_servers_have_is_shown_as_well() {
    let target = |expression: &str| format!("# kubernetes = \"1.30\"\n{}", validation(expression));
    check(
        &target("isI$0P(object.a)"),
        &expect![[r#"
        `isIP`
        ```cel
        isIP(string) -> bool
        ```

        Returns whether the string is a valid IP address.

        Example: `isIP('10.0.0.1') && !isIP('10.0.0.256')`

        Since Kubernetes 1.31.
    "#]],
    );
    check(
        &target("lists.ran$0ge(3).size() == 3"),
        &expect![[r#"
            `range`
            ```cel
            lists.range(int) -> list(int)
            ```

            Returns a list of the integers from 0 up to but not including the given number.

            Example: `lists.range(3) == [0, 1, 2]`

            Since Kubernetes 1.35.
        "#]],
    );
    check(
        &target("nope$0(3).size() == 3"),
        &expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn schemas_know_the_fields_of_objects() {
    check(
        &validation("object.spec.repl$0icas < 1"),
        &expect![[r#"
        `replicas`
        ```cel
        replicas: int
        ```

        Deployment: Optional.

        Number of desired pods. This is a pointer to distinguish between explicit zero and not specified. Defaults to 1.
    "#]],
    );
    check(
        &validation(
            "object.spec.template.spec.containers.all(c, c.resources.lim$0its['cpu'] != '')",
        ),
        &expect![[r#"
            `limits`
            ```cel
            limits: map(string, quantity)
            ```

            Deployment: Optional.

            Limits describes the maximum amount of compute resources allowed. More info: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
        "#]],
    );
}

#[test]
fn schemas_know_what_variables_of_macros_hold() {
    check(
        &validation("object.spec.template.spec.containers.all(c, $0c.name != '')"),
        &expect![[r#"
            `c`
            ```cel
            c: Container
            ```

            Loop variable of `all` over `object.spec.template.spec.containers`.
        "#]],
    );
    check(
        &validation("oldObject.spec.template.spec.dnsPol$0icy != ''"),
        &expect![[r#"
            `dnsPolicy`
            ```cel
            dnsPolicy: string
            ```

            Deployment: Optional. One of `"ClusterFirst"`, `"ClusterFirstWithHostNet"`, `"Default"`, `"None"`.

            Set DNS policy for the pod. Defaults to "ClusterFirst". Valid values are 'ClusterFirstWithHostNet', 'ClusterFirst', 'Default' or 'None'. DNS parameters given in DNSConfig will be merged with the policy selected with DNSPolicy. To have DNS options set along with hostNetwork, you have to specify DNS policy explicitly to 'ClusterFirstWithHostNet'.
        "#]],
    );
}

#[test]
fn keys_of_a_manifest_show_the_meaning_of_the_field() {
    let failure_policy = hovered(&policy("  failure$0Policy: Fail\n")).unwrap();
    let values = "failurePolicy: string\n```\n\nOptional. One of `Fail`, `Ignore`.";
    assert!(failure_policy.contains(values), "{failure_policy}");
    let expression = hovered(&policy("  validations:\n    - expre$0ssion: 'true'\n")).unwrap();
    assert!(
        expression.contains("Required.\n\nexpression represents the expression"),
        "{expression}"
    );
    let actions = binding("a", "policyName: a").replace("Actions", "Act$0ions");
    let actions = hovered(&actions).unwrap();
    assert!(actions.starts_with("```cel\nvalidationActions: list(string)\n```"));
    assert_eq!(hovered("apiVersion: v1\nkind: Unknown\nspe$0c: {}\n"), None);
}

#[test]
fn the_kind_of_parameters_shows_its_scope() {
    let params = "  paramKind: {apiVersion: v1, kind: Config$0Map}\n";
    let shown = hovered(&policy(params)).unwrap();
    assert!(shown.contains("\n\nNamespaced: "), "{shown}");
}

#[test]
fn strings_show_what_they_mean() {
    let shown = |expression: &str| hovered(&validation(expression)).unwrap();
    let regex = shown("object.metadata.name.matches('^a$0')");
    assert!(regex.contains("beginning of the string"), "{regex}");
    assert!(shown("request.opera$0tion == 'a'").contains("One of `CREATE`"));
    let mutation = |patch: &str, expression: &str| {
        let rules = "{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], \
                     resources: [deployments]}";
        let source = format!(
            "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\n\
             metadata: {{name: demo}}\nspec:\n  matchConstraints: {{resourceRules: [{rules}]}}\n  \
             mutations:\n    - {patch}:\n        expression: >-\n          {expression}\n"
        );
        hovered(&source).unwrap()
    };
    let path = mutation(
        "jsonPatch",
        "[JSONPatch{op: 'add', path: '/spec/repli$0cas'}]",
    );
    assert!(
        path.contains("replicas: int") && path.contains("Deployment"),
        "{path}"
    );
    let op = mutation("jsonPatch", "[JSONPatch{o$0p: 'add', path: '/spec'}]");
    assert!(op.contains("`remove`"), "{op}");
    let field = mutation(
        "applyConfiguration",
        "Object{spec: Object.spec{repli$0cas: 1}}",
    );
    assert!(field.contains("replicas: int"), "{field}");
}

#[test]
fn keys_of_inputs_have_their_meaning_at_every_depth() {
    let at = |source: &str| hovered(source).unwrap_or_default();
    assert!(at("exp$0ect: deny\n").contains("makes the input a test"));
    let user = at("request:\n  userInfo:\n    gro$0ups: [a]\n");
    assert!(user.contains("The groups of the user."), "{user}");
    let verb = at("authorizer:\n- decision: deny\n  ve$0rb: get\n");
    assert!(verb.contains("Defaults to `\"*\"`."), "{verb}");
    assert_eq!(hovered("request:\n  use$0r: {}\n"), None);
}

#[test]
fn keys_and_values_of_schemas_show_their_meaning() {
    let at = |schema: &str| {
        let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
        let source =
            format!("{head}spec: {{versions: [{{schema: {{openAPIV3Schema: {{{schema}}}}}}}]}}\n");
        hovered(&source).unwrap_or_default()
    };
    let ty = at("ty$0pe: object");
    assert!(ty.contains("Optional.\n\nThe type of the value:"), "{ty}");
    let object = at("type: ob$0ject");
    assert!(object.starts_with("`object`: An object with"), "{object}");
    assert!(at("format: date-$0time").contains("A `timestamp` in CEL."));
    assert!(at("pattern: a$0").contains("It matches any part of the string."));
    let property = "type: object, properties: {a: {type: string, description: The name.}}";
    let required = at(&format!("{property}, required: [a$0]"));
    assert_eq!(required, "`a`: string\n\nThe name.");
    assert_eq!(at("description: so$0me"), "");
}

#[test]
fn checks_of_the_authorizer_show_what_they_are_about() {
    let shown = |expression: &str| hovered(&validation(expression)).unwrap();
    let check = "authorizer.group('').resource('pods').subresource('exec').check('create')";
    let at = |part: &str| shown(&check.replacen(part, &format!("{part}$0"), 1));
    assert!(at("group('").contains("The core API group: `"));
    assert!(at("resource('p").contains("v1, Kind=Pod\n"));
    assert!(at("subresource('e").contains("pods/exec, Kind=PodExecOptions"));
    assert!(at("check('c").contains("The verb `create`. Creates an object."));
    let path = shown("authorizer.path('/healthz').check('g$0et').allowed()");
    assert!(path.contains("The HTTP method `GET`."), "{path}");
    let other = shown("object.metadata.name.startsWith('cre$0ate')");
    assert!(!other.contains("The verb"), "{other}");
}

#[test]
fn fields_of_the_request_show_their_meaning() {
    let shown = |expression: &str| hovered(&validation(expression)).unwrap();
    let user = shown("request.user$0Info.username == ''");
    assert!(
        user.ends_with("Field of `kubernetes.AdmissionRequest`. The user who sends the request."),
        "{user}"
    );
    assert!(shown("request.operat$0ion == 'CREATE'").contains("One of `CREATE`"));
    let labels = shown("namespaceObject.metadata.la$0bels == {}");
    assert!(labels.contains("Map of string keys and values"), "{labels}");
}

#[test]
fn fields_of_a_rule_show_whether_they_are_required() {
    let schema = "
        properties:
          class: {type: string, format: uuid}
          home-port: {type: string}
        required: [class]
        x-kubernetes-validations:
        - rule: ";
    let at = |rule: &str| hovered(&crd(&format!("{schema}{rule}\n"))).unwrap();
    let class = at("self.cla$0ss == ''");
    assert!(class.ends_with("Required. Format: `uuid`."), "{class}");
    let port = at("self.home__dash__p$0ort == ''");
    assert!(
        port.ends_with("The field `home-port`, escaped.\n\nOptional."),
        "{port}"
    );
}

#[test]
fn a_field_that_no_kind_has_shows_nothing() {
    let at = |expression: &str| hovered(&validation(expression));
    assert_eq!(at("object.spec.nosu$0ch == 1"), None);
    assert!(at("object.spec.repl$0icas == 1").is_some());
}

#[test]
fn the_value_of_an_optional_is_no_loop_variable() {
    let shown = hovered(&validation(
        "object.?spec.optMap(s$0, s.replicas).orValue(1) == 1",
    ));
    assert!(shown.unwrap().ends_with("The value of `object.?spec`."));
}

//! Which warnings reach the client.

use super::super::response::{Response, recorded};
use super::{POLICY, SECRET, answer, api_server, binding, config, read};
use crate::warning::Warning;
use crate::{ApiServer, EvaluationLimits, Inputs, Request, Resources};
use kubernetes::ServerVersion;
use kubernetes::openapi::Catalog;

fn messages(response: Response) -> Vec<String> {
    response.warnings.into_iter().map(|it| it.message).collect()
}

/// Upstream: kubernetes/apiserver, pkg/endpoints/filters/warning.go, AddWarning.
#[test]
fn a_warning_comes_once() {
    let binding = binding("  validationActions: [Warn]\n  paramRef: {selector: {}}");
    let policy = POLICY.replace("messageExpression", "message: refused\n    # ");
    let api_server = api_server(
        &format!("{policy}{binding}"),
        &[config("one", "no"), config("two", "no")],
    );
    assert_eq!(
        messages(answer(&api_server, Some(SECRET), None)),
        ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': refused"]
    );
}

/// Upstream: kubernetes/apimachinery, pkg/util/net/http.go, NewWarningHeader.
#[test]
fn a_warning_of_several_lines_does_not_come() {
    let binding = binding("  validationActions: [Warn]\n  paramRef: {selector: {}}");
    let policy = POLICY
        .replace("expression: params", "expression: |-\n      params")
        .replace("messageExpression", "# ")
        .replace(".allow ==", ".allow\n      ==");
    let api_server = api_server(&format!("{policy}{binding}"), &[config("one", "no")]);
    let response = answer(&api_server, Some(SECRET), None);
    assert!(
        response.allowed && response.warnings.is_empty(),
        "{response:?}"
    );
}

/// Upstream: kubernetes/apiserver, pkg/endpoints/filters/warning.go, AddWarning.
#[test]
fn many_warnings_are_cut() {
    let warnings = |length: usize, count: u8| -> Vec<Warning> {
        let letters = (b'a'..).take(usize::from(count));
        letters
            .map(|letter| Warning::from_request(char::from(letter).to_string().repeat(length)))
            .collect()
    };
    assert_eq!(recorded(warnings(1024, 4)), warnings(1024, 4));
    assert_eq!(recorded(warnings(1024, 5)), warnings(256, 5));
    assert_eq!(recorded(warnings(300, 20)), warnings(256, 16));
}

/// Upstream: kubernetes/apiserver, pkg/endpoints/installer.go, registerResourceHandlers.
#[test]
fn deprecated_kinds_are_answered_with_a_warning() {
    let answer = |server: u8| {
        let kinds = Catalog::built_in(ServerVersion(server));
        let server = ApiServer::new(kinds.clone(), Resources::from_catalog(kinds));
        let object = read("{apiVersion: v1, kind: Endpoints, metadata: {name: a}}");
        let inputs = Inputs {
            object: Some(object),
            ..Inputs::default()
        };
        let request = Request::new(inputs, server.resources()).unwrap();
        messages(server.admit(&request, &EvaluationLimits::default()))
    };
    assert_eq!(answer(32), Vec::<String>::new());
    assert_eq!(
        answer(33),
        ["v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"]
    );
}

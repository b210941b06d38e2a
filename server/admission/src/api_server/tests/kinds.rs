//! The validation of built-in kinds that no policy has changed.

use super::{cluster, read};
use crate::{EvaluationLimits, Inputs, Request, Response};
use kubernetes::defaults;

/// The response to a request about an object.
fn response(object: &str, old: Option<&str>) -> Response {
    let cluster = cluster("", &[]);
    let complete = |text: &str| {
        let mut object = read(text);
        defaults::apply(cluster.kinds(), &mut object);
        object
    };
    let inputs = Inputs {
        object: Some(complete(object)),
        old_object: old.map(complete),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, cluster.resources()).unwrap();
    request.fill_in();
    cluster.admit(&request, &EvaluationLimits::default())
}

/// The causes of a denial; empty if the request is allowed.
fn causes(response: &Response) -> Vec<String> {
    let causes = response.causes.iter();
    causes
        .map(|cause| format!("{}: {}", cause.field, cause.message))
        .collect()
}

fn certificate_request(request: &str, rest: &str) -> String {
    format!(
        "{{apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {{name: \
         c}}, spec: {{request: {request}, {rest}}}}}"
    )
}

/// A request as `openssl req -new` writes it.
const REQUEST: &str = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIRk1HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCSTc5QnBlbHhZbThCbXhuYVpENkJpdXRZVHI1bmdmUFhJQTIrbXpMUkR6by9VaEF6WjlpK3pXS09oOVAzd2VsCll0NUFLc2lveG9VY3cxTWErMkxQazcyZ0FEQUtCZ2dxaGtqT1BRUURBZ05IQURCRUFpQjl1UVZldDlESlJpdHcKNDFEa09OWThvYllYcEhXK3pwYXZWMWlTTWtFdGhRSWdVWWFuTGI0REZRTWJRUVVMTENuNFYzTTh6d29VK0thaQpmckVhZ0VWQlZjWT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

#[test]
fn a_certificate_request_has_its_user() {
    let right = "signerName: a.io/b, usages: [client auth]";
    let allowed = response(&certificate_request(REQUEST, right), None);
    assert_eq!(causes(&allowed), [""; 0]);
    let object = allowed.object.unwrap().to_string();
    assert!(object.contains("username: kubernetes-admin"), "{object}");
    assert!(
        object.contains("groups: [system:masters, system:authenticated]"),
        "{object}"
    );
}

#[test]
fn a_certificate_request_is_decoded() {
    let right = "signerName: a.io/b, usages: [client auth]";
    let not_pem = response(&certificate_request("YWJj", right), None);
    assert_eq!(
        causes(&not_pem),
        [r#"spec.request: Invalid value: "YWJj": PEM block type must be CERTIFICATE REQUEST"#]
    );
    assert_eq!((not_pem.code, &*not_pem.reason), (422, "Invalid"));
}

#[test]
fn the_fields_of_a_certificate_request_are_validated() {
    let found = |rest: &str| {
        let causes = causes(&response(&certificate_request(REQUEST, rest), None));
        let short = causes
            .iter()
            .map(|it| it.split(", \"cert").next().unwrap().to_owned());
        short.collect::<Vec<_>>()
    };
    assert_eq!(
        found("signerName: x, usages: [signing, x, signing], expirationSeconds: 599"),
        [
            r#"spec.usages[1]: Unsupported value: "x": supported values: "any""#,
            r#"spec.usages[2]: Duplicate value: "signing""#,
            r#"spec.signerName: Invalid value: "x": must be a fully qualified domain and path of the form 'example.com/signer-name'"#,
            "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)",
        ]
    );
    assert_eq!(
        found("signerName: kubernetes.io/legacy-unknown, usages: []"),
        [
            "spec.usages: Required value",
            r#"spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version"#,
        ]
    );
}

#[test]
fn a_certificate_request_keeps_its_specification() {
    let right = "signerName: a.io/b, usages: [client auth]";
    let old = certificate_request(REQUEST, right);
    let new = certificate_request("YWJj", "signerName: x, usages: []");
    let response = response(&new, Some(&old));
    assert_eq!(causes(&response), [""; 0]);
    let object = response.object.unwrap().to_string();
    assert!(object.contains("signerName: a.io/b"), "{object}");
}

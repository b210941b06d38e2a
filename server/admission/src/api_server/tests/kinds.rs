//! The validation of built-in kinds that no policy has changed.

use super::{api_server, read};
use crate::{EvaluationLimits, Inputs, Request, Response};
use kubernetes::defaults;

/// Returns the response to a request about an object.
fn response(object: &str, old: Option<&str>) -> Response {
    response_to(object, old, false)
}

fn response_to(object: &str, old: Option<&str>, is_unchanged: bool) -> Response {
    let api_server = api_server("", &[]);
    let complete = |text: &str| {
        let mut object = read(text);
        defaults::apply(api_server.kinds(), &mut object);
        object
    };
    let inputs = Inputs {
        object: Some(complete(object)),
        old_object: old.map(complete),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, api_server.resources()).unwrap();
    request.is_unchanged = is_unchanged;
    request.fill_in();
    request.validates = true;
    api_server.admit(&request, &EvaluationLimits::default())
}

/// Returns the causes of a denial; empty if the request is allowed.
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

/// A request from `openssl req -new`.
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

/// Returns a job, with the labels and the selector that the server sets, and more of its
/// specification.
fn job(labels: &str, selector: &str, rest: &str) -> String {
    format!(
        "{{apiVersion: batch/v1, kind: Job, metadata: {{name: j, namespace: a, uid: u}}, spec: \
         {{{selector}{rest} template: {{metadata: {{labels: {{{labels}}}}}, spec: {{restartPolicy: \
         Never, containers: [{{name: a, image: i}}]}}}}}}}}"
    )
}

const LABELS: &str = "controller-uid: u, job-name: j, batch.kubernetes.io/controller-uid: u, \
    batch.kubernetes.io/job-name: j";
const SELECTOR: &str = "selector: {matchLabels: {batch.kubernetes.io/controller-uid: u}},";

/// Returns the causes for an update of a job, without the text after the names of types.
fn job_causes(new: &str, old: &str) -> Vec<String> {
    let causes = causes(&response(new, Some(old)));
    let short = causes
        .iter()
        .map(|cause| match cause.split_once("\"Spec\"") {
            Some((start, _)) => start.to_owned(),
            None => cause.clone(),
        });
    short.collect()
}

#[test]
fn a_job_keeps_its_selector_and_its_template() {
    let written = job("", "", "");
    let stored = job(LABELS, SELECTOR, "");
    assert_eq!(job_causes(&stored, &written), [""; 0]);
    assert_eq!(
        job_causes(
            &stored.replace("uid: u}, spec", "uid: u, labels: {a: b}}, spec"),
            &stored
        ),
        [""; 0]
    );
    let required = "spec.selector: Required value";
    let labels = "spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`";
    assert_eq!(
        job_causes(&written, &written),
        [
            required,
            labels,
            required,
            labels,
            "spec.selector: Invalid value: null: field is immutable",
            "spec.template: Invalid value: {",
        ]
    );
    let other = job(&LABELS.replace("job-name: j", "job-name: k"), SELECTOR, "");
    let found = job_causes(&other, &stored);
    assert!(found[0].starts_with("spec.template.metadata.labels[job-name]: Invalid value: {"));
    assert!(found[0].ends_with("}: must be 'j'"), "{found:?}");
    let without = job(&LABELS.replace("job-name: j,", ""), SELECTOR, "");
    assert_eq!(
        job_causes(&without, &stored)[0],
        "spec.template.metadata.labels[job-name]: Required value: must be 'j'"
    );
    let wrong = job(LABELS, "selector: {matchLabels: {controller-uid: v}},", "");
    assert_eq!(
        job_causes(&wrong, &stored)[0],
        r#"spec.selector: Invalid value: {"matchLabels":{"controller-uid":"v"}}: `selector` not auto-generated"#
    );
}

#[test]
fn an_update_without_changes_sends_what_is_stored() {
    let written = job("", "", "");
    let response = response_to(&written, Some(&written), true);
    assert_eq!(causes(&response), [""; 0]);
    let object = response.object.unwrap().to_string();
    assert!(
        object.contains("generation: 1") && object.contains("job-name: j"),
        "{object}"
    );
}

#[test]
fn fields_of_a_job_are_immutable() {
    let indexed = "completionMode: Indexed, completions: 3, parallelism: 3,";
    for (old, new, expected) in [
        (
            "completions: 1,",
            "completions: 2,",
            "spec.completions: Invalid value: 2: field is immutable",
        ),
        (
            indexed,
            "completionMode: Indexed, completions: 4, parallelism: 4,",
            "",
        ),
        (
            indexed,
            "completionMode: Indexed, completions: 4, parallelism: 3,",
            "spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism",
        ),
        (
            "",
            "podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: x}]}]},",
            r#"spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Ignore","OnExitCodes":null,"OnPodConditions":[{"Type":"x","Status":"True"}]}]}: field is immutable"#,
        ),
        (
            "managedBy: a.io/b,",
            "",
            "spec.managedBy: Invalid value: null: field is immutable",
        ),
        (
            "",
            "ttlSecondsAfterFinished: 3, completions: 1, parallelism: 2, suspend: true,",
            "",
        ),
        ("suspend: true,", "suspend: false,", ""),
    ] {
        let [old, new] = [old, new].map(|rest| job(LABELS, SELECTOR, rest));
        assert_eq!(job_causes(&new, &old).join(" | "), expected, "{new}");
    }
}

#[test]
fn a_suspended_job_can_change_where_it_runs() {
    let old = job(LABELS, SELECTOR, "suspend: true,");
    let resources = "image: i, resources: {limits: {cpu: 1}}";
    let new = old
        .replace(
            "restartPolicy",
            "nodeSelector: {a: b}, affinity: {nodeAffinity: {}}, restartPolicy",
        )
        .replace("image: i", resources);
    assert_eq!(job_causes(&new, &old), [""; 0]);
    let image = old.replace("image: i", "image: j");
    assert_eq!(job_causes(&image, &old).len(), 1);
    let running = old.replace("suspend: true", "suspend: false");
    assert_eq!(
        job_causes(&new.replace("suspend: true", "suspend: false"), &running).len(),
        1
    );
}

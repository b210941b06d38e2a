//! A pod through ten policies, stage by stage.
//!
//! `replay` does this for each object of a cluster: the defaults of its kind, the request, and
//! the response of the server.
//! `cargo bench -p bench --bench admission`.

use admission::{ApiServer, EvaluationLimits, Inputs, Request, Resources};
use cel::Value;
use divan::{Bencher, black_box};
use kubernetes::defaults;
use kubernetes::openapi::Catalog;
use policy::recognize;
use std::sync::Arc;

/// Ten policies of pods with their bindings.
const POLICIES: &str = include_str!("policies/pods.yaml");
/// A pod of 4 kB, in JSON.
const POD: &str = include_str!("manifests/pod.json");
/// The namespace of the pod.
const NAMESPACE: &str = "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {kubernetes.io/metadata.name: shop}}}";

/// The allocator of the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

fn read(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().and_then(yaml::Document::root);
    root.and_then(kubernetes::object).unwrap_or(Value::Null)
}

fn kinds() -> Arc<Catalog> {
    Catalog::built_in(kubernetes::ServerVersion(36))
}

fn pod() -> Value {
    let mut pod = read(POD);
    defaults::apply(&kinds(), &mut pod);
    pod
}

fn request(pod: Value) -> Option<Request> {
    let inputs = Inputs {
        object: Some(pod),
        ..Inputs::default()
    };
    Request::new(inputs, &Resources::default()).ok()
}

fn api_server() -> ApiServer {
    let mut api_server = ApiServer::new(kinds(), Resources::default());
    let recognition = recognize(&Arc::new(yaml::parse(POLICIES.into())));
    assert_eq!(recognition.policies.len(), 20);
    for document in recognition.policies {
        api_server.add(document);
    }
    api_server.add_object(read(NAMESPACE));
    api_server
}

/// Sets the defaults of a pod, as before admission.
#[divan::bench]
fn defaults_of_a_pod(bencher: Bencher<'_, '_>) {
    let kinds = kinds();
    bencher.with_inputs(|| read(POD)).bench_values(|mut pod| {
        defaults::apply(&kinds, &mut pod);
        pod
    });
}

/// Creates the request for a pod, with its resource and namespace.
#[divan::bench]
fn request_of_a_pod(bencher: Bencher<'_, '_>) {
    let pod = pod();
    bencher.with_inputs(|| pod.clone()).bench_values(request);
}

/// Computes the response to a pod: ten policies match, and none denies it.
#[divan::bench]
fn ten_policies(bencher: Bencher<'_, '_>) {
    let api_server = api_server();
    let Some(request) = request(pod()) else {
        return;
    };
    let limits = EvaluationLimits::default();
    let response = api_server.admit(&request, &limits);
    assert!(response.allowed, "{response:?}");
    bencher.bench(|| api_server.admit(black_box(&request), &limits));
}

/// Measures all steps, except for parsing.
#[divan::bench]
fn from_object_to_answer(bencher: Bencher<'_, '_>) {
    let api_server = api_server();
    let limits = EvaluationLimits::default();
    let object = || read(POD);
    bencher.with_inputs(object).bench_values(|mut pod| {
        defaults::apply(api_server.kinds(), &mut pod);
        request(pod).map(|request| api_server.admit(&request, &limits))
    });
}

//! The dump that `replay` is measured on: the pods of a large cluster, as returned by its server.
//!
//! One pod per line, about 4.6 kB each, 100,000 of them 456 MB: two containers, probes, the
//! volume of the service account, tolerations and a status. Nothing in them is random. Some of them
//! break some of the policies in `benches/policies/pods.yaml`.

use crate::Error;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

/// Pods of one namespace.
const NAMESPACE: usize = 250;

/// Writes `count` pods to a file. Returns their number and their size in bytes.
pub(crate) fn write(path: &Path, count: usize) -> Result<Value, Error> {
    let io = |source| Error::Io(format!("cannot write {}", path.display()), source);
    let mut file = BufWriter::new(File::create(path).map_err(io)?);
    let mut bytes = 0;
    for number in 0..count {
        let mut pod = pod(number);
        pod.push('\n');
        bytes += pod.len();
        file.write_all(pod.as_bytes()).map_err(io)?;
    }
    file.flush().map_err(io)?;
    Ok(json!({ "pods": count, "bytes": bytes }))
}

/// Returns the pod with this number.
fn pod(number: usize) -> String {
    let mut out = String::with_capacity(5_000);
    metadata(&mut out, number);
    container(&mut out, "app", number);
    out.push(',');
    container(&mut out, "proxy", number);
    rest_of_spec(&mut out, number);
    status(&mut out, number);
    out.push('}');
    out
}

/// Writes everything before the containers.
fn metadata(out: &mut String, number: usize) {
    let namespace = number / NAMESPACE;
    let app = number % 97;
    let _ = write!(
        out,
        "{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"annotations\":\
         {{\"checksum/config\":\"{number:064x}\",\"prometheus.io/port\":\"9090\",\
         \"prometheus.io/scrape\":\"true\"}},\"creationTimestamp\":\"2026-03-14T09:26:53Z\",\
         \"generateName\":\"app-{app}-7c9d8b6f5-\",\"generation\":1,\"labels\":\
         {{\"app.kubernetes.io/instance\":\"app-{app}\",\"app.kubernetes.io/name\":\"app-{app}\",\
         \"app.kubernetes.io/version\":\"1.{app}.0\",\"pod-template-hash\":\"7c9d8b6f5\",\
         \"team\":\"team-{}\"}},\"name\":\"app-{app}-7c9d8b6f5-{number:05}\",\
         \"namespace\":\"ns-{namespace}\",\"ownerReferences\":[{{\"apiVersion\":\"apps/v1\",\
         \"blockOwnerDeletion\":true,\"controller\":true,\"kind\":\"ReplicaSet\",\
         \"name\":\"app-{app}-7c9d8b6f5\",\"uid\":\"{number:032x}\"}}],\
         \"resourceVersion\":\"{}\",\"uid\":\"{number:08x}-1111-4222-8333-444455556666\"}},\
         \"spec\":{{\"containers\":[",
        app % 12,
        1_000_000 + number,
    );
}

/// Writes everything between the containers and the status.
fn rest_of_spec(out: &mut String, number: usize) {
    let app = number % 97;
    let _ = write!(
        out,
        "],\"dnsPolicy\":\"ClusterFirst\",\"enableServiceLinks\":true,\"nodeName\":\
         \"node-{}.example.internal\",\"preemptionPolicy\":\"PreemptLowerPriority\",\
         \"priority\":0,\"restartPolicy\":\"Always\",\"schedulerName\":\"default-scheduler\",\
         \"securityContext\":{{\"fsGroup\":2000,\"runAsNonRoot\":{}}},\"serviceAccount\":\
         \"app-{app}\",\"serviceAccountName\":\"app-{app}\",\
         \"terminationGracePeriodSeconds\":30,\"tolerations\":[{{\"effect\":\"NoExecute\",\
         \"key\":\"node.kubernetes.io/not-ready\",\"operator\":\"Exists\",\
         \"tolerationSeconds\":300}},{{\"effect\":\"NoExecute\",\
         \"key\":\"node.kubernetes.io/unreachable\",\"operator\":\"Exists\",\
         \"tolerationSeconds\":300}}],\"volumes\":[{{\"configMap\":{{\"defaultMode\":420,\
         \"name\":\"app-{app}\"}},\"name\":\"config\"}},{{\"name\":\"kube-api-access\",\
         \"projected\":{{\"defaultMode\":420,\"sources\":[{{\"serviceAccountToken\":\
         {{\"expirationSeconds\":3607,\"path\":\"token\"}}}},{{\"configMap\":{{\"items\":\
         [{{\"key\":\"ca.crt\",\"path\":\"ca.crt\"}}],\"name\":\"kube-root-ca.crt\"}}}}]}}}}]}},",
        number % 1_000,
        !number.is_multiple_of(50),
    );
}

fn container(out: &mut String, name: &str, number: usize) {
    let registry = match number % 200 {
        0 => "docker.io/library",
        _ => "registry.example.com/platform",
    };
    let limits = match number % 40 {
        0 => "",
        _ => "\"limits\":{\"cpu\":\"500m\",\"memory\":\"256Mi\"},",
    };
    let _ = write!(
        out,
        "{{\"args\":[\"--config=/etc/{name}/config.yaml\",\"--log-level=info\"],\"env\":\
         [{{\"name\":\"POD_NAME\",\"valueFrom\":{{\"fieldRef\":{{\"apiVersion\":\"v1\",\
         \"fieldPath\":\"metadata.name\"}}}}}},{{\"name\":\"REGION\",\"value\":\"eu-1\"}}],\
         \"image\":\"{registry}/{name}:1.{}.0\",\"imagePullPolicy\":\"IfNotPresent\",\
         \"livenessProbe\":{{\"failureThreshold\":3,\"httpGet\":{{\"path\":\"/healthz\",\
         \"port\":8080,\"scheme\":\"HTTP\"}},\"periodSeconds\":10,\"successThreshold\":1,\
         \"timeoutSeconds\":1}},\"name\":\"{name}\",\"ports\":[{{\"containerPort\":8080,\
         \"name\":\"http\",\"protocol\":\"TCP\"}}],\"resources\":{{{limits}\"requests\":\
         {{\"cpu\":\"100m\",\"memory\":\"128Mi\"}}}},\"securityContext\":\
         {{\"allowPrivilegeEscalation\":false,\"capabilities\":{{\"drop\":[\"ALL\"]}},\
         \"readOnlyRootFilesystem\":true}},\"terminationMessagePath\":\"/dev/termination-log\",\
         \"terminationMessagePolicy\":\"File\",\"volumeMounts\":[{{\"mountPath\":\
         \"/etc/{name}\",\"name\":\"config\"}},{{\"mountPath\":\
         \"/var/run/secrets/kubernetes.io/serviceaccount\",\"name\":\"kube-api-access\",\
         \"readOnly\":true}}]}}",
        number % 30,
    );
}

fn status(out: &mut String, number: usize) {
    out.push_str("\"status\":{\"conditions\":[");
    let conditions = ["Initialized", "Ready", "ContainersReady", "PodScheduled"];
    for (index, condition) in conditions.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(
            out,
            "{comma}{{\"lastProbeTime\":null,\"lastTransitionTime\":\"2026-03-14T09:27:0{index}Z\",\
             \"status\":\"True\",\"type\":\"{condition}\"}}"
        );
    }
    let address = format!(
        "10.{}.{}.{}",
        number >> 16 & 255,
        number >> 8 & 255,
        number & 255
    );
    let _ = write!(
        out,
        "],\"containerStatuses\":[{{\"containerID\":\"containerd://{number:064x}\",\"image\":\
         \"app:1\",\"imageID\":\"app@sha256:{number:064x}\",\"lastState\":{{}},\"name\":\"app\",\
         \"ready\":true,\"restartCount\":{},\"started\":true,\"state\":{{\"running\":\
         {{\"startedAt\":\"2026-03-14T09:27:01Z\"}}}}}}],\"hostIP\":\"192.168.0.1\",\
         \"phase\":\"Running\",\"podIP\":\"{address}\",\"podIPs\":[{{\"ip\":\"{address}\"}}],\
         \"qosClass\":\"Burstable\",\"startTime\":\"2026-03-14T09:26:53Z\"}}",
        number % 7,
    );
}

#[cfg(test)]
mod tests {
    use super::pod;
    use serde_json::Value;

    #[test]
    fn a_pod_is_json_of_the_size_that_is_told() {
        for number in [0, 1, 99_999] {
            let text = pod(number);
            assert!((3_600..4_800).contains(&text.len()), "{}", text.len());
            let pod: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(pod["kind"], "Pod");
            assert_eq!(pod["spec"]["containers"].as_array().map(Vec::len), Some(2));
        }
    }
}

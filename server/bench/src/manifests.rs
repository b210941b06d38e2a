//! The files that `check` is measured on: those of a typical repository of a platform team.
//!
//! One file in ten is a policy; the others are workloads, configuration and services that a check
//! must scan and skip. Together 5,000 of them are 26 MB. They are the same on every machine:
//! nothing in them is random.

use crate::Error;
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Limit: the length of a file in bytes, the mean that makes 5,000 files 26 MB.
const LENGTH: usize = 5_000;

/// Files in one folder, as people would part them.
const FOLDER: usize = 50;

/// Writes `count` files below `dir`. Returns their number and their size in bytes.
pub(crate) fn write(dir: &Path, count: usize) -> Result<Value, Error> {
    let mut bytes = 0;
    for number in 0..count {
        let folder = dir.join(format!("team-{:03}", number / FOLDER));
        let io = |source| Error::Io(format!("cannot write below {}", dir.display()), source);
        if number.is_multiple_of(FOLDER) {
            fs::create_dir_all(&folder).map_err(io)?;
        }
        let text = manifest(number);
        bytes += text.len();
        fs::write(folder.join(format!("app-{number:05}.yaml")), text).map_err(io)?;
    }
    Ok(json!({ "files": count, "bytes": bytes }))
}

/// Returns the content of the file with this number.
fn manifest(number: usize) -> String {
    let mut text = String::with_capacity(LENGTH + 1_000);
    if number.is_multiple_of(10) {
        policy(&mut text, number);
        return text;
    }
    while text.len() < LENGTH {
        if !text.is_empty() {
            text.push_str("---\n");
        }
        match (number + text.len()) % 3 {
            0 => deployment(&mut text, number),
            1 => config(&mut text, number),
            _ => service(&mut text, number),
        }
    }
    text
}

fn policy(text: &mut String, number: usize) {
    let _ = write!(
        text,
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
         metadata:\n  name: rules-{number}.example.com\nspec:\n  failurePolicy: Fail\n  \
         matchConstraints:\n    resourceRules:\n    - apiGroups: [apps]\n      \
         apiVersions: [v1]\n      operations: [CREATE, UPDATE]\n      \
         resources: [deployments]\n  variables:\n  - name: containers\n    \
         expression: object.spec.template.spec.containers\n  - name: labels\n    \
         expression: >-\n      has(object.metadata.labels)\n      ? object.metadata.labels\n      \
         : {{}}\n  validations:\n"
    );
    let mut index = 0;
    while text.len() < LENGTH {
        let _ = match index % 4 {
            0 => write!(
                text,
                "  - expression: >-\n      variables.containers.all(c,\n        \
                 c.image.startsWith('registry-{index}.example.com/'))\n    \
                 message: images come from registry {index}\n"
            ),
            1 => write!(
                text,
                "  - expression: |-\n      variables.containers.all(c,\n        \
                 has(c.resources.limits) &&\n        'memory' in c.resources.limits)\n    \
                 messageExpression: \"'limits are missing in ' + object.metadata.name\"\n"
            ),
            2 => write!(
                text,
                "  - expression: 'object.spec.replicas <= {index}0'\n    \
                 reason: Invalid\n"
            ),
            _ => write!(
                text,
                "  - expression: \"'example.com/key-{index}' in variables.labels\"\n    \
                 message: the label example.com/key-{index} is required\n"
            ),
        };
        index += 1;
    }
}

fn deployment(text: &mut String, number: usize) {
    let _ = write!(
        text,
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-{number}\n  \
         namespace: team\n  labels:\n    app.kubernetes.io/name: app-{number}\nspec:\n  \
         replicas: 3\n  selector:\n    matchLabels:\n      app: app-{number}\n  template:\n    \
         metadata:\n      labels:\n        app: app-{number}\n    spec:\n      containers:\n"
    );
    for container in 0..3 {
        let _ = write!(
            text,
            "      - name: c{container}\n        \
             image: registry.example.com/app-{number}/c{container}:1.{container}.0\n        \
             args: [\"--listen\", \"0.0.0.0:808{container}\", \"--level=info\"]\n        \
             env:\n        - name: HOME\n          value: /home/app\n        \
             - name: TOKEN\n          valueFrom:\n            secretKeyRef:\n              \
             name: app-{number}\n              key: token\n        \
             resources:\n          requests: {{cpu: 100m, memory: 128Mi}}\n          \
             limits: {{memory: 256Mi}}\n        \
             readinessProbe:\n          httpGet:\n            path: /ready\n            \
             port: 808{container}\n"
        );
    }
}

fn config(text: &mut String, number: usize) {
    let _ = write!(
        text,
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app-{number}\n  \
         namespace: team\ndata:\n  application.properties: |\n"
    );
    for key in 0..20 {
        let _ = writeln!(text, "    app.part-{key}.setting = value {key} of {number}");
    }
    text.push_str("  start.sh: |\n    #!/bin/sh\n    set -eu\n    exec /app --config /etc/app\n");
}

fn service(text: &mut String, number: usize) {
    let _ = write!(
        text,
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: app-{number}\n  namespace: team\n  \
         annotations:\n    example.com/owner: \"team {number}\"\nspec:\n  selector:\n    \
         app: app-{number}\n  ports:\n  - name: http\n    port: 80\n    targetPort: 8080\n"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_in_ten_is_a_policy_and_all_are_of_the_length_that_is_said() {
        let texts: Vec<String> = (0..100).map(manifest).collect();
        let policies = texts.iter().filter(|text| text.contains("AdmissionPolicy"));
        assert_eq!(policies.count(), 10);
        let mean = texts.iter().map(String::len).sum::<usize>() / texts.len();
        assert!((LENGTH..LENGTH + 1_000).contains(&mean), "{mean}");
    }

    #[test]
    fn the_files_can_be_read() {
        for number in 0..30 {
            let stream = yaml::parse(manifest(number).into());
            assert!(
                stream.errors().is_empty(),
                "{number}: {:?}",
                stream.errors()
            );
        }
    }
}

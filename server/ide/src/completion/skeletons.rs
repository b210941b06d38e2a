//! Whole documents, offered in an empty file or document.

use super::{Completion, CompletionKind, append, line_item};
use crate::file::SourceFile;
use text::{TextEdit, TextRange, TextSize};

/// The documents, each with its purpose and its text; `$` and `${}` are as in the tail of an item.
const DOCUMENTS: [(&str, &str, &str); 7] = [
    (
        "ValidatingAdmissionPolicy",
        "a policy that validates objects",
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [${apps}]
      apiVersions: [${v1}]
      operations: [CREATE, UPDATE]
      resources: [${deployments}]
  validations:
  - expression: ${object.spec.replicas > 1}
    message: ${The reason for the denial.}
",
    ),
    (
        "ValidatingAdmissionPolicyBinding",
        "a binding that puts a policy into effect",
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${name}
spec:
  policyName: ${policy}
  validationActions: [${Deny}]
",
    ),
    (
        "MutatingAdmissionPolicy",
        "a policy that changes objects",
        "apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  reinvocationPolicy: ${Never}
  matchConstraints:
    resourceRules:
    - apiGroups: [${apps}]
      apiVersions: [${v1}]
      operations: [CREATE]
      resources: [${deployments}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >-
        Object{spec: Object.spec{$}}
",
    ),
    (
        "MutatingAdmissionPolicyBinding",
        "a binding that puts a mutating policy into effect",
        "apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: ${name}
spec:
  policyName: ${policy}
",
    ),
    (
        "ValidatingWebhookConfiguration",
        "webhooks that validate objects",
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: ${name}
webhooks:
- name: ${name.example.com}
  clientConfig:
    service:
      namespace: ${default}
      name: ${webhook}
      path: /validate
  rules:
  - apiGroups: [${apps}]
    apiVersions: [${v1}]
    operations: [CREATE, UPDATE]
    resources: [${deployments}]
  sideEffects: None
  admissionReviewVersions: [v1]
",
    ),
    (
        "MutatingWebhookConfiguration",
        "webhooks that change objects",
        "apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: ${name}
webhooks:
- name: ${name.example.com}
  clientConfig:
    service:
      namespace: ${default}
      name: ${webhook}
      path: /mutate
  rules:
  - apiGroups: [${apps}]
    apiVersions: [${v1}]
    operations: [CREATE, UPDATE]
    resources: [${deployments}]
  sideEffects: None
  admissionReviewVersions: [v1]
",
    ),
    (
        "CustomResourceDefinition",
        "a kind with validation rules",
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${widgets.example.com}
spec:
  group: ${example.com}
  scope: Namespaced
  names:
    kind: ${Widget}
    plural: ${widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              $
",
    ),
];

const INPUT: (&str, &str, &str) = (
    "Admission input",
    "a request with its expected outcome",
    "name: ${name}
object:
  apiVersion: ${apps/v1}
  kind: ${Deployment}
  metadata:
    name: ${demo}
expect:
  decision: ${deny}
",
);

/// Returns a whole document of a kind. Each of `values` replaces a part of the skeleton.
pub(crate) fn document(kind: &str, values: &[(&str, &str)]) -> String {
    let skeleton = DOCUMENTS.iter().find(|(label, ..)| *label == kind);
    let skeleton = skeleton.map_or("", |(.., content)| content).to_owned();
    values.iter().fold(skeleton, |text, (part, value)| {
        text.replacen(part, value, 1)
    })
}

/// Returns the skeletons for an empty document, after the word at the cursor. `None` if the
/// document has content.
pub(super) fn completion(file: &SourceFile, offset: TextSize) -> Option<Vec<Completion>> {
    let text = file.text();
    let (before, after) = text.split_at_checked(usize::from(offset))?;
    let is_mark = |line: &&str| line.starts_with("---");
    let above = before.lines().rev().take_while(|line| !is_mark(line));
    let below = after.lines().take_while(|line| !is_mark(line));
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_content = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    };
    let mut content = above.chain(below).filter(is_content);
    let is_word = line.chars().all(|it| it.is_ascii_alphabetic());
    let is_alone = content.all(|other| other == line);
    if !is_word || !is_alone {
        return None;
    }
    let range = TextRange::new(offset - TextSize::of(line), offset);
    let is_inputs = file.is_inputs();
    let input = [INPUT].into_iter().filter(|_| is_inputs);
    let documents = DOCUMENTS.into_iter().filter(|_| !is_inputs);
    let mut items: Vec<Completion> = input.chain(documents).map(|it| item(it, range)).collect();
    items.extend(first_keys(is_inputs).map(|(key, doc)| {
        let mut item = line_item(CompletionKind::Key, key, ": ", range);
        item.documentation = doc.map(str::to_owned);
        item
    }));
    Some(items)
}

/// Returns the possible first keys of a document, each with its meaning if it has one.
fn first_keys(is_inputs: bool) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let of_inputs = evaluation::input::keys(&[])
        .iter()
        .filter(move |_| is_inputs)
        .map(|key| (key.name, Some(key.description)));
    let of_objects = ["apiVersion", "kind"]
        .into_iter()
        .filter(move |_| !is_inputs);
    of_inputs.chain(of_objects.map(|key| (key, None)))
}

fn item((label, detail, content): (&str, &str, &str), range: TextRange) -> Completion {
    let mut insert = String::new();
    let stops = append(&mut insert, content);
    Completion {
        label: label.to_owned(),
        kind: CompletionKind::Snippet,
        detail: Some(detail.to_owned()),
        documentation: Some(format!("```yaml\n{insert}```")),
        stops: super::offsets(&stops, 0),
        edit: TextEdit::replace(range, insert),
        filter: None,
        rank: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Severity;
    use crate::fixture::findings;

    #[test]
    fn whole_documents_have_no_errors() {
        for (kind, _, content) in DOCUMENTS {
            let mut text = String::new();
            append(&mut text, content);
            let mut found = findings(&text);
            found.retain(|finding| finding.severity == Severity::Error);
            assert_eq!(found, [], "{kind}: {text}");
        }
    }
}

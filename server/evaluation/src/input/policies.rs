//! The policies that an input names, and errors for those that do not exist.
//!
//! An input for a missing policy would not be evaluated and would look like a passing test, so the
//! name is an error.

use super::{Input, InputError, InputErrorKind};
use policy::ParsedFile;
use std::path::Path;
use text::TextRange;

/// The name of a policy, as an input has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyName {
    /// The name.
    pub name: String,
    /// Its range. Empty if the name of a file implies it.
    pub range: TextRange,
}

/// Returns an error for each name in an input that neither a policy nor a webhook configuration has
/// in the files at `path`, to which the input belongs. Returns none for files with invalid YAML.
#[must_use]
pub fn unknown_policies(input: &Input, path: &Path, files: &[&ParsedFile]) -> Vec<InputError> {
    if files.iter().any(|it| !it.stream().errors().is_empty()) {
        return Vec::new();
    }
    let policies = files.iter().flat_map(|file| file.policies());
    let policies = policies.filter(|it| it.is_evaluated() || it.kind().is_webhook_configuration());
    let known: Vec<&str> = policies.filter_map(|document| document.name()).collect();
    let path = path.file_name().unwrap_or_default();
    let named = input.policies.iter().flatten();
    let unknown = named.filter(|it| !known.contains(&it.name.as_str()));
    let error = |unknown: &PolicyName| InputError {
        range: unknown.range,
        kind: InputErrorKind::UnknownPolicy {
            name: unknown.name.clone(),
            file: path.to_string_lossy().into_owned(),
            known: known.iter().map(|name| (*name).to_owned()).collect(),
        },
    };
    unknown.map(error).collect()
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use expect_test::{Expect, expect};
    use kubernetes::Target;

    fn policy(name: &str) -> String {
        format!(
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {{name: {name}}}\n"
        )
    }

    /// Prints the findings for an input of these policies, next to this file.
    #[track_caller]
    fn check(policies: &str, file: &str, expected: &Expect) {
        let text =
            format!("name: 😀\r\npolicy: {policies}\r\nobject: {{apiVersion: v1, kind: Pod}}\r\n");
        let read = read(Path::new("a.inputs.yaml"), &text);
        assert_eq!(read.errors, []);
        let errors = unknown_policies(
            &read.inputs[0],
            Path::new("x/a.yaml"),
            &[&ParsedFile::new(file.into(), Target::default())],
        );
        let errors = errors.iter().map(|error| {
            let place = text.get(std::ops::Range::<usize>::from(error.range));
            format!("{}: {}", place.unwrap(), error.kind)
        });
        expected.assert_eq(&errors.collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn a_name_without_a_policy_is_a_mistake() {
        let two = format!("{}---\n{}", policy("owner"), policy("limit"));
        check("owner", &two, &expect![""]);
        check(
            "'owners'",
            &two,
            &expect!["'owners': Policy `owners` not found in a.yaml. Did you mean `owner`?"],
        );
        check(
            "[limit, 😀]",
            &two,
            &expect!["😀: Policy `😀` not found in a.yaml. The file has `owner` and `limit`."],
        );
        check(
            "a",
            "kind: Pod\n",
            &expect!["a: Policy `a` not found in a.yaml."],
        );
    }

    #[test]
    fn of_broken_yaml_nothing_is_known() {
        check("a", &format!("{}spec: 'x\n", policy("b")), &expect![""]);
    }
}

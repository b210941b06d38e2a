//! Inputs named in a policy file: `# admissible: input PATH` in a comment.
//!
//! By default, inputs are found next to a policy by their names. A comment names inputs that
//! are elsewhere or shared between policies.

use policy::ParsedFile;
use policy::directive::{directive, policy_comments};
use text::{TextRange, TextSize};

/// A path named in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedInput {
    /// The path as written, relative to the file. Empty if there is none.
    pub path: String,
    /// The range of the path, or of the directive if there is no path.
    pub range: TextRange,
}

/// The name of the directive.
const ORDER: &str = "input";

/// Returns the paths that the comments of a file name, in their order.
#[must_use]
pub fn named(file: &ParsedFile) -> Vec<NamedInput> {
    let mut comments = policy_comments(file);
    comments.sort_by_cached_key(|comment| comment.start());
    comments.dedup();
    let named = comments.into_iter();
    named.filter_map(|comment| parse(file, comment)).collect()
}

fn parse(file: &ParsedFile, comment: TextRange) -> Option<NamedInput> {
    let content = directive(file.slice(comment))?;
    let rest = content.strip_prefix(ORDER)?;
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    let path = rest.trim();
    let start = comment.end() - TextSize::of(rest.trim_start());
    let range = if path.is_empty() {
        let start = comment.end() - TextSize::of(content);
        TextRange::at(start, TextSize::of(ORDER))
    } else {
        TextRange::at(start, TextSize::of(path))
    };
    Some(NamedInput {
        path: path.to_owned(),
        range,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use kubernetes::Target;

    const POLICY: &str = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\n";

    #[track_caller]
    fn check(before: &str, after: &str, expected: &Expect) {
        let file = ParsedFile::new(format!("{before}{POLICY}{after}").into(), Target::default());
        let found: Vec<String> = named(&file)
            .iter()
            .map(|it| format!("{:?} @ {:?}", it.path, file.slice(it.range)))
            .collect();
        expected.assert_eq(&found.join("\n"));
    }

    #[test]
    fn comments_name_paths() {
        check(
            "# admissible: input a.yaml\r\n#admissible:input  ../é 🦊/b c.yaml  \r\n",
            "spec: {} # admissible: input d.yaml\n",
            &expect![[r#"
                "a.yaml" @ "a.yaml"
                "../é 🦊/b c.yaml" @ "../é 🦊/b c.yaml"
                "d.yaml" @ "d.yaml""#]],
        );
    }

    #[test]
    fn other_orders_name_none() {
        check(
            "# admissible: ignore[a]\n# admissible: inputs a.yaml\n# input b.yaml\n",
            "",
            &expect![""],
        );
        check("# admissible: input\n", "", &expect![[r#""" @ "input""#]]);
    }
}

//! Strings that a field never equals.

use crate::fixture::{check_diagnostics, crd, creation, findings};
use crate::report::Safety;

const SCHEMA: &str = "
          required: [mode, size, name]
          properties:
            mode: {type: string, enum: [Always, Never, 😀]}
            size: {type: integer, enum: [1, 2]}
            name: {type: string, maxLength: 9}
          x-kubernetes-validations:
";

#[test]
fn the_place_is_the_string() {
    let rules = "            - rule: self.mode != '😀' && self.mode == 'always'
                                                    #^^^^^^^^ warning[unknown-enum-value]: always false
            - rule: \"'\\u00e9' != self.mode\"
                    #^^^^^^^^ warning[unknown-enum-value]: always true
            - rule: >-
                self.name != 'x' ||
                oldSelf.mode == 'Sometimes'
                               #^^^^^^^^^^^ warning[unknown-enum-value]
            - rule: self.mode in ['Never', '', 'alwayss', self.name, \"😀\"] || !(self.mode in (['x']))
                                              #^^^^^^^^^ warning[unknown-enum-value]: so `alwayss` never matches
                                                                                             #^^^ warning[unknown-enum-value]
";
    check_diagnostics(&crd(&format!("{SCHEMA}{rules}")));
    check_diagnostics(&crd(&format!("{SCHEMA}{rules}")).replace('\n', "\r\n"));
}

#[test]
fn a_fix_keeps_the_quotes_and_only_a_change_of_case_is_safe() {
    let fixes = |rule: &str| {
        let text = crd(&format!("{SCHEMA}            - rule: {rule}\n"));
        let found = findings(&text);
        let fixes = found.iter().flat_map(|it| &it.fixes);
        let fixes = fixes.map(|it| (it.title.clone(), it.safety));
        fixes.collect::<Vec<_>>()
    };
    let change = |to: &str, safety| vec![(format!("Change to `{to}`"), safety)];
    for (rule, expected) in [
        (
            "self.mode == \"always\"",
            change("\"Always\"", Safety::Safe),
        ),
        ("self.mode != 'Nevr'", change("'Never'", Safety::Unsafe)),
        ("self.mode in ['Always', 'Alwayss']", Vec::new()),
        ("self.mode in ['X', 'Al']", Vec::new()),
    ] {
        assert_eq!(fixes(rule), expected, "{rule}");
    }
}

#[test]
fn what_can_be_is_silent() {
    for rule in [
        "self.mode == 'Always'",
        "self.mode != ''",
        "self.name == 'x'",
        "self.mode in ['Always', 'Never']",
        "self.name in ['x']",
        "self.name in [self.mode, 'x']",
        "self.mode == self.name",
        "self.mode.lowerAscii() == 'always'",
    ] {
        let text = crd(&format!("{SCHEMA}            - rule: {rule}\n"));
        assert_eq!(findings(&text), [], "{rule}");
    }
}

#[test]
fn the_comparison_is_false_for_each_value() {
    let text = crd(&format!(
        "{SCHEMA}            - rule: self.mode != 'always'\n"
    ));
    let fixed = text.replace("'always'", "'Always'");
    for mode in ["Always", "Never", "😀"] {
        let object = format!(
            "{{apiVersion: example.com/v1, kind: Demo, metadata: {{name: a}}, mode: {mode}, size: 1, name: x}}"
        );
        assert_eq!(creation(&text, &object, ""), "", "{mode}");
        assert_eq!(creation(&fixed, &object, "").is_empty(), mode != "Always");
    }
}

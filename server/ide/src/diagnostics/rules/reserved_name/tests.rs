//! Names that the API rejects.

use crate::fixture::check_diagnostics;

fn configuration(target: &str, name: &str, finding: &str) -> String {
    format!(
        "# kubernetes = \"{target}\"\napiVersion: admissionregistration.k8s.io/v1\n\
         kind: ValidatingWebhookConfiguration\nmetadata:\n  name: {name}\n{finding}\
         webhooks: []\n"
    )
}

#[test]
fn a_reserved_name_is_noted_from_1_36_on() {
    let finding = "       #^^^^^^^^^^^^^^^ information[reserved-name]: Kubernetes 1.36 warns about \
                   such names in the API, and 1.37 and later reject them\n";
    for target in ["1.36", "1.37", "1.30..1.36"] {
        check_diagnostics(&configuration(target, "a.static.k8s.io", finding));
    }
    check_diagnostics(&configuration("1.35", "a.static.k8s.io", ""));
    check_diagnostics(&configuration("1.37", "a.static.k8s.dev", ""));
}

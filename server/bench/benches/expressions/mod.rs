//! The expressions that are checked and evaluated.
//!
//! They are typical of policies, from the smallest to nested loops. Checking and evaluating use the
//! same ones, so that their figures are comparable.

/// The expressions by name, with the number of elements that they run over.
pub(crate) const CASES: [&str; 7] = [
    "add",
    "compare",
    "containers-10",
    "containers-1000",
    "clauses-40",
    "labels-50",
    "nested-100x100",
];

const CONTAINERS: &str = "object.spec.containers.all(c, has(c.securityContext) && has(c.securityContext.runAsNonRoot) && has(c.resources) && c.securityContext.runAsNonRoot)";

const LABELS: &str = "object.metadata.labels.exists(k, k.startsWith('example.com/') && object.metadata.labels[k].matches('^team-[a-z]+$'))";

const NESTED: &str = "object.spec.rows.all(x, object.spec.columns.all(y, x + y >= 0))";

/// Returns the expression of a case.
pub(crate) fn expression(case: &str) -> String {
    match case {
        "add" => "1 + 1".to_owned(),
        "compare" => "object.spec.replicas <= 5".to_owned(),
        "clauses-40" => {
            let clause = |index: usize| format!("object.spec.f{index} == {index}");
            let clauses: Vec<_> = (0..40).map(clause).collect();
            clauses.join(" && ")
        }
        "labels-50" => LABELS.to_owned(),
        "nested-100x100" => NESTED.to_owned(),
        _ => CONTAINERS.to_owned(),
    }
}

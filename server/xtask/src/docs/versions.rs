//! `server/docs/versions.md`: every fact that depends on the version of the server.

use kubernetes::versions::bugs::{self, Bug};
use kubernetes::versions::changes::{self, Change};
use kubernetes::versions::deprecations::{self, Deprecation};
use policy::availability::{Addition, GATES, Gate, additions};

/// The known differences that are not modeled.
const LIMITS: &str = "Costs of servers before 1.36 are those of 1.36: they use older versions of cel-go, which count some costs differently. Since 1.37, `flatten` with a negative depth, which always fails, costs more than stated here.";

/// Returns the whole page.
pub(super) fn page() -> String {
    let changes: String = changes::ALL.into_iter().map(change).collect();
    let additions: String = additions().iter().map(addition).collect();
    let gates: String = GATES.iter().map(gate).collect();
    let deprecations: String = deprecations::ALL.iter().map(deprecation).collect();
    let bugs: String = bugs::ALL.into_iter().map(bug).collect();
    format!(
        "# Versions
<!-- Written by `cargo xtask docs` from `server/policy/src/availability`, `server/kubernetes/src/versions` and `server/cel/src/changes.rs`: do not edit. -->

This page lists what differs between Kubernetes servers, beyond the kinds and fields of their APIs. Evaluation and checks follow the versions that `kubernetes` in `admissible.toml` or `--kubernetes` specifies, as [the configuration](command-line.md#admissibletoml) describes.

## How it is known
Thousands of responses of Kubernetes 1.36 are compared with those of Admissible, some of them from a running API server, and a few responses of an API server of 1.37.0. Everything else follows the source: that of each release up to 1.37, with cel-go 0.29.2, and for 1.38 that of its first alpha release. Servers of 1.38 are assumed to have the cel-go of 1.37.

## Behavior
The first column is the first server with this behavior, with the feature gates that are on by default.

| from | behavior | source |
|---|---|---|
{changes}
## Functions, macros and language
The first column is the first server that accepts an addition in new expressions. That is one version after the version that introduced it, so that a cluster can be rolled back by one version. What is not listed is available on all supported servers.

| from | introduced in | addition | source |
|---|---|---|---|
{additions}
## Feature gates
The first column is the first server on which a gate is on by default.

| from | gate | feature | source |
|---|---|---|---|
{gates}
## Deprecated APIs
Starting with the version in the first column, servers return a warning for requests to these versions of built-in kinds, and so do evaluations.

| from | warning |
|---|---|
{deprecations}
## Known server bugs
Evaluation for a version follows its first release, even where a later patch release fixes a bug.

| releases | bug | source |
|---|---|---|
{bugs}
## Limits
{LIMITS}
"
    )
}

fn change(it: &Change) -> String {
    format!("| {} | {} | {} |\n", it.since, it.description, it.source)
}

fn deprecation(it: &Deprecation) -> String {
    let warnings = it.kinds.iter().map(|kind| it.warning(kind));
    let warnings: Vec<String> = warnings.map(|it| format!("`{it}`")).collect();
    format!("| {} | {} |\n", it.since, warnings.join("<br>"))
}

fn addition(it: &Addition) -> String {
    let server = it.since.first_server();
    format!(
        "| {server} | {} | {} | {} |\n",
        it.since, it.description, it.source
    )
}

fn gate(it: &Gate) -> String {
    let source = format!(
        "https://github.com/kubernetes/enhancements/issues/{}",
        it.enhancement
    );
    format!(
        "| {} | `{}` | {} | {source} |\n",
        it.on_since, it.name, it.description
    )
}

fn bug(it: &Bug) -> String {
    format!("| {} | {} | {} |\n", it.releases, it.description, it.source)
}

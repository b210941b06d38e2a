//! Functions, macros and language rules by the version that introduced them.
//!
//! The versions are those of the tables of the libraries and of [`Rules`]. Only the pull requests
//! of Kubernetes are listed here, since no table has them.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/environment/base.go, baseOpts.

use crate::environment::rules;
use crate::library;
use cel::env::Rules;
use cel::library::{Function, Library};
use kubernetes::EnvironmentVersion;

/// Functions, macros or a rule of the language that a version introduced.
#[derive(Debug)]
pub struct Addition {
    /// The first environment that has it.
    pub since: EnvironmentVersion,
    /// A description, with the names of the functions and macros.
    pub description: String,
    /// The pull request.
    pub source: String,
}

/// The source of what a version of a library introduced.
struct Source {
    library: &'static str,
    since: EnvironmentVersion,
    description: &'static str,
    pull: u32,
}

const fn source(library: &'static str, since: u8, description: &'static str, pull: u32) -> Source {
    let since = EnvironmentVersion(since);
    Source {
        library,
        since,
        description,
        pull,
    }
}

const SOURCES: &[Source] = &[
    source("authorizer", 27, "Authorization checks", 116_054),
    source(
        "stdlib",
        28,
        "Comparisons of numbers of different types, such as `1 < 1.5`",
        118_339,
    ),
    source("optionals", 28, "Optional values", 118_339),
    source("quantity", 28, "Quantities", 118_803),
    source("strings", 29, "Version 2 of the strings library", 120_060),
    source("sets", 29, "Sets", 121_577),
    source("ip", 30, "IP addresses", 121_912),
    source("cidr", 30, "CIDR ranges", 121_912),
    source("format", 31, "Named formats", 123_572),
    source("comprehensions", 32, "Macros with two variables", 128_593),
    source("semver", 33, "Semantic versions", 130_648),
    source("lists", 34, "The lists library of cel-go", 131_700),
    source(
        "lists",
        37,
        "Version 1 of Kubernetes' lists library",
        140_016,
    ),
];

/// A rule of the language.
struct Rule {
    holds: fn(Rules) -> bool,
    description: &'static str,
    pull: u32,
}

const RULES: &[Rule] = &[
    Rule {
        holds: |rules| rules.optional_syntax,
        description: "Optional syntax: `a.?b`, `a[?b]`, `{?a: b}` and `[?a]`",
        pull: 118_339,
    },
    Rule {
        holds: |rules| rules.validates_constants,
        description: "Constant arguments of `duration`, `timestamp`, `matches` and `format` are checked \
               when the expression is compiled",
        pull: 121_307,
    },
];

/// Returns everything that a version after the first introduced, the oldest first.
#[must_use]
pub fn additions() -> Vec<Addition> {
    let libraries = SOURCES.iter().map(|source| Addition {
        since: source.since,
        description: match names(source).as_slice() {
            [] => source.description.to_owned(),
            names => format!("{}: {}", source.description, names.join(", ")),
        },
        source: link(source.pull),
    });
    let language = RULES.iter().filter_map(|rule| {
        let mut versions = EnvironmentVersion::all();
        Some(Addition {
            since: versions.find(|version| (rule.holds)(rules(*version)))?,
            description: rule.description.to_owned(),
            source: link(rule.pull),
        })
    });
    let mut all: Vec<_> = libraries.chain(language).collect();
    all.sort_by_cached_key(|addition| addition.since);
    all
}

fn link(pull: u32) -> String {
    format!("https://github.com/kubernetes/kubernetes/pull/{pull}")
}

fn libraries() -> impl Iterator<Item = &'static Library> {
    let all = [library::LANGUAGE, library::KUBERNETES, library::MUTATION];
    all.into_iter().flatten().copied()
}

/// Returns the names that a version of a library introduced, as an author writes them.
fn names(source: &Source) -> Vec<String> {
    let libraries = libraries().filter(|library| library.name == source.library);
    let mut names = Vec::new();
    for library in libraries {
        let functions = library.functions.iter();
        let functions = functions.filter(|it| is_written(it) && first(it) == Some(source.since));
        names.extend(functions.map(|function| format!("`{}`", function.name)));
        let macros = library.macros.iter();
        let macros = macros.filter(|it| source.since == it.since.into());
        names.extend(macros.map(|it| format!("`{}`", it.kind.name())));
    }
    names
}

/// Returns whether a function is called by its name, unlike an operator.
fn is_written(function: &Function) -> bool {
    !function.doc.is_empty()
        && function
            .name
            .starts_with(|first: char| first.is_ascii_lowercase())
}

fn first(function: &Function) -> Option<EnvironmentVersion> {
    function.overloads.iter().map(|it| it.since.into()).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_version_of_a_library_has_a_source() {
        let mut introduced = BTreeSet::new();
        for library in libraries() {
            let functions = library.functions.iter().flat_map(|it| it.overloads);
            let macros = library.macros.iter().map(|it| it.since);
            let versions = functions.map(|it| it.since).chain(macros);
            introduced
                .extend(versions.map(|since| (EnvironmentVersion::from(since), library.name)));
        }
        introduced.retain(|(since, _)| {
            *since > EnvironmentVersion::OLDEST && *since <= EnvironmentVersion::NEWEST
        });
        let named = SOURCES.iter().map(|it| (it.since, it.library)).collect();
        assert_eq!(introduced, named);
    }

    #[test]
    fn a_rule_of_the_language_changed_once() {
        for rule in RULES {
            let holds = |version: EnvironmentVersion| (rule.holds)(rules(version));
            assert!(EnvironmentVersion::all().is_sorted_by_key(holds));
            assert!(!holds(EnvironmentVersion::OLDEST), "{}", rule.description);
            assert!(holds(EnvironmentVersion::NEWEST), "{}", rule.description);
        }
    }
}

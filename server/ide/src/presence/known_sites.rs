//! The sites of expressions in earlier versions of a document.
//!
//! A keystroke changes one expression. The sites of every other expression stay the same unless a
//! variable that it uses, or the facts of the match conditions, have changed.

use super::analysis::{Analysis, Scope};
use super::fact_set::FactSet;
use super::sites::{SiteFacts, Sites};
use foldhash::fast::RandomState;
use policy::{Expression, Role, Source};
use std::collections::HashMap;
use std::sync::Arc;
use text::memo::Identity;

/// Limit: how many versions of an expression keep their sites. While a user edits a match condition,
/// the facts alternate: a condition that does not compile guarantees nothing.
const MAX_VERSIONS: usize = 2;

/// Limit: the number of expressions that kept sites may depend on. Every version of the document
/// compares them.
const MAX_SOURCES: usize = 32;

/// The sites and the facts of a policy or a webhook, by the index of their expression.
#[derive(Debug, Default)]
pub(super) struct KnownSites {
    sites: HashMap<usize, Vec<Known>, RandomState>,
    /// The facts that follow if a match condition is true.
    facts: HashMap<usize, (Identity<Source>, FactSet), RandomState>,
}

#[derive(Debug)]
struct Known {
    inputs: Inputs,
    sites: Sites,
    /// The steps that the analysis needed.
    steps: u32,
}

/// Everything on which the sites of an expression depend, besides the kinds.
#[derive(Debug, PartialEq, Eq)]
struct Inputs {
    role: Role,
    /// The expression, the validation of a message expression, and the variables that they use,
    /// with their indexes.
    sources: Box<[(usize, Identity<Source>)]>,
    /// The facts of the match conditions.
    facts: Arc<SiteFacts>,
}

impl KnownSites {
    /// Returns the sites of the first of these expressions. If they are not known, `find` computes
    /// them from all of these, their variables and the facts.
    pub(super) fn find<'d>(
        &mut self,
        analysis: &mut Analysis<'d>,
        expressions: &[(usize, &'d Expression)],
        facts: &Arc<SiteFacts>,
        find: impl FnOnce(&mut Analysis<'d>) -> Sites,
    ) -> Sites {
        let Some(inputs) = Inputs::new(analysis, expressions, facts) else {
            return find(analysis);
        };
        if let Some((sites, steps)) = self.get(&inputs) {
            analysis.spend(steps);
            return sites;
        }
        let before = analysis.steps();
        let sites = find(analysis);
        // Sites are missing if the analysis has given up.
        if !analysis.is_exhausted() {
            let steps = before - analysis.steps();
            self.add(inputs, Arc::clone(&sites), steps);
        }
        sites
    }

    /// Returns the facts that follow if a match condition is true.
    pub(super) fn facts<'d>(
        &mut self,
        analysis: &mut Analysis<'d>,
        (index, condition): (usize, &'d Expression),
    ) -> FactSet {
        let source = Identity::from(&condition.parse);
        if let Some((known, facts)) = self.facts.get(&index)
            && *known == source
        {
            return facts.clone();
        }
        let scope = Scope::new(index, condition);
        let facts = analysis.assume(&scope, condition.ast().root(), true);
        if !analysis.is_exhausted() {
            self.facts.insert(index, (source, facts.clone()));
        }
        facts
    }

    /// Drops what belongs to expressions that the document no longer has.
    pub(super) fn truncate(&mut self, expressions: usize) {
        self.sites.retain(|index, _| *index < expressions);
        self.facts.retain(|index, _| *index < expressions);
    }

    /// Returns the sites for these inputs, with the steps that the analysis needed.
    fn get(&mut self, inputs: &Inputs) -> Option<(Sites, u32)> {
        let versions = self.sites.get_mut(&inputs.index())?;
        let at = versions.iter().position(|it| it.inputs == *inputs)?;
        // The last one is dropped first.
        versions.get_mut(..=at)?.rotate_right(1);
        let known = versions.first()?;
        Some((Arc::clone(&known.sites), known.steps))
    }

    fn add(&mut self, inputs: Inputs, sites: Sites, steps: u32) {
        let versions = self.sites.entry(inputs.index()).or_default();
        versions.truncate(MAX_VERSIONS - 1);
        let known = Known {
            inputs,
            sites,
            steps,
        };
        versions.insert(0, known);
    }
}

impl Inputs {
    /// `None` if the expressions use too many variables.
    fn new<'d>(
        analysis: &Analysis<'d>,
        expressions: &[(usize, &'d Expression)],
        facts: &Arc<SiteFacts>,
    ) -> Option<Self> {
        let (_, first) = expressions.first()?;
        let mut found = expressions.to_vec();
        let mut at = 0;
        while let Some((_, expression)) = found.get(at).copied() {
            at += 1;
            for name in expression.parse.variables() {
                let variable = analysis.variable_named(name);
                let is_new = |it: &(usize, _)| found.iter().all(|(known, _)| *known != it.0);
                found.extend(variable.filter(is_new));
            }
            if found.len() > MAX_SOURCES {
                return None;
            }
        }
        let sources = found.into_iter();
        Some(Self {
            role: first.role,
            sources: sources
                .map(|(index, it)| (index, Identity::from(&it.parse)))
                .collect(),
            facts: Arc::clone(facts),
        })
    }

    /// Returns the index of the expression in the document.
    fn index(&self) -> usize {
        self.sources.first().map_or(0, |(index, _)| *index)
    }
}

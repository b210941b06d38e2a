//! The fixes of a file, applied together.
//!
//! A fix can undo another one, or uncover an error. The result of each round is therefore analyzed,
//! and a round that leaves a finding or adds an error is halved until the responsible fix is found
//! and left out.

mod paths;

use crate::diagnostics::diagnose;
use crate::file::{MAX_FINDINGS, SourceFile};
use crate::report::{Diagnostic, Fix, Safety, Severity};
use crate::settings::Settings;
use paths::paths;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::ops::Range;
use text::{TextSize, apply_edits};

/// Limit: rounds for one file. Most files need only one.
const MAX_ROUNDS: usize = 100;

/// Limit: analyses of one round. A syntax error hides other errors, which may also have fixes.
const MAX_STEPS: usize = 3;

/// The selection of fixes to apply.
#[derive(Clone, Copy, Debug)]
pub struct FixAll<'a> {
    /// The settings of the file.
    pub settings: &'a Settings,
    /// The highest level that a fix may have. With [`Safety::Unsafe`], the first of several fixes
    /// of a finding is applied.
    pub safety: Safety,
    /// The code of the only rule whose findings are fixed.
    pub code: Option<&'a str>,
}

/// The result of applying fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The text.
    pub text: String,
    /// The findings that were fixed.
    pub count: usize,
    /// The findings in the text.
    pub remaining: Vec<Diagnostic>,
}

/// A fix of a finding: the code and the path of the finding, and the title of the fix. No edit
/// elsewhere changes it, and no other finding does.
type Attempt = (&'static str, String, String);

/// A text with its findings.
struct Analyzed {
    fixed: Fixed,
    /// By the index of the finding. Most files need none.
    paths: OnceCell<Vec<String>>,
}

impl FixAll<'_> {
    /// Applies the fixes of a file until nothing changes. `parse` creates the file of another text.
    /// `None` if no fix can be applied.
    pub fn apply(
        self,
        file: &SourceFile,
        mut parse: impl FnMut(String) -> SourceFile,
    ) -> Option<Fixed> {
        let mut last = self.analyze(file, 0);
        let mut rejected: HashSet<Attempt> = HashSet::new();
        let mut size = usize::MAX;
        for _ in 0..MAX_ROUNDS {
            let chosen = self.choose(&last, &rejected, size);
            let Some((first, fix)) = chosen.first() else {
                break;
            };
            match self.attempt(&last, &chosen, &rejected, &mut parse) {
                Some(better) => {
                    last = better;
                    size = size.saturating_mul(2);
                }
                None if chosen.len() == 1 => {
                    rejected.insert(last.attempt(*first, fix)?);
                    size = usize::MAX;
                }
                None => size = chosen.len() / 2,
            }
        }
        (last.fixed.count > 0).then_some(last.fixed)
    }

    /// Returns all findings of a file. An editor shows only the first ones of each rule.
    fn analyze(self, file: &SourceFile, count: usize) -> Analyzed {
        let shown = diagnose(file, self.settings);
        let remaining = if shown.len() < MAX_FINDINGS {
            shown
        } else {
            diagnose(&file.with_all_findings(), self.settings)
        };
        Analyzed {
            fixed: Fixed {
                text: file.text().to_owned(),
                count,
                remaining,
            },
            paths: OnceCell::new(),
        }
    }

    /// Returns the fixes of a finding that may be applied, safe ones first.
    fn fixes(self, finding: &Diagnostic) -> impl Iterator<Item = &Fix> {
        let is_of_rule = self.code.is_none_or(|code| code == finding.code);
        let of = move |safety| {
            let fixes = finding.fixes.iter();
            let may_be = is_of_rule && safety <= self.safety;
            fixes.filter(move |fix| may_be && fix.safety == safety)
        };
        of(Safety::Safe).chain(of(Safety::Unsafe))
    }

    /// Returns at most `size` fixes that do not touch each other, with the indexes of their
    /// findings.
    fn choose<'d>(
        self,
        of: &'d Analyzed,
        rejected: &HashSet<Attempt>,
        size: usize,
    ) -> Vec<(usize, &'d Fix)> {
        let mut chosen: Vec<(usize, &Fix)> = Vec::new();
        let mut edited = EditedRanges::default();
        for (index, finding) in of.fixed.remaining.iter().enumerate() {
            if chosen.len() >= size {
                break;
            }
            let is_rejected = |fix: &Fix| {
                let attempt = || of.attempt(index, fix);
                !rejected.is_empty() && attempt().is_some_and(|it| rejected.contains(&it))
            };
            let fix = self.fixes(finding).find(|fix| !is_rejected(fix));
            if let Some(fix) = fix.filter(|fix| !edited.touch(fix)) {
                edited.add(fix);
                chosen.push((index, fix));
            }
        }
        chosen
    }

    /// Applies fixes, and the fixes of findings that they uncover. `None` if a finding remains or
    /// an error is new.
    fn attempt(
        self,
        before: &Analyzed,
        chosen: &[(usize, &Fix)],
        rejected: &HashSet<Attempt>,
        parse: &mut impl FnMut(String) -> SourceFile,
    ) -> Option<Analyzed> {
        let is_better = |after: &Analyzed| is_better(&before.fixed, &after.fixed, chosen);
        let known = before.fixed.remaining.iter();
        let known: HashSet<_> = known.map(|it| source(&before.fixed, it)).collect();
        let mut after = self.step(before, chosen, parse)?;
        for _ in 1..MAX_STEPS {
            if is_better(&after) {
                return Some(after);
            }
            let mut next = self.choose(&after, rejected, usize::MAX);
            let found = &after.fixed.remaining;
            next.retain(|(index, _)| {
                let finding = found.get(*index);
                finding.is_some_and(|it| !known.contains(&source(&after.fixed, it)))
            });
            after = self.step(&after, &next, parse)?;
        }
        is_better(&after).then_some(after)
    }

    fn step(
        self,
        from: &Analyzed,
        chosen: &[(usize, &Fix)],
        parse: &mut impl FnMut(String) -> SourceFile,
    ) -> Option<Analyzed> {
        if chosen.is_empty() {
            return None;
        }
        let edits = chosen.iter().flat_map(|(_, fix)| fix.edits.iter().cloned());
        let text = apply_edits(&from.fixed.text, &edits.collect::<Vec<_>>()).ok()?;
        Some(self.analyze(&parse(text), from.fixed.count + chosen.len()))
    }
}

impl Analyzed {
    fn attempt(&self, index: usize, fix: &Fix) -> Option<Attempt> {
        let found = &self.fixed.remaining;
        let paths = self.paths.get_or_init(|| {
            let offsets: Vec<TextSize> = found.iter().map(|it| it.range.start()).collect();
            paths(&self.fixed.text, &offsets)
        });
        let (code, path) = (found.get(index)?.code, paths.get(index)?.clone());
        Some((code, path, fix.title.clone()))
    }
}

/// The ranges of edits that do not touch each other.
#[derive(Default)]
struct EditedRanges(BTreeMap<TextSize, TextSize>);

impl EditedRanges {
    /// Returns whether an edit of a fix overlaps or touches one of the ranges.
    fn touch(&self, fix: &Fix) -> bool {
        fix.edits.iter().any(|edit| {
            let last = self.0.range(..=edit.range.end()).next_back();
            last.is_some_and(|(_, end)| *end >= edit.range.start())
        })
    }

    fn add(&mut self, fix: &Fix) {
        let ranges = fix.edits.iter().map(|edit| edit.range);
        self.0
            .extend(ranges.map(|range| (range.start(), range.end())));
    }
}

/// Returns the code of a finding, and the source that it is about.
fn source(of: &Fixed, finding: &Diagnostic) -> (&'static str, String) {
    let range = Range::<usize>::from(finding.range);
    let source = of.text.get(range).unwrap_or_default();
    (finding.code, source.to_owned())
}

/// Returns whether the findings of the chosen fixes are gone and no error is new.
///
/// Messages do not decide, since they may depend on the rest of the file. A finding is gone if
/// there is one less of its code about the same source, and an error is new if there is one more of
/// its code than the fixes leave.
fn is_better(before: &Fixed, after: &Fixed, chosen: &[(usize, &Fix)]) -> bool {
    let fixed = chosen.iter();
    let fixed: Vec<&Diagnostic> = fixed
        .filter_map(|(index, _)| before.remaining.get(*index))
        .collect();
    let error = |_: &Fixed, it: &Diagnostic| (it.severity == Severity::Error).then_some(it.code);
    let sources = balance(before, after, &fixed, |of, it| Some(source(of, it)));
    let is_gone = |it: &&Diagnostic| {
        let left = sources.get(&source(before, it));
        left.is_none_or(|left| *left >= 0)
    };
    let errors = balance(before, after, &fixed, error);
    fixed.iter().all(is_gone) && errors.values().all(|left| *left >= 0)
}

/// Returns the number of findings before that are neither fixed nor found after, by a key.
fn balance<K: Eq + Hash>(
    before: &Fixed,
    after: &Fixed,
    fixed: &[&Diagnostic],
    key: impl Fn(&Fixed, &Diagnostic) -> Option<K>,
) -> HashMap<K, i64> {
    let mut balance = HashMap::new();
    let mut add = |of: &Fixed, it: &Diagnostic, count: i64| {
        if let Some(key) = key(of, it) {
            *balance.entry(key).or_default() += count;
        }
    };
    before.remaining.iter().for_each(|it| add(before, it, 1));
    fixed.iter().for_each(|it| add(before, it, -1));
    after.remaining.iter().for_each(|it| add(after, it, -1));
    balance
}

#[cfg(test)]
mod tests;

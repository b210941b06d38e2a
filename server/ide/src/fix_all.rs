//! The fixes of a file, applied together.
//!
//! A fix can undo another one, or uncover an error. The result of each round is therefore analyzed,
//! and a round that leaves a finding or adds an error is halved until the responsible fix is found
//! and left out.

use crate::diagnostics::diagnose;
use crate::file::SourceFile;
use crate::report::{Diagnostic, Fix, Safety, Severity};
use crate::settings::Settings;
use std::collections::HashSet;
use text::apply_edits;

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

/// A finding without its position, and the title of a fix.
type Attempt = (&'static str, String, String);

impl FixAll<'_> {
    /// Applies the fixes of a file until nothing changes. `parse` creates the file of another text.
    /// `None` if no fix can be applied.
    pub fn apply(
        self,
        file: &SourceFile,
        mut parse: impl FnMut(String) -> SourceFile,
    ) -> Option<Fixed> {
        let mut fixed = Fixed {
            text: file.text().to_owned(),
            count: 0,
            remaining: diagnose(file, self.settings),
        };
        let mut rejected: HashSet<Attempt> = HashSet::new();
        let mut size = usize::MAX;
        for _ in 0..MAX_ROUNDS {
            let chosen = self.choose(&fixed.remaining, &rejected, size);
            let Some(first) = chosen.first() else { break };
            match self.attempt(&fixed, &chosen, &rejected, &mut parse) {
                Some(better) => {
                    fixed = better;
                    size = size.saturating_mul(2);
                }
                None if chosen.len() == 1 => {
                    rejected.insert(attempt(first));
                    size = usize::MAX;
                }
                None => size = chosen.len() / 2,
            }
        }
        (fixed.count > 0).then_some(fixed)
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

    /// Returns at most `size` fixes that do not touch each other.
    fn choose<'d>(
        self,
        found: &'d [Diagnostic],
        rejected: &HashSet<Attempt>,
        size: usize,
    ) -> Vec<(&'d Diagnostic, &'d Fix)> {
        let mut chosen: Vec<(&Diagnostic, &Fix)> = Vec::new();
        for finding in found {
            let mut fixes = self.fixes(finding);
            let fix = fixes.find(|fix| !rejected.contains(&attempt(&(finding, fix))));
            let Some(fix) = fix else { continue };
            if chosen.len() < size && !chosen.iter().any(|(_, other)| touch(fix, other)) {
                chosen.push((finding, fix));
            }
        }
        chosen
    }

    /// Applies fixes, and the fixes of findings that they uncover. `None` if a finding remains or
    /// an error is new.
    fn attempt(
        self,
        before: &Fixed,
        chosen: &[(&Diagnostic, &Fix)],
        rejected: &HashSet<Attempt>,
        parse: &mut impl FnMut(String) -> SourceFile,
    ) -> Option<Fixed> {
        let mut fixed = self.step(before, chosen, parse)?;
        for _ in 1..MAX_STEPS {
            if is_better(&before.remaining, &fixed.remaining, chosen) {
                return Some(fixed);
            }
            let next = self.choose(&fixed.remaining, rejected, usize::MAX);
            fixed = self.step(&fixed, &next, parse)?;
        }
        is_better(&before.remaining, &fixed.remaining, chosen).then_some(fixed)
    }

    fn step(
        self,
        fixed: &Fixed,
        chosen: &[(&Diagnostic, &Fix)],
        parse: &mut impl FnMut(String) -> SourceFile,
    ) -> Option<Fixed> {
        if chosen.is_empty() {
            return None;
        }
        let edits = chosen.iter().flat_map(|(_, fix)| fix.edits.iter().cloned());
        let text = apply_edits(&fixed.text, &edits.collect::<Vec<_>>()).ok()?;
        Some(Fixed {
            remaining: diagnose(&parse(text.clone()), self.settings),
            count: fixed.count + chosen.len(),
            text,
        })
    }
}

/// Returns whether the findings of the chosen fixes are gone and no error is new.
fn is_better(before: &[Diagnostic], after: &[Diagnostic], chosen: &[(&Diagnostic, &Fix)]) -> bool {
    let count =
        |all: &[Diagnostic], one: &Diagnostic| all.iter().filter(|it| is_same(it, one)).count();
    let is_gone = |finding: &Diagnostic| {
        let fixes = chosen.iter().filter(|(it, _)| is_same(it, finding));
        count(after, finding) + fixes.count() <= count(before, finding)
    };
    let is_new = |finding: &Diagnostic| {
        finding.severity == Severity::Error && count(after, finding) > count(before, finding)
    };
    chosen.iter().all(|(finding, _)| is_gone(finding)) && !after.iter().any(is_new)
}

fn attempt((finding, fix): &(&Diagnostic, &Fix)) -> Attempt {
    (finding.code, finding.message.clone(), fix.title.clone())
}

fn is_same(left: &Diagnostic, right: &Diagnostic) -> bool {
    left.code == right.code && left.message == right.message
}

/// Returns whether edits of two fixes overlap or touch.
fn touch(left: &Fix, right: &Fix) -> bool {
    left.edits.iter().any(|left| {
        let mut right = right.edits.iter();
        right.any(|right| left.range.intersect(right.range).is_some())
    })
}

#[cfg(test)]
mod tests;

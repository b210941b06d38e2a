//! The counts of a run, and its summary line.

use super::Report;
use ide::{Safety, Severity};
use serde::Serialize;
use std::collections::HashSet;

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    /// Files that were checked.
    pub(crate) files: usize,
    /// Files with findings.
    pub(crate) files_with_findings: usize,
    /// Documents that carry CEL.
    pub(crate) policies: usize,
    /// Documents that carry CEL, and those that refer to them.
    #[serde(skip)]
    pub(crate) documents: usize,
    /// Documents that are not checked, or only in part.
    pub(crate) not_checked: usize,
    /// Findings by severity.
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) information: usize,
    pub(crate) hints: usize,
    /// Findings that were fixed.
    pub(crate) fixed: usize,
    /// Findings with a safe fix.
    pub(crate) fixable: usize,
    /// Those of them in files with a problem, such as one that cannot be written.
    #[serde(skip)]
    pub(crate) fixable_with_problem: usize,
    /// Findings that have only unsafe fixes.
    pub(crate) fixable_unsafe: usize,
    /// Paths that could not be checked, and errors in configuration files.
    pub(crate) problems: usize,
}

impl Summary {
    /// Returns the counts of a report.
    pub(crate) fn new(report: &Report) -> Self {
        let mut summary = Self {
            files: report.files.len(),
            problems: report.problems.len(),
            fixed: report.fixed.unwrap_or(0),
            ..Self::default()
        };
        for config in &report.configs {
            summary.problems += config.problems().len();
        }
        let problems: HashSet<&str> = report.problems.iter().map(|it| &*it.path).collect();
        for file in &report.files {
            summary.policies += file.policies;
            summary.documents += file.documents;
            summary.not_checked += file.not_checked;
            summary.files_with_findings += usize::from(!file.findings.is_empty());
            for finding in &file.findings {
                *summary.count(finding.severity) += 1;
                match finding.fixes.iter().map(|fix| fix.safety).min() {
                    Some(Safety::Safe) => {
                        summary.fixable += 1;
                        let has_problem = problems.contains(&*file.path);
                        summary.fixable_with_problem += usize::from(has_problem);
                    }
                    Some(Safety::Unsafe) => summary.fixable_unsafe += 1,
                    None => {}
                }
            }
        }
        summary
    }

    fn count(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Information => &mut self.information,
            Severity::Hint => &mut self.hints,
        }
    }

    /// Returns whether there was nothing to check, and no problem explains it.
    pub(crate) fn is_nothing(&self) -> bool {
        self.documents + self.not_checked + self.problems == 0 && self.findings().is_empty()
    }

    /// Returns the summary line, without a line feed.
    pub(crate) fn line(&self) -> String {
        if self.files == 0 && self.problems == 0 {
            return "No files to check: no .yaml, .yml or .json file was found".to_owned();
        }
        let files = counted(self.files, "file", "files");
        let policies = self.scope();
        let findings = self.findings();
        let mut line = if !findings.is_empty() {
            let findings = findings.join(", ");
            format!(
                "{findings} in {} of {files} ({policies})",
                self.files_with_findings
            )
        } else if self.documents + self.not_checked == 0 {
            format!("Nothing to check: no policy, binding, webhook or CRD in {files}")
        } else {
            format!("No findings in {files} ({policies})")
        };
        if self.problems > 0 {
            let problems = counted(self.problems, "problem", "problems");
            line.push_str(&format!("; incomplete: {problems}"));
        }
        line
    }

    /// Returns the line about fixes that were applied, without a line feed.
    pub(crate) fn fixed_line(&self, is_unsafe: bool) -> String {
        let fixed = counted(self.fixed, "finding", "findings");
        let left = self.errors + self.warnings + self.information + self.hints;
        let mut line = format!("Fixed {fixed}");
        if left > 0 {
            let word = if left == 1 { "remains" } else { "remain" };
            line.push_str(&format!("; {left} {word}"));
        }
        line + &self.unsafe_fixes(is_unsafe)
    }

    /// Returns the end of a line about fixes: the number of those that need `--unsafe`, if it is
    /// not given.
    pub(crate) fn unsafe_fixes(&self, is_unsafe: bool) -> String {
        match self.fixable_unsafe {
            0 => String::new(),
            _ if is_unsafe => String::new(),
            count => format!(", {count} fixable with --unsafe"),
        }
    }

    /// Returns a description of what was checked, and what was not.
    fn scope(&self) -> String {
        let policies = counted(self.policies, "policy", "policies");
        if self.not_checked == 0 {
            return policies;
        }
        let others = counted(self.not_checked, "document", "documents");
        format!("{policies}; {others} not fully checked")
    }

    fn findings(&self) -> Vec<String> {
        let counts = [
            (self.errors, "error", "errors"),
            (self.warnings, "warning", "warnings"),
            (self.information, "information", "information"),
            (self.hints, "hint", "hints"),
        ];
        let some = counts.into_iter().filter(|(count, ..)| *count > 0);
        some.map(|(count, one, many)| counted(count, one, many))
            .collect()
    }
}

pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_what_there_is() {
        let summary = Summary {
            files: 14,
            files_with_findings: 2,
            policies: 5,
            documents: 7,
            errors: 3,
            warnings: 1,
            ..Summary::default()
        };
        assert_eq!(
            summary.line(),
            "3 errors, 1 warning in 2 of 14 files (5 policies)"
        );
    }

    #[test]
    fn what_was_not_checked_is_counted() {
        let summary = Summary {
            files: 2,
            files_with_findings: 1,
            not_checked: 1,
            information: 1,
            ..Summary::default()
        };
        assert_eq!(
            summary.line(),
            "1 information in 1 of 2 files (0 policies; 1 document not fully checked)"
        );
        let silenced = Summary {
            files_with_findings: 0,
            information: 0,
            not_checked: 2,
            ..summary
        };
        assert_eq!(
            silenced.line(),
            "No findings in 2 files (0 policies; 2 documents not fully checked)"
        );
    }

    #[test]
    fn files_without_policies_have_nothing_to_check() {
        let summary = Summary {
            files: 12_345,
            ..Summary::default()
        };
        let line = summary.line();
        assert_eq!(
            line,
            "Nothing to check: no policy, binding, webhook or CRD in 12345 files"
        );
        assert!(line.len() <= 80);
    }

    #[test]
    fn a_clean_run_says_so() {
        let summary = Summary {
            files: 1,
            policies: 1,
            documents: 1,
            problems: 2,
            ..Summary::default()
        };
        assert_eq!(
            summary.line(),
            "No findings in 1 file (1 policy); incomplete: 2 problems"
        );
    }
}

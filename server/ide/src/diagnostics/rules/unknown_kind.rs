#![doc = include_str!("unknown_kind.md")]

use crate::diagnostics::{Finding, RuleContext};
use crate::file::SourceFile;
use policy::{Kind, NearMiss, NearMissKind};
use text::TextEdit;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let misses = context.file.near_misses().iter();
    found.extend(misses.filter_map(|miss| unknown(context.file, miss)));
}

fn unknown(file: &SourceFile, miss: &NearMiss) -> Option<Finding> {
    let (message, right) = explain(&miss.kind)?;
    let finding = Finding::new(miss.range, message);
    Some(match right {
        Some(right) => {
            let written = file.slice(miss.range);
            let quote = ["'", "\""].into_iter().find(|it| written.starts_with(it));
            let quote = quote.unwrap_or_default();
            // After `kind:` without a space, YAML reads no value.
            let is_glued = file.editor().before(miss.range.start()).ends_with("kind:");
            let space = if is_glued { " " } else { "" };
            let edit = TextEdit::replace(miss.range, format!("{space}{quote}{right}{quote}"));
            finding.fix(format!("Change to `{right}`"), vec![edit])
        }
        None => finding,
    })
}

/// Returns the message and the replacement. `None` for what other rules report.
fn explain(miss: &NearMissKind) -> Option<(String, Option<String>)> {
    Some(match miss {
        NearMissKind::UnknownKind {
            group,
            kind,
            nearest,
        } => {
            let hint = nearest.map_or(String::new(), |nearest| {
                format!(" Did you mean `{nearest}`?")
            });
            let right = nearest.map(|kind| kind.as_str().to_owned());
            (format!("`{group}` has no kind `{kind}`.{hint}"), right)
        }
        NearMissKind::UnknownVersion { kind, version } => {
            let versions = kind.versions().iter();
            let versions: Vec<_> = versions.map(|version| format!("`{version}`")).collect();
            let message = format!(
                "`{kind}` has no version `{version}`. Its versions are {}.",
                versions.join(", ")
            );
            (message, newest(*kind))
        }
        NearMissKind::UnknownGroup { kind, group } => {
            let right = kind.group();
            let message =
                format!("There is no API group `{group}`. `{kind}` belongs to `{right}`.");
            (message, newest(*kind))
        }
        NearMissKind::RemovedVersion
        | NearMissKind::MissingApiVersion { .. }
        | NearMissKind::MissingKind { .. }
        | NearMissKind::List { .. } => return None,
    })
}

/// Returns the `apiVersion` of the newest version of a kind.
pub(super) fn newest(kind: Kind) -> Option<String> {
    let newest = kind.versions().first()?;
    Some(format!("{}/{newest}", kind.group()))
}

#[cfg(test)]
mod tests;

#![doc = include_str!("yaml_syntax.md")]

use super::swallowed_comment::{self, Swallowed};
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::file::SourceFile;
use kubernetes::TypeMeta;
use policy::{Expression, Kind, NearMiss, NearMissKind};
use text::{TextRange, sentence};
use yaml::{Document, SyntaxError, SyntaxErrorKind};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let file = context.file;
    found.extend(file.near_misses().iter().filter_map(list));
    let errors = file.stream().errors();
    if errors.is_empty() {
        return;
    }
    separators(file, found);
    let mut explained = cut_lines(context);
    explained.extend(context.unquoted.iter().map(|expression| expression.range));
    for document in file.stream().documents() {
        let range = document.range();
        let first = errors.partition_point(|error| error.range.start() < range.start());
        let errors = errors.iter().skip(first).take(context.max_findings());
        let mut errors = errors
            .take_while(|error| error.range.start() <= range.end())
            .peekable();
        let Some(first) = errors.peek() else {
            continue;
        };
        if !hides_ours(file, document, first) && !is_ours(file, document) {
            continue;
        }
        let mut template = errors
            .clone()
            .filter(|error| error.kind == SyntaxErrorKind::Template);
        if let Some(template) = template.next() {
            found.push(not_checked(template));
            continue;
        }
        let is_new = |error: &&SyntaxError| {
            let mut lines = explained.iter();
            !lines.any(|lines| lines.contains_inclusive(error.range.start()))
        };
        // An editor indents all lines with tabs.
        let mut has_tab = false;
        let findings = errors.filter(is_new).filter(|error| {
            let is_tab = error.kind == SyntaxErrorKind::TabIndentation;
            !(is_tab && std::mem::replace(&mut has_tab, true))
        });
        found.extend(findings.map(|error| Finding::new(error.range, sentence(&error.message()))));
    }
}

/// Reports a list of objects that is a whole document.
///
/// Upstream: cli-runtime, pkg/resource/visitor.go, StreamVisitor.Visit.
fn list(miss: &NearMiss) -> Option<Finding> {
    let NearMissKind::List { kind } = miss.kind else {
        return None;
    };
    let message = format!(
        "kubectl cannot read a list. Write each `{kind}` as a document of its own after `---`, or the \
         list as `items` of an object with `apiVersion: v1` and `kind: List`."
    );
    Some(Finding::new(miss.range, message))
}

/// Reports invalid separators. Kubernetes drops the document before such a line and ignores
/// everything after it.
///
/// Upstream: apimachinery, pkg/util/yaml/decoder.go, YAMLReader.Read.
fn separators(file: &SourceFile, found: &mut Vec<Finding>) {
    let errors = file.stream().errors().iter();
    let mut errors = errors
        .filter(|error| error.kind == SyntaxErrorKind::TextAfterSeparator)
        .peekable();
    if errors.peek().is_none() {
        return;
    }
    let documents = file.stream().documents();
    let ours: Vec<TextRange> = documents
        .filter(|document| is_ours(file, *document))
        .map(Document::range)
        .collect();
    let lines = file.line_index();
    let affects = |error: &SyntaxError, document: &TextRange| {
        lines.line(document.end()) >= lines.line(error.range.start())
    };
    let errors = errors
        .filter(|error| ours.iter().any(|document| affects(error, document)))
        .take(file.max_findings());
    found.extend(errors.map(|error| Finding::new(error.range, sentence(&error.message()))));
}

/// Returns the finding about a template, which is not YAML until it is rendered.
fn not_checked(template: &SyntaxError) -> Finding {
    let message = "This document is a template, so only its expressions are checked. Render it \
                   and check the result. If it is not a template, quote the value.";
    Finding::new(template.range, message).severity(Severity::Information)
}

/// Returns the lines that YAML cannot parse because of a comment above them, which another rule
/// reports.
fn cut_lines(context: &RuleContext<'_>) -> Vec<TextRange> {
    let cut =
        |(facts, expression): (&DocumentFacts<'_>, &Expression)| match swallowed_comment::find(
            context.file,
            facts.document,
            expression,
        )? {
            Swallowed::Cut(cut) => cut.lines,
            Swallowed::Lines(_) => None,
        };
    context.expressions().filter_map(cut).collect()
}

/// Returns whether the first error of a document hides a supported kind: Kubernetes reads nothing
/// after a directive, and a byte order mark can begin a key.
fn hides_ours(file: &SourceFile, document: Document<'_>, first: &SyntaxError) -> bool {
    match first.kind {
        SyntaxErrorKind::Directive => {
            let has_ours = !file.policies().is_empty() || !file.near_misses().is_empty();
            has_ours && document.root().is_none()
        }
        SyntaxErrorKind::ByteOrderMark => {
            let mut lines = file.slice(document.range()).lines();
            lines.any(names_our_kind)
        }
        _ => false,
    }
}

/// Returns whether Kubernetes would parse the document as a supported kind if it were well-formed.
/// Many files mention a policy without containing one.
fn is_ours(file: &SourceFile, document: Document<'_>) -> bool {
    let range = document.range();
    let policies = file.policies().iter().map(|policy| policy.root().range());
    let near = file.near_misses().iter().map(|miss| miss.range);
    if policies.chain(near).any(|part| range.contains_range(part)) {
        return true;
    }
    let type_meta = document.root().map(TypeMeta::read);
    let identified = type_meta.is_some_and(|it| it.kind.is_some() && it.api_version.is_some());
    !identified && file.slice(range).lines().any(names_our_kind)
}

/// Returns whether an unindented line is `kind:` with a supported kind.
fn names_our_kind(line: &str) -> bool {
    line.strip_prefix("kind:")
        .map(|kind| kind.trim().trim_matches(['"', '\'']))
        .is_some_and(|kind| Kind::parse(kind).is_some())
}

#[cfg(test)]
mod tests;

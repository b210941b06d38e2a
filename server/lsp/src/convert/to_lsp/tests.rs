//! Conversions to LSP types, by the capabilities of the client.

use super::*;
use crate::capabilities::{
    AnswerCapabilities, EvaluationCapabilities, NavigationCapabilities, SignatureCapabilities,
    WorkspaceCapabilities,
};
use crate::rule_pages::RulePages;
use expect_test::{Expect, expect};
use ide::{CodeAction, Related, Severity, SourceFile, Symbol, Tag};
use serde_json::Value;
use text::{TextEdit, TextSize};

const TEXT: &str = "a: é😀!\r\nb: 2\r\n";

fn client(full: bool) -> Capabilities {
    Capabilities {
        encoding: Encoding::Utf16,
        diagnostics: DiagnosticCapabilities {
            pull: false,
            related: full,
            code_description: full,
            rule_pages: RulePages::Web,
            data: full,
            tags: Vec::from_iter(full.then_some(lsp::DiagnosticTag::UNNECESSARY)),
        },
        answers: AnswerCapabilities {
            nested_symbols: full,
            code_actions: full,
            preferred: full,
            resolved_edits: full,
            confirmed_edits: full,
            versioned_edits: full,
            creates_files: false,
            renames_files: false,
            applies_edits: false,
            hover_markdown: full,
            completion_markdown: full,
            resolved_documentation: false,
            resolved_tooltips: false,
            snippets: full,
            signatures: SignatureCapabilities::default(),
        },
        navigation: NavigationCapabilities::default(),
        workspace: WorkspaceCapabilities::default(),
        evaluation: EvaluationCapabilities::default(),
        shows_progress: false,
    }
}

fn at(part: &str) -> TextRange {
    let start = TEXT.find(part).unwrap();
    TextRange::at(
        TextSize::new(u32::try_from(start).unwrap()),
        TextSize::of(part),
    )
}

fn uri() -> lsp::Uri {
    "file:///a.yaml".parse().unwrap()
}

fn finding() -> ide::Diagnostic {
    ide::Diagnostic {
        code: "some-rule",
        severity: Severity::Warning,
        range: at("!"),
        message: "This is odd.".to_owned(),
        upstream: Some("Invalid value".to_owned()),
        related: vec![Related {
            range: at("b"),
            elsewhere: None,
            message: "Because of this.".to_owned(),
        }],
        fixes: Vec::new(),
        tag: Some(Tag::Unnecessary),
    }
}

#[track_caller]
fn check(value: &impl serde::Serialize, expected: &Expect) {
    let value = with_short_ranges(serde_json::to_value(value).unwrap());
    expected.assert_eq(&serde_json::to_string_pretty(&value).unwrap());
}

/// Ranges as `line:character-line:character`.
fn with_short_ranges(value: Value) -> Value {
    if let Ok(lsp::Range { start, end }) = serde_json::from_value(value.clone()) {
        let (from, to) = (start.character, end.character);
        return format!("{}:{from}-{}:{to}", start.line, end.line).into();
    }
    match value {
        Value::Array(items) => items.into_iter().map(with_short_ranges).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, field)| (name, with_short_ranges(field)))
            .collect(),
        other => other,
    }
}

#[test]
fn a_finding_for_a_client_that_knows_everything() {
    let found = diagnostics(&SourceFile::new(TEXT), &uri(), &[finding()], &client(true));
    check(
        &found,
        &expect![[r#"
        [
          {
            "range": "0:6-0:7",
            "severity": 2,
            "code": "some-rule",
            "codeDescription": {
              "href": "https://github.com/admissible/admissible/blob/main/server/docs/rules.md#some-rule"
            },
            "source": "admissible",
            "message": "This is odd.\nKubernetes: Invalid value",
            "relatedInformation": [
              {
                "location": {
                  "uri": "file:///a.yaml",
                  "range": "1:0-1:1"
                },
                "message": "Because of this."
              }
            ],
            "tags": [
              1
            ],
            "data": {
              "upstream": "Invalid value"
            }
          }
        ]"#]],
    );
}

#[test]
fn a_finding_for_a_client_that_knows_little_loses_nothing_to_read() {
    let found = diagnostics(&SourceFile::new(TEXT), &uri(), &[finding()], &client(false));
    check(
        &found,
        &expect![[r#"
        [
          {
            "range": "0:6-0:7",
            "severity": 2,
            "code": "some-rule",
            "source": "admissible",
            "message": "This is odd.\nKubernetes: Invalid value\nLine 2: Because of this."
          }
        ]"#]],
    );
}

#[test]
fn of_too_many_findings_the_worst_are_shown() {
    let mut findings = vec![finding(); MAX_FINDINGS + 5];
    findings.last_mut().unwrap().severity = Severity::Error;
    let shown = diagnostics(&SourceFile::new(TEXT), &uri(), &findings, &client(true));
    assert_eq!(shown.len(), MAX_FINDINGS + 1);
    assert_eq!(shown[0].severity, Some(lsp::DiagnosticSeverity::ERROR));
    let last = &shown.last().unwrap().message;
    assert_eq!(last, "5 more findings in this file are not shown.");
}

fn symbols() -> Vec<Symbol> {
    vec![Symbol {
        name: "policy".to_owned(),
        detail: Some("ValidatingAdmissionPolicy".to_owned()),
        kind: SymbolKind::Document,
        range: at("a: é😀!\r\nb: 2"),
        selection: at("😀"),
        is_searched: true,
        children: vec![Symbol {
            name: " ".to_owned(),
            detail: None,
            kind: SymbolKind::Expression,
            range: at("b: 2"),
            selection: at("a"),
            is_searched: false,
            children: Vec::new(),
        }],
    }]
}

#[test]
fn symbols_lie_in_each_other() {
    let outline = document_symbols(&SourceFile::new(TEXT), &uri(), &symbols(), &client(true));
    check(
        &outline,
        &expect![[r#"
        [
          {
            "name": "policy",
            "detail": "ValidatingAdmissionPolicy",
            "kind": 5,
            "range": "0:0-1:4",
            "selectionRange": "0:4-0:6",
            "children": [
              {
                "name": "(no name)",
                "kind": 12,
                "range": "1:0-1:4",
                "selectionRange": "1:0-1:0"
              }
            ]
          }
        ]"#]],
    );
}

#[test]
fn symbols_in_a_list_name_what_they_are_in() {
    let outline = document_symbols(&SourceFile::new(TEXT), &uri(), &symbols(), &client(false));
    check(
        &outline,
        &expect![[r#"
        [
          {
            "name": "policy",
            "kind": 5,
            "location": {
              "uri": "file:///a.yaml",
              "range": "0:0-1:4"
            }
          },
          {
            "name": "(no name)",
            "kind": 12,
            "location": {
              "uri": "file:///a.yaml",
              "range": "1:0-1:4"
            },
            "containerName": "policy"
          }
        ]"#]],
    );
}

fn actions() -> Vec<CodeAction> {
    vec![CodeAction {
        title: "Quote the value".to_owned(),
        kind: ide::ActionKind::QuickFix,
        edits: vec![
            TextEdit::insert(at("é").start(), "\""),
            TextEdit::insert(at("!").end(), "\""),
        ],
        safety: ide::Safety::Safe,
        is_preferred: true,
        finding: Some(ide::Diagnostic {
            upstream: None,
            related: Vec::new(),
            tag: None,
            ..finding()
        }),
    }]
}

#[test]
#[expect(clippy::too_many_lines, reason = "the expected message is long")]
fn a_quick_fix_names_the_version_that_it_fits() {
    let actions = code_actions(&SourceFile::new(TEXT), &uri(), 7, &actions(), &client(true));
    check(
        &actions,
        &expect![[r#"
        [
          {
            "title": "Quote the value",
            "kind": "quickfix",
            "diagnostics": [
              {
                "range": "0:6-0:7",
                "severity": 2,
                "code": "some-rule",
                "codeDescription": {
                  "href": "https://github.com/admissible/admissible/blob/main/server/docs/rules.md#some-rule"
                },
                "source": "admissible",
                "message": "This is odd."
              }
            ],
            "edit": {
              "documentChanges": [
                {
                  "textDocument": {
                    "uri": "file:///a.yaml",
                    "version": 7
                  },
                  "edits": [
                    {
                      "range": "0:3-0:3",
                      "newText": "\""
                    },
                    {
                      "range": "0:7-0:7",
                      "newText": "\""
                    }
                  ]
                }
              ]
            },
            "isPreferred": true
          }
        ]"#]],
    );
}

#[test]
fn a_quick_fix_for_a_client_without_versions() {
    let actions = code_actions(
        &SourceFile::new(TEXT),
        &uri(),
        7,
        &actions(),
        &client(false),
    );
    check(
        &actions,
        &expect![[r#"
        [
          {
            "title": "Quote the value",
            "kind": "quickfix",
            "diagnostics": [
              {
                "range": "0:6-0:7",
                "severity": 2,
                "code": "some-rule",
                "source": "admissible",
                "message": "This is odd."
              }
            ],
            "edit": {
              "changes": {
                "file:///a.yaml": [
                  {
                    "range": "0:3-0:3",
                    "newText": "\""
                  },
                  {
                    "range": "0:7-0:7",
                    "newText": "\""
                  }
                ]
              }
            }
          }
        ]"#]],
    );
}

#[test]
fn problems_of_a_configuration_file_have_their_place() {
    let problem = ConfigProblem {
        range: at("2"),
        message: "This is not valid.".to_owned(),
    };
    check(
        &config_problems(TEXT, &[problem], Encoding::Utf16),
        &expect![[r#"
            [
              {
                "range": "1:3-1:4",
                "severity": 1,
                "source": "admissible",
                "message": "This is not valid."
              }
            ]"#]],
    );
}

fn completion_item(stops: Vec<std::ops::Range<u32>>) -> ide::Completion {
    ide::Completion {
        label: "all".to_owned(),
        kind: ide::CompletionKind::Macro,
        detail: None,
        documentation: None,
        edit: TextEdit::replace(at("!"), "all(c, c.)".to_owned()),
        stops,
        filter: None,
        rank: 0,
    }
}

/// Returns the inserted text of a completion.
fn inserted(stops: Vec<std::ops::Range<u32>>, snippets: bool) -> String {
    let file = SourceFile::new(TEXT);
    let list = completion(&file, &[completion_item(stops)], None, &client(snippets));
    let list = serde_json::to_value(list).unwrap();
    list["items"][0]["textEdit"]["newText"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_snippet_selects_its_parts() {
    let parts = || vec![4..5, 7..9];
    assert_eq!(inserted(parts(), true), "all(${1:c}, ${2:c.})");
    assert_eq!(
        inserted(std::iter::once(4..4).collect(), true),
        "all($0c, c.)"
    );
    assert_eq!(inserted(parts(), false), "all(");
    assert_eq!(inserted(Vec::new(), true), "all(c, c.)");
}

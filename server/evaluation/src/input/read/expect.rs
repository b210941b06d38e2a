//! `expect`: the expected outcome.

use super::super::error::{ExpectedType, InputErrorKind, StructureError};
use super::super::{Decision, Expect, ExpectField, ExpectRanges};
use super::Reader;
use std::ops::RangeInclusive;
use text::{Key, TextRange, ValueType};
use yaml::{Entry, Mapping, Node};

/// The keys of an expectation.
pub(super) const KEYS: &[Key] = &[
    Key::new(
        "decision",
        ValueType::Words(DECISIONS),
        "The expected decision. `allow`: the request is allowed, and no expression fails. \
         `deny`: a validation denies it. `warn` and `audit`: it is allowed, and a validation \
         fails under a binding with that action. `skip`: no policy matches it. `error`: an \
         expression fails.",
    ),
    Key::new(
        "message",
        ValueType::String,
        "The exact message of the denial, or of the warning if the decision is `warn`.",
    ),
    Key::new("messageContains", ValueType::String, "A part of a message."),
    Key::new(
        "reason",
        ValueType::String,
        "The reason for the denial, such as `Forbidden`.",
    ),
    Key::new(
        "code",
        ValueType::Integer {
            min: *STATUS_CODES.start(),
            max: *STATUS_CODES.end(),
        },
        "The HTTP status code of the denial.",
    ),
    Key::new(
        "warnings",
        ValueType::List(&ValueType::String),
        "The complete list of warnings, in order.",
    ),
    Key::new(
        "auditAnnotations",
        ValueType::Map(&ValueType::String),
        "The audit annotations that are written.",
    ),
    Key::new(
        "object",
        ValueType::Map(&ValueType::Any),
        "The content of the object after all mutations. It may be partial; `null` means that the \
         field must be missing.",
    ),
];

/// The status codes of HTTP.
const STATUS_CODES: RangeInclusive<u16> = 100..=599;

pub(super) const DECISIONS: &[&str] = &["allow", "deny", "warn", "audit", "skip", "error"];

impl Reader<'_> {
    /// Reads the expected outcome.
    pub(super) fn expect(&mut self, entry: Entry<'_>) -> Option<Expect> {
        let node = entry.value;
        if node.as_str().is_some() {
            let decision = self.decision(node)?;
            return Some(Expect {
                decision: Some(decision),
                ranges: ExpectRanges::all(node.range()),
                ..Expect::default()
            });
        }
        let is_empty = |mapping: &Mapping<'_>| mapping.entries().len() == 0;
        if node.is_null() || node.as_mapping().as_ref().is_some_and(is_empty) {
            self.error(
                entry.key,
                InputErrorKind::Structure(StructureError::EmptyExpect),
            );
            return None;
        }
        let Some(mapping) = node.as_mapping() else {
            self.wrong(node, "expect", ExpectedType::Expectation);
            return None;
        };
        self.check_keys(mapping, KEYS, &[], |_| None);
        let expect = self.expectations(mapping, entry.key.range());
        let nothing = Expect {
            ranges: expect.ranges.clone(),
            ..Expect::default()
        };
        if expect == nothing && self.errors.is_empty() {
            self.error(
                entry.key,
                InputErrorKind::Structure(StructureError::EmptyExpect),
            );
        }
        self.contradictions(mapping, &expect);
        Some(expect)
    }

    fn expectations(&mut self, mapping: Mapping<'_>, whole: TextRange) -> Expect {
        let written = |key: &str| mapping.get(key).filter(|node| !node.is_null());
        let parts = ExpectField::ALL.into_iter().filter_map(|field| {
            let node = written(field.key())?;
            Some((field, None, self.line(node)))
        });
        let parts = parts.collect();
        let ranges = ExpectRanges { whole, parts };
        Expect {
            decision: written("decision").and_then(|node| self.decision(node)),
            message: self.text(mapping, "message"),
            message_contains: self.text(mapping, "messageContains"),
            reason: self.text(mapping, "reason"),
            code: written("code").and_then(|node| self.code(node)),
            warnings: self.strings(mapping, "warnings"),
            audit_annotations: written("auditAnnotations")
                .and_then(|node| self.texts_by_key(node, "auditAnnotations")),
            object: written("object").and_then(|node| self.mapping_object(node, "object")),
            ranges,
        }
    }

    fn decision(&mut self, node: Node<'_>) -> Option<Decision> {
        let word = self.word(node, "decision", DECISIONS)?;
        Decision::parse(word)
    }

    fn code(&mut self, node: Node<'_>) -> Option<u16> {
        let found = match node.as_scalar().map(yaml::Scalar::value) {
            Some(yaml::Value::Int(code)) => u16::try_from(code).ok(),
            _ => None,
        };
        let code = found.filter(|code| STATUS_CODES.contains(code));
        if code.is_none() {
            self.wrong(node, "code", ExpectedType::StatusCode);
        }
        code
    }

    /// Reports expectations that contradict the decision.
    fn contradictions(&mut self, mapping: Mapping<'_>, expect: &Expect) {
        let Some(decision) = expect.decision else {
            return;
        };
        let never: &[&'static str] = match decision {
            Decision::Allow | Decision::Skip => &["message", "messageContains", "reason", "code"],
            Decision::Warn | Decision::Audit => &["reason", "code"],
            Decision::Deny => &["object"],
            Decision::Error => &[],
        };
        let entries = mapping.entries().filter(|entry| !entry.value.is_null());
        for entry in entries {
            let text = entry.key.key_text();
            if let Some(key) = never.iter().copied().find(|key| *key == text) {
                let decision = decision.as_str();
                self.error(entry.key, InputErrorKind::NeverHolds { key, decision });
            }
        }
    }
}

//! The test files of the tool kat.
//!
//! In kat, file names determine the content: `web.no-owner.deny.object.yaml` is the object of
//! a request that the policy `web` denies. All files of one test share a prefix.
//!
//! As in kat, `warn` and `audit` mean that the request is allowed.
//!
//! Upstream: zemanlx/kat, internal/loader/suite.go, collectTestFiles and buildTestRequest;
//! internal/loader/request.go.

use super::error::{InputError, InputErrorKind, StructureError};
use super::read::{Draft, Reader, is_nothing, syntax_errors};
use super::{Decision, Expect, ExpectField, ExpectRanges, Input, InputKey, Origin, PolicyName};
use cel::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::{TextRange, TextSize};
use yaml::Node;

/// The role of a file of a kat test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KatPart {
    /// The object as it will be.
    Object,
    /// The old object.
    OldObject,
    /// The operation and the user, and optionally the objects.
    Request,
    /// The parameters.
    Params,
    /// The namespace of the object.
    NamespaceObject,
    /// The answers of the authorizer.
    Authorizer,
    /// The object after all mutations.
    Gold,
    /// The expected audit annotations.
    Annotations,
    /// The message of the denial.
    Message,
    /// The warnings, one in a line.
    Warnings,
}

/// The name of a file of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KatName<'a> {
    /// The common prefix of the test's files, such as `web.no-owner.deny`.
    pub base: &'a str,
    /// The role of the file.
    pub part: KatPart,
}

/// The tests formed by some files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KatFiles {
    /// The tests, in the order of their names.
    pub inputs: Vec<Input>,
    /// The errors, by file. A test with an error is not an input.
    pub errors: Vec<(Arc<Path>, InputError)>,
}

/// The suffixes. kat itself ignores `expected`, which its users write for `gold`.
const ENDINGS: [(&str, KatPart); 11] = [
    (".object.yaml", KatPart::Object),
    (".oldObject.yaml", KatPart::OldObject),
    (".request.yaml", KatPart::Request),
    (".params.yaml", KatPart::Params),
    (".namespaceObject.yaml", KatPart::NamespaceObject),
    (".authorizer.yaml", KatPart::Authorizer),
    (".gold.yaml", KatPart::Gold),
    (".expected.yaml", KatPart::Gold),
    (".annotations.yaml", KatPart::Annotations),
    (".message.txt", KatPart::Message),
    (".warnings.txt", KatPart::Warnings),
];

/// The prefix of the message of a validation without a message, in kat. Kubernetes has other
/// prefixes, so only the rest is compared.
const NO_MESSAGE: &str = "validation failed: ";

/// Parses the name of a file. `None` for a file that is not part of a test.
#[must_use]
pub fn kat_name(file_name: &str) -> Option<KatName<'_>> {
    let mut endings = ENDINGS.into_iter();
    endings.find_map(|(ending, part)| {
        let base = file_name.strip_suffix(ending)?;
        (!base.is_empty()).then_some(KatName { base, part })
    })
}

impl KatName<'_> {
    /// Returns the policy whose name the test begins with, the longest of several.
    #[must_use]
    pub fn policy<'p>(&self, names: &[&'p str]) -> Option<&'p str> {
        let fits = |name: &&&str| {
            let rest = self.base.strip_prefix(**name);
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        names
            .iter()
            .filter(fits)
            .max_by_key(|name| name.len())
            .copied()
    }
}

/// Returns the tests formed by files for some policies. A test whose name does not begin with that
/// of a policy is for the only policy, or for none if there are several.
#[must_use]
pub fn kat(files: &[(PathBuf, Arc<str>)], policies: &[&str]) -> KatFiles {
    let mut tests: BTreeMap<(&Path, &str), Test<'_>> = BTreeMap::new();
    for (path, text) in files {
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(name) = name.and_then(kat_name) else {
            continue;
        };
        let policy = name.policy(policies).or(match policies {
            [only] => Some(*only),
            _ => None,
        });
        if let Some(policy) = policy {
            let folder = path.parent().unwrap_or(Path::new(""));
            let test = tests
                .entry((folder, name.base))
                .or_insert_with(|| Test::new(name.base, policy));
            test.parts
                .insert(name.part, (Arc::from(path.as_path()), text));
        }
    }
    let mut found = KatFiles::default();
    for mut test in tests.into_values() {
        match test.input() {
            Some(input) if test.errors.is_empty() => found.inputs.push(input),
            _ => found.errors.append(&mut test.errors),
        }
    }
    found
}

/// The files of one test.
struct Test<'f> {
    base: &'f str,
    policy: &'f str,
    parts: BTreeMap<KatPart, (Arc<Path>, &'f str)>,
    errors: Vec<(Arc<Path>, InputError)>,
}

impl<'f> Test<'f> {
    fn new(base: &'f str, policy: &'f str) -> Self {
        Self {
            base,
            policy,
            parts: BTreeMap::new(),
            errors: Vec::new(),
        }
    }

    fn input(&mut self) -> Option<Input> {
        let mut draft = Draft::default();
        self.read(KatPart::Request, |reader, root| {
            reader.request_document(root, &mut draft);
            Some(())
        });
        let object = self.read(KatPart::Object, |it, root| it.object_at(root, "object"));
        let old = self.read(KatPart::OldObject, |it, root| {
            it.object_at(root, "oldObject")
        });
        let namespace = self.namespace();
        let params = self.read(KatPart::Params, |it, root| {
            it.mapping_object(root, "params")
        });
        let authorizer = self.read(KatPart::Authorizer, |it, root| Some(it.authorizer(root)));
        let request = &mut draft.request;
        request.object = request.object.take().or(object);
        request.old_object = request.old_object.take().or(old);
        request.namespace_object = request.namespace_object.take().or(namespace);
        request.params = params.map(|params| vec![params]);
        request.authorizer = authorizer.unwrap_or_default();
        let expect = self.expect();
        if self.errors.is_empty() {
            self.complete(&draft);
        }
        let (path, _) = self.parts.values().next()?;
        Some(Input {
            key: InputKey {
                path: Arc::clone(path),
                document: 0,
                name: self.name().to_owned(),
            },
            origin: Origin::Kat,
            policies: Some(vec![PolicyName {
                name: self.policy.to_owned(),
                range: TextRange::default(),
            }]),
            request: draft.request,
            expect: Some(expect),
        })
    }

    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method is of a reader of one lifetime"
    )]
    fn namespace(&mut self) -> Option<Value> {
        self.read(KatPart::NamespaceObject, |it, root| it.namespace_at(root))
    }

    /// Returns the name without that of the policy.
    fn name(&self) -> &'f str {
        let rest = self.base.strip_prefix(self.policy);
        let rest = rest.and_then(|rest| rest.strip_prefix('.'));
        rest.unwrap_or(self.base)
    }

    /// Reads a YAML file, if it exists.
    fn read<T>(
        &mut self,
        part: KatPart,
        read: impl FnOnce(&mut Reader<'_>, Node<'_>) -> Option<T>,
    ) -> Option<T> {
        let (path, text) = self.parts.get(&part)?;
        let mut errors = Vec::new();
        let stream = yaml::parse(Arc::from(*text));
        errors.extend(syntax_errors(&stream));
        let mut reader = Reader::new(text);
        let mut roots = stream.documents().filter_map(yaml::Document::root);
        let found = match roots.find(|root| !is_nothing(*root)) {
            _ if !errors.is_empty() => None,
            None => {
                let (range, kind) = (
                    TextRange::default(),
                    InputErrorKind::Structure(StructureError::Empty),
                );
                errors.push(InputError { range, kind });
                None
            }
            Some(root) => {
                reader.duplicates(root);
                read(&mut reader, root)
            }
        };
        errors.append(&mut reader.errors);
        let errors = errors.into_iter().map(|error| (Arc::clone(path), error));
        self.errors.extend(errors);
        found
    }

    /// Reports whether the request is complete and matches its operation.
    fn complete(&mut self, draft: &Draft) {
        let Some(kind) = draft.mismatch() else {
            return;
        };
        let request = self.parts.get(&KatPart::Request);
        let Some((path, _)) = request.or(self.parts.values().next()) else {
            return;
        };
        let range = draft.operation.unwrap_or_default();
        self.errors
            .push((Arc::clone(path), InputError { range, kind }));
    }

    fn expect(&mut self) -> Expect {
        let object = self.read(KatPart::Gold, |it, root| it.mapping_object(root, "object"));
        let annotations = self.read(KatPart::Annotations, |it, root| {
            it.texts_by_key(root, "auditAnnotations")
        });
        let text = |part| self.parts.get(&part).map(|(_, text)| text.trim());
        let message = text(KatPart::Message).filter(|text| !text.is_empty());
        let own_words = message.and_then(|text| text.strip_prefix(NO_MESSAGE));
        let warnings = text(KatPart::Warnings).map(|text| {
            let lines = text.lines().map(str::trim);
            let lines = lines.filter(|line| !line.is_empty()).map(str::to_owned);
            lines.collect::<Vec<String>>()
        });
        let denied = self.base.split('.').skip(1).any(|word| word == "deny");
        Expect {
            decision: Some(if denied {
                Decision::Deny
            } else {
                Decision::Allow
            }),
            message: message.filter(|_| own_words.is_none()).map(str::to_owned),
            message_contains: own_words.map(str::to_owned),
            warnings: warnings.filter(|warnings| !warnings.is_empty()),
            audit_annotations: annotations,
            object,
            ranges: self.ranges(),
            ..Expect::default()
        }
    }

    /// Returns the range of the whole file for each part, and the file.
    fn ranges(&self) -> ExpectRanges {
        let whole = |text: &str| TextRange::up_to(TextSize::of(text));
        let first = self.parts.values().next();
        let first = first.map_or_else(TextRange::default, |(_, text)| whole(text));
        let mut ranges = ExpectRanges::all(first);
        for (part, field) in [
            (KatPart::Message, ExpectField::Message),
            (KatPart::Message, ExpectField::MessageContains),
            (KatPart::Warnings, ExpectField::Warnings),
            (KatPart::Annotations, ExpectField::AuditAnnotations),
            (KatPart::Gold, ExpectField::Object),
        ] {
            if let Some((path, text)) = self.parts.get(&part) {
                let file = Some(Arc::clone(path));
                ranges.parts.push((field, file, whole(text)));
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests;

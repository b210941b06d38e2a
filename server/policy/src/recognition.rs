//! The documents that carry CEL, wherever they are in a file.
//!
//! Everything after this module uses the kind of a document and not how it was found: alone,
//! after a `---`, or as an item of a nested list. A document that
//! is almost of a supported kind is reported, because the API server rejects it; all others are
//! ignored.

mod unsupported;

pub use unsupported::Unsupported;

use crate::document::Document;
use crate::field_path::FieldPath;
use crate::kind::{ApiVersion, Kind};
use crate::manifest::Manifest;
use crate::policy_document::PolicyDocument;
use crate::results::Results;
use kubernetes::names::GroupVersion;
use kubernetes::{Target, TypeMeta};
use memchr::memmem;
use std::sync::Arc;
use text::{TextRange, TextSize, nearest};
use yaml::{Node, Sequence, Stream};

/// The documents of a file that carry CEL.
#[derive(Debug, Default)]
pub struct Recognition {
    /// The documents that carry CEL, in the order of the file.
    pub policies: Vec<Arc<PolicyDocument>>,
    /// The documents that the API server would not recognize, though they resemble supported
    /// kinds.
    pub near_misses: Vec<NearMiss>,
    /// The documents that carry CEL and are not supported.
    pub unsupported: Vec<Unsupported>,
}

/// A document that seems to be ours and is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearMiss {
    /// The path from the root of the YAML document: empty, or `items[3]` in a list.
    pub base: FieldPath,
    /// The bytes to underline: the value that is wrong, or the first key if one is missing.
    pub range: TextRange,
    /// The error.
    pub kind: NearMissKind,
}

/// Why a document is almost of a supported kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NearMissKind {
    /// The group has no such kind.
    UnknownKind {
        /// The API group.
        group: &'static str,
        /// The kind as written.
        kind: String,
        /// The kind that it most resembles.
        nearest: Option<Kind>,
    },
    /// The kind is ours, and never had that version.
    UnknownVersion {
        /// The kind.
        kind: Kind,
        /// The version as written; empty if there is only the group.
        version: String,
    },
    /// It is a CustomResourceDefinition in `v1beta1`, which had no CEL. Kubernetes 1.22 removed it.
    RemovedVersion,
    /// The kind is ours, and the group is a misspelling of its group or empty.
    UnknownGroup {
        /// The kind.
        kind: Kind,
        /// The group as written; empty for `apiVersion: v1`.
        group: String,
    },
    /// The kind is supported, and `apiVersion` is missing.
    MissingApiVersion {
        /// The kind.
        kind: Kind,
    },
    /// The group is supported, and `kind` is missing.
    MissingKind {
        /// The API group.
        group: &'static str,
    },
    /// The document is a list, with an item of this kind.
    List {
        /// The kind of the item.
        kind: Kind,
    },
}

const GROUPS: [&str; 2] = ["admissionregistration.k8s.io", "apiextensions.k8s.io"];

/// Words of which every supported document contains one, and every near miss.
const WORDS: [&str; 5] = [
    "admissionregistration",
    "apiextensions",
    "AdmissionPolicy",
    "WebhookConfiguration",
    "CustomResourceDefinition",
];

/// Returns whether `text` can hold a supported document: a quick scan, so that thousands of other
/// manifests need not be parsed.
#[must_use]
pub fn may_hold_policy(text: &str) -> bool {
    WORDS
        .iter()
        .any(|word| memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}

/// Returns the documents of `text` that can be supported, for [`yaml::parse_documents`].
#[must_use]
pub fn possible_documents(text: &str) -> Vec<TextRange> {
    some(text, may_hold_policy)
}

/// Returns the documents of `text` that can be supported, and those that can carry CEL without
/// being supported.
#[must_use]
pub fn documents(text: &str) -> Vec<TextRange> {
    some(text, |text| {
        may_hold_policy(text) || unsupported::may_hold(text)
    })
}

/// Returns the documents of `text` for which `may_hold` is true, and those that begin with a
/// directive, after which Kubernetes reads nothing.
fn some(text: &str, may_hold: fn(&str) -> bool) -> Vec<TextRange> {
    if !may_hold(text) {
        return Vec::new();
    }
    let is_kept = |part: &str| may_hold(part) || begins_with_directive(part);
    yaml::split(text)
        .filter(|range| {
            text.get(usize::from(range.start())..usize::from(range.end()))
                .is_some_and(is_kept)
        })
        .collect()
}

/// Returns whether the first line that is not blank and no comment is a directive.
fn begins_with_directive(part: &str) -> bool {
    let mut lines = part.lines();
    lines
        .find(|line| !line.trim_start().is_empty() && !line.starts_with('#'))
        .is_some_and(|line| line.starts_with('%'))
}

/// Limit: items of lists in lists. Aliases can make their number explode.
const MAX_ITEMS: usize = 100_000;
/// Limit: bytes in which CEL of unsupported kinds is searched for, as aliases can repeat them.
const MAX_SCAN: usize = 64 * 1024 * 1024;
/// Limit: steps to a document, two for each list. Aliases can nest lists without end.
const MAX_STEPS: usize = 64;

/// Finds the documents of `stream` that carry CEL, including those in lists.
#[must_use]
pub fn recognize(stream: &Arc<Stream>) -> Recognition {
    recognize_for(stream, Target::default())
}

/// Finds the documents of `stream` that carry CEL, written for the servers of `target`.
#[must_use]
pub fn recognize_for(stream: &Arc<Stream>, target: Target) -> Recognition {
    recognize_with(stream, target, &Arc::default())
}

/// Finds the documents of `stream` that carry CEL. `results` holds the results of their
/// expressions so far.
pub(crate) fn recognize_with(
    stream: &Arc<Stream>,
    target: Target,
    results: &Arc<Results>,
) -> Recognition {
    let mut search = Search {
        stream,
        target,
        results,
        found: Recognition::default(),
        items: MAX_ITEMS,
        scan: MAX_SCAN,
    };
    for document in stream.documents() {
        if let Some(root) = document.root() {
            search.document(root, FieldPath::root(), document.recovered(), None);
        }
    }
    search.found
}

struct Search<'s> {
    stream: &'s Arc<Stream>,
    target: Target,
    results: &'s Arc<Results>,
    found: Recognition,
    items: usize,
    scan: usize,
}

impl Search<'_> {
    /// Recognizes a document. `inherited` is the kind of an item of a typed list that has none.
    fn document(
        &mut self,
        root: Node<'_>,
        base: FieldPath,
        recovered: bool,
        inherited: Option<(Kind, ApiVersion)>,
    ) {
        if let Some(items) = root.as_sequence() {
            return self.bare_list(items, &base);
        }
        if root.as_mapping().is_none() || base.steps().len() > MAX_STEPS {
            return;
        }
        let TypeMeta { api_version, kind } = TypeMeta::read(root);
        match (api_version, kind, inherited) {
            (None, None, Some(identity)) => self.policy(root, identity, base, recovered),
            (None, None, None) => {}
            (None, Some(kind), _) => self.without_api_version(root, kind, &base),
            (Some(api_version), None, _) => self.without_kind(root, api_version, &base),
            (Some(api_version), Some(kind), _) => {
                self.identified(root, api_version, kind, base, recovered);
            }
        }
    }

    /// Reports a list of documents, which kubectl cannot read.
    fn bare_list(&mut self, items: Sequence<'_>, base: &FieldPath) {
        let kind = items.items().find_map(|item| {
            let TypeMeta { api_version, kind } = TypeMeta::read(item);
            let kind = Kind::parse(kind?.text())?;
            (GroupVersion::parse(api_version?.text()).group == kind.group()).then_some(kind)
        });
        if let Some(kind) = kind.filter(|_| base.steps().is_empty()) {
            let range = TextRange::at(items.node().range().start(), TextSize::of('['));
            self.near_miss(base, range, NearMissKind::List { kind });
        }
    }

    fn without_api_version(&mut self, root: Node<'_>, kind: Node<'_>, base: &FieldPath) {
        if let Some(kind) = Kind::parse(kind.text()) {
            let range = first_key(root);
            self.near_miss(base, range, NearMissKind::MissingApiVersion { kind });
        }
    }

    fn without_kind(&mut self, root: Node<'_>, api_version: Node<'_>, base: &FieldPath) {
        let group = GroupVersion::parse(api_version.text()).group;
        let Some(group) = known_group(group) else {
            return;
        };
        if Manifest::is_like(group, root) {
            let range = first_key(root);
            self.near_miss(base, range, NearMissKind::MissingKind { group });
        }
    }

    fn identified(
        &mut self,
        root: Node<'_>,
        api_version: Node<'_>,
        kind: Node<'_>,
        base: FieldPath,
        recovered: bool,
    ) {
        let GroupVersion { group, version } = GroupVersion::parse(api_version.text());
        let (name, list) = match kind.text().strip_suffix("List") {
            Some(name) => (name, true),
            None => (kind.text(), false),
        };
        if list && name.is_empty() && group.is_empty() && version == "v1" {
            return self.list(root, &base, recovered, None);
        }
        if unsupported::is_group(group) {
            return self.unsupported(root, group, kind);
        }
        let Some(known) = Kind::parse(name) else {
            return self.unknown_kind(kind, group, &base);
        };
        if known.group() != group {
            return self.other_group(api_version, known, group, &base);
        }
        let parsed =
            ApiVersion::parse(version).filter(|version| known.versions().contains(version));
        let Some(version) = parsed else {
            return self.unknown_version(api_version, known, version, &base);
        };
        if list {
            self.list(root, &base, recovered, Some((known, version)));
        } else {
            self.policy(root, (known, version), base, recovered);
        }
    }

    fn unsupported(&mut self, root: Node<'_>, group: &str, kind: Node<'_>) {
        let text = self.stream.slice(root.range());
        if let Some(rest) = self.scan.checked_sub(text.len()) {
            self.scan = rest;
            let found = unsupported::recognize(text, group, kind);
            self.found.unsupported.extend(found);
        }
    }

    fn policy(
        &mut self,
        root: Node<'_>,
        identity: (Kind, ApiVersion),
        base: FieldPath,
        recovered: bool,
    ) {
        let context = (self.target, self.results);
        let document = Document::new(self.stream, root, identity, base, recovered, context);
        let document = Arc::new(PolicyDocument::new(document));
        self.found.policies.push(document);
    }

    fn list(
        &mut self,
        root: Node<'_>,
        base: &FieldPath,
        recovered: bool,
        inherited: Option<(Kind, ApiVersion)>,
    ) {
        let items = kubernetes::items(root);
        let base = base.child("items");
        for (index, item) in items.into_iter().flat_map(Sequence::items).enumerate() {
            let Some(rest) = self.items.checked_sub(1) else {
                return;
            };
            self.items = rest;
            self.document(item, base.index(index), recovered, inherited);
        }
    }

    fn unknown_kind(&mut self, kind: Node<'_>, group: &str, base: &FieldPath) {
        let Some(group) = known_group(group) else {
            return;
        };
        let ours = Kind::ALL.into_iter().filter(|kind| kind.group() == group);
        let nearest = nearest(kind.text(), ours.map(Kind::as_str)).and_then(Kind::parse);
        // The other group has kinds that no file contains and one supported kind.
        if nearest.is_none() && group == Kind::CustomResourceDefinition.group() {
            return;
        }
        let unknown = NearMissKind::UnknownKind {
            group,
            kind: kind.text().to_owned(),
            nearest,
        };
        self.near_miss(base, kind.range(), unknown);
    }

    fn other_group(&mut self, api_version: Node<'_>, kind: Kind, group: &str, base: &FieldPath) {
        let unknown = if api_version.text() == kind.group() {
            NearMissKind::UnknownVersion {
                kind,
                version: String::new(),
            }
        } else if group.is_empty() || nearest(group, [kind.group()]).is_some() {
            NearMissKind::UnknownGroup {
                kind,
                group: group.to_owned(),
            }
        } else {
            // Other projects may call a kind of theirs by a name of ours.
            return;
        };
        self.near_miss(base, api_version.range(), unknown);
    }

    fn unknown_version(&mut self, node: Node<'_>, kind: Kind, version: &str, base: &FieldPath) {
        if kind == Kind::CustomResourceDefinition && version == "v1beta1" {
            return self.near_miss(base, node.range(), NearMissKind::RemovedVersion);
        }
        let unknown = NearMissKind::UnknownVersion {
            kind,
            version: version.to_owned(),
        };
        self.near_miss(base, node.range(), unknown);
    }

    fn near_miss(&mut self, base: &FieldPath, range: TextRange, kind: NearMissKind) {
        self.found.near_misses.push(NearMiss {
            base: base.clone(),
            range,
            kind,
        });
    }
}

fn known_group(group: &str) -> Option<&'static str> {
    GROUPS.into_iter().find(|known| *known == group)
}

fn first_key(root: Node<'_>) -> TextRange {
    root.as_mapping()
        .and_then(|mapping| mapping.entries().next())
        .map_or(root.range(), |entry| entry.key.range())
}

#[cfg(test)]
mod tests;

//! Tags, anchors and aliases.
//!
//! An alias repeats a node, so a few hundred bytes can expand to billions of nodes. The number
//! of nodes is therefore counted as if every alias were written out, and aliases that expand to
//! too many are rejected.

use crate::error::SyntaxErrorKind;
use crate::tree::{CoreTag, NONE};
use std::collections::HashMap;
use text::TextRange;

/// The properties before a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Properties {
    /// The name without `&`.
    pub(super) anchor: Option<TextRange>,
    /// The tag with its `!`.
    pub(super) tag: Option<TextRange>,
    pub(super) core: Option<CoreTag>,
    /// The end of the properties.
    pub(super) end: usize,
}

impl Properties {
    pub(super) fn is_empty(&self) -> bool {
        self.anchor.is_none() && self.tag.is_none()
    }

    /// Returns whether both have a tag or both have an anchor.
    pub(super) fn repeats(&self, other: &Properties) -> bool {
        (self.anchor.is_some() && other.anchor.is_some())
            || (self.tag.is_some() && other.tag.is_some())
    }
}

/// The anchors of a document.
#[derive(Clone, Default)]
pub(super) struct Anchors<'a> {
    names: HashMap<&'a str, u32>,
    anchored: Vec<Anchored>,
    /// The nodes so far, aliases written out, and how many of them come from aliases.
    nodes: u64,
    aliased: u64,
    reported: bool,
}

#[derive(Clone, Copy)]
struct Anchored {
    node: u32,
    /// The nodes in it, aliases written out. `None` as long as it is open.
    weight: Option<u64>,
}

impl<'a> Anchors<'a> {
    /// Counts a node that is written.
    pub(super) fn count(&mut self) {
        self.nodes += 1;
    }

    /// Names a node. A later node may have the same name.
    pub(super) fn define(&mut self, name: &'a str, node: u32) -> u32 {
        let index = u32::try_from(self.anchored.len()).unwrap_or(NONE);
        self.anchored.push(Anchored { node, weight: None });
        self.names.insert(name, index);
        index
    }

    /// Completes the node of an anchor.
    pub(super) fn close(&mut self, anchor: u32, weight: u64) {
        if let Some(anchored) = self.anchored.get_mut(anchor as usize) {
            anchored.weight = Some(weight);
        }
    }

    /// Returns the node that an alias refers to, and the number of its nodes. The error is `None`
    /// if it was reported before.
    pub(super) fn resolve(&mut self, name: &str) -> Result<(u32, u64), Option<SyntaxErrorKind>> {
        let index = self.names.get(name).copied().unwrap_or(NONE);
        let Some(anchored) = self.anchored.get(index as usize).copied() else {
            return Err(Some(SyntaxErrorKind::UnknownAnchor(name.to_owned())));
        };
        let Some(weight) = anchored.weight else {
            return Err(Some(SyntaxErrorKind::RecursiveAlias(name.to_owned())));
        };
        let nodes = self.nodes.saturating_add(weight);
        let aliased = self.aliased.saturating_add(weight);
        if is_excessive(nodes, aliased) {
            let first = !std::mem::replace(&mut self.reported, true);
            return Err(first.then_some(SyntaxErrorKind::ExcessiveAliasing));
        }
        self.nodes = nodes;
        self.aliased = aliased;
        Ok((anchored.node, weight))
    }
}

/// Limit: aliases may make up 99 % of a small document, but only a tenth of a large one.
///
/// Upstream: go.yaml.in/yaml/v2, decode.go, allowedAliasRatio.
fn is_excessive(nodes: u64, aliased: u64) -> bool {
    const SMALL: f64 = 400_000.0;
    const LARGE: f64 = 4_000_000.0;
    if aliased <= 100 || nodes <= 1_000 {
        return false;
    }
    // A ratio needs no more.
    let (nodes, aliased) = (nodes as f64, aliased as f64);
    let part = ((nodes - SMALL) / (LARGE - SMALL)).clamp(0.0, 1.0);
    aliased / nodes > 0.99 - 0.89 * part
}

/// Returns the tag of YAML's core schema that `tag` names, if it is written as a tag.
///
/// Upstream: go.yaml.in/yaml/v2, scannerc.go, yaml_parser_scan_tag.
pub(super) fn core_tag(tag: &str) -> Option<CoreTag> {
    if tag == "!" {
        return Some(CoreTag::Bare);
    }
    let name = if let Some(verbatim) = tag.strip_prefix("!<") {
        let full = verbatim.strip_suffix('>').filter(|full| !full.is_empty())?;
        full.strip_prefix("tag:yaml.org,2002:").unwrap_or("")
    } else if let Some(name) = tag.strip_prefix("!!") {
        Some(name).filter(|name| !name.is_empty())?
    } else {
        // A custom handle needs a directive, which Kubernetes does not read.
        let (handle, _) = tag.get(1..)?.split_once('!').unwrap_or_default();
        let declared = handle.bytes().any(|byte| !is_name(byte)) || handle.is_empty();
        return declared.then_some(CoreTag::Other);
    };
    Some(match name {
        "str" => CoreTag::Str,
        "bool" => CoreTag::Bool,
        "int" => CoreTag::Int,
        "float" => CoreTag::Float,
        "null" => CoreTag::Null,
        "timestamp" => CoreTag::Timestamp,
        "binary" => CoreTag::Binary,
        "merge" => CoreTag::Merge,
        _ => CoreTag::Other,
    })
}

/// Returns whether the byte may be in the name of an anchor.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Returns whether the byte may be in a tag.
pub(super) fn is_tag(byte: u8) -> bool {
    is_name(byte) || b";/?:@&=+$,.!~*'()[]%".contains(&byte)
}

//! The names of a CustomResourceDefinition, which depend on each other.

use super::{ManifestContext, ManifestList};
use kubernetes::TypeMeta;
use yaml::Node;

/// Offers the value of a name. Returns whether it follows from other names.
pub(super) fn add(
    context: &ManifestContext<'_>,
    (owner, key): (Node<'_>, &str),
    list: &mut ManifestList,
) -> bool {
    let Some(name) = name(context, owner, key) else {
        return false;
    };
    list.value(context, &name, None);
    true
}

fn name(context: &ManifestContext<'_>, owner: Node<'_>, key: &str) -> Option<String> {
    let root = match (context.owner_key(owner)?.as_str(), key) {
        ("metadata", "name") => owner.parent()?,
        ("names", "plural" | "singular" | "listKind") => owner.parent()?.parent()?,
        _ => return None,
    };
    let kind = TypeMeta::read(root).kind.and_then(Node::as_str);
    let spec = root
        .get("spec")
        .filter(|_| kind == Some("CustomResourceDefinition"))?;
    let names = spec.get("names")?;
    let kind = names.get("kind").and_then(Node::as_str);
    match key {
        "name" => {
            let plural = names.get("plural")?.as_str()?;
            Some(format!("{plural}.{}", spec.get("group")?.as_str()?))
        }
        "plural" => Some(plural(&kind?.to_lowercase())),
        "singular" => Some(kind?.to_lowercase()),
        _ => Some(format!("{}List", kind?)),
    }
}

/// Returns the plural of a kind in lower case, as in English: Kubernetes prescribes none.
fn plural(singular: &str) -> String {
    let ends_with_sibilant = |it: &&str| singular.ends_with(it);
    match singular.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ["s", "x", "z", "ch", "sh"].iter().any(ends_with_sibilant) => format!("{singular}es"),
        _ => format!("{singular}s"),
    }
}

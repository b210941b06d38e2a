//! Objects in inputs of a kind that no server has.

use crate::diagnostics::{Finding, RuleContext};
use crate::project::Project;
use kubernetes::TypeMeta;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Resource};
use yaml::Node;
use yaml::edit::replace_word;

/// The keys of objects, at the root and below `request`.
const OBJECTS: [&str; 4] = ["object", "oldObject", "namespaceObject", "params"];

/// Reports the objects of an inputs file whose group is built in and has no such kind.
pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    if !context.file.inputs().is_inputs_file {
        return;
    }
    let stream = yaml::parse(context.file.shared_text());
    let documents = stream.documents().filter(|it| !it.recovered());
    let roots: Vec<Node<'_>> = documents.filter_map(yaml::Document::root).collect();
    let project = context.file.project();
    for object in roots.into_iter().flat_map(objects) {
        found.extend(unknown(project, object));
    }
}

/// Returns the objects of an input: the document if it is a manifest, otherwise those of its keys.
fn objects(root: Node<'_>) -> Vec<Node<'_>> {
    let owners = [Some(root), root.get("request")];
    let mut objects = vec![root];
    for value in owners
        .into_iter()
        .flatten()
        .flat_map(|owner| OBJECTS.map(|key| owner.get(key)))
    {
        match value.and_then(Node::as_sequence) {
            Some(list) => objects.extend(list.items()),
            None => objects.extend(value),
        }
    }
    objects
}

fn unknown(project: &Project, object: Node<'_>) -> Option<Finding> {
    let meta = TypeMeta::read(object);
    let (GroupVersion { group, version }, kind) = meta.names()?;
    let newest = Catalog::built_in(project.target().newest());
    let is_known = |catalog: &Catalog| catalog.schema(group, version, kind).is_some();
    let mut servers = project.target().servers();
    if !newest.resources().any(|it| it.group == group)
        || is_known(project.kinds())
        || servers.any(|server| is_known(&Catalog::with_former(server)))
    {
        return None;
    }
    let of_version = newest
        .resources()
        .filter(|it| (it.group, it.version) == (group, version));
    let message = format!(
        "There is no kind `{kind}` in `{}`.",
        meta.api_version?.text()
    );
    // Kinds without a suggestion may be options of a request, which no schema describes.
    let (wrong, right) = match intended(kind, &of_version.collect::<Vec<_>>()) {
        Some(right) => (meta.kind?, right.to_owned()),
        None => {
            let named = newest.resources().find(|it| it.kind == kind)?;
            let right = GroupVersion {
                group: named.group,
                version: named.version,
            };
            (meta.api_version?, right.to_string())
        }
    };
    let hint = if wrong == meta.kind? {
        format!("Did you mean `{right}`?")
    } else {
        format!("It is in `{right}`.")
    };
    let finding = Finding::new(meta.kind?.range(), format!("{message} {hint}"));
    Some(match replace_word(wrong, &right) {
        Some(edit) => finding.fix(format!("Change to `{right}`"), vec![edit]),
        None => finding,
    })
}

/// Returns the kind that is probably meant, by the name of its resource or by a misspelled name.
fn intended<'c>(written: &str, served: &[Resource<'c>]) -> Option<&'c str> {
    let is_resource = |it: &&Resource<'c>| {
        let names = [it.plural, it.singular, it.kind];
        names.iter().any(|name| name.eq_ignore_ascii_case(written))
    };
    let by_name = served.iter().find(is_resource).map(|it| it.kind);
    by_name.or_else(|| text::nearest(written, served.iter().map(|it| it.kind)))
}

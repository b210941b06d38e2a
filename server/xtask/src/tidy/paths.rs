//! The paths that a Rust file takes from its crate: those that begin with `crate` or `super`.

/// The paths of a file, each with its line. A use tree is one for each of its names.
pub(super) fn paths(text: &str) -> Vec<(usize, Vec<&str>)> {
    let (mut found, mut line, mut rest) = (Vec::new(), 1, code(text));
    while let Some(start) = first(rest) {
        let (before, tree) = rest.split_at_checked(start).unwrap_or((rest, ""));
        line += before.matches('\n').count();
        let mut trees = Vec::new();
        rest = expand(tree, &[], &mut trees);
        let own = before.rsplit('\n').next().unwrap_or_default();
        if !own.contains("//") && !own.ends_with(is_name) {
            found.extend(trees.into_iter().map(|path| (line, path)));
        }
        let read = tree.len() - rest.len();
        line += tree.get(..read).unwrap_or_default().matches('\n').count();
    }
    found
}

/// Returns the part of a file before the tests that it holds itself.
fn code(text: &str) -> &str {
    let mut ends = text.match_indices("#[cfg(test)]\n").map(|(at, _)| at);
    let end = ends.find(|at| {
        let mut lines = text.get(*at..).unwrap_or_default().lines().skip(1);
        let item = lines.find(|line| !line.starts_with("#["));
        item.is_some_and(|line| line.starts_with("mod ") && line.ends_with('{'))
    });
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Returns where the first path begins.
fn first(text: &str) -> Option<usize> {
    let starts = ["crate::", "super::"].map(|prefix| text.find(prefix));
    starts.into_iter().flatten().min()
}

/// Adds the paths of a use tree below `prefix`, and returns the text after it.
fn expand<'t>(tree: &'t str, prefix: &[&'t str], found: &mut Vec<Vec<&'t str>>) -> &'t str {
    let (mut path, mut rest) = (prefix.to_vec(), tree.trim_start());
    loop {
        if let Some(mut list) = rest.strip_prefix('{') {
            while let Some(next) = {
                list = expand(list, &path, found).trim_start();
                list.strip_prefix(',')
            } {
                list = next;
            }
            return list.strip_prefix('}').unwrap_or(list);
        }
        let (name, after) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
        rest = after;
        if !name.is_empty() {
            path.push(name);
        }
        match rest.strip_prefix("::") {
            Some(below) if !name.is_empty() => rest = below,
            _ => break,
        }
    }
    if path.len() > prefix.len() {
        found.push(path);
    }
    match rest.strip_prefix(" as ") {
        Some(alias) => alias.trim_start_matches(is_name),
        None => rest,
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

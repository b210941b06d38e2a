//! The table of the resources that every server has: which plural a kind is served under.

use serde_json::Value;
use std::fmt::Write;

/// The text of `admission/tables.rs`. `lines` holds one resource a line.
pub(super) fn render(name: &str, lines: &str) -> Result<String, String> {
    let mut rows = Vec::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        rows.push(row(line).map_err(|reason| format!("{name}: {reason}"))?);
    }
    rows.sort_unstable();
    let mut out = format!(
        "//! Written by `cargo xtask schemas` from `{name}`: do not edit.\n\n\
         use super::resource::Known;\n\n\
         /// Every resource, sorted by group, version and kind.\n\
         pub(super) static RESOURCES: &[Known] = &[\n"
    );
    for (group, version, kind, plural, namespaced) in rows {
        let _ = writeln!(
            out,
            "    Known {{ group: {group:?}, version: {version:?}, kind: {kind:?}, plural: {plural:?}, namespaced: {namespaced} }},"
        );
    }
    out.push_str("];\n");
    Ok(out)
}

type Row = (String, String, String, String, bool);

fn row(line: &str) -> Result<Row, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let text = |key: &str| {
        let text = value.get(key).and_then(Value::as_str);
        text.map(str::to_owned)
            .ok_or_else(|| format!("{key} is missing in {line}"))
    };
    let namespaced = value.get("namespaced").and_then(Value::as_bool);
    Ok((
        text("group")?,
        text("version")?,
        text("kind")?,
        text("resource")?,
        namespaced.ok_or_else(|| format!("namespaced is missing in {line}"))?,
    ))
}

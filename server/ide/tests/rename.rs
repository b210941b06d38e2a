//! Navigation on every example: no panic at any offset, and renames that change no finding.

#![cfg(test)]

use ide::{
    Settings, SourceFile, diagnose, folding_ranges, hierarchy_item, incoming_calls, name_at,
    occurrences, outgoing_calls, prepare_rename, rename, schema_paths, selection_ranges,
};
use std::collections::HashSet;
use std::path::Path;
use text::{TextSize, apply_edits};

fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["tests/examples/good", "tests/examples/bad", "examples"];
    let files = folders.iter().flat_map(|it| {
        let files = std::fs::read_dir(folder.join(it)).unwrap();
        files.map(|file| file.unwrap().path())
    });
    let texts: Vec<String> = files
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .collect();
    assert!(texts.len() > 5);
    texts
}

#[test]
fn every_offset_is_answered() {
    for text in examples() {
        let file = SourceFile::new(text.as_str());
        let _ = folding_ranges(&file);
        for offset in 0..=u32::from(TextSize::of(&*text)) {
            let at = TextSize::new(offset);
            let _ = prepare_rename(&file, at);
            let _ = schema_paths(&file, at, true);
            let _ = hierarchy_item(&file, at);
            let _ = incoming_calls(&file, at);
            let _ = outgoing_calls(&file, at);
            assert!(!selection_ranges(&file, at).is_empty());
        }
    }
}

/// The findings without their columns, with `new` written as `old`.
fn findings(text: &str, new: &str, old: &str) -> Vec<String> {
    let file = SourceFile::new(text);
    let found = diagnose(&file, &Settings::default());
    let shown = found.iter().map(|it| {
        let line = file.line_index().line(it.range.start());
        // A suggestion depends on how alike two names are.
        let message = it.message.split(" Did you mean").next().unwrap_or_default();
        let message = message.split(" Define it in").next().unwrap_or_default();
        format!("{line} {} {message}", it.code).replace(new, old)
    });
    shown.collect()
}

#[test]
fn a_rename_changes_no_finding_and_back_gives_the_text() {
    let (mut renamed, mut one_way) = (0, 0);
    for text in examples() {
        let file = SourceFile::new(text.as_str());
        let mut seen = HashSet::new();
        for offset in 0..=u32::from(TextSize::of(&*text)) {
            let Some(name) = name_at(&file, TextSize::new(offset)) else {
                continue;
            };
            if !seen.insert(name.definition.clone()) {
                continue;
            }
            let old = file.slice(name.range).to_owned();
            let new = format!("zq{}", old.replace('_', "").to_lowercase());
            let Ok(edits) = rename(&file, &name.definition, &new) else {
                continue;
            };
            assert_eq!(edits.len(), occurrences(&file, &name.definition).count());
            let at = edits.iter().map(|it| it.range.start()).min().unwrap();
            let after = apply_edits(&text, &edits).unwrap();
            assert_eq!(
                findings(&after, &new, &old),
                findings(&text, &new, &old),
                "{old}"
            );
            let other = SourceFile::new(after.as_str());
            let back = name_at(&other, at).unwrap();
            let Ok(edits) = rename(&other, &back.definition, &old) else {
                // A use where variables are not available keeps the old name.
                one_way += 1;
                continue;
            };
            assert_eq!(apply_edits(&after, &edits).unwrap(), text);
            renamed += 1;
        }
    }
    assert!(renamed > 20 && one_way < 3);
}

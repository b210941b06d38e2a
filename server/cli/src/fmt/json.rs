//! `--format json`: one object, for programs.
//!
//! The shape is stable; `server/docs/command-line.md` documents it.

use super::{FormattedFile, Run};
use crate::arguments::Fmt;
use crate::problem::Problem;
use crate::report::Source;
use crate::report::json::{JsonRange, write_value};
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::io;
use text::TextRange;

pub(super) fn write(run: &Run, options: &Fmt, terminal: &Terminal) -> io::Result<()> {
    let files: Vec<Value> = run.files.iter().map(file).collect();
    let problems: Vec<Value> = run.problems.iter().map(Problem::json).collect();
    let changed = run.files.iter().filter(|file| file.new.is_some());
    let output = json!({
        "version": 1,
        "written": !options.is_dry(),
        "files": files,
        "problems": problems,
        "summary": {
            "files": run.files.len(),
            "changed": changed.count(),
            "unformatted": run.files.iter().map(|it| it.result.unformatted.len()).sum::<usize>(),
        },
    });
    // The formatted text of standard input is on standard output.
    if !options.is_dry() && run.files.iter().any(|file| file.real_path.is_none()) {
        return write_value(&output, &mut terminal.stderr());
    }
    write_value(&output, &mut terminal.json())
}

fn file(file: &FormattedFile) -> Value {
    let source = Source::new(file.old.as_str().into());
    let range = |at: TextRange| JsonRange::from(source.region(at));
    let is_changed = file.new.is_some();
    let mut edits = Vec::new();
    for edit in file.result.edits.iter().filter(|_| is_changed) {
        edits.push(json!({ "range": range(edit.range), "newText": edit.insert }));
    }
    let mut unformatted = Vec::new();
    for it in &file.result.unformatted {
        unformatted.push(json!({ "range": range(it.range), "message": it.reason.message() }));
    }
    json!({
        "path": file.path,
        "changed": if is_changed { file.result.changed } else { 0 },
        "edits": edits,
        "unformatted": unformatted,
    })
}

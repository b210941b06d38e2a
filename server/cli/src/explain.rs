//! `admissible explain`: the documentation of a rule, a function, a kind or a field.

use crate::arguments::{Explain, ExplainFormat};
use crate::exit::Exit;
use crate::report::json::write_value;
use crate::rules::either;
use crate::rules::markdown::render;
use crate::terminal::{READABLE_WIDTH, Terminal, printable};
use ide::{Explanation, explain};
use serde_json::json;
use std::io::{self, Write as _};

/// Runs the command.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn run(options: &Explain, terminal: &Terminal) -> io::Result<Exit> {
    let found = match explain(&options.name) {
        Ok(found) => found,
        Err(near) => return unknown(&options.name, &near, terminal),
    };
    match options.format {
        ExplainFormat::Human => write_human(&found, terminal)?,
        ExplainFormat::Json => {
            let all: Vec<_> = found.iter().map(to_json).collect();
            let value = json!({ "version": 1, "explanations": all });
            write_value(&value, &mut terminal.stdout())?;
        }
    }
    Ok(Exit::Clean)
}

fn write_human(found: &[Explanation], terminal: &Terminal) -> io::Result<()> {
    let width = terminal.width.min(READABLE_WIDTH);
    let mut out = terminal.stdout();
    for (index, explanation) in found.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        out.write_all(render(&explanation.markdown, width).as_bytes())?;
    }
    Ok(())
}

fn to_json(explanation: &Explanation) -> serde_json::Value {
    json!({
        "topic": explanation.topic.as_str(),
        "name": explanation.name,
        "page": explanation.markdown,
        "since": explanation.since.map(|it| it.to_string()),
        "until": explanation.until.map(|it| it.to_string()),
    })
}

fn unknown(name: &str, near: &[String], terminal: &Terminal) -> io::Result<Exit> {
    let near: Vec<&str> = near.iter().map(String::as_str).collect();
    let hint = if near.is_empty() {
        "Name a rule, a function or a macro of CEL, a variable such as `request`, or a field such \
         as `pod.spec.containers`."
            .to_owned()
    } else {
        format!("Did you mean {}?", either(&near))
    };
    let mut out = terminal.stderr();
    writeln!(out, "error: nothing is named `{}`. {hint}", printable(name))?;
    Ok(Exit::Failed)
}

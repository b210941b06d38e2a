//! `admissible explain`: the documentation of a rule, a function, a kind or a field, including
//! those of the project's CustomResourceDefinitions.

use crate::arguments::{Explain, ExplainFormat};
use crate::exit::Exit;
use crate::loader::Loader;
use crate::report::json::write_value;
use crate::rules::markdown::render;
use crate::terminal::{READABLE_WIDTH, Terminal, printable};
use ide::{Explanation, explain, explain_custom};
use serde_json::json;
use std::io::{self, Write as _};

/// Runs the command.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn run(options: &Explain, terminal: &Terminal) -> io::Result<Exit> {
    let found = explain(&options.name).or_else(|near| custom(&options.name, near));
    let found = match found {
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

/// Returns the documentation of a name in the project of the working directory. `near` is similar
/// in Kubernetes.
fn custom(name: &str, near: Vec<String>) -> Result<Vec<Explanation>, Vec<String>> {
    let Ok(folder) = std::env::current_dir() else {
        return Err(near);
    };
    let project = Loader::new(None).project_of(&folder);
    match explain_custom(name, project.kinds()) {
        Ok(found) => Ok(vec![found]),
        Err(own) if own.is_empty() => Err(near),
        Err(own) => Err(own),
    }
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
    let hint = if near.is_empty() {
        "Name a rule, a CEL function or macro, a variable such as `request`, or a field such as \
         `pod.spec.containers`."
            .to_owned()
    } else {
        format!("Did you mean {}?", text::listed_names(near, "or"))
    };
    let mut out = terminal.stderr();
    writeln!(out, "error: unknown name `{}`. {hint}", printable(name))?;
    Ok(Exit::Failed)
}

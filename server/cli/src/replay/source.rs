//! The objects of a replay, handed out in chunks.

use super::dump::{DumpFile, is_stdin};
use super::interrupt::Interrupt;
use super::lookup::LookedUp;
use super::pipe::Pipe;
use super::shard::{Owner, Share};
use crate::problem::{Problem, ProblemLocation};
use admission::JsonReader;
use cel::Value;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use workspace::{Chunk, ObjectStream, open_argument};

/// Hands out the objects of all files in order.
#[derive(Debug)]
pub(super) struct Source<'p> {
    state: Mutex<State>,
    /// The objects to find in streams, which can be read only once.
    looked_up: Option<&'p LookedUp>,
    interrupt: Interrupt,
}

#[derive(Debug)]
struct State {
    /// The files, each with its index.
    remaining: VecDeque<(usize, DumpFile)>,
    /// The share of the shard. `None` for everything.
    share: Option<Share>,
    /// The current file.
    current: Option<(usize, Arc<str>, Stream)>,
    /// The number of chunks handed out.
    count: usize,
    json: JsonReader,
    /// The objects that were found in streams.
    found: Vec<Value>,
}

#[derive(Debug)]
enum Stream {
    File(ObjectStream<File>),
    Pipe(ObjectStream<Pipe>),
    Remote(ObjectStream<Box<dyn Read + Send>>),
}

/// A part of the objects.
#[derive(Debug)]
pub(super) struct Part {
    /// Its index among all parts.
    pub(super) number: usize,
    /// The path of its file, as displayed.
    pub(super) path: Arc<str>,
    /// The objects, or why the file cannot be read.
    pub(super) chunk: Result<Chunk, String>,
    /// The number of found objects in it and before it.
    pub(super) found: usize,
}

impl<'p> Source<'p> {
    /// Returns the objects in some files, of which one may be standard input. In streams, the
    /// objects that the policies use are found while reading.
    pub(super) fn new(
        files: impl IntoIterator<Item = DumpFile>,
        looked_up: Option<&'p LookedUp>,
        interrupt: &Interrupt,
    ) -> Self {
        Self {
            state: Mutex::new(State {
                remaining: files.into_iter().enumerate().collect(),
                share: None,
                current: None,
                count: 0,
                json: JsonReader::default(),
                found: Vec::new(),
            }),
            looked_up,
            interrupt: interrupt.clone(),
        }
    }

    /// Returns only the objects of a shard.
    pub(super) fn shared(self, share: Option<Share>) -> Self {
        let mut state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        state.share = share;
        Self {
            state: Mutex::new(state),
            ..self
        }
    }

    /// Returns the next part. `None` at the end or after an interrupt.
    pub(super) fn next(&self) -> Option<Part> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (path, chunk) = state.next(&self.interrupt)?;
        // The stream may have ended in the middle of an object.
        if self.interrupt.is_set() {
            return None;
        }
        let number = state.count;
        state.count += 1;
        if let (Some(looked_up), Ok(chunk)) = (self.looked_up, &chunk) {
            state.look_up(chunk, looked_up);
        }
        Some(Part {
            number,
            path,
            chunk,
            found: state.found.len(),
        })
    }

    /// Returns the objects that policies use and that were found while reading, from one index
    /// to another.
    pub(super) fn found(&self, places: Range<usize>) -> Vec<Value> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.found.get(places).unwrap_or_default().to_vec()
    }
}

impl State {
    /// Finds the objects that the policies use in a part of a stream, before the next part is
    /// passed on, so that the result does not depend on the threads.
    fn look_up(&mut self, chunk: &Chunk, looked_up: &LookedUp) {
        if !matches!(self.current, Some((.., Stream::Pipe(_)))) {
            return;
        }
        let (mut search, json) = (Search::default(), &mut self.json);
        // Errors and panics are reported when the objects are evaluated.
        let looking = AssertUnwindSafe(|| search.read(chunk, "", looked_up, json));
        if catch_unwind(looking).is_ok() {
            self.found.append(&mut search.objects);
        }
    }

    fn next(&mut self, interrupt: &Interrupt) -> Option<(Arc<str>, Result<Chunk, String>)> {
        loop {
            if let Some((index, path, stream)) = &mut self.current {
                let (index, path) = (*index, Arc::clone(path));
                match stream.next_chunk() {
                    Ok(Some(chunk)) => match self.owner(index, chunk.position(0).offset) {
                        Owner::This => return Some((path, Ok(chunk))),
                        Owner::Earlier => {}
                        Owner::Later => return self.end(),
                    },
                    Ok(None) => self.current = None,
                    Err(error) => {
                        self.current = None;
                        return Some((path, Err(format!("cannot read: {error}"))));
                    }
                }
                continue;
            }
            let (index, file) = self.remaining.pop_front()?;
            if self.share.as_ref().is_some_and(|it| it.is_before(index)) {
                continue;
            }
            let path: Arc<str> = file.name().into();
            match (open(&file, interrupt), self.owner(index, 0)) {
                (_, Owner::Later) => return self.end(),
                (Ok(stream), _) => self.current = Some((index, path, stream)),
                (Err(message), Owner::This) => return Some((path, Err(message))),
                (Err(_), Owner::Earlier) => {}
            }
        }
    }

    /// Returns the owner of a position in a file.
    fn owner(&self, file: usize, offset: u64) -> Owner {
        let share = self.share.as_ref();
        share.map_or(Owner::This, |it| it.owner(file, offset))
    }

    /// Ends the objects: the others belong to later shards.
    fn end<T>(&mut self) -> Option<T> {
        self.remaining.clear();
        self.current = None;
        None
    }
}

impl Stream {
    fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        match self {
            Stream::File(stream) => stream.next_chunk(),
            Stream::Pipe(stream) => stream.next_chunk(),
            Stream::Remote(stream) => stream.next_chunk(),
        }
    }
}

fn open(file: &DumpFile, interrupt: &Interrupt) -> Result<Stream, String> {
    let cannot_read = |error: io::Error| format!("cannot read: {error}");
    let path = match file {
        DumpFile::Remote(file) => {
            let objects = file.objects().map_err(cannot_read)?;
            return Ok(Stream::Remote(objects));
        }
        DumpFile::Local(path) => path,
    };
    let pipe = |pipe: io::Result<Pipe>| match pipe {
        Ok(pipe) => Ok(Stream::Pipe(ObjectStream::new(pipe))),
        Err(error) => Err(cannot_read(error)),
    };
    if is_stdin(path) {
        return pipe(Pipe::new(io::stdin(), interrupt.clone()));
    }
    if file.is_pipe() {
        let opened = open_argument(path).map_err(|error| error.to_string())?;
        return pipe(Pipe::new(opened, interrupt.clone()));
    }
    let stream = ObjectStream::open(path).map_err(|error| error.to_string())?;
    Ok(Stream::File(stream))
}

/// The objects that were found in files.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The objects that were found, in the order of the files.
    pub(super) objects: Vec<Value>,
    /// The files that cannot be read.
    pub(super) problems: Vec<Problem>,
}

/// Finds the objects that the policies use in some files. Files that do not contain such names
/// are skipped quickly.
pub(super) fn search(files: &[DumpFile], looked_up: &LookedUp, interrupt: &Interrupt) -> Search {
    let source = Source::new(files.iter().cloned(), None, interrupt);
    let found = super::workers::all(|| {
        let mut json = JsonReader::default();
        let mut found = Vec::new();
        while let Some(part) = source.next() {
            let mut search = Search::default();
            match &part.chunk {
                Ok(chunk) => search.read(chunk, &part.path, looked_up, &mut json),
                Err(message) => {
                    search.problems = vec![Problem::new(&part.path, message.as_str())];
                }
            }
            found.push((part.number, search));
        }
        found
    });
    let mut found: Vec<(usize, Search)> = found.into_iter().flatten().collect();
    found.sort_by_cached_key(|(number, _)| *number);
    let mut all = Search::default();
    for (_, search) in found {
        all.objects.extend(search.objects);
        all.problems.extend(search.problems);
    }
    all
}

impl Search {
    /// Adds the objects of a part.
    fn read(&mut self, chunk: &Chunk, path: &str, looked_up: &LookedUp, json: &mut JsonReader) {
        if !looked_up.search_terms().any(|word| chunk.mentions(word)) {
            return;
        }
        chunk.read(json, &mut |found| match found {
            Ok(found) if looked_up.takes(&found.value) => self.objects.push(found.value),
            Ok(_) => {}
            Err(problem) => self.problems.push(Problem {
                path: path.to_owned(),
                message: problem.kind.to_string(),
                place: Some(ProblemLocation::Stream(problem.position)),
            }),
        });
    }
}

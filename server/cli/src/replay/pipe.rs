//! A stream that may block for long: standard input or a named pipe.
//!
//! A thread that waits for bytes cannot be stopped. So a separate thread reads, and the reader
//! of its bytes can stop at any time.

use super::interrupt::Interrupt;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Bytes that are read at once: the capacity of a pipe on Linux.
const BLOCK: usize = 64 * 1024;

/// Limit: blocks that wait to be taken.
const BLOCKS: usize = 16;

/// The interval at which an interrupt is noticed while the stream blocks.
const PATIENCE: Duration = Duration::from_millis(50);

/// The receiving end of a stream.
#[derive(Debug)]
pub(super) struct Pipe {
    blocks: Receiver<io::Result<Vec<u8>>>,
    /// The current block, and how much of it was taken.
    block: Vec<u8>,
    consumed: usize,
    interrupt: Interrupt,
}

impl Pipe {
    /// Reads a stream until it ends or is interrupted.
    ///
    /// # Errors
    /// If the system provides no thread.
    pub(super) fn new(
        stream: impl Read + Send + 'static,
        interrupt: Interrupt,
    ) -> io::Result<Self> {
        let (sender, blocks) = sync_channel(BLOCKS);
        // It may block forever, and ends with the program.
        thread::Builder::new().spawn(move || forward(stream, &sender))?;
        Ok(Self {
            blocks,
            block: Vec::new(),
            consumed: 0,
            interrupt,
        })
    }

    /// Returns the next block; an empty one at the end.
    fn next_block(&self) -> io::Result<Vec<u8>> {
        loop {
            if self.interrupt.is_set() {
                return Ok(Vec::new());
            }
            match self.blocks.recv_timeout(PATIENCE) {
                Ok(block) => return block,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            }
        }
    }
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.consumed >= self.block.len() {
            self.block = self.next_block()?;
            self.consumed = 0;
        }
        let mut rest = self.block.get(self.consumed..).unwrap_or_default();
        let count = rest.read(buffer)?;
        self.consumed += count;
        Ok(count)
    }
}

fn forward(mut stream: impl Read, blocks: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = vec![0; BLOCK];
        let read = match stream.read(&mut block) {
            Ok(0) => return,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(count) => {
                block.truncate(count);
                Ok(block)
            }
            Err(error) => Err(error),
        };
        let is_error = read.is_err();
        if blocks.send(read).is_err() || is_error {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_gives_what_the_stream_has() {
        let bytes: Vec<u8> = (0..=250).cycle().take(3 * BLOCK + 7).collect();
        let mut read = Vec::new();
        let stream = io::Cursor::new(bytes.clone());
        let mut pipe = Pipe::new(stream, Interrupt::default()).unwrap();
        pipe.read_to_end(&mut read).unwrap();
        assert!(read == bytes);
    }

    #[test]
    fn a_pipe_ends_when_it_is_interrupted() {
        let (reader, writer) = io::pipe().unwrap();
        let interrupt = Interrupt::default();
        let mut pipe = Pipe::new(reader, interrupt.clone()).unwrap();
        let ending = thread::spawn(move || pipe.read_to_end(&mut Vec::new()));
        interrupt.set();
        assert_eq!(ending.join().unwrap().unwrap(), 0);
        drop(writer);
    }
}

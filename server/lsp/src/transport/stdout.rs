//! The standard output, written by the task that has a message.
//!
//! tokio's own `Stdout` writes and flushes on another thread, and a message waits for each. The
//! standard library also writes the header before the body. Here the task writes the whole message
//! itself. During a write, another thread may run the other tasks, so that a client that does not
//! read does not stop them.

use std::fs::File;
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::AsyncWrite;
use tokio::task::block_in_place;

/// The standard output without a buffer. It needs tokio's multi-thread runtime, where one worker is
/// enough.
pub(crate) struct Stdout(File);

impl Stdout {
    /// Returns the standard output of the process.
    ///
    /// # Errors
    /// If its handle cannot be duplicated.
    pub(crate) fn new() -> io::Result<Self> {
        #[cfg(unix)]
        let output = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
        #[cfg(windows)]
        let output =
            std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
        Ok(Self(File::from(output)))
    }
}

impl AsyncWrite for Stdout {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = block_in_place(|| {
            loop {
                match self.0.write(bytes) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    written => return written,
                }
            }
        });
        Poll::Ready(written)
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::fd::OwnedFd;
    use tokio::io::AsyncWriteExt;

    /// More than a pipe holds.
    const SIZE: usize = 1024 * 1024;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_tasks_continue_while_a_write_blocks() {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut output = Stdout(File::from(OwnedFd::from(writer)));
        let written = tokio::spawn(async move { output.write_all(&vec![b'x'; SIZE]).await });
        let mut text = Vec::new();
        let read = tokio::spawn(async move {
            let result = reader.read_to_end(&mut text);
            result.map(|_| text)
        });
        written.await.unwrap().unwrap();
        assert_eq!(read.await.unwrap().unwrap(), vec![b'x'; SIZE]);
    }
}

//! Messages on their way to the client.
//!
//! Responses come from many tasks and notifications from others; one task writes them all, so that
//! no two messages mix. Waiting messages are written together and flushed once.

use serde::Serialize;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// The maximum number of messages that wait for a client that does not read.
///
/// Limit: more than any editor leaves unread; after that, senders wait.
const MAX_WAITING: usize = 1024;

/// How long a message waits for a client that does not read and has closed its end of the input.
const PATIENCE: Duration = Duration::from_secs(1);

enum Item {
    Message(Vec<u8>),
    Close,
}

/// The queue of messages to the client. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    queue: mpsc::Sender<Item>,
    /// Set at the end of the input.
    input_ended: CancellationToken,
    /// Set here if the client does not read after that.
    session_ended: CancellationToken,
}

impl Outgoing {
    /// Returns the queue, and the future that writes it to `output`. The future ends after
    /// [`close`](Self::close), or with an error of `output`.
    pub(crate) fn new<O: AsyncWrite + Unpin>(
        output: O,
        session_ended: CancellationToken,
    ) -> (Self, impl Future<Output = io::Result<()>>) {
        let (queue, waiting) = mpsc::channel(MAX_WAITING);
        let outgoing = Self {
            queue,
            input_ended: CancellationToken::new(),
            session_ended,
        };
        (outgoing, write(output, waiting))
    }

    /// Notes the end of the input.
    pub(crate) fn input_ended(&self) {
        self.input_ended.cancel();
    }

    /// Sends a message, after all that were sent before. Waits while the queue is full.
    pub(crate) async fn send(&self, message: &impl Serialize) {
        // Messages are plain data, which can always be serialized.
        let Ok(body) = serde_json::to_vec(message) else {
            return;
        };
        let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
        bytes.extend_from_slice(&body);
        self.put(Item::Message(bytes)).await;
    }

    /// Ends the writing after the messages sent so far.
    pub(crate) async fn close(&self) {
        self.put(Item::Close).await;
    }

    async fn put(&self, item: Item) {
        let given_up = async {
            self.input_ended.cancelled().await;
            tokio::time::sleep(PATIENCE).await;
        };
        tokio::select! {
            // If the queue is gone, the connection is ending.
            _ = self.queue.send(item) => {}
            () = given_up => self.session_ended.cancel(),
        }
    }
}

async fn write<O: AsyncWrite + Unpin>(
    mut output: O,
    mut waiting: mpsc::Receiver<Item>,
) -> io::Result<()> {
    while let Some(first) = waiting.recv().await {
        let mut next = Some(first);
        while let Some(item) = next {
            match item {
                Item::Message(bytes) => output.write_all(&bytes).await?,
                Item::Close => return output.flush().await,
            }
            next = waiting.try_recv().ok();
        }
        output.flush().await?;
    }
    Ok(())
}

//! Messages on their way to the client.
//!
//! Responses come from many tasks and notifications from others; one task writes them all, so that
//! no two messages mix. Waiting messages are written together and flushed once.

use serde::Serialize;
use std::io;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

/// The maximum number of messages that wait for a client that does not read.
///
/// Limit: more than any editor leaves unread; after that, senders wait.
const MAX_WAITING: usize = 1024;

enum Item {
    Message(Vec<u8>),
    Close,
}

/// The queue of messages to the client. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    queue: mpsc::Sender<Item>,
}

impl Outgoing {
    /// Returns the queue, and the future that writes it to `output`. The future ends after
    /// [`close`](Self::close), or with an error of `output`.
    pub(crate) fn new<O: AsyncWrite + Unpin>(
        output: O,
    ) -> (Self, impl Future<Output = io::Result<()>>) {
        let (queue, waiting) = mpsc::channel(MAX_WAITING);
        (Self { queue }, write(output, waiting))
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
        // If the queue is gone, the connection is ending.
        let _ = self.queue.send(item).await;
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

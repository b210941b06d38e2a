//! The connection to one client, from its first byte to its last.
//!
//! tower-lsp-server routes messages to typed handlers, keeps the requests in flight for
//! cancellation and sends the messages of the server. This module replaces its transport, which
//! ends at the first malformed message, runs changes in parallel with later requests, lets a panic
//! end the server, and delays changes and cancellations while some slow requests are in flight.
//! Here:
//!
//! - notifications are handled one after the other, at once and in order;
//! - a request is started in order too, so that it sees the documents as they were when it was
//!   sent, and continues in a separate task when it must wait;
//! - a panic ends the request in which it happened, with an error response.

mod notification;

use crate::panics;
use crate::rule_pages;
use crate::server::{METHODS, Server};
use crate::session::{Options, Session};
use crate::transport::error;
use crate::transport::framing::{FrameError, Frames, MAX_MESSAGE};
use crate::transport::message::{self, Invalid, Message};
use crate::transport::outgoing::Outgoing;
use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::{SinkExt, StreamExt};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tower_lsp_server::jsonrpc::{ErrorCode, Id, Request, Response};
use tower_lsp_server::ls_types::error_codes::SERVER_NOT_INITIALIZED;
use tower_lsp_server::{ExitedError, Loopback, LspService};
use tower_service::Service;

/// How many requests may be in flight.
///
/// Limit: twice the number that a client sends when it resolves all lenses of a document at once.
/// Further messages wait, so that a client that never reads cannot fill the memory.
const MAX_IN_FLIGHT: usize = 2048;

/// How many messages are read before they are handled.
///
/// Limit: more than an editor sends while it does not read.
const MAX_READ_AHEAD: usize = 1024;

/// How long requests in flight may continue after the input has ended, and how long writing the
/// last messages may take.
const GRACE: Duration = Duration::from_secs(1);

/// The notification that the user has canceled long work.
const CANCEL_PROGRESS: &str = "window/workDoneProgress/cancel";

/// How the connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The client sent `shutdown` before.
    AfterShutdown,
    /// The client left or sent `exit` without `shutdown`.
    WithoutShutdown,
}

/// Serves one client until it sends `exit`, closes `input`, or its process ends.
pub async fn serve<I, O>(input: I, output: O, options: Options) -> Exit
where
    I: AsyncRead + Unpin,
    O: AsyncWrite + Unpin + Send + 'static,
{
    let (service, socket) = LspService::build(|client| Server::new(client, options))
        .custom_method("$/setTrace", Server::set_trace)
        .custom_method(rule_pages::METHOD, Server::text_document_content)
        .custom_method(CANCEL_PROGRESS, Server::cancel_progress)
        .finish();
    let session = Arc::clone(service.inner().session());
    let (outgoing, write) = Outgoing::new(output, session.ended.clone());
    let ended = session.ended.clone();
    let mut writer = tokio::spawn(async move {
        // Without a reader there is no client. A panic ends the writing too.
        let _ended = ended.drop_guard();
        let _ = write.await;
    });
    let (requests, responses) = socket.split();
    let ended = session.ended.clone();
    let mut forwarder = tokio::spawn(forward(requests, outgoing.clone(), ended));
    let mut connection = Connection {
        service,
        responses,
        outgoing,
        slots: Arc::new(Semaphore::new(MAX_IN_FLIGHT)),
        phase: Phase::Uninitialized,
        session,
    };
    connection.read(Frames::new(input)).await;
    connection.session.end();
    // First the messages that wait for the queue, then those in it.
    let written = async {
        let _ = (&mut forwarder).await;
        connection.outgoing.close().await;
        let _ = (&mut writer).await;
    };
    if tokio::time::timeout(GRACE, written).await.is_err() {
        forwarder.abort();
        writer.abort();
    }
    match connection.phase {
        Phase::ShutDown => Exit::AfterShutdown,
        Phase::Uninitialized | Phase::Running => Exit::WithoutShutdown,
    }
}

type Requests = <tower_lsp_server::ClientSocket as Loopback>::RequestStream;
type Responses = <tower_lsp_server::ClientSocket as Loopback>::ResponseSink;
type Outcome = std::thread::Result<Result<Option<Response>, ExitedError>>;

/// Forwards the messages of the server until the session ends.
async fn forward(mut requests: Requests, outgoing: Outgoing, ended: CancellationToken) {
    loop {
        tokio::select! {
            biased;
            request = requests.next() => match request {
                Some(request) => outgoing.send(&request).await,
                None => return,
            },
            () = ended.cancelled() => return,
        }
    }
}

/// A message or its error, and its share of the bytes that may be read ahead.
type Frame = (Result<Bytes, FrameError>, OwnedSemaphorePermit);

/// Reads messages while earlier ones are handled, so that the end of the input is noticed even if
/// the client does not read their output. Never returns.
async fn read_ahead<I: AsyncRead + Unpin>(
    mut frames: Frames<I>,
    sender: mpsc::Sender<Frame>,
    outgoing: Outgoing,
) {
    let bytes = Arc::new(Semaphore::new(MAX_MESSAGE));
    while let Some(frame) = frames.next().await {
        let size = frame.as_ref().map_or(0, Bytes::len);
        let share = Arc::clone(&bytes).acquire_many_owned(u32::try_from(size).unwrap_or(0));
        // The semaphore is never closed, and the receiver is dropped with this future.
        if let Ok(share) = share.await {
            let _ = sender.send((frame, share)).await;
        }
    }
    drop(sender);
    outgoing.input_ended();
    std::future::pending::<()>().await;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Uninitialized,
    Running,
    ShutDown,
}

/// Whether reading continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    Stop,
}

struct Connection {
    service: LspService<Server>,
    responses: Responses,
    outgoing: Outgoing,
    slots: Arc<Semaphore>,
    phase: Phase,
    session: Arc<Session>,
}

impl Connection {
    async fn read<I: AsyncRead + Unpin>(&mut self, frames: Frames<I>) {
        let (ended, outgoing) = (self.session.ended.clone(), self.outgoing.clone());
        let (sender, waiting) = mpsc::channel(MAX_READ_AHEAD);
        tokio::select! {
            () = self.handle(waiting) => {}
            () = read_ahead(frames, sender, outgoing) => {}
            () = ended.cancelled() => {}
        }
    }

    async fn handle(&mut self, mut waiting: mpsc::Receiver<Frame>) {
        while let Some((frame, _bytes)) = waiting.recv().await {
            let next = match frame {
                Ok(body) => self.message(&body).await,
                Err(error) => self.broken_frame(&error).await,
            };
            if next == Next::Stop {
                return;
            }
        }
        self.session.drain(GRACE).await;
    }

    async fn broken_frame(&mut self, error: &FrameError) -> Next {
        let reason = format!("The message cannot be read: {error}.");
        self.reject(Invalid::anonymous(ErrorCode::ParseError, reason))
            .await
    }

    async fn reject(&self, invalid: Invalid) -> Next {
        self.session
            .log
            .warning(format!("Rejected a message. {}", invalid.error.message))
            .await;
        let response = Response::from_error(invalid.id, *invalid.error);
        self.outgoing.send(&response).await;
        Next::GoOn
    }

    async fn message(&mut self, body: &[u8]) -> Next {
        match message::read(body) {
            Ok(Message::Request(id, request)) => self.request(id, request).await,
            Ok(Message::Notification(request)) => return self.notification(request).await,
            Ok(Message::Response(response)) => {
                let _ = self.responses.send(response).await;
            }
            Err(invalid) => return self.reject(invalid).await,
        }
        Next::GoOn
    }

    async fn request(&mut self, id: Id, request: Request) {
        let method = request.method().to_owned();
        if let Some((code, reason)) = self.refusal(&method) {
            let response = Response::from_error(id, error(code, reason));
            return self.outgoing.send(&response).await;
        }
        // Only `initialize` is not refused then.
        if self.phase == Phase::Uninitialized {
            let sent = request.params().and_then(|it| it.get("capabilities"));
            *self.session.sent_capabilities() = sent.cloned().unwrap_or_default();
        }
        // The semaphore is never closed.
        let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await else {
            return;
        };
        let answer = Answer {
            id,
            method,
            started: Instant::now(),
            outgoing: self.outgoing.clone(),
            session: Arc::clone(&self.session),
        };
        let mut outcome = self.start(notification::with_params(request));
        // The first poll is the handler up to its first wait: it takes its snapshot there.
        match futures::poll!(&mut outcome) {
            std::task::Poll::Ready(outcome) => self.ended(answer, outcome).await,
            std::task::Poll::Pending if changes_phase(&answer.method) => {
                let outcome = outcome.await;
                self.ended(answer, outcome).await;
            }
            std::task::Poll::Pending => {
                self.session.spawn(async move {
                    answer.send(outcome.await).await;
                    drop(slot);
                });
            }
        }
    }

    /// Returns the reason why a request cannot be handled now.
    fn refusal(&self, method: &str) -> Option<(ErrorCode, String)> {
        match self.phase {
            Phase::Uninitialized if method != "initialize" => Some((
                ErrorCode::from(SERVER_NOT_INITIALIZED),
                format!("The server is not initialized. Send `initialize` before `{method}`."),
            )),
            Phase::ShutDown => Some((
                ErrorCode::InvalidRequest,
                "The server is shut down. Only `exit` may follow.".to_owned(),
            )),
            // The router has more methods than the server, and checks their params first.
            Phase::Running if !METHODS.contains(&method) => Some((
                ErrorCode::MethodNotFound,
                format!("Unknown request `{method}`."),
            )),
            Phase::Uninitialized | Phase::Running => None,
        }
    }

    fn start(&mut self, request: Request) -> BoxFuture<'static, Outcome> {
        // The service is always ready: it only fails after `exit`, which ends the reading.
        AssertUnwindSafe(self.service.call(request))
            .catch_unwind()
            .boxed()
    }

    async fn ended(&mut self, answer: Answer, outcome: Outcome) {
        let ok = matches!(&outcome, Ok(Ok(Some(response))) if response.is_ok());
        match answer.method.as_str() {
            "initialize" if ok => self.phase = Phase::Running,
            "shutdown" => self.phase = Phase::ShutDown,
            _ => {}
        }
        answer.send(outcome).await;
    }

    async fn notification(&mut self, request: Request) -> Next {
        if request.method() == "exit" {
            return Next::Stop;
        }
        // The router would treat a request without an ID as a request.
        if self.phase != Phase::Running || changes_phase(request.method()) {
            return Next::GoOn;
        }
        let request = notification::with_params(request);
        if let Err(reason) = notification::check(&request) {
            notification::reject(&self.session, &request, &reason).await;
            return Next::GoOn;
        }
        let method = request.method().to_owned();
        if let Err(panic) = self.start(request).await {
            let reason = panics::describe(&method, &*panic);
            self.session.log.error(&reason).await;
        }
        Next::GoOn
    }
}

/// Returns whether later requests are answered differently. Nothing is read meanwhile.
fn changes_phase(method: &str) -> bool {
    matches!(method, "initialize" | "shutdown")
}

/// A request that waits for its response.
struct Answer {
    id: Id,
    method: String,
    started: Instant,
    outgoing: Outgoing,
    session: Arc<Session>,
}

impl Answer {
    async fn send(self, outcome: Outcome) {
        let response = match outcome {
            Ok(Ok(Some(response))) => response,
            Ok(Ok(None) | Err(_)) => {
                let reason = format!("The request `{}` has no response.", self.method);
                Response::from_error(self.id, error(ErrorCode::InternalError, reason))
            }
            Err(panic) => {
                let reason = panics::describe(&self.method, &*panic);
                self.session.log.error(&reason).await;
                Response::from_error(self.id, error(ErrorCode::InternalError, reason))
            }
        };
        self.outgoing.send(&response).await;
        let milliseconds = self.started.elapsed().as_secs_f64() * 1e3;
        self.session
            .log
            .trace(|| format!("`{}` took {milliseconds:.1} ms", self.method))
            .await;
    }
}

//! A language client that only measures.
//!
//! It implements the protocol without the types of our server, so that it cannot share errors with
//! it, and drives every server the same way.

use crate::Error;
use crate::memory::{self, Memory};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Limit: how long a response may take. A slower server is unusable.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server.
pub(crate) struct Client {
    process: Child,
    input: Arc<Mutex<ChildStdin>>,
    /// The messages of the server, with the time at which each was read.
    messages: Receiver<(Instant, Value)>,
}

impl Client {
    /// Starts a server and greets it, with `folder` open as its workspace.
    ///
    /// # Errors
    /// If it cannot be started or does not respond.
    pub(crate) fn start(command: &[String], folder: &str) -> Result<Self, Error> {
        Self::greeting(command, &initialize(folder, false))
    }

    /// Starts the server with live values.
    ///
    /// # Errors
    /// If it cannot be started or does not respond.
    pub(crate) fn start_live(command: &[String], folder: &str) -> Result<Self, Error> {
        Self::greeting(command, &initialize(folder, true))
    }

    /// Starts the server as an editor with every feature.
    ///
    /// # Errors
    /// If it cannot be started or does not respond.
    pub(crate) fn start_editor(command: &[String], folder: &str) -> Result<Self, Error> {
        let mut greeting = initialize(folder, false);
        let kinds = ["quickfix", "refactor", "source"];
        let features = json!({
            "publishDiagnostics": { "versionSupport": true },
            "codeAction": {
                "codeActionLiteralSupport": { "codeActionKind": { "valueSet": kinds } },
                "dataSupport": true,
                "resolveSupport": { "properties": ["edit"] },
            },
            "completion": {
                "completionItem": {
                    "snippetSupport": true,
                    "documentationFormat": ["markdown"],
                    "resolveSupport": { "properties": ["documentation"] },
                },
            },
            "hover": { "contentFormat": ["markdown"] },
            "rename": { "prepareSupport": true },
        });
        if let Some(document) = greeting.pointer_mut("/params/capabilities/textDocument") {
            *document = features;
        }
        Self::greeting(command, &greeting)
    }

    fn greeting(command: &[String], greeting: &Value) -> Result<Self, Error> {
        let mut words = command.iter();
        let program = words.next().map_or("", String::as_str);
        let io = |source| Error::Io(format!("cannot run {program}"), source);
        let mut process = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(io)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Error::Program(format!("{program} has no pipes")));
        };
        let input = Arc::new(Mutex::new(input));
        let (sender, messages) = channel();
        let answers = Arc::clone(&input);
        thread::spawn(move || listen(BufReader::new(output), &sender, &answers));
        let client = Self {
            process,
            input,
            messages,
        };
        client.send(greeting)?;
        client.wait(|message| message.get("id") == Some(&json!(1)))?;
        client.notify("initialized", &json!({}))?;
        Ok(client)
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// When the server has ended.
    pub(crate) fn notify(&self, method: &str, params: &Value) -> Result<(), Error> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Waits for the findings in this version of the document. Returns the time at which they
    /// arrived and their number. If a server does not send versions, its first findings count.
    ///
    /// # Errors
    /// When the server has ended or does not answer.
    pub(crate) fn findings(&self, uri: &str, version: i64) -> Result<(Instant, usize), Error> {
        let (at, message) = self.wait(|message| {
            let params = message.get("params");
            let get = |key: &str| params.and_then(|params| params.get(key));
            message.get("method") == Some(&json!("textDocument/publishDiagnostics"))
                && get("uri") == Some(&json!(uri))
                && get("version").is_none_or(|it| it.is_null() || *it == json!(version))
        })?;
        let found = message.pointer("/params/diagnostics");
        Ok((at, found.and_then(Value::as_array).map_or(0, Vec::len)))
    }

    /// Sends a request with a unique number. Returns the response, with the time at which it
    /// arrived.
    ///
    /// # Errors
    /// When the server has ended or does not answer.
    pub(crate) fn request(
        &self,
        id: i64,
        method: &str,
        params: &Value,
    ) -> Result<(Instant, Value), Error> {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        self.wait(|message| {
            message.get("id") == Some(&json!(id)) && message.get("method").is_none()
        })
    }

    /// Waits for a request of the server, which already has a response.
    ///
    /// # Errors
    /// When the server has ended or does not send the request.
    pub(crate) fn asked(&self, method: &str) -> Result<(), Error> {
        self.wait(|message| message.get("method") == Some(&json!(method)))?;
        Ok(())
    }

    /// Returns the memory of the server, if the system reports it.
    pub(crate) fn memory(&self) -> Option<Memory> {
        memory::of_process(self.process.id())
    }

    fn send(&self, message: &Value) -> Result<(), Error> {
        write(&self.input, message)
    }

    /// Returns the first message for which `wanted` is true; earlier ones are dropped.
    fn wait(&self, wanted: impl Fn(&Value) -> bool) -> Result<(Instant, Value), Error> {
        let end = Instant::now() + PATIENCE;
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(rest) {
                Ok(message) if wanted(&message.1) => return Ok(message),
                Ok(_) => {}
                Err(error) => return Err(Error::Program(format!("no answer: {error}"))),
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn initialize(folder: &str, live: bool) -> Value {
    // As VS Code, which requests a tooltip when it is shown.
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-16"] },
        "textDocument": {
            "publishDiagnostics": { "versionSupport": true },
            "inlayHint": { "resolveSupport": { "properties": ["tooltip"] } },
        },
        "workspace": { "configuration": false, "inlayHint": { "refreshSupport": live } },
    });
    let params = json!({
        "processId": std::process::id(),
        "rootUri": folder,
        "workspaceFolders": [{ "uri": folder, "name": "bench" }],
        "capabilities": capabilities,
        "initializationOptions": live.then(|| json!({ "liveValues": true })),
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

fn write(input: &Mutex<ChildStdin>, message: &Value) -> Result<(), Error> {
    let body = message.to_string();
    let text = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let mut input = match input.lock() {
        Ok(input) => input,
        Err(poisoned) => poisoned.into_inner(),
    };
    input
        .write_all(text.as_bytes())
        .and_then(|()| input.flush())
        .map_err(|source| Error::Io("cannot write to the server".into(), source))
}

/// Forwards the messages of the server, and answers its requests, until it ends.
fn listen(
    mut output: BufReader<ChildStdout>,
    messages: &Sender<(Instant, Value)>,
    input: &Mutex<ChildStdin>,
) {
    while let Some(message) = read(&mut output) {
        let at = Instant::now();
        if let (Some(id), Some(method)) = (message.get("id"), message.get("method")) {
            let configuration = method == "workspace/configuration";
            let result = if configuration {
                json!([{}])
            } else {
                Value::Null
            };
            let _ = write(
                input,
                &json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            );
        }
        if messages.send((at, message)).is_err() {
            return;
        }
    }
}

/// Returns the next message. `None` at the end or if it cannot be parsed.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok();
        }
    }
    let mut body = vec![0; length?];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_as_long_as_its_header_says() {
        let text =
            "Content-Type: x\r\ncontent-length: 7\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}";
        let mut input = BufReader::new(text.as_bytes());
        assert_eq!(read(&mut input), Some(json!({ "a": 1 })));
        assert_eq!(read(&mut input), Some(json!({})));
        assert_eq!(read(&mut input), None);
    }
}

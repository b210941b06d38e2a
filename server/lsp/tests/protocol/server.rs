//! The server under test and its client.

use crate::analysis::Scripted;
use lsp::{Exit, Options, serve};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How long a message may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const URI: &str = "file:///nowhere/a.yaml";

/// A server and the client's end of the stream.
///
/// Every message of the server is read by the test, or the test fails when it finishes.
pub(crate) struct TestServer {
    input: Option<WriteHalf<DuplexStream>>,
    messages: mpsc::UnboundedReceiver<Value>,
    unread: VecDeque<Value>,
    server: Option<JoinHandle<Exit>>,
    next_id: i64,
    finished: bool,
}

impl TestServer {
    /// Returns a server that was not initialized.
    pub(crate) fn start(options: Options) -> Self {
        let (client, server) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(server);
        let server = tokio::spawn(serve(input, output, options));
        let (output, input) = tokio::io::split(client);
        let (sender, messages) = mpsc::unbounded_channel();
        tokio::spawn(read_messages(output, sender));
        Self {
            input: Some(input),
            messages,
            unread: VecDeque::new(),
            server: Some(server),
            next_id: 0,
            finished: false,
        }
    }

    /// Returns a server with a scripted analysis, initialized by a client with `capabilities`.
    pub(crate) async fn with(analysis: &Arc<Scripted>, capabilities: Value) -> Self {
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities });
        Self::with_params(analysis, params).await
    }

    /// Starts a server with all params of `initialize`.
    pub(crate) async fn with_params(analysis: &Arc<Scripted>, params: Value) -> Self {
        let mut server = Self::start(Options {
            analysis: analysis.clone(),
            ..Options::default()
        });
        server.initialize(params).await;
        server
    }

    /// Starts a server with an open document `a`, whose findings are read. The next analysis waits.
    pub(crate) async fn held(analysis: &Arc<Scripted>) -> Self {
        let mut server = Self::with(analysis, json!({})).await;
        server.open(URI, 1, "a").await;
        server.published(URI).await;
        analysis.gate.close();
        server
    }

    /// Initializes and reads the line about it in the log.
    pub(crate) async fn initialize(&mut self, params: Value) -> Value {
        let result = self.request("initialize", params).await;
        self.notify("initialized", json!({})).await;
        let log = self.notification("window/logMessage").await;
        assert_eq!(log["type"], 3, "{log}");
        result["result"].clone()
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).await.unwrap();
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let bytes = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.send_bytes(bytes.as_bytes()).await;
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
            .await;
    }

    /// Sends a request and returns its id.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
            .await;
        id
    }

    /// Sends this many requests for the symbols of a document.
    pub(crate) async fn ask_symbols<const N: usize>(&mut self, uri: &str) -> [i64; N] {
        let params = json!({ "textDocument": { "uri": uri } });
        let mut ids = [0; N];
        for id in &mut ids {
            *id = self
                .ask("textDocument/documentSymbol", params.clone())
                .await;
        }
        ids
    }

    /// Sends a request and returns the response.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params).await;
        self.answer(id).await
    }

    /// Returns the response to a request.
    pub(crate) async fn answer(&mut self, id: i64) -> Value {
        self.message(|message| message.get("method").is_none() && message["id"] == id)
            .await
    }

    /// Returns the params of the next notification of a method.
    pub(crate) async fn notification(&mut self, method: &str) -> Value {
        let mut message = self
            .message(|message| message["method"] == method && message.get("id").is_none())
            .await;
        message["params"].take()
    }

    /// Returns the next request of the server for a method.
    pub(crate) async fn server_request(&mut self, method: &str) -> Value {
        self.message(|message| message["method"] == method && message.get("id").is_some())
            .await
    }

    /// Responds to a request of the server.
    pub(crate) async fn reply(&mut self, request: &Value, result: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }))
            .await;
    }

    /// Returns the next message that `wanted` accepts. Others stay unread.
    pub(crate) async fn message(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.unread.iter().position(&wanted) {
            return self.unread.remove(at).unwrap();
        }
        loop {
            let next = tokio::time::timeout(PATIENCE, self.messages.recv()).await;
            let Ok(Some(message)) = next else {
                panic!("no such message came; unread are {:#?}", self.unread);
            };
            if wanted(&message) {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    pub(crate) async fn open(&mut self, uri: &str, version: i32, text: &str) {
        let document =
            json!({ "uri": uri, "languageId": "yaml", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }))
            .await;
    }

    /// Changes a document; each change has an optional range.
    pub(crate) async fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params).await;
    }

    /// Replaces the whole text of a document.
    pub(crate) async fn replace(&mut self, uri: &str, version: i32, text: &str) {
        self.change(uri, version, json!([{ "text": text }])).await;
    }

    pub(crate) async fn close(&mut self, uri: &str) {
        let params = json!({ "textDocument": { "uri": uri } });
        self.notify("textDocument/didClose", params).await;
    }

    /// Returns the next findings that are pushed for a document: version and ranges.
    pub(crate) async fn published(&mut self, uri: &str) -> (Value, Vec<String>) {
        let message = self
            .message(|message| {
                message["method"] == "textDocument/publishDiagnostics"
                    && message["params"]["uri"] == uri
            })
            .await;
        let params = &message["params"];
        (params["version"].clone(), ranges(&params["diagnostics"]))
    }

    /// Returns the text that the server has for a document.
    pub(crate) async fn text(&mut self, uri: &str) -> Value {
        let params = json!({ "textDocument": { "uri": uri } });
        let answer = self.request("textDocument/documentSymbol", params).await;
        answer["result"][0]["name"].clone()
    }

    /// Shuts down as the protocol requires. Every message was read before.
    pub(crate) async fn finish(mut self) {
        let answer = self.request("shutdown", Value::Null).await;
        assert_eq!(answer["result"], Value::Null, "{answer}");
        self.send(&json!({ "jsonrpc": "2.0", "method": "exit" }))
            .await;
        assert_eq!(self.exit().await, Exit::AfterShutdown);
    }

    /// Closes the input and returns how the server ended.
    pub(crate) async fn hang_up(mut self) -> Exit {
        self.close_input().await;
        self.exit().await
    }

    /// Closes the input; the server continues until it has responded.
    pub(crate) async fn close_input(&mut self) {
        let mut input = self.input.take().unwrap();
        input.shutdown().await.unwrap();
    }

    /// Waits for the end of the server, and checks that every message was read.
    pub(crate) async fn exit(&mut self) -> Exit {
        let server = self.server.take().unwrap();
        let exit = tokio::time::timeout(PATIENCE, server).await;
        while let Some(message) = self.messages.recv().await {
            self.unread.push_back(message);
        }
        assert!(self.unread.is_empty(), "unread: {:#?}", self.unread);
        self.finished = true;
        exit.unwrap().unwrap()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        assert!(
            self.finished || std::thread::panicking(),
            "a test ends with `finish`, `hang_up` or `exit`"
        );
    }
}

/// Ranges as `line:character-line:character`.
pub(crate) fn ranges(diagnostics: &Value) -> Vec<String> {
    let diagnostics = diagnostics.as_array().unwrap().iter();
    diagnostics.map(|it| range(&it["range"])).collect()
}

pub(crate) fn range(range: &Value) -> String {
    let at = |position: &Value| format!("{}:{}", position["line"], position["character"]);
    format!("{}-{}", at(&range["start"]), at(&range["end"]))
}

async fn read_messages(output: ReadHalf<DuplexStream>, sender: mpsc::UnboundedSender<Value>) {
    let mut output = BufReader::new(output);
    loop {
        let mut length = None;
        loop {
            let mut line = String::new();
            if output.read_line(&mut line).await.unwrap_or(0) == 0 {
                return;
            }
            if line == "\r\n" {
                break;
            }
            let value = line.strip_prefix("Content-Length: ").unwrap();
            length = Some(value.trim().parse::<usize>().unwrap());
        }
        let mut body = vec![0; length.unwrap()];
        output.read_exact(&mut body).await.unwrap();
        let message = serde_json::from_slice(&body).unwrap();
        if sender.send(message).is_err() {
            return;
        }
    }
}

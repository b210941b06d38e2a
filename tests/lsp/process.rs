//! A server process and the editor's ends of its pipes.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long a message or the end of the process may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running server. Its process is killed when a test fails.
pub(crate) struct Server {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
}

impl Server {
    /// Starts the server.
    pub(crate) fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_admissible"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            process,
            input,
            messages,
        }
    }

    /// Starts the server and initializes it with the process id of a parent.
    pub(crate) fn initialized(parent: Option<u32>) -> Self {
        let mut server = Self::start();
        let params = json!({ "processId": parent, "rootUri": null, "capabilities": {} });
        let answer = server.request(1, "initialize", &params);
        assert_eq!(answer["result"]["serverInfo"]["name"], "admissible");
        server.notify("initialized", &json!({}));
        assert_eq!(server.message()["method"], "window/logMessage");
        server
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let bytes = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.send_bytes(bytes.as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and gives the next message, which is its answer.
    pub(crate) fn request(&mut self, id: i32, method: &str, params: &Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.message();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Sends a request and gives its answer. Other messages before it are dropped.
    pub(crate) fn answer(&mut self, id: i32, method: &str, params: &Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.message();
            if message["id"] == id && message["method"].is_null() {
                return message;
            }
        }
    }

    /// The next message.
    pub(crate) fn message(&mut self) -> Value {
        self.messages.recv_timeout(PATIENCE).unwrap()
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Closes the standard input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// The exit code, once the process has ended. No message is left then.
    pub(crate) fn exit_code(mut self) -> Option<i32> {
        // The output closes with the process.
        let left = self.messages.recv_timeout(PATIENCE);
        assert!(left.is_err(), "a message is left: {left:?}");
        self.process.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails where the process has ended, which is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The next message; `None` at the end. Anything that is not the protocol fails the test.
fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    if output.read_line(&mut header).unwrap() == 0 {
        return None;
    }
    let length = header.strip_prefix("Content-Length: ").unwrap();
    let length = length.trim().parse().unwrap();
    let mut empty = String::new();
    output.read_line(&mut empty).unwrap();
    assert_eq!(empty, "\r\n");
    let mut body = vec![0; length];
    output.read_exact(&mut body).unwrap();
    Some(serde_json::from_slice(&body).unwrap())
}

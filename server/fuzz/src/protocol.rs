//! Messages of a client.

use crate::parts;
use lsp::{Options, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The first message of every session. It has no folder, so that nothing on the disk is searched.
const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"textDocument":{"diagnostic":{}}}}}"#;

/// Serves a client that sends the parts as messages, and then the bytes as they are.
pub(crate) fn session(data: &[u8]) {
    // A session must not read the files of this machine.
    let lower = data.to_ascii_lowercase();
    let names_files = |word: &[u8]| lower.windows(word.len()).any(|it| it == word);
    if names_files(b"file:") || names_files(b"rootpath") || names_files(b"\\u00") {
        return;
    }
    let messages = std::iter::once(INITIALIZE.to_owned()).chain(parts(data));
    let mut input = Vec::new();
    for message in messages {
        input.extend(format!("Content-Length: {}\r\n\r\n{message}", message.len()).into_bytes());
    }
    input.extend(data);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let output = runtime.block_on(async {
        let (client, server) = tokio::io::duplex(1 << 20);
        let (from_client, to_client) = tokio::io::split(server);
        let (mut from_server, mut to_server) = tokio::io::split(client);
        let serving = tokio::spawn(serve(from_client, to_client, Options::default()));
        let writing = tokio::spawn(async move {
            let _ = to_server.write_all(&input).await;
            let _ = to_server.shutdown().await;
        });
        let mut output = Vec::new();
        let _ = from_server.read_to_end(&mut output).await;
        let _ = writing.await;
        serving.await.expect("the server ends");
        output
    });
    runtime.shutdown_background();
    let output = String::from_utf8_lossy(&output);
    assert!(!output.contains("panicked"), "{output}");
}

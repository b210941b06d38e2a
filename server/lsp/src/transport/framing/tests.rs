//! Messages are cut out of the stream, however a client frames them.

use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;

/// Returns the messages if the bytes arrive in pieces of `size`.
fn read(bytes: &[u8], size: usize) -> Vec<Result<String, FrameError>> {
    let mut decoder = Decoder::default();
    let mut out = Vec::new();
    for piece in bytes.chunks(size) {
        decoder.buffer.extend_from_slice(piece);
        while let Some(frame) = decoder.decode() {
            out.push(frame.map(|body| String::from_utf8_lossy(&body).into_owned()));
        }
    }
    out
}

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, expected: &Expect) {
    let bytes = bytes.as_ref();
    let whole = read(bytes, bytes.len().max(1));
    let mut text = String::new();
    for frame in &whole {
        text.push_str(&match frame {
            Ok(body) => format!("message: {body}\n"),
            Err(error) => format!("error: {error}\n"),
        });
    }
    expected.assert_eq(&text);
    for size in [1, 2, 3, 7] {
        assert_eq!(read(bytes, size), whole, "in pieces of {size}");
    }
}

#[test]
fn messages_follow_each_other() {
    check(
        "Content-Length: 2\r\n\r\n{}Content-Length: 4\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n[{}]",
        &expect![[r#"
            message: {}
            message: [{}]
        "#]],
    );
}

#[test]
fn headers_are_read_as_leniently_as_http_has_them() {
    check(
        "content-LENGTH:2\n\n{}\r\nContent-Length:  2  \r\nX-Other: 1\r\n\r\n{}",
        &expect![[r#"
            message: {}
            message: {}
        "#]],
    );
}

#[test]
fn utf8_has_two_names() {
    check(
        "Content-Length: 2\r\nContent-Type: a; charset=utf8\r\n\r\n{}Content-Length: 2\r\nContent-Type: a; charset=\"UTF-8\"\r\n\r\n{}",
        &expect![[r#"
            message: {}
            message: {}
        "#]],
    );
}

#[test]
fn another_charset_costs_its_message_only() {
    check(
        "Content-Length: 2\r\nContent-Type: a; charset=utf-16\r\n\r\n{}Content-Length: 2\r\n\r\n{}",
        &expect![[r#"
            error: the charset of the Content-Type is not utf-8
            message: {}
        "#]],
    );
}

#[test]
fn a_missing_length_costs_its_message_only() {
    check(
        "Content-Type: a\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}",
        &expect![[r#"
            error: the header has no Content-Length
            message: {}
        "#]],
    );
}

#[test]
fn a_length_that_is_no_number_costs_its_message_only() {
    check(
        "Content-Length: -3\r\n\r\n{}\nContent-Length: 2\r\n\r\n{}",
        &expect![[r#"
            error: the Content-Length is not a number
            message: {}
        "#]],
    );
}

#[test]
fn a_huge_length_is_not_believed() {
    for length in ["134217729", "99999999999999999999999999"] {
        check(
            format!(
                "Content-Type: a\r\nContent-Length: {length}\r\n\r\n{{}}Content-Length: 2\r\n\r\n{{}}"
            ),
            &expect![[r#"
                error: the message is longer than 128 MiB
                message: {}
            "#]],
        );
    }
}

#[test]
fn a_length_that_is_too_small_costs_one_more_error() {
    check(
        "Content-Length: 3\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}",
        &expect![[r#"
            message: {"a
            error: the header has no Content-Length
            message: {}
        "#]],
    );
}

#[test]
fn text_that_looks_like_a_header_inside_a_string_is_not_one() {
    check(
        "Content-Length: x\r\n\r\n{\"a\":\"Content-Length: 5\\r\\n\\r\\nhello\"}Content-Length: 2\r\n\r\n{}",
        &expect![[r#"
            error: the Content-Length is not a number
            message: {}
        "#]],
    );
}

#[test]
fn noise_before_the_first_message_is_skipped() {
    check(
        "starting server\nContent-Length: 2\r\n\r\n{}",
        &expect![[r#"
            error: a line of the header is not a field
            message: {}
        "#]],
    );
}

#[test]
fn a_header_without_end_is_given_up() {
    let endless = format!(
        "Content-Length: 2\r\n{}Content-Length: 2\r\n\r\n{{}}",
        "x: y\r\n".repeat(MAX_HEADER)
    );
    check(
        endless,
        &expect![[r#"
            error: the header is longer than 4096 bytes
            message: {}
        "#]],
    );
}

#[test]
fn noise_without_lines_stays_small_in_memory() {
    let mut decoder = Decoder::default();
    for _ in 0..1000 {
        decoder.buffer.extend_from_slice(&[0xFF; 8192]);
        while decoder.decode().is_some() {}
        assert!(decoder.buffer.len() <= MAX_HEADER);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_alike_in_any_pieces(
        parts in prop::collection::vec(
            prop_oneof![
                Just("Content-Length: 2\r\n\r\n{}".to_owned()),
                Just("Content-Length: 2\r\n".to_owned()),
                Just("content-length: ".to_owned()),
                Just("\r\n\r\n".to_owned()),
                "[ -~\r\n]{0,20}",
            ],
            0..12,
        ),
        size in 1usize..40,
    ) {
        let bytes = parts.concat().into_bytes();
        prop_assert_eq!(read(&bytes, size), read(&bytes, bytes.len().max(1)));
    }

    #[test]
    fn a_message_behind_noise_arrives(noise in "[ -~\r\n]{0,80}") {
        let bytes = format!("{noise}\r\n\r\n{{}}Content-Length: 7\r\n\r\n{{\"b\":2}}");
        let read = read(bytes.as_bytes(), 5);
        prop_assert_eq!(read.last(), Some(&Ok("{\"b\":2}".to_owned())));
    }
}

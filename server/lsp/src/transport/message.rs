//! Distinguishing requests, notifications and responses.
//!
//! tower-lsp-server reads a message without a method as a notification with an empty name, and
//! ignores some messages for which the protocol requires an error. Here every form has one meaning,
//! so the response is right before any handler runs.

use serde_json::{Map, Value};
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};

/// An incoming message.
#[derive(Debug, PartialEq)]
pub(crate) enum Message {
    /// A request, which has an ID and gets a response.
    Request(Id, Request),
    /// A notification, which gets no response.
    Notification(Request),
    /// A response of the client to a request of the server.
    Response(Response),
}

/// The error for an invalid message, and the ID of the response: null if it is not known.
#[derive(Debug, PartialEq)]
pub(crate) struct Invalid {
    pub(crate) id: Id,
    pub(crate) error: Box<Error>,
}

impl Invalid {
    /// Returns an error that belongs to no request in particular.
    pub(crate) fn anonymous(code: ErrorCode, reason: impl Into<String>) -> Self {
        Self {
            id: Id::Null,
            error: Box::new(error(code, reason)),
        }
    }
}

/// Returns an error of the protocol with a message.
pub(crate) fn error(code: ErrorCode, reason: impl Into<String>) -> Error {
    let mut error = Error::new(code);
    error.message = reason.into().into();
    error
}

/// Parses the body of a message.
pub(crate) fn read(body: &[u8]) -> Result<Message, Invalid> {
    let value = parse(body).map_err(|error| {
        Invalid::anonymous(
            ErrorCode::ParseError,
            format!("The message is not valid JSON: {error}."),
        )
    })?;
    let Value::Object(mut fields) = value else {
        let reason = "A message must be a JSON object. Batches are not supported.";
        return Err(Invalid::anonymous(ErrorCode::InvalidRequest, reason));
    };
    let id = read_id(fields.remove("id"))?;
    let invalid = |reason: &str| Invalid {
        id: id.clone().unwrap_or(Id::Null),
        error: Box::new(error(ErrorCode::InvalidRequest, reason)),
    };
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(
            "A message must have the field \"jsonrpc\": \"2.0\".",
        ));
    }
    match fields.remove("method") {
        Some(Value::String(method)) => {
            let params = fields.remove("params");
            request(method, id.clone(), params).ok_or_else(|| {
                invalid("The params of a message must be an object or an array, or missing.")
            })
        }
        Some(_) => Err(invalid("The method of a message must be a string.")),
        None => response(id.clone(), fields).ok_or_else(|| {
            invalid("A message must have a method, or an id with a result or an error.")
        }),
    }
}

fn parse(body: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(body).or_else(|error| {
        let repaired = str::from_utf8(body)
            .ok()
            .and_then(text::without_lone_surrogates);
        repaired.map_or(Err(error), |repaired| serde_json::from_str(&repaired))
    })
}

/// Returns the ID. `None` if it is missing. The protocol does not allow null.
fn read_id(id: Option<Value>) -> Result<Option<Id>, Invalid> {
    let id = match id {
        None => return Ok(None),
        Some(Value::String(id)) => Some(Id::String(id)),
        Some(Value::Number(id)) => id.as_i64().map(Id::Number),
        Some(_) => None,
    };
    match id {
        Some(id) => Ok(Some(id)),
        None => Err(Invalid::anonymous(
            ErrorCode::InvalidRequest,
            "The id of a message must be an integer or a string.",
        )),
    }
}

fn request(method: String, id: Option<Id>, params: Option<Value>) -> Option<Message> {
    let builder = Request::build(method);
    let request = match params {
        None | Some(Value::Null) => builder,
        Some(params @ (Value::Object(_) | Value::Array(_))) => builder.params(params),
        Some(_) => return None,
    };
    Some(match id {
        Some(id) => Message::Request(id.clone(), request.id(id).finish()),
        None => Message::Notification(request.finish()),
    })
}

fn response(id: Option<Id>, mut fields: Map<String, Value>) -> Option<Message> {
    let id = id?;
    let response = match (fields.remove("error"), fields.remove("result")) {
        // An error with additional fields is still a response.
        (Some(error @ Value::Object(_)), _) => Response::from_error(
            id,
            serde_json::from_value(error).unwrap_or_else(|_| Error::internal_error()),
        ),
        (Some(error), _) if !error.is_null() => return None,
        (_, Some(result)) => Response::from_ok(id, result),
        (_, None) => return None,
    };
    Some(Message::Response(response))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(body: &str, expected: &Expect) {
        let text = match read(body.as_bytes()) {
            Ok(Message::Request(id, request)) => format!("request {id}: {request}"),
            Ok(Message::Notification(request)) => format!("notification: {request}"),
            Ok(Message::Response(response)) => format!("response: {response:?}"),
            Err(Invalid { id, error }) => {
                format!("{} to {id}: {}", error.code, error.message)
            }
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn requests_and_notifications_differ_by_their_id() {
        check(
            r#"{"jsonrpc":"2.0","id":"a","method":"m","params":[1]}"#,
            &expect![[r#"request "a": {"jsonrpc":"2.0","method":"m","params":[1],"id":"a"}"#]],
        );
        check(
            r#"{"jsonrpc":"2.0","method":"m","params":null}"#,
            &expect![[r#"notification: {"jsonrpc":"2.0","method":"m"}"#]],
        );
    }

    #[test]
    fn answers_have_an_id_and_a_result_or_an_error() {
        check(
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
            &expect![[r#"response: Response { jsonrpc: Version, result: Null, id: Number(1) }"#]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#,
            &expect![[
                r#"response: Response { jsonrpc: Version, error: Error { code: ServerError(-1), message: "no", data: None }, id: Number(1) }"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"error":7}"#,
            &expect![
                "-32600 to 1: A message must have a method, or an id with a result or an error."
            ],
        );
    }

    #[test]
    fn broken_json_is_a_parse_error() {
        check(
            r#"{"jsonrpc":"2.0","#,
            &expect![
                "-32700 to null: The message is not valid JSON: EOF while parsing a value at line 1 column 17."
            ],
        );
        let deep = "[".repeat(100_000);
        check(
            &deep,
            &expect![
                "-32700 to null: The message is not valid JSON: recursion limit exceeded at line 1 column 128."
            ],
        );
        assert!(read(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xFF\"}").is_err());
    }

    #[test]
    fn other_json_is_an_invalid_request() {
        check(
            "[]",
            &expect!["-32600 to null: A message must be a JSON object. Batches are not supported."],
        );
        check(
            r#"{"id":3,"method":"m"}"#,
            &expect![[r#"-32600 to 3: A message must have the field "jsonrpc": "2.0"."#]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":3}"#,
            &expect![
                "-32600 to 3: A message must have a method, or an id with a result or an error."
            ],
        );
        check(
            r#"{"jsonrpc":"2.0","id":3,"method":4}"#,
            &expect!["-32600 to 3: The method of a message must be a string."],
        );
        check(
            r#"{"jsonrpc":"2.0","id":3,"method":"m","params":4}"#,
            &expect![
                "-32600 to 3: The params of a message must be an object or an array, or missing."
            ],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
            &expect!["-32600 to null: The id of a message must be an integer or a string."],
        );
        check(
            r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#,
            &expect!["-32600 to null: The id of a message must be an integer or a string."],
        );
    }
}

//! Messages for panics.
//!
//! A panic is a bug in the server. It ends the request in which it happened; the client gets an
//! error response and the log has the message, so that the user can report it.

use std::any::Any;

/// Returns the message of a panic, for a response or the log.
pub(crate) fn describe(task: &str, panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    format!("`{task}` failed because of a bug in Admissible: {message}. Please report it.")
}

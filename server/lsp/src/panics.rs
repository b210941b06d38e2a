//! What is said when the server itself fails.
//!
//! A panic is a bug of ours. It ends the one request that met it; the client gets an error
//! for an answer and the log says what happened, so that the user can report it.

use std::any::Any;

/// What a panic says, for an answer or a log.
pub(crate) fn describe(task: &str, panic: &(dyn Any + Send)) -> String {
    let said = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    format!("`{task}` failed because of a bug in Admissible: {said}. Please report it.")
}

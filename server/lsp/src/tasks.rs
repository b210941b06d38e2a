//! Background work.
//!
//! Each function does its work once and returns what has changed. It starts no other task:
//! [`crate::events`] starts them and decides what follows from a change.

pub(crate) mod closed_files;
pub(crate) mod config_problems;
pub(crate) mod findings;
pub(crate) mod index;
pub(crate) mod progress;
pub(crate) mod publish;
pub(crate) mod refresh;
pub(crate) mod settings;

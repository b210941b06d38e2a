//! The commands and their reports.

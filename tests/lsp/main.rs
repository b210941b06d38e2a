//! The binary as an editor starts it: bytes on its standard streams, and its exit code.
//!
//! The protocol is tested in the crate `lsp` over an in-memory stream. Here is
//! what only a process has: real pipes, an end, and a parent.

#![cfg(test)]

mod editor;
mod hostile;
mod process;
mod stdio;
mod workspace;

//! The binary as an editor starts it: bytes on its standard streams, and its exit code.
//!
//! What the protocol asks for is tested in the crate `lsp` over a stream in memory. Here is
//! what only a process has: real pipes, an end, and a parent.

#![cfg(test)]

mod process;
mod stdio;

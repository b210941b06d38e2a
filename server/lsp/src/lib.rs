//! The Language Server Protocol over standard input and output.
//!
//! The only crate that knows LSP types: it converts, keeps the open documents and asks
//! `ide` everything else.

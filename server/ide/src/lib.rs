//! One function per editor feature: text in, plain data out.
//!
//! The crate speaks of byte ranges and words. It does no IO and knows no protocol, so the
//! command line, the language server and the tests all ask the same functions.

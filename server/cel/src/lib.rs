//! The Common Expression Language.
//!
//! The crate knows CEL as a language and nothing of Kubernetes or YAML. A text is parsed to
//! a tree that keeps every range, also where the text is broken.

//! YAML as Kubernetes reads it.
//!
//! The crate turns a file into documents and nodes with exact byte ranges, and every scalar
//! into its decoded text with a [`text::SourceMap`]. It goes on after an error, because a
//! file in an editor is broken most of the time. It knows nothing of CEL or Kubernetes'
//! kinds.

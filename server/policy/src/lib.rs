//! The Kubernetes kinds that carry CEL.
//!
//! The crate recognises the documents, knows their fields, finds the expressions in them
//! with the role that each plays, and holds the rules by which the API server accepts or
//! refuses them. It does no IO and knows nothing of editors.

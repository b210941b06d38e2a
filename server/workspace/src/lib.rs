//! The files around a policy: configuration, discovery and loading.
//!
//! This is the only library crate below the server that touches the disk.

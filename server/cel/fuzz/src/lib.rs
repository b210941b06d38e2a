//! The shared parts of the fuzz targets.

pub mod harness;

//! The files around a policy: configuration, discovery and loading.
//!
//! This is the only library crate below the server that touches the disk. It knows where
//! files are and what a user has set about them, and nothing of what is in them: a text
//! leaves here as a string and is read by `ide`. [`Config`] is what one configuration file
//! says, [`ConfigCache`] finds the one that governs a path, [`find_files`] turns arguments into
//! files, [`read_file`] turns a file into text and [`find_samples`] gathers the manifests that
//! policies can be tried on, [`find_inputs`] the requests that are written for one policy.
//! [`gather`] finds what the other files of a project say, and [`Schemas`] the kinds that a
//! configuration names. [`ObjectStream`] reads the objects in a dump of a cluster, which may be
//! larger than the memory.

mod config;
mod discovery;
mod error;
mod inputs;
mod load;
mod objects;
mod project;
mod samples;
mod schemas;

pub use config::{CONFIG_FILE, Config, ConfigCache, ConfigProblem, SchemaPath, Schemas};
pub use discovery::{Discovery, find_files, is_manifest};
pub use error::{Error, Problem};
pub use inputs::{FoundInputs, InputFinder, InputProblem, Owner, find_inputs, policy_of_input};
pub use load::{MAX_FILE_SIZE, read_file, read_text};
pub use objects::{
    Chunk, ObjectProblem, ObjectProblemKind, ObjectSink, ObjectStream, Positions, StreamObject,
    StreamPosition,
};
pub use project::{Gathered, ProjectLimits, gather, read_summary, summary_of};
pub use samples::{SampleFile, SampleLimits, find_samples, read_samples};

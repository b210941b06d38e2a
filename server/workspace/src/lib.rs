//! Files: configuration, discovery and loading.
//!
//! This is the only library crate below the server that touches the disk. It finds files and
//! their configuration, but does not interpret them: it returns their text as a string, which
//! `ide` parses. [`Config`] is one configuration file and [`ConfigCache`] finds the one of a
//! path; [`find_files`] turns arguments into files and [`read_argument`] a file into text;
//! [`find_samples`] gathers the manifests against which policies are evaluated, and
//! [`find_inputs`] the inputs of one policy file. [`gather`] summarizes the other files of a
//! project, and [`Schemas`] has the kinds that a configuration names. A file can name other
//! files only within its [`Roots`], which read them. [`replace_file`] writes. [`ObjectStream`] reads the objects
//! in a dump of a cluster, which may be larger than the memory, and [`find_remote`] finds dumps in
//! S3-compatible stores.

mod ancestors;
mod config;
mod discovery;
mod error;
mod inputs;
mod load;
mod objects;
mod project;
mod remote;
mod roots;
mod samples;
mod schemas;
mod write;

pub use config::{Config, ConfigCache, ConfigProblem, SchemaPath, Schemas, with_rule_off};
pub use discovery::{
    Discovery, find_dumps, find_files, find_manifests, is_manifest, skipped_manifests,
};
pub use error::{Error, Problem};
pub use inputs::{
    FoundInputs, InputFinder, InputProblem, Owner, find_inputs, is_inputs_file, may_include,
    policy_of_input,
};
pub use load::{MAX_FILE_SIZE, open_argument, read_argument, read_text};
pub use objects::{
    Chunk, Content, ObjectProblem, ObjectProblemKind, ObjectSink, ObjectStream, ObjectVisitor,
    Positions, StreamObject, StreamPosition,
};
pub use project::{Gathered, ProjectLimits, gather, read_summary};
pub use remote::{RemoteFile, find_remote, is_remote};
pub use roots::{CONFIG_FILE, Roots};
pub use samples::{SampleFile, SampleLimits, find_samples, read_samples};
pub use write::replace_file;

//! The binary as people and pipelines run it: arguments in, output and exit code out.
//!
//! Modules of `cli` have their own tests next to them. Here is what only the whole
//! program shows: streams, exit codes, files on a disk, and that hostile input costs bounded
//! time and memory.

#[cfg(test)]
mod across_files;
#[cfg(test)]
mod config;
#[cfg(test)]
mod crds;
#[cfg(test)]
mod eval;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod files;
#[cfg(test)]
mod fix;
#[cfg(test)]
mod fmt;
#[cfg(test)]
mod github;
#[cfg(test)]
#[cfg(unix)]
mod github_action;
#[cfg(test)]
mod gitlab;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod human;
#[cfg(test)]
mod init;
#[cfg(test)]
mod init_input;
#[cfg(test)]
mod inputs;
#[cfg(test)]
mod json;
#[cfg(test)]
mod lsp;
#[cfg(test)]
mod not_checked;
#[cfg(test)]
mod pre_commit;
#[cfg(test)]
mod project;
#[cfg(test)]
mod recipes;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod sarif;
#[cfg(test)]
#[path = "../shapes/mod.rs"]
mod shapes;
#[cfg(test)]
mod stdin;
#[cfg(test)]
mod test;
#[cfg(test)]
mod usage;

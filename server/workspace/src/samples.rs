//! The manifests of a workspace, for evaluations and completions.
//!
//! A workspace may be a monorepo with a hundred thousand files, so the search, the reading and the
//! result are bounded. Ignored and excluded files are skipped as in any search.

use crate::discovery::find_manifests;
use crate::load::read_file;
use crate::{ConfigCache, is_manifest};
use admission::Resources;
use evaluation::samples::Sample;
use policy::PolicyDocument;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct SampleLimits {
    /// The number of files that are read.
    pub files: usize,
    /// The size of a file in bytes.
    pub file_size: u64,
    /// The number of bytes that are read.
    pub total_size: u64,
    /// The number of samples that are kept, besides those that govern others.
    pub samples: usize,
}

impl Default for SampleLimits {
    /// Limit: some seconds of reading on a slow disk, and about ten megabytes of memory.
    fn default() -> Self {
        Self {
            files: 5_000,
            file_size: 1024 * 1024,
            total_size: 64 * 1024 * 1024,
            samples: 2_000,
        }
    }
}

/// The content of a file that matters for evaluations.
#[derive(Clone, Debug, Default)]
pub struct SampleFile {
    /// Its manifests.
    pub samples: Vec<Sample>,
    /// The kinds that it defines.
    pub resources: Resources,
    /// Its bindings.
    pub bindings: Vec<Arc<PolicyDocument>>,
}

impl SampleFile {
    /// Reads the source of the file at `path`.
    #[must_use]
    pub fn read(path: &Path, text: &str) -> Self {
        Self {
            samples: evaluation::samples::read(path, text),
            resources: evaluation::samples::resources(text),
            bindings: evaluation::run::bindings(text),
        }
    }

    /// Returns whether the file has no such content.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty() && self.resources.is_empty() && self.bindings.is_empty()
    }
}

/// Returns the files with samples below some folders, in the order of their paths.
#[must_use]
pub fn find_samples(
    folders: &[PathBuf],
    configs: &Arc<ConfigCache>,
    limits: SampleLimits,
) -> Vec<(PathBuf, SampleFile)> {
    let mut files = find_manifests(folders, configs, limits.files);
    files.sort_unstable();
    files.dedup();
    let (mut size, mut count) = (0, 0);
    let mut found = Vec::new();
    for file in files {
        let bytes = file.metadata().map_or(0, |metadata| metadata.len());
        if bytes > limits.file_size {
            continue;
        }
        if size + bytes > limits.total_size {
            break;
        }
        size += bytes;
        let mut read = read_samples(&file, limits);
        // A binding or a role after a thousand manifests still counts.
        read.samples.retain(|sample| {
            let is_counted = !sample.governs_others();
            count += usize::from(is_counted);
            !is_counted || count <= limits.samples
        });
        if !read.is_empty() {
            found.push((file, read));
        }
    }
    found
}

/// Returns the content of a file. The result is empty if it cannot be read, is a link or is too
/// large.
#[must_use]
pub fn read_samples(file: &Path, limits: SampleLimits) -> SampleFile {
    // A search does not follow links either.
    let metadata = file.symlink_metadata();
    let fits = metadata.is_ok_and(|it| it.is_file() && it.len() <= limits.file_size);
    if !is_manifest(file) || !fits {
        return SampleFile::default();
    }
    let text = read_file(file);
    text.map_or_else(
        |_| SampleFile::default(),
        |text| SampleFile::read(file, &text),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";

    fn names(files: &[(&str, &str)], limits: SampleLimits) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let folders = [folder.path().to_path_buf()];
        let found = find_samples(&folders, &Arc::default(), limits);
        let relative = |path: &Path| path.strip_prefix(folder.path()).unwrap().to_owned();
        found
            .iter()
            .map(|(path, file)| format!("{} {}", relative(path).display(), file.samples.len()))
            .collect()
    }

    #[test]
    fn ignored_and_excluded_files_are_passed_over() {
        let files = [
            ("b/pod.yaml", POD),
            ("a.yml", POD),
            ("hidden/pod.yaml", POD),
            ("generated/pod.yaml", POD),
            (".gitignore", "hidden/\n"),
            ("admissible.toml", "exclude = ['generated/']\n"),
            ("values.yaml", "a: 1\n"),
            ("pod.txt", POD),
        ];
        assert_eq!(
            names(&files, SampleLimits::default()),
            ["a.yml 1", "b/pod.yaml 1"]
        );
    }

    #[test]
    fn nothing_large_hides_a_binding() {
        let large = "# ".repeat(POD.len()) + POD;
        let binding = "apiVersion: admissionregistration.k8s.io/v1\n\
                       kind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\n";
        let role = POD.replace("v1\nkind: Pod", "rbac.authorization.k8s.io/v1\nkind: Role");
        let files = [
            ("a.yaml", &*large),
            ("b.yaml", POD),
            ("c.yaml", binding),
            ("d.yaml", POD),
            ("e.yaml", &*role),
        ];
        let limits = SampleLimits {
            file_size: binding.len() as u64,
            total_size: (2 * POD.len() + binding.len() + role.len()) as u64,
            samples: 1,
            ..SampleLimits::default()
        };
        assert_eq!(names(&files, limits), ["b.yaml 1", "c.yaml 0", "e.yaml 1"]);
    }

    #[test]
    fn everything_is_bounded() {
        let files = [("a.yaml", POD), ("b.yaml", POD), ("c.yaml", POD)];
        let limits = SampleLimits::default();
        let two = u64::try_from(2 * POD.len()).unwrap();
        assert_eq!(
            names(
                &files,
                SampleLimits {
                    samples: 2,
                    ..limits
                }
            )
            .len(),
            2
        );
        assert_eq!(names(&files, SampleLimits { files: 2, ..limits }).len(), 2);
        assert_eq!(
            names(
                &files,
                SampleLimits {
                    total_size: two,
                    ..limits
                }
            )
            .len(),
            2
        );
        assert!(
            names(
                &files,
                SampleLimits {
                    file_size: 9,
                    ..limits
                }
            )
            .is_empty()
        );
    }
}

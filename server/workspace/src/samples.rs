//! The manifests of a workspace, for evaluations and completions.
//!
//! A workspace may be a monorepo with a hundred thousand files, so the search, the reading and the
//! result are bounded. Ignored and excluded files are skipped as in any search. The objects of the
//! kinds that a policy names as `paramKind` are all found, or their kinds are reported as omitted:
//! a missing parameter decides a request.

use crate::discovery::find_manifests;
use crate::load::read_file;
use crate::{ConfigCache, is_manifest};
use admission::{OmittedKinds, Resources};
use evaluation::run::bindings_of;
use evaluation::samples::{self, MAX_SAMPLES, ParamKinds, Sample, Samples};
use kubernetes::Target;
use policy::{ParsedFile, PolicyDocument};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct SampleLimits {
    /// The number of files that are read.
    pub files: usize,
    /// The size of a file in bytes. Larger ones are read only for parameters.
    pub file_size: u64,
    /// The number of bytes that are read.
    pub total_size: u64,
    /// The number of samples that are kept, besides those that govern others and parameters.
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
    /// The kinds of its manifests that are not among the samples.
    pub omitted: OmittedKinds,
    /// The kinds of parameters that its policies name.
    pub param_kinds: ParamKinds,
    /// The kinds that it defines.
    pub resources: Resources,
    /// Its bindings.
    pub bindings: Vec<Arc<PolicyDocument>>,
}

impl SampleFile {
    /// Reads the source of the file at `path`.
    #[must_use]
    pub fn read(path: &Path, text: &str) -> Self {
        Self::read_most(path, text, usize::MAX, &ParamKinds::new())
    }

    /// Reads a source with the samples that always count, those of the wanted kinds, and some
    /// others.
    fn read_most(path: &Path, text: &str, limit: usize, wanted: &ParamKinds) -> Self {
        let Samples { samples, omitted } = samples::read_most(path, text, limit, wanted);
        let file = ParsedFile::new(Arc::from(text), Target::default());
        Self {
            samples,
            omitted,
            param_kinds: samples::param_kinds(file.policies()),
            resources: samples::resources(text),
            bindings: bindings_of(&file),
        }
    }

    /// Returns a file that was not read.
    fn unread() -> Self {
        Self {
            omitted: OmittedKinds::any(),
            ..Self::default()
        }
    }

    /// Returns whether the file has no such content.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
            && self.omitted.is_empty()
            && self.param_kinds.is_empty()
            && self.resources.is_empty()
            && self.bindings.is_empty()
    }

    /// Returns whether objects of one of these kinds were left out.
    #[must_use]
    pub fn lacks(&self, kinds: &ParamKinds) -> bool {
        let mut kinds = kinds.iter();
        kinds.any(|(api_version, kind)| self.omitted.contains(api_version, kind))
    }
}

/// Returns the files with samples below some folders, in the order of their paths. All objects of
/// the wanted kinds, and of those that policies in the files name, are among them, or omitted.
#[must_use]
pub fn find_samples(
    folders: &[PathBuf],
    configs: &Arc<ConfigCache>,
    limits: SampleLimits,
    wanted: &ParamKinds,
) -> Vec<(PathBuf, SampleFile)> {
    let mut files = find_manifests(folders, configs, limits.files);
    let is_cut = files.len() >= limits.files;
    files.sort_unstable();
    files.dedup();
    let mut found = read_all(&files, limits, wanted);
    let mut kinds = wanted.clone();
    for (_, file) in &found {
        kinds.extend(file.param_kinds.iter().cloned());
    }
    // A policy may come after its parameters.
    if found.iter().any(|(_, file)| file.lacks(&kinds)) {
        found = read_all(&files, limits, &kinds);
    }
    let folder = folders.first().filter(|_| is_cut);
    found.extend(folder.map(|folder| (folder.clone(), SampleFile::unread())));
    if kinds.is_empty() {
        let omitted = found.iter_mut().map(|(_, file)| &mut file.omitted);
        omitted.for_each(|omitted| *omitted = OmittedKinds::default());
    }
    found.retain(|(_, file)| !file.is_empty());
    found
}

fn read_all(
    files: &[PathBuf],
    limits: SampleLimits,
    wanted: &ParamKinds,
) -> Vec<(PathBuf, SampleFile)> {
    // Large files are counted by themselves: others must not be left out because of them.
    let (mut size, mut large, mut count) = (0, 0, 0);
    let mut found = Vec::new();
    for file in files {
        let bytes = file.metadata().map_or(0, |metadata| metadata.len());
        let read_so_far = match bytes > limits.file_size {
            true if wanted.is_empty() => &mut 0,
            true => &mut large,
            false => &mut size,
        };
        *read_so_far += bytes;
        if *read_so_far > limits.total_size {
            found.push((file.clone(), SampleFile::unread()));
            continue;
        }
        let mut read = read_samples(file, limits, wanted);
        let SampleFile {
            samples, omitted, ..
        } = &mut read;
        // A binding or a role after a thousand manifests still counts.
        samples.retain(|sample| {
            let (api_version, kind) = (&sample.api_version, &sample.kind);
            let is_wanted = || {
                wanted
                    .iter()
                    .any(|it| (&it.0, &it.1) == (api_version, kind))
            };
            let is_counted = !sample.governs_others() && !is_wanted();
            count += usize::from(is_counted);
            let is_kept = !is_counted || count <= limits.samples;
            if !is_kept {
                omitted.add(api_version, kind);
            }
            is_kept
        });
        found.push((file.clone(), read));
    }
    found
}

/// Returns the content of a file. The result is empty if it cannot be read or is a link. Of a large
/// one, it has only the objects that govern others, and those of the wanted kinds.
#[must_use]
pub fn read_samples(file: &Path, limits: SampleLimits, wanted: &ParamKinds) -> SampleFile {
    // A search does not follow links either.
    let metadata = file.symlink_metadata().ok().filter(Metadata::is_file);
    let Some(metadata) = metadata.filter(|_| is_manifest(file)) else {
        return SampleFile::default();
    };
    let is_large = metadata.len() > limits.file_size;
    if is_large && wanted.is_empty() {
        return SampleFile::unread();
    }
    match read_file(file) {
        Ok(text) if !is_large => SampleFile::read_most(file, &text, MAX_SAMPLES, wanted),
        Ok(text) if wanted.iter().any(|(_, kind)| text.contains(kind)) => {
            SampleFile::read_most(file, &text, 0, wanted)
        }
        Err(_) if is_large => SampleFile::unread(),
        Ok(_) | Err(_) => SampleFile::default(),
    }
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
        let found = find_samples(&folders, &Arc::default(), limits, &ParamKinds::new());
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

    #[test]
    fn all_objects_of_a_param_kind_are_found() {
        let config_map = |name: usize| {
            format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{name}}}\n---\n")
        };
        let many: String = (0..3 * MAX_SAMPLES).map(config_map).collect();
        let policy = "apiVersion: admissionregistration.k8s.io/v1\n\
                      kind: ValidatingAdmissionPolicy\nspec:\n  \
                      paramKind: {apiVersion: v1, kind: ConfigMap}\n";
        let all = format!("a.yaml {}", 3 * MAX_SAMPLES);
        let limits = SampleLimits {
            samples: 1,
            ..SampleLimits::default()
        };
        let files = [("a.yaml", &*many), ("b.yaml", policy)];
        assert_eq!(names(&files, limits), [&*all, "b.yaml 0"]);
        // So are those of a file that is too large for other manifests.
        let small = SampleLimits {
            file_size: many.len() as u64 - 1,
            ..limits
        };
        assert_eq!(names(&files, small), [&*all, "b.yaml 0"]);
        assert_eq!(names(&files[..1], small), [""; 0]);
    }

    #[test]
    fn what_exceeds_a_limit_is_omitted() {
        let folder = tempfile::tempdir().unwrap();
        let policy = "apiVersion: admissionregistration.k8s.io/v1\n\
                      kind: ValidatingAdmissionPolicy\nspec:\n  \
                      paramKind: {apiVersion: v1, kind: Pod}\n";
        fs::write(folder.path().join("a.yaml"), policy).unwrap();
        fs::write(folder.path().join("b.yaml"), POD).unwrap();
        let folders = [folder.path().to_path_buf()];
        let lacks = |limits, kind: &str| {
            let kinds = ParamKinds::from([("v1".to_owned(), kind.to_owned())]);
            let found = find_samples(&folders, &Arc::default(), limits, &ParamKinds::new());
            found.iter().any(|(_, file)| file.lacks(&kinds))
        };
        let limits = SampleLimits::default();
        assert!(!lacks(limits, "Pod"));
        let total_size = policy.len() as u64;
        let cut = SampleLimits {
            total_size,
            ..limits
        };
        assert!(lacks(cut, "Pod"));
        assert!(lacks(SampleLimits { files: 1, ..limits }, "Pod"));
    }
}

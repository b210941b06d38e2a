//! Inputs with their requests, ready for evaluation.
//!
//! Applying the defaults of a kind takes longer than evaluating most policies and does not
//! depend on them. It happens once, and the result lives as long as the input and the kinds.

use crate::input::{Input, InputKey, Origin, RequestError};
use admission::{Operation, Request, Resources};
use kubernetes::openapi::Catalog;
use std::path::Path;
use std::sync::Arc;

/// An input, ready for evaluation.
#[derive(Debug)]
pub struct PreparedInput {
    input: Arc<Input>,
    requests: Result<Vec<Arc<Request>>, RequestError>,
}

impl PreparedInput {
    /// Prepares an input, with the kinds of a server and those of its definitions.
    #[must_use]
    pub fn new(input: Arc<Input>, kinds: &Catalog, resources: &Resources) -> Self {
        let requests = match input.origin {
            Origin::Document | Origin::Kat => {
                let request = input.request.request(kinds, resources);
                request.map(|request| vec![Arc::new(request)])
            }
            Origin::Sample => sample_requests(&input, kinds, resources),
        };
        Self { input, requests }
    }

    /// Returns the input.
    #[must_use]
    pub fn input(&self) -> &Arc<Input> {
        &self.input
    }

    /// Returns whether it is a manifest that was not written as an input.
    #[must_use]
    pub(crate) fn is_sample(&self) -> bool {
        self.input.origin == Origin::Sample
    }

    /// Returns its key.
    #[must_use]
    pub fn key(&self) -> &InputKey {
        &self.input.key
    }

    /// Returns the requests. The first one that a policy matches is used. A manifest without a
    /// request describes its creation, its update and its deletion.
    ///
    /// # Errors
    /// The reason why it has none.
    pub fn requests(&self) -> Result<&[Arc<Request>], &RequestError> {
        self.requests.as_ref().map(Vec::as_slice)
    }
}

fn sample_requests(
    input: &Input,
    kinds: &Catalog,
    resources: &Resources,
) -> Result<Vec<Arc<Request>>, RequestError> {
    let created = input.request.request(kinds, resources)?;
    let object = &input.request.object;
    let mut requests = vec![Arc::new(created)];
    for operation in [Operation::Update, Operation::Delete] {
        let mut changed = input.request.clone();
        changed.old_object.clone_from(object);
        changed.object = changed.object.filter(|_| operation == Operation::Update);
        let mut request = changed.request(kinds, resources)?;
        request.is_unchanged = operation == Operation::Update;
        requests.push(Arc::new(request));
    }
    Ok(requests)
}

/// Sorts inputs by preference for a file: inputs before manifests, then by distance.
pub fn order(inputs: &mut [Arc<PreparedInput>], file: Option<&Path>) {
    inputs.sort_by_cached_key(|input| {
        let key = input.key();
        let distance = file.map_or(0, |file| distance(file, &key.path));
        (input.is_sample(), distance, key.clone())
    });
}

/// Returns the number of folders between two files.
#[must_use]
pub fn distance(from: &Path, to: &Path) -> usize {
    let folders = |path: &Path| {
        let folder = path.parent().unwrap_or(Path::new(""));
        folder
            .components()
            .map(|it| it.as_os_str().to_owned())
            .collect::<Vec<_>>()
    };
    let (from, to) = (folders(from), folders(to));
    let shared = from.iter().zip(&to).take_while(|(from, to)| from == to);
    from.len() + to.len() - 2 * shared.count()
}

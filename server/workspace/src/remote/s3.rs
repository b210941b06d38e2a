//! The client of S3-compatible stores.
//!
//! Credentials, region and endpoint come from the environment variables of the AWS tools. A file
//! is read in parts by requests for ranges, a few ahead of the reader, so that the memory does not
//! depend on its size. The library retries requests that fail.

use super::{RemoteFile, SCHEME};
use crate::discovery::is_dump;
use crate::{Content, Error};
use bytes::{Buf as _, Bytes};
use futures::TryStreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::path::Path as Key;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt as _};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// Limit: the bytes of a part. A request for less takes longer to be answered than to be read.
const PART: u64 = 4 * 1024 * 1024;

/// Limit: the parts that are requested ahead of the reader, each on its own connection.
const AHEAD: usize = 6;

/// A bucket.
#[derive(Clone)]
struct Bucket {
    name: String,
    store: Arc<dyn ObjectStore>,
    /// Runs the requests, even while nothing waits for them.
    runtime: Arc<Runtime>,
}

/// Finds the dumps at `BUCKET/KEY`.
pub(super) fn find(address: &str) -> Result<Vec<RemoteFile>, Error> {
    let (bucket, key) = address.split_once('/').unwrap_or((address, ""));
    let is_local = |name| std::env::var(name).is_ok_and(|it: String| it.starts_with("http://"));
    let builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        // An endpoint without encryption was named by the user.
        .with_allow_http(is_local("AWS_ENDPOINT_URL") || is_local("AWS_ENDPOINT_URL_S3"));
    let store = builder.build().map_err(|error| store_error(&error))?;
    Bucket::new(bucket, Arc::new(store))?.find(key)
}

impl Bucket {
    fn new(name: &str, store: Arc<dyn ObjectStore>) -> Result<Self, Error> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        Ok(Self {
            name: name.to_owned(),
            store,
            runtime: Arc::new(runtime?),
        })
    }

    /// Finds the file with a key, or the dumps below it.
    fn find(&self, key: &str) -> Result<Vec<RemoteFile>, Error> {
        let below = Key::parse(key).map_err(|error| store_error(&error.into()))?;
        if !key.is_empty() && !key.ends_with('/') {
            match self.runtime.block_on(self.store.head(&below)) {
                Ok(found) => return Ok(vec![self.file(found)]),
                Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(store_error(&error)),
            }
        }
        let listed = self.store.list(Some(&below)).try_collect::<Vec<_>>();
        let mut found = self
            .runtime
            .block_on(listed)
            .map_err(|error| store_error(&error))?;
        if found.is_empty() {
            return Err(Error::NotFound);
        }
        found.retain(|it| is_searched(&it.location, &below));
        Ok(found.into_iter().map(|it| self.file(it)).collect())
    }

    fn file(&self, found: ObjectMeta) -> RemoteFile {
        RemoteFile {
            address: format!("{SCHEME}{}/{}", self.name, found.location),
            size: found.size,
            content: Arc::new(Object {
                bucket: self.clone(),
                found,
            }),
        }
    }
}

impl fmt::Debug for Bucket {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Bucket").field(&self.name).finish()
    }
}

/// Returns whether a search includes a key below another one, as if it were a path.
fn is_searched(key: &Key, below: &Key) -> bool {
    let mut parts = key.prefix_match(below).into_iter().flatten();
    is_dump(Path::new(key.as_ref())) && parts.all(|it| !it.as_ref().starts_with('.'))
}

/// An object of a bucket, as found.
#[derive(Clone, Debug)]
struct Object {
    bucket: Bucket,
    found: ObjectMeta,
}

impl Content for Object {
    fn read_from(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Reader {
            object: self.clone(),
            next: offset,
            requested: VecDeque::new(),
            part: Bytes::new(),
        }))
    }
}

impl Object {
    /// Requests a range in the background.
    fn request(&self, range: Range<u64>) -> JoinHandle<object_store::Result<Bytes>> {
        let store = Arc::clone(&self.bucket.store);
        let key = self.found.location.clone();
        let options = GetOptions {
            range: Some(GetRange::Bounded(range)),
            // All parts are of one version.
            if_match: self.found.e_tag.clone(),
            ..GetOptions::default()
        };
        let request = async move { store.get_opts(&key, options).await?.bytes().await };
        self.bucket.runtime.spawn(request)
    }
}

/// The bytes of an object.
struct Reader {
    object: Object,
    /// The offset of the next part to request.
    next: u64,
    requested: VecDeque<JoinHandle<object_store::Result<Bytes>>>,
    /// The part that is being read.
    part: Bytes,
}

impl Reader {
    /// Waits for the next part. It is empty at the end.
    fn next_part(&mut self) -> io::Result<Bytes> {
        let size = self.object.found.size;
        while self.next < size && self.requested.len() <= AHEAD {
            let range = self.next..size.min(self.next + PART);
            self.next = range.end;
            self.requested.push_back(self.object.request(range));
        }
        let Some(first) = self.requested.pop_front() else {
            return Ok(Bytes::new());
        };
        let part = self.object.bucket.runtime.block_on(first)?;
        part.map_err(|error| match error {
            object_store::Error::Precondition { .. } => {
                io::Error::other("the object has changed since the replay began")
            }
            error => io::Error::other(error.to_string()),
        })
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.part.is_empty() {
            self.part = self.next_part()?;
        }
        let count = buffer.len().min(self.part.len());
        let (filled, _) = buffer.split_at_mut(count);
        self.part.copy_to_slice(filled);
        Ok(count)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.requested.iter().for_each(JoinHandle::abort);
    }
}

fn store_error(error: &object_store::Error) -> Error {
    Error::Store {
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests;

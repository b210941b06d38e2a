//! Files in S3-compatible stores.
//!
//! The dumps of a fleet are often in such a store. Its clients are large, so they are part of the
//! program only with the feature `s3`; without it, an address is an error that names the feature.
//! [`find_remote`] finds the files below an address, and a [`RemoteFile`] is read like a local one.

#[cfg(feature = "s3")]
mod s3;

use crate::{Content, Error, ObjectStream};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// The beginning of an address.
const SCHEME: &str = "s3://";

/// A file in a store.
#[derive(Clone, Debug)]
pub struct RemoteFile {
    address: String,
    size: u64,
    content: Arc<dyn Content>,
}

impl RemoteFile {
    /// Returns the address: `s3://BUCKET/KEY`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the size in bytes.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Opens the objects in the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn objects(&self) -> io::Result<ObjectStream<Box<dyn Read + Send>>> {
        ObjectStream::from_content(Arc::clone(&self.content))
    }
}

/// Returns whether an argument is the address of a file or a directory in a store.
#[must_use]
pub fn is_remote(argument: &Path) -> bool {
    argument.to_str().is_some_and(|it| it.starts_with(SCHEME))
}

/// Finds the dumps at an address, in any order: the file of that name, or those below it.
///
/// # Errors
/// The store cannot be read, there is no such file, or the program has no client.
pub fn find_remote(argument: &Path) -> Result<Vec<RemoteFile>, Error> {
    let address = argument.to_str().and_then(|it| it.strip_prefix(SCHEME));
    find(address.unwrap_or_default())
}

#[cfg(feature = "s3")]
fn find(address: &str) -> Result<Vec<RemoteFile>, Error> {
    s3::find(address)
}

#[cfg(not(feature = "s3"))]
fn find(_: &str) -> Result<Vec<RemoteFile>, Error> {
    Err(Error::NotBuilt { feature: "s3" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme() {
        assert!(is_remote(Path::new("s3://dumps/a.ndjson")));
        assert!(!is_remote(Path::new("s3/dumps")));
        assert!(!is_remote(Path::new("dumps/s3://a")));
    }

    #[cfg(not(feature = "s3"))]
    #[test]
    fn without_a_client_the_error_names_the_feature() {
        let error = find_remote(Path::new("s3://dumps")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "this program was built without the feature `s3`; build it with \
             `cargo build --release --features s3`"
        );
    }
}

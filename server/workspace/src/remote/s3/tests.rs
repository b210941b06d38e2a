//! A store in memory: the listing, ranges, and errors.

use super::*;
use object_store::PutPayload;
use object_store::memory::InMemory;

fn bucket(objects: &[(&str, Vec<u8>)]) -> Bucket {
    let bucket = Bucket::new("dumps", Arc::new(InMemory::new())).unwrap();
    for (key, bytes) in objects {
        put(&bucket, key, bytes.clone());
    }
    bucket
}

fn put(bucket: &Bucket, key: &str, bytes: Vec<u8>) {
    let put = async {
        let payload = PutPayload::from(bytes);
        bucket.store.put(&Key::from(key), payload).await
    };
    bucket.runtime.block_on(put).unwrap();
}

#[track_caller]
fn check(bucket: &Bucket, key: &str, expected: &[&str]) {
    let found = bucket.find(key).unwrap();
    let mut addresses: Vec<&str> = found.iter().map(RemoteFile::address).collect();
    addresses.sort_unstable();
    assert_eq!(addresses, expected, "{key}");
}

#[test]
fn the_files_below_an_address_are_found() {
    let objects = [
        "a-b.json",
        "a/z.yaml",
        "a/y.ndjson",
        "a/.hidden.json",
        "notes.md",
        "ab/c.jsonl",
    ];
    let bucket = bucket(&objects.map(|it| (it, vec![b'1'])));
    let all = [
        "s3://dumps/a-b.json",
        "s3://dumps/a/y.ndjson",
        "s3://dumps/a/z.yaml",
        "s3://dumps/ab/c.jsonl",
    ];
    check(&bucket, "", &all);
    // A directory is not the beginning of a name.
    check(&bucket, "a", &all[1..3]);
    check(&bucket, "a/", &all[1..3]);
    // A named file can have any name.
    check(&bucket, "notes.md", &["s3://dumps/notes.md"]);
    check(&bucket, "a/.hidden.json", &["s3://dumps/a/.hidden.json"]);
    let missing = bucket.find("b").unwrap_err();
    assert!(matches!(missing, Error::NotFound), "{missing}");
}

/// Bytes that fill several parts and end within one.
fn content() -> Vec<u8> {
    let size = usize::try_from(PART).unwrap() * 3 + 17;
    (0..=250).cycle().take(size).collect()
}

#[test]
fn parts_make_the_content_from_any_offset() {
    let content = content();
    let bucket = bucket(&[("a.json", content.clone()), ("empty.json", Vec::new())]);
    let object = |key: &str| bucket.find(key).unwrap().remove(0);
    for offset in [0, 1, PART - 1, PART, PART + 1, 3 * PART + 16, 3 * PART + 17] {
        let mut read = Vec::new();
        let mut reader = object("a.json").content.read_from(offset).unwrap();
        reader.read_to_end(&mut read).unwrap();
        let expected = &content[usize::try_from(offset).unwrap()..];
        assert!(read == expected, "{offset}");
    }
    assert_eq!(object("a.json").size(), content.len() as u64);
    let mut empty = object("empty.json").content.read_from(0).unwrap();
    assert_eq!(empty.read(&mut [0; 8]).unwrap(), 0);
}

#[test]
fn objects_are_those_of_the_same_file() {
    let lines = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}\n".repeat(200_000);
    let bucket = bucket(&[("pods.ndjson", lines.clone().into_bytes())]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pods.ndjson");
    std::fs::write(&path, lines).unwrap();
    let mut local = crate::ObjectStream::open(&path).unwrap();
    let mut remote = bucket.find("pods.ndjson").unwrap()[0].objects().unwrap();
    loop {
        let (local, remote) = (local.next_chunk().unwrap(), remote.next_chunk().unwrap());
        let place = |it: &Option<crate::Chunk>| it.as_ref().map(|it| (it.position(0), it.len()));
        assert_eq!(place(&local), place(&remote));
        if local.is_none() {
            break;
        }
    }
}

#[test]
fn an_object_that_changes_is_an_error() {
    let bucket = bucket(&[("a.json", content())]);
    let file = bucket.find("a.json").unwrap().remove(0);
    put(&bucket, "a.json", b"{}".to_vec());
    let mut reader = file.content.read_from(0).unwrap();
    let error = reader.read_to_end(&mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the object has changed since the replay began"
    );
}

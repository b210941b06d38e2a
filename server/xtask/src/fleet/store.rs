//! An S3-compatible store on this machine, whose files shards read as processes.

use super::Fleet;
use crate::error::Error;
use crate::{process, repository};
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The number of shards, and those that are killed and run again.
const SHARDS: usize = 8;
const KILLED: [usize; 2] = [2, 5];

/// The bucket.
const BUCKET: &str = "fleet";

/// How long the store may take to start.
const START: Duration = Duration::from_secs(60);

/// Puts the files of a folder into a bucket: the bucket and the folder are arguments.
const UPLOAD: &str = "
import boto3, os, sys
s3 = boto3.client('s3')
s3.create_bucket(Bucket=sys.argv[1])
for name in sorted(os.listdir(sys.argv[2])):
    s3.upload_file(os.path.join(sys.argv[2], name), sys.argv[1], sys.argv[2] + '/' + name)
";

/// A store that ends with this value.
struct Store {
    process: Child,
    environment: Vec<(&'static str, String)>,
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Compares the merged shards with a replay of the local files. Returns a sentence.
pub(super) fn run(fleet: &Fleet) -> Result<String, Error> {
    let store = Store::start(fleet)?;
    store.upload(fleet)?;
    run_shards(fleet, &store)?;
    let merged = process::output(fleet.replay(&["--merge", "results", "--fail-on=never"]))?;
    let arguments = ["policies", "dump", "--format=json", "--fail-on=never"];
    let local = process::output(fleet.replay(&arguments))?;
    let expected = local.replace("\"dump/", &format!("\"s3://{BUCKET}/dump/"));
    if merged == expected && merged.contains(BUCKET) {
        let size = merged.len();
        return Ok(format!("S3: {SHARDS} shards, {size} bytes of results"));
    }
    repository::write(&fleet.folder.join("merged.json"), &merged)?;
    repository::write(&fleet.folder.join("expected.json"), &expected)?;
    Err(Error::Failed("S3: merged.json is not expected.json".into()))
}

/// Runs all shards at once. Some are killed and run again.
fn run_shards(fleet: &Fleet, store: &Store) -> Result<(), Error> {
    let results = fleet.removed("results")?;
    fs::create_dir(&results).map_err(|source| Error::io("create", &results, source))?;
    let mut shards: Vec<Child> = (0..SHARDS)
        .map(|index| shard(fleet, store, index))
        .collect::<Result<_, _>>()?;
    for (index, child) in shards.iter_mut().enumerate() {
        if KILLED.contains(&index) {
            child.kill()?;
            child.wait()?;
            *child = shard(fleet, store, index)?;
        }
    }
    for (index, mut child) in shards.into_iter().enumerate() {
        let status = child.wait()?;
        if !status.success() {
            return Err(Error::Failed(format!("shard {index} ended with {status}")));
        }
    }
    Ok(())
}

/// Starts a shard that writes its result to a file.
fn shard(fleet: &Fleet, store: &Store, index: usize) -> Result<Child, Error> {
    let path = fleet.folder.join(format!("results/{index}.json"));
    let result = File::create(&path).map_err(|source| Error::io("create", &path, source))?;
    let (address, shard) = (format!("s3://{BUCKET}/dump"), format!("{index}/{SHARDS}"));
    let mut command = fleet.replay(&["policies", &address, "--quiet", "--shard", &shard]);
    command
        .envs(store.environment.iter().cloned())
        .stdout(result);
    Ok(command.spawn()?)
}

impl Store {
    /// Puts the files of the dump into the bucket.
    fn upload(&self, fleet: &Fleet) -> Result<(), Error> {
        let mut python = Command::new(fleet.installed("python"));
        python.current_dir(&fleet.folder);
        python.envs(self.environment.iter().cloned());
        python.args(["-c", UPLOAD, BUCKET, "dump"]);
        process::output(python).map(drop)
    }

    /// Starts a store on a free port.
    fn start(fleet: &Fleet) -> Result<Self, Error> {
        // A port that is free now.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut server = Command::new(fleet.installed("moto_server"));
        server.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
        let process = server.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let variables = [
            ("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{port}")),
            ("AWS_ACCESS_KEY_ID", "fleet".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "fleet".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_DEFAULT_REGION", "us-east-1".to_owned()),
        ];
        let store = Self {
            process,
            environment: variables.to_vec(),
        };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if begin.elapsed() > START {
                return Err(Error::Failed("the store does not start".into()));
            }
            thread::sleep(Duration::from_millis(100));
        }
        Ok(store)
    }
}

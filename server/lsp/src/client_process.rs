//! The process that started the server.
//!
//! An editor that crashes does not send `exit`. Usually its end closes the standard input, unless
//! another process has inherited it, so the server also watches the process whose id the client
//! sent.

use std::time::Duration;
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// A process that is running.
#[derive(Debug)]
pub(crate) struct ClientProcess {
    system: System,
    process: Pid,
    started: u64,
}

impl ClientProcess {
    /// Finds a process. Returns `None` if it is not visible: the client may run in another
    /// container or on another machine, and then its end cannot be detected.
    pub(crate) fn find(process: u32) -> Option<Self> {
        let process = Pid::from_u32(process);
        // On a platform without process information, only the standard input shows the end.
        let mut system = System::new().ok()?;
        Some(Self {
            started: started(&mut system, process)?,
            system,
            process,
        })
    }

    /// Waits until the process has ended.
    pub(crate) async fn ended(mut self, every: Duration) {
        let mut clock = tokio::time::interval(every);
        loop {
            clock.tick().await;
            // Another process may have the same ID now.
            if started(&mut self.system, self.process) != Some(self.started) {
                return;
            }
        }
    }
}

/// Returns when a process started, in seconds since 1970, or `None` if it is not running.
fn started(system: &mut System, process: Pid) -> Option<u64> {
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[process]),
        true,
        ProcessRefreshKind::nothing(),
    );
    system
        .process(process)
        .filter(|process| lives(process))
        .map(Process::start_time)
}

fn lives(process: &Process) -> bool {
    !matches!(
        process.status(),
        ProcessStatus::Zombie | ProcessStatus::Dead
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_cannot_be_seen_is_not_watched() {
        // Above the highest id on Linux.
        assert!(ClientProcess::find(u32::MAX / 2).is_none());
    }

    #[tokio::test]
    async fn the_end_of_a_process_is_seen() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let client = ClientProcess::find(child.id()).unwrap();
        let mut ended = Box::pin(client.ended(Duration::from_millis(1)));
        assert!(futures::poll!(&mut ended).is_pending());
        drop(child.stdin.take());
        child.wait().unwrap();
        ended.await;
    }
}

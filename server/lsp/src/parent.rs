//! The process that started the server.
//!
//! An editor that crashes says no `exit`. Mostly the standard input closes then, but not
//! where another process has inherited it; so the server also looks after the process whose
//! id the client gave.

use std::time::Duration;
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// A process that was seen to run.
#[derive(Debug)]
pub(crate) struct Parent {
    system: System,
    process: Pid,
    started: u64,
}

impl Parent {
    /// Looks for a process. `None` when it is not to be seen: the client may run in another
    /// container or on another machine, and nothing can be said about its end.
    pub(crate) fn find(process: u32) -> Option<Self> {
        let process = Pid::from_u32(process);
        // A platform that tells nothing about processes leaves only the standard input.
        let mut system = System::new().ok()?;
        let started = started(&mut system, process)?;
        Some(Self {
            system,
            process,
            started,
        })
    }

    /// Returns when the process is gone.
    pub(crate) async fn ended(mut self, every: Duration) {
        let mut clock = tokio::time::interval(every);
        loop {
            clock.tick().await;
            // Another process may have got the same id.
            if started(&mut self.system, self.process) != Some(self.started) {
                return;
            }
        }
    }
}

/// When a process started, in seconds since 1970; `None` when it does not run.
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
        // Above the highest id that Linux gives.
        assert!(Parent::find(u32::MAX / 2).is_none());
    }

    #[tokio::test]
    async fn the_end_of_a_process_is_seen() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let parent = Parent::find(child.id()).unwrap();
        let mut ended = Box::pin(parent.ended(Duration::from_millis(1)));
        assert!(futures::poll!(&mut ended).is_pending());
        drop(child.stdin.take());
        child.wait().unwrap();
        ended.await;
    }
}

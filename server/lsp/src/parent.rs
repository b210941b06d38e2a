//! The process that started the server.
//!
//! An editor that crashes says no `exit`. Mostly the standard input closes then, but not
//! where another process has inherited it; so the server also looks after the process whose
//! id the client gave.

use std::time::Duration;
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// Looks for `process` and returns once it is gone. False at once when there is no such
/// process to be seen: the client may run in another container or on another machine.
pub(crate) async fn ended(process: u32, every: Duration) -> bool {
    let process = Pid::from_u32(process);
    // A platform that tells nothing about processes leaves only the standard input.
    let Ok(mut system) = System::new() else {
        return false;
    };
    let Some(started) = started(&mut system, process) else {
        return false;
    };
    let mut clock = tokio::time::interval(every);
    loop {
        clock.tick().await;
        // Another process may have got the same id.
        if self::started(&mut system, process) != Some(started) {
            return true;
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

    #[tokio::test]
    async fn a_process_that_cannot_be_seen_is_not_watched() {
        // Above the highest id that Linux gives.
        assert!(!ended(u32::MAX / 2, Duration::from_millis(1)).await);
    }

    #[tokio::test]
    async fn the_end_of_a_process_is_seen() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut watch = Box::pin(ended(child.id(), Duration::from_millis(1)));
        assert!(futures::poll!(&mut watch).is_pending());
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(watch.await);
    }
}

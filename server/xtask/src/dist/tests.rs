//! Archives, checksums and pages, without a release build.

use super::*;
use std::process::Command;

#[test]
fn an_archive_has_its_files_with_their_modes() {
    let folder = tempfile::tempdir().unwrap();
    let program = Entry {
        path: "a/program".into(),
        content: b"run".to_vec(),
        is_program: true,
    };
    let entries = [program, Entry::page("a/man/page.1", b"read".to_vec())];
    let tar = archive::write(folder.path(), "a", false, &entries).unwrap();
    assert!(
        Command::new("tar")
            .arg("-xzf")
            .arg(&tar)
            .current_dir(&folder)
            .status()
            .unwrap()
            .success()
    );
    let page = folder.path().join("a/man/page.1");
    assert_eq!(fs::read(page).unwrap(), b"read");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let about = fs::metadata(folder.path().join("a/program")).unwrap();
        assert_eq!(about.permissions().mode() & 0o777, 0o755);
    }

    let path = archive::write(folder.path(), "a", true, &entries).unwrap();
    let mut zip = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
    let names: Vec<_> = zip.file_names().map(Result::unwrap).collect();
    assert_eq!(names, ["a/program", "a/man/page.1"]);
    assert_eq!(zip.by_index(0).unwrap().unix_mode().unwrap() & 0o777, 0o755);
}

#[test]
fn the_program_is_found_by_its_name_in_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("built");
    fs::write(&program, "run").unwrap();
    let first = |target| {
        let entries = entries(&repository::root(), "a", target, &program).unwrap();
        entries.first().map(|it| it.path.clone())
    };
    let linux = first("x86_64-unknown-linux-gnu");
    assert_eq!(linux.as_deref(), Some("a/admissible"));
    let windows = first("x86_64-pc-windows-msvc");
    assert_eq!(windows.as_deref(), Some("a/admissible.exe"));
}

#[test]
fn the_same_files_make_the_same_archive() {
    let folder = tempfile::tempdir().unwrap();
    let entries = [Entry::page("a/page", b"read".to_vec())];
    for is_zip in [false, true] {
        let write = |name| read(&archive::write(folder.path(), name, is_zip, &entries).unwrap());
        assert_eq!(write("a").unwrap(), write("b").unwrap());
    }
}

#[test]
fn a_checksum_is_next_to_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("abc.tar.gz");
    fs::write(&file, "abc").unwrap();
    // The example of FIPS 180-2.
    let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(
        checksum::write(&file).unwrap(),
        format!("{sum}  abc.tar.gz")
    );
    let written = repository::read(&folder.path().join("abc.tar.gz.sha256")).unwrap();
    assert_eq!(written, format!("{sum}  abc.tar.gz\n"));
}

#[test]
fn every_command_has_a_man_page() {
    let pages = pages::man_pages().unwrap();
    for command in cli::command().get_subcommands() {
        let path = format!("man/man1/admissible-{}.1", command.get_name());
        let page = pages.iter().find(|page| page.path == path);
        let text = String::from_utf8(page.expect(&path).content.clone()).unwrap();
        assert!(text.contains("Exit codes:"), "{path}");
    }
    assert!(
        pages
            .iter()
            .any(|page| page.path == "man/man1/admissible.1")
    );
}

#[test]
fn the_licenses_of_dependencies_are_complete() {
    let text = licenses::of_dependencies(&host().unwrap()).unwrap();
    for name in ["clap 4", "serde_json 1", "tokio 1"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name}");
    }
    for other in ["expect-test ", "zip ", "clap_mangen "] {
        assert!(!text.lines().any(|line| line.starts_with(other)), "{other}");
    }
    assert!(text.contains("Permission is hereby granted"));
}

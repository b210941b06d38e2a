//! Every template in `deploy`, filled with checksums.

use super::*;

fn release() -> Release {
    Release {
        version: "1.2.3".into(),
        repository: "https://example.com/a".into(),
    }
}

#[test]
fn every_template_can_be_filled() {
    for template in TEMPLATES {
        let text = repository::read(&repository::root().join(template)).unwrap();
        let sum = |archive: &str| {
            let is_archive = archive.starts_with("admissible-");
            assert!(is_archive, "{template}: {archive}");
            Ok(format!("sum of {archive}"))
        };
        let filled = release().fill(&text, sum).unwrap();
        // The checksum after a URL is that of its archive.
        let lines = filled.lines().map(str::trim);
        let urls: Vec<&str> = lines
            .clone()
            .filter(|it| it.contains("releases/download"))
            .collect();
        let sums: Vec<&str> = lines.filter(|it| it.contains("sum of ")).collect();
        assert_eq!(urls.len(), sums.len(), "{template}");
        assert!(filled.matches("admissible-").count() > 7, "{template}");
        for (url, sum) in urls.iter().zip(&sums) {
            let archive = url.trim_end_matches('"').rsplit('/').next().unwrap();
            assert!(sum.contains(archive), "{template}: {url}: {sum}");
            assert!(
                url.contains("https://example.com/a/releases/download/v1.2.3/"),
                "{url}"
            );
        }
    }
}

#[test]
fn two_signs_are_one() {
    let none = |_: &str| Ok(String::new());
    let filled = release().fill("a@@v@VERSION@", none).unwrap();
    assert_eq!(filled, "a@v1.2.3");
}

#[test]
fn a_missing_archive_and_an_unknown_name_are_errors() {
    let folder = std::env::temp_dir();
    let error = checksum(&folder, "admissible-none.tar.gz")
        .unwrap_err()
        .to_string();
    assert!(error.contains("admissible-none.tar.gz.sha256"), "{error}");
    let none = |_: &str| Ok(String::new());
    assert!(release().fill("@NAME@", none).is_err());
    assert!(release().fill("a@b", none).is_err());
}

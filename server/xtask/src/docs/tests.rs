//! The pages have the form that readers and links rely on.

use super::markdown::{anchors, links};
use super::site::{Site, check_link, resolve};
use super::{Section, rules_page};
use crate::repository;
use expect_test::expect;
use ide::diagnostics::RULES;

#[test]
fn every_rule_has_a_row_and_a_section() {
    let rules = [Section {
        code: "unused-variable",
        severity: "warning".to_owned(),
        fixes: "unsafe".to_owned(),
        page: "# `unused-variable`\n\nNothing reads\na variable.\n\nIt costs nothing.\n\n## Bad\n\n```yaml\n# not a heading\n```\n",
    }];
    let page = rules_page(&rules);
    let rows = page.split_once("|---|---|---|---|\n").unwrap().1;
    expect![[r#"
        | [`unused-variable`](#unused-variable) | warning | unsafe | Nothing reads a variable. |

        ## unused-variable

        Nothing reads a variable. (warning; fix: unsafe)

        It costs nothing.

        ### Bad

        ```yaml
        # not a heading
        ```
    "#]]
    .assert_eq(rows);
}

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let root = repository::root();
    let files = repository::files(&root).unwrap();
    let mut broken = Vec::new();
    let mut count = 0;
    for (name, path) in files.iter().filter(|(name, _)| name.ends_with(".md")) {
        // The page of a rule is a part of `rules.md`, which is checked.
        if name.starts_with("server/ide/src/") {
            continue;
        }
        for link in links(&repository::read(path).unwrap()) {
            let target = resolve(name, &link.path);
            broken.extend(check_link(&root, name, &target, link.anchor.as_deref()).err());
            count += 1;
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(count > 200, "{count} links");
}

#[test]
fn the_site_has_every_page_and_only_links_to_its_own() {
    let site = Site::new(&repository::root()).unwrap();
    let paths: Vec<&str> = site.pages.iter().map(|page| page.path.as_str()).collect();
    for path in ["index.md", "editors/vscode.md", "recipes/ci.md", "rules.md"] {
        assert!(paths.contains(&path), "{path}");
    }
    assert_eq!(
        paths
            .iter()
            .filter(|path| path.starts_with("rules/"))
            .count(),
        RULES.len()
    );
    for page in &site.pages {
        for link in links(&page.text) {
            let target = resolve(&page.path, &link.path);
            let exists = paths.contains(&target.as_str()) || target.starts_with("images/");
            assert!(exists, "{}: {}", page.path, link.path);
        }
    }
}

#[test]
fn links_and_headings_are_found() {
    let text = "# A `b`, c\n\n[x](../y.md#z) ![p](p.png) [w](https://example.com)\n\n\
                ```md\n[no](no.md)\n```\n\n## A b c\n";
    let found: Vec<(String, Option<String>, &str)> = links(text)
        .into_iter()
        .map(|link| (link.path, link.anchor, text.get(link.range).unwrap()))
        .collect();
    let expected = [
        ("../y.md".to_owned(), Some("z".to_owned()), "../y.md#z"),
        ("p.png".to_owned(), None, "p.png"),
    ];
    assert_eq!(found, expected);
    assert_eq!(anchors(text), ["a-b-c", "a-b-c-1"]);
}

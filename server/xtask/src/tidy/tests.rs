//! The repository passes its checks, and each check finds what it is for.

use super::{Finding, circles, findings, layers, modules, sources};
use crate::repository;
use expect_test::{Expect, expect};

#[test]
fn the_repository_keeps_the_rules() {
    let findings = findings(&repository::root()).unwrap();
    let text: Vec<String> = findings.iter().map(Finding::to_string).collect();
    assert!(text.is_empty(), "\n{}\n", text.join("\n"));
}

#[track_caller]
fn check(found: &[Finding], expect: &Expect) {
    let text: Vec<String> = found.iter().map(Finding::to_string).collect();
    expect.assert_eq(&text.join("\n"));
}

#[track_caller]
fn check_source(file: &str, text: &str, expect: &Expect) {
    let mut found = Vec::new();
    sources::check(file, text, &mut found);
    check(&found, expect);
}

#[track_caller]
fn check_manifest(file: &str, text: &str, expect: &Expect) {
    let mut found = Vec::new();
    layers::check(file, text, &mut found);
    check(&found, expect);
}

#[test]
fn a_crate_uses_only_what_its_row_names() {
    check_manifest(
        "server/yaml/Cargo.toml",
        "[package]\nname = 'yaml'\n[dependencies]\ntext.workspace = true\ncel.workspace = true\n\
         [dev-dependencies]\nbench.workspace = true\n",
        &expect![[r#"
            server/yaml/Cargo.toml: `yaml` must not use `cel`
            server/yaml/Cargo.toml: `yaml` must not use `bench`"#]],
    );
}

#[test]
fn files_are_read_within_the_roots() {
    let text = "//! A module.\nlet text = std::fs::read_to_string(path);\nlet text = read_file(path);\n\
                #[cfg(test)]\nmod tests { fn a() { std::fs::read(path); } }\n";
    check_source(
        "server/cli/src/a.rs",
        text,
        &expect![[r#"
            server/cli/src/a.rs:2: read an argument with `read_argument`, other files with `Roots`
            server/cli/src/a.rs:3: read an argument with `read_argument`, other files with `Roots`"#]],
    );
    check_source("server/workspace/src/load.rs", text, &expect![""]);
}

#[test]
fn actions_are_pinned() {
    check_source(
        ".github/workflows/a.yml",
        "- uses: actions/checkout@v5\n\
         - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0\n",
        &expect![[
            r#".github/workflows/a.yml:1: pin the action to a commit, with its version as a comment"#
        ]],
    );
}

#[test]
fn the_protocol_stays_in_its_crate() {
    check_manifest(
        "server/cli/Cargo.toml",
        "[package]\nname = 'cli'\n[target.'cfg(unix)'.dependencies]\n\
         types = { package = 'lsp-types', version = '1' }\n",
        &expect!["server/cli/Cargo.toml: only `lsp` may use `lsp-types`"],
    );
    check_manifest(
        "server/lsp/Cargo.toml",
        "[package]\nname = 'lsp'\n[dependencies]\ntower-lsp-server.workspace = true\n",
        &expect![""],
    );
}

#[test]
fn a_new_crate_needs_a_row() {
    check_manifest(
        "server/cost/Cargo.toml",
        "[package]\nname = 'cost'\n",
        &expect!["server/cost/Cargo.toml: `cost` is missing from the table of layers"],
    );
}

#[test]
fn the_page_shows_the_table() {
    let found = |page: &str| {
        let mut found = Vec::new();
        layers::check_page(page, &mut found);
        found
    };
    let row =
        |name: &str, io: &str, types: &str| format!("| `{name}` | it | {io} | {types} | no |\n");
    let pure: String = [
        "text",
        "yaml",
        "cel",
        "kubernetes",
        "policy",
        "admission",
        "evaluation",
    ]
    .map(|name| row(name, "no", "no"))
    .concat();
    let page = pure
        + &row("ide", "yes", "no")
        + &row("workspace", "yes", "no")
        + &row("lsp", "stdio", "**only here**");
    check(
        &found(&page),
        &expect![[r#"
            server/docs/architecture.md: the row of `ide` is not that of the test
            server/docs/architecture.md: `cli` has no row"#]],
    );
}

#[track_caller]
fn check_modules(order: &str, files: &[(&str, &str)], expect: &Expect) {
    let page = format!("## The modules\n| `yaml` | {order} |\n\n## Next\n| `cel` | `a` |\n");
    let files = files
        .iter()
        .map(|(name, text)| (format!("server/yaml/src/{name}"), (*text).into()));
    let mut found = Vec::new();
    modules::check(&page, &files.collect::<Vec<_>>(), &mut found);
    check(&found, expect);
}

#[test]
fn a_module_uses_only_those_before_it() {
    check_modules(
        "`a` `b` `c`",
        &[
            (
                "lib.rs",
                "mod a;\npub mod b;\npub(crate) mod c;\npub use b::{One, Two};\n",
            ),
            (
                "a.rs",
                "//! A.\n// crate::b\nuse crate::{\n    a::x,\n    Two,\n};\n",
            ),
            ("a/deep.rs", "use super::super::c::y;\nuse super::b::z;\n"),
            (
                "b.rs",
                "use crate::a::x;\nfn f() { crate::c::y(); super::c::y(); }\n",
            ),
            ("c.rs", "use crate::{a::x, b::{self, y}};\n"),
        ],
        &expect![[r"
            server/yaml/src/a.rs:3: `a` must not use `b`, which is above it
            server/yaml/src/a/deep.rs:1: `a` must not use `c`, which is above it
            server/yaml/src/b.rs:2: `b` must not use `c`, which is above it
            server/yaml/src/b.rs:2: `b` must not use `c`, which is above it"]],
    );
}

#[test]
fn tests_may_use_every_module() {
    let inline = "//! A.\n#[cfg(test)]\nmod tests;\nuse crate::b::x;\n\
                  #[cfg(test)]\nmod more {\n    use crate::c::y;\n}\n";
    check_modules(
        "`a` `b` `c`",
        &[
            (
                "lib.rs",
                "mod a;\nmod b;\nmod c;\n#[cfg(test)]\nmod fixture;\n",
            ),
            ("a.rs", inline),
            ("a/tests.rs", "use crate::c::y;\n"),
            ("a/tests/more.rs", "use crate::c::y;\n"),
        ],
        &expect!["server/yaml/src/a.rs:4: `a` must not use `b`, which is above it"],
    );
}

#[test]
fn the_page_lists_every_module() {
    check_modules(
        "`a` `b`",
        &[("lib.rs", "mod a;\nmod c;\n")],
        &expect![[r"
            server/docs/architecture.md: the row of `yaml` lacks the module `c`
            server/docs/architecture.md: `yaml` has no module `b`"]],
    );
}

#[test]
fn the_page_lists_every_crate() {
    let sources = [("server/cel/src/lib.rs".to_owned(), "mod a;\n".to_owned())];
    let mut found = Vec::new();
    modules::check("## The modules\n", &sources, &mut found);
    let expect = expect!["server/docs/architecture.md: the table of modules has no row for `cel`"];
    check(&found, &expect);
}

#[test]
fn siblings_use_each_other_in_one_direction() {
    let files = [
        ("lib.rs", "mod a;\n"),
        ("a.rs", "mod b;\nmod c;\nmod d;\nuse b::x;\n"),
        ("a/b.rs", "use super::{Item, c::y};\nuse super::d;\n"),
        (
            "a/c.rs",
            "//! C.\n\nuse crate::{\n    other::z,\n    a::d::{e, f as g},\n};\n",
        ),
        (
            "a/d.rs",
            "fn f() {}\n#[cfg(test)]\nmod tests {\n    use super::super::b::x;\n}\n",
        ),
        (
            "a/d/deep.rs",
            "// super::super::c\nfn f() { super::super::b::x() }\n",
        ),
        ("a/d/tests.rs", "use super::super::c::y;\n"),
    ]
    .map(|(name, text)| (format!("server/yaml/src/{name}"), text.to_owned()));
    let mut found = Vec::new();
    circles::check(&files, &mut found);
    check(
        &found,
        &expect![[r"
            server/yaml/src/a/b.rs:1: `b` uses `c`, which needs it: move what both need below them
            server/yaml/src/a/b.rs:2: `b` uses `d`, which needs it: move what both need below them
            server/yaml/src/a/c.rs:3: `c` uses `d`, which needs it: move what both need below them
            server/yaml/src/a/d/deep.rs:2: `d` uses `b`, which needs it: move what both need below them"]],
    );
}

#[test]
fn a_module_says_what_it_is() {
    check_source(
        "server/cli/src/utils.rs",
        "use a::b;\n\nfn f() {} \n",
        &expect![[r#"
            server/cli/src/utils.rs: `utils` means nothing: name the file after its content
            server/cli/src/utils.rs:3: ends with a space
            server/cli/src/utils.rs:1: a module begins with `//!`: what it is, then why"#]],
    );
}

#[test]
fn the_page_of_a_rule_says_what_its_module_is() {
    check_source(
        "server/ide/src/diagnostics/rules/wrong_type.rs",
        "#![doc = include_str!(\"wrong_type.md\")]\n",
        &expect![""],
    );
}

#[test]
fn names_are_exported_one_by_one() {
    check_source(
        "server/cli/src/check.rs",
        "//! Checks.\npub use a::{\n    b::*,\n    c,\n};\nuse d::*;\n",
        &expect!["server/cli/src/check.rs:3: re-export each name, not all of them"],
    );
}

#[test]
fn a_pure_crate_reads_no_file_outside_its_tests() {
    let text = "//! Reads.\nuse std::fs;\n#[cfg(test)]\nmod tests { use std::env; }\n";
    check_source(
        "server/yaml/src/parse.rs",
        text,
        &expect!["server/yaml/src/parse.rs:2: this crate does no IO, so no `std::fs`"],
    );
    check_source("server/cli/src/parse.rs", text, &expect![""]);
}

#[test]
fn a_file_has_one_idea() {
    let text = format!("//! Long.\n{}", "// line\n".repeat(500));
    let long = expect!["server/cli/src/a.rs: 501 lines, more than 500: part it by its ideas"];
    check_source("server/cli/src/a.rs", &text, &long);
    check_source("server/cli/src/a/tests.rs", &text, &expect![""]);
    let written = text.replace("Long", "Written by `cargo xtask schemas`");
    check_source("server/cli/src/a.rs", &written, &expect![""]);
}

#[test]
fn a_source_is_text() {
    check_source(
        "server/cli/src/a/tests.rs",
        "//! Tests.\nconst A: &str = \"\0\";\n",
        &expect!["server/cli/src/a/tests.rs:2: holds a NUL byte: write it as an escape"],
    );
}

#[test]
fn the_root_holds_no_leftovers() {
    let mut found = Vec::new();
    for file in ["t4.log", "README.md", ".gitignore", "server/t4.log"] {
        sources::check_path(file, &mut found);
    }
    let expect = expect!["t4.log: does not belong at the root: remove it, or move it to a folder"];
    check(&found, &expect);
}

#[test]
fn phrases_of_the_glossary_are_found() {
    check_source(
        "server/cli/src/a.rs",
        "//! A.\n    /// What it is.\n// It is analysed, and is a text, and a texture.\n",
        &expect![[r#"
            server/cli/src/a.rs:2: `/// what `: write a noun phrase, or "Returns ..."
            server/cli/src/a.rs:3: `analysed`: write "analyzed"
            server/cli/src/a.rs:3: `is a text`: write "is a string""#]],
    );
}

#[test]
fn comments_do_not_describe_code_as_people() {
    check_source(
        "server/cli/src/a.rs",
        "//! A.\n// It knows `says`.\nlet says = knows; // Stands.\n    /// Whoever asks.\n",
        &expect![[r#"
            server/cli/src/a.rs:2: `knows`: write "has", "supports" or "depends on"
            server/cli/src/a.rs:4: `asks`: write "requests", "checks" or "calls"
            server/cli/src/a.rs:4: `whoever`: write "the caller" or "the user""#]],
    );
}

#[test]
fn data_may_look_as_it_wants() {
    assert!(!sources::is_checked("tests/examples/README.md"));
    assert!(sources::is_checked("tests/examples/main.rs"));
    assert!(sources::is_checked("server/docs/rules.md"));
}

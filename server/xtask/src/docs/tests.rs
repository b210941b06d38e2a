//! The pages have the form that readers and links rely on.

use super::{Section, rules_page};
use expect_test::expect;

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

//! The pages have the form that readers and links rely on.

use super::rules_page;
use expect_test::expect;
use ide::{Rule, Severity};

#[test]
fn every_rule_has_a_row_and_a_section() {
    let rules = [Rule {
        code: "unused-variable",
        severity: Severity::Warning,
        page: "# A variable that nothing reads\n\nIt costs nothing.\n\n## Bad\n\n```yaml\n# not a heading\n```\n",
    }];
    let page = rules_page(&rules);
    let rows = page.split_once("|---|---|---|\n").unwrap().1;
    expect![[r#"
        | [`unused-variable`](#unused-variable) | warning | A variable that nothing reads |

        ## unused-variable

        **A variable that nothing reads** (warning)

        It costs nothing.

        ### Bad

        ```yaml
        # not a heading
        ```
    "#]]
    .assert_eq(rows);
}

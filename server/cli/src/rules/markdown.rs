//! The Markdown of a page, laid out for a terminal.
//!
//! The pages use a small part of Markdown: headings, paragraphs, lists, tables, fenced code
//! and inline code. Anything else is shown as written.

const BOLD: &str = "\x1b[1m";
const CODE: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";

/// Returns the page with paragraphs wrapped at `width` columns, and headings and code colored.
pub(crate) fn render(page: &str, width: usize) -> String {
    let mut out = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim_start().starts_with("```") {
            let code = lines
                .by_ref()
                .take_while(|line| !line.trim_start().starts_with("```"));
            for line in code {
                let indent = if line.is_empty() { "" } else { "    " };
                out.push_str(&format!("{indent}{line}\n"));
            }
        } else if let Some(heading) = heading(line) {
            out.push_str(&format!("{BOLD}{heading}{RESET}\n"));
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(cells(row));
            }
            table(&rows, &mut out);
        } else if line.trim().is_empty() {
            out.push('\n');
        } else {
            let mut text = line.to_owned();
            while let Some(more) = lines.next_if(|line| continues(line)) {
                text.push(' ');
                text.push_str(more);
            }
            paragraph(&text, width, &mut out);
        }
    }
    out
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len() && text.starts_with(' ')).then(|| text.trim())
}

/// Returns whether a line continues the paragraph or list item above it.
fn continues(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty()
        && heading(line).is_none()
        && !text.starts_with('|')
        && !text.starts_with("```")
        && !text.starts_with("- ")
}

fn paragraph(text: &str, width: usize, out: &mut String) {
    let indent = if text.trim_start().starts_with("- ") {
        "  "
    } else {
        ""
    };
    let mut in_code = false;
    let mut line = String::new();
    for word in text.split_whitespace() {
        let length = line.chars().count() + 1 + word.chars().count();
        if !line.trim().is_empty() && length > width {
            colored(&line, &mut in_code, out);
            line = indent.to_owned();
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    colored(&line, &mut in_code, out);
}

/// Adds a line with its code colored. Code may continue on the next line.
fn colored(line: &str, in_code: &mut bool, out: &mut String) {
    for (index, part) in line.split('`').enumerate() {
        if index > 0 {
            *in_code = !*in_code;
            out.push('`');
        }
        if *in_code && !part.is_empty() {
            out.push_str(&format!("{CODE}{part}{RESET}"));
        } else {
            out.push_str(part);
        }
    }
    out.push('\n');
}

/// Returns the cells of a row. `\|` is a bar within a cell, even in code.
///
/// Upstream: GitHub Flavored Markdown, tables extension, example 200.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_escaped = false;
    for character in row.trim().trim_matches('|').chars() {
        match (character, cells.last_mut()) {
            ('|', Some(cell)) if is_escaped => {
                cell.pop();
                cell.push('|');
            }
            ('|', _) => cells.push(String::new()),
            (_, Some(cell)) => cell.push(character),
            (_, None) => {}
        }
        is_escaped = character == '\\';
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn table(rows: &[Vec<String>], out: &mut String) {
    let is_rule = |row: &&Vec<String>| !row.iter().all(|cell| cell.starts_with('-'));
    let rows: Vec<&Vec<String>> = rows.iter().filter(is_rule).collect();
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths);
        let padded: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        colored(
            &format!("  {}", padded.join("  ").trim_end()),
            &mut false,
            out,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(page: &str, expected: &Expect) {
        let text = render(page, 30);
        let marked = [(BOLD, "<b>"), (CODE, "<c>"), (RESET, "</>")]
            .iter()
            .fold(text, |text, (code, mark)| text.replace(code, mark));
        expected.assert_eq(&marked);
    }

    #[test]
    fn paragraphs_are_wrapped_and_code_goes_on_over_lines() {
        check(
            "# `a-code`\n\nShort words fill a line and `code goes on\nover` it.\n",
            &expect![[r#"
                <b>`a-code`</>

                Short words fill a line and
                `<c>code goes on over</>` it.
            "#]],
        );
    }

    #[test]
    fn fenced_code_is_left_alone() {
        check(
            "## Bad\n\n```yaml\na: `b` # not a heading, and quite long a line\n\n- c\n```\n",
            &expect![[r#"
                <b>Bad</>

                    a: `b` # not a heading, and quite long a line

                    - c
            "#]],
        );
    }

    #[test]
    fn tables_are_aligned() {
        check(
            "Escapes:\n\n| in the name | write |\n|---|---|\n| `__` | `__underscores__` |\n| `.` | `__dot__` |\n",
            &expect![[r#"
                Escapes:

                  in the name  write
                  `<c>__</>`         `<c>__underscores__</>`
                  `<c>.</>`          `<c>__dot__</>`
            "#]],
        );
    }

    #[test]
    fn an_escaped_bar_belongs_to_its_cell() {
        check(
            "A table:\n\n| | type |\n|---|---|\n| `a \\|\\| b` | bool |\n| `c` | int |\n",
            &expect![[r#"
                A table:

                            type
                  `<c>a || b</>`  bool
                  `<c>c</>`       int
            "#]],
        );
    }

    #[test]
    fn list_items_hang() {
        check(
            "One:\n- the first item is longer than a line\n- second\n  goes on\n",
            &expect![[r#"
                One:
                - the first item is longer
                  than a line
                - second goes on
            "#]],
        );
    }
}

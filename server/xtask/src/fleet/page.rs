//! The code of the page about fleets.

use crate::error::Error;
use crate::repository;

/// The page.
const PAGE: &str = "server/docs/replay-fleet.md";

/// Returns the Python code below a heading of the page, with strings replaced: paths, for example.
///
/// # Errors
/// The page has no such code, or the code has no such string.
pub(super) fn code(heading: &str, replaced: &[(&str, &str)]) -> Result<String, Error> {
    let page = repository::read(&repository::root().join(PAGE))?;
    let missing = |what: &str| Error::Failed(format!("{PAGE}: `{heading}` has no `{what}`"));
    let section = page
        .split_once(&format!("\n## {heading}\n"))
        .and_then(|(_, rest)| rest.split("\n## ").next());
    let code = section.and_then(|it| it.split_once("```python\n")?.1.split_once("```"));
    let (code, _) = code.ok_or_else(|| missing("```python"))?;
    let mut code = code.to_owned();
    for (from, to) in replaced {
        if !code.contains(from) {
            return Err(missing(from));
        }
        code = code.replace(from, to);
    }
    Ok(code)
}

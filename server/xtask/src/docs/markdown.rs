//! Links and headings of a Markdown page.
//!
//! A page is read on GitHub, in an editor, and on the site: each resolves links relative to a
//! different base.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::HashMap;
use std::ops::Range;

/// A link or an image with a relative target.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The path as written, empty for a link within the page.
    pub(super) path: String,
    /// The heading that the link leads to, without `#`.
    pub(super) anchor: Option<String>,
    /// The target in the text, in bytes.
    pub(super) range: Range<usize>,
}

/// Returns the links and images with a relative target, in the order of the text.
pub(super) fn links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let (Event::Start(Tag::Link { dest_url, .. }) | Event::Start(Tag::Image { dest_url, .. })) =
            event
        else {
            continue;
        };
        let written = text.get(range.clone()).unwrap_or_default();
        let Some(at) = written.rfind(&*dest_url) else {
            continue;
        };
        if dest_url.contains(':') || dest_url.is_empty() {
            continue;
        }
        let (path, anchor) = match dest_url.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor.to_owned())),
            None => (&*dest_url, None),
        };
        let start = range.start + at;
        links.push(Link {
            path: path.to_owned(),
            anchor,
            range: start..start + dest_url.len(),
        });
    }
    links
}

/// Returns the anchors of the headings, as GitHub and mdBook make them.
pub(super) fn anchors(text: &str) -> Vec<String> {
    let mut anchors = Vec::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let anchor = anchor(&heading.take().unwrap_or_default());
                let count = counts.entry(anchor.clone()).or_default();
                anchors.push(match *count {
                    0 => anchor,
                    count => format!("{anchor}-{count}"),
                });
                *count += 1;
            }
            _ => {}
        }
    }
    anchors
}

/// Returns the anchor of a heading: lowercase, spaces as `-`, without other punctuation.
fn anchor(heading: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let lowercase = heading.trim().to_lowercase();
    lowercase
        .chars()
        .filter(|c| kept(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

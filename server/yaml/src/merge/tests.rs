//! Merge keys and duplicates, as Kubernetes' reader treats them.

use crate::{Entry, Mapping, Stream, SyntaxErrorKind, parse};

fn stream(text: &str) -> Stream {
    parse(text.into())
}

/// Returns the mapping under `key`, or the root.
fn mapping<'a>(stream: &'a Stream, key: &str) -> Mapping<'a> {
    let root = stream.documents().next().unwrap().root().unwrap();
    root.get(key).unwrap_or(root).as_mapping().unwrap()
}

fn written(entries: &[Entry<'_>]) -> Vec<String> {
    let pair = |entry: &Entry<'_>| format!("{}={}", entry.key.key_text(), entry.value.text());
    entries.iter().map(pair).collect()
}

#[test]
fn merged_keys_are_found() {
    let stream = stream("n: &x {a: 1, b: 2}\nm:\n  <<: *x\n  b: 3\n");
    let m = mapping(&stream, "m");
    assert_eq!(m.get("a").unwrap().text(), "1");
    assert_eq!(m.get("b").unwrap().text(), "3");
    assert_eq!(written(&m.merged()), ["a=1", "b=3"]);
    assert_eq!(m.entries().len(), 2);
}

#[test]
fn a_merge_key_replaces_what_stands_before_it() {
    let stream = stream("m:\n  a: 1\n  <<: {a: 2}\n");
    assert_eq!(mapping(&stream, "m").get("a").unwrap().text(), "2");
}

#[test]
fn earlier_mappings_of_a_list_win() {
    let stream = stream("m:\n  <<: [{a: 1}, {a: 2, b: 2}, {<<: {b: 3, c: 3}}]\n");
    assert_eq!(
        written(&mapping(&stream, "m").merged()),
        ["b=2", "c=3", "a=1"]
    );
}

#[test]
fn the_last_of_equal_keys_wins() {
    let stream = stream("a: 1\nb: 0\na: 2\n");
    let root = mapping(&stream, "none");
    assert_eq!(root.get("a").unwrap().text(), "2");
    assert_eq!(written(&root.merged()), ["a=2", "b=0"]);
}

#[test]
fn duplicates_are_keys_with_the_same_text_in_json() {
    let stream = stream("1: a\n'1': b\ny: c\ntrue: d\nx: e\n<<: {x: f}\n<<: {x: g}\n0x1: h\n");
    let found = mapping(&stream, "none").duplicates();
    let pairs: Vec<(&str, &str)> = found
        .iter()
        .map(|(first, again)| (first.value.text(), again.value.text()))
        .collect();
    assert_eq!(pairs, [("a", "b"), ("c", "d"), ("a", "h")]);
}

#[test]
fn merges_of_merges_end() {
    let mut text = String::from("a0: &a0 {k: v}\n");
    for number in 1..40 {
        let before = number - 1;
        text.push_str(&format!(
            "a{number}: &a{number} {{<<: [*a{before}, *a{before}]}}\n"
        ));
    }
    let stream = stream(&text);
    let kinds: Vec<_> = stream.errors().iter().map(|error| &error.kind).collect();
    assert_eq!(kinds, [&SyntaxErrorKind::ExcessiveAliasing]);
    assert!(mapping(&stream, "a39").merged().len() <= 1);
}

#[test]
fn keys_that_are_merged_as_well_are_found_in_either_order() {
    let text = "a: &a {x: 1, z: 1}\nb: &b {y: 1, z: 2}\nafter: {<<: *a, x: 2}\nbefore: {y: 2, <<: *b}\ntwo: {<<: [*a, *b]}\nnone: {<<: *a, w: 1, w: 2}\n";
    let stream = stream(text);
    let show = |key: &str| {
        let found = mapping(&stream, key).overrides();
        let pairs = found.iter().map(|(first, again)| {
            format!(
                "{}={}/{}",
                first.key.text(),
                first.value.text(),
                again.value.text()
            )
        });
        pairs.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(show("after"), "x=1/2");
    assert_eq!(show("before"), "y=2/1");
    assert_eq!(show("two"), "z=2/1");
    assert_eq!(show("none"), "");
}

#[test]
fn a_wide_mapping_is_searched_as_a_narrow_one() {
    let keys = (0..40).map(|number| format!("k{number}: {number}\n"));
    let text = format!(
        "w:\n  {}  y: bool\n  010: octal\n  k3: again\n  ? [k]\n  : list\nm: &m {{k1: merged}}\n",
        keys.collect::<Vec<_>>().join("  ")
    );
    let wide = stream(&text);
    let w = mapping(&wide, "w");
    let texts = |w: Mapping<'_>| {
        ["k1", "k3", "k39", "true", "8", "k40", "y", ""].map(|key| {
            w.get(key)
                .map_or("none".to_owned(), |found| found.text().to_owned())
        })
    };
    let expected = ["1", "again", "39", "bool", "octal", "none", "none", "none"];
    assert_eq!(texts(w), expected);

    let text = text
        .replace("w:\n", "m0: &m {k1: merged}\nw:\n  <<: *m\n")
        .replace("k1: 1\n", "");
    let merged = stream(&text);
    assert_eq!(mapping(&merged, "w").get("k1").unwrap().text(), "merged");
    assert_eq!(mapping(&merged, "w").get("k3").unwrap().text(), "again");
}

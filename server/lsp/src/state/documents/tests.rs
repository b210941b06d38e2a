//! Open documents and the changes of their client.

use super::*;
use crate::analysis::Ide;

fn uri() -> lsp::Uri {
    "file:///a.yaml".parse().unwrap()
}

fn opened(text: &str) -> Documents {
    let documents = Documents::new(Arc::new(Ide));
    documents.open(uri(), 1, text).unwrap();
    documents
}

fn whole(text: &str) -> lsp::TextDocumentContentChangeEvent {
    lsp::TextDocumentContentChangeEvent {
        range: None,
        range_length: None,
        text: text.to_owned(),
    }
}

fn insert(line: u32, character: u32, text: &str) -> lsp::TextDocumentContentChangeEvent {
    let at = lsp::Position::new(line, character);
    lsp::TextDocumentContentChangeEvent {
        range: Some(lsp::Range::new(at, at)),
        ..whole(text)
    }
}

fn change(
    documents: &Documents,
    change: lsp::TextDocumentContentChangeEvent,
) -> Result<(), SyncError> {
    documents.change(&uri(), 2, &[change], Encoding::Utf16)
}

fn text(documents: &Documents) -> Option<String> {
    let snapshot = documents.snapshot(&uri())?;
    Some(snapshot.file().text().to_owned())
}

#[test]
fn a_snapshot_does_not_change() {
    let documents = opened("a");
    let old = documents.snapshot(&uri()).unwrap();
    change(&documents, insert(0, 1, "b")).unwrap();
    assert_eq!(old.file().text(), "a");
    assert!(!documents.is_newest(&old));
    assert_eq!(text(&documents).as_deref(), Some("ab"));
    assert_eq!(documents.snapshot(&uri()).unwrap().version, 2);
}

#[test]
fn the_replaced_snapshot_is_taken_once() {
    let documents = opened("a");
    assert!(documents.take_replaced(&uri()).is_none());
    let old = documents.snapshot(&uri()).unwrap();
    change(&documents, insert(0, 1, "b")).unwrap();
    let replaced = documents.take_replaced(&uri()).unwrap();
    assert!(Arc::ptr_eq(&old, &replaced));
    assert!(documents.take_replaced(&uri()).is_none());
}

#[test]
fn a_change_that_does_not_fit_makes_the_document_unknown_until_its_whole_text_comes() {
    let documents = opened("a");
    assert!(matches!(
        change(&documents, insert(7, 0, "b")),
        Err(SyncError::Edit(_))
    ));
    assert_eq!(text(&documents), None);
    assert_eq!(change(&documents, insert(0, 0, "b")), Err(SyncError::Lost));
    assert_eq!(text(&documents), None);
    change(&documents, whole("c")).unwrap();
    assert_eq!(text(&documents).as_deref(), Some("c"));
}

#[test]
fn the_saved_text_heals() {
    let documents = opened("a");
    assert!(!documents.save(&uri(), "a"));
    assert!(documents.mark_out_of_sync(&uri()));
    assert!(!documents.mark_out_of_sync(&uri()));
    assert!(documents.save(&uri(), "b"));
    assert_eq!(text(&documents).as_deref(), Some("b"));
}

#[test]
fn a_text_that_is_too_large_is_not_analyzed() {
    let documents = opened("a");
    let huge = "a".repeat(usize::try_from(workspace::MAX_FILE_SIZE).unwrap() + 1);
    assert_eq!(change(&documents, whole(&huge)), Err(SyncError::TooLarge));
    assert_eq!(text(&documents), None);
    change(&documents, whole("a")).unwrap();
    assert_eq!(text(&documents).as_deref(), Some("a"));
}

#[test]
fn a_closed_document_is_unknown() {
    let documents = opened("a");
    assert!(documents.close(&uri()));
    assert!(!documents.close(&uri()));
    assert_eq!(text(&documents), None);
    assert_eq!(change(&documents, whole("a")), Err(SyncError::NotOpen));
}

#[test]
fn another_configuration_keeps_the_parse_and_nothing_else() {
    let documents = opened("a");
    let old = documents.snapshot(&uri()).unwrap();
    let text = old.file().text().as_ptr();
    documents.reconfigure(&Arc::default(), |_| false);
    let new = documents.snapshot(&uri()).unwrap();
    assert_ne!(old.revision, new.revision);
    assert!(!std::ptr::eq(old.file(), new.file()));
    assert_eq!(new.file().text().as_ptr(), text);
    assert!(Arc::ptr_eq(new.configuration(), &documents.configuration()));
}

#[test]
fn an_unaffected_document_keeps_its_revision() {
    let documents = opened("a");
    let old = documents.snapshot(&uri()).unwrap();
    documents.reconfigure(&Arc::default(), |_| true);
    let new = documents.snapshot(&uri()).unwrap();
    assert_eq!(old.revision, new.revision);
    assert!(Arc::ptr_eq(new.configuration(), &documents.configuration()));
}

#[test]
fn documents_are_found_by_path_and_by_their_comments() {
    let documents = opened("a");
    let found = |documents: &Documents| {
        let open = documents.snapshots();
        (
            open.get(Path::new("/a.yaml")).is_some(),
            open.with_comments().len(),
        )
    };
    assert_eq!(found(&documents), (true, 0));
    change(&documents, whole("# admissible: input a")).unwrap();
    assert_eq!(found(&documents), (true, 1));
    documents.mark_out_of_sync(&uri());
    assert_eq!(found(&documents), (false, 0));
    change(&documents, whole("# admissible: input b")).unwrap();
    assert_eq!(found(&documents), (true, 1));
    change(&documents, whole("b")).unwrap();
    assert_eq!(found(&documents), (true, 0));
    change(&documents, whole("# admissible: input c")).unwrap();
    documents.close(&uri());
    assert_eq!(found(&documents), (false, 0));
}

#[test]
fn a_document_stays_as_it_was_when_it_was_requested() {
    let documents = opened("a");
    let open = documents.snapshots();
    let path = Path::new("/a.yaml");
    assert_eq!(open.get(path).unwrap().text(), "a");
    change(&documents, whole("b")).unwrap();
    assert_eq!(open.get(path).unwrap().text(), "a");
    assert_eq!(documents.snapshots().get(path).unwrap().text(), "b");
}

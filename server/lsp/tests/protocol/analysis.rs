//! An analysis that is scripted by a test.

use ide::{
    CodeAction, Diagnostic, Fix, Project, Results, Settings, Severity, SourceFile, Symbol,
    SymbolKind,
};
use lsp::Analysis;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use text::{TextEdit, TextRange, TextSize};

/// The rule of the scripted findings: a real one, so that settings accept it.
pub(crate) const RULE: &str = "unused-variable";

/// A finding for every `bad`, with a fix that replaces it with `good`. The outline is one symbol
/// whose name is the text and whose detail is the target. `panic` in the text panics, `endless`
/// never ends unless it is canceled. While the gate is closed, everything waits. While that of the
/// parser is closed, a document with `held` waits.
#[derive(Debug, Default)]
pub(crate) struct Scripted {
    pub(crate) gate: Gate,
    pub(crate) parser: Gate,
    /// The number of parsed texts.
    pub(crate) parsed: AtomicUsize,
    /// How often findings were computed.
    pub(crate) analyzed: AtomicUsize,
    /// How many analyses run that never end.
    pub(crate) endless: Arc<AtomicUsize>,
}

/// Counts while it is not dropped.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Scripted {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    fn enter(&self, file: &SourceFile) {
        self.gate.pass();
        assert!(!file.text().contains("panic"), "the text has `panic`");
        if file.text().contains("endless") {
            self.endless.fetch_add(1, Ordering::SeqCst);
            let _counted = Counted(Arc::clone(&self.endless));
            loop {
                text::checkpoint::checkpoint();
                std::thread::sleep(std::time::Duration::from_micros(10));
            }
        }
    }
}

impl Analysis for Scripted {
    fn parse(&self, text: String, project: Arc<Project>, results: Arc<Results>) -> SourceFile {
        self.parsed.fetch_add(1, Ordering::SeqCst);
        if text.contains("held") {
            self.parser.pass();
        }
        SourceFile::next(text, project, results)
    }

    fn diagnostics(&self, file: &SourceFile, settings: &Settings) -> Vec<Diagnostic> {
        self.analyzed.fetch_add(1, Ordering::SeqCst);
        self.enter(file);
        let Some(severity) = settings.severity(RULE, Severity::Warning) else {
            return Vec::new();
        };
        let places = file.text().match_indices("bad");
        places
            .map(|(at, word)| finding(at, word, severity))
            .collect()
    }

    fn document_symbols(&self, file: &SourceFile) -> Vec<Symbol> {
        self.enter(file);
        let target = file.project().target();
        let range = TextRange::up_to(TextSize::of(file.text()));
        vec![Symbol {
            name: file.text().to_owned(),
            detail: target.is_chosen().then(|| target.to_string()),
            kind: SymbolKind::Document,
            range,
            selection: range,
            is_searched: false,
            children: Vec::new(),
        }]
    }

    fn code_actions(
        &self,
        file: &SourceFile,
        settings: &Settings,
        range: TextRange,
    ) -> Vec<CodeAction> {
        let findings = self.diagnostics(file, settings).into_iter();
        let touched = findings.filter(|it| it.range.intersect(range).is_some());
        touched
            .map(|finding| CodeAction {
                title: finding.fixes[0].title.clone(),
                kind: ide::ActionKind::QuickFix,
                edits: finding.fixes[0].edits.clone(),
                safety: finding.fixes[0].safety,
                is_preferred: true,
                finding: Some(finding),
            })
            .collect()
    }
}

fn finding(at: usize, word: &str, severity: Severity) -> Diagnostic {
    let range = TextRange::at(u32::try_from(at).unwrap().into(), TextSize::of(word));
    Diagnostic {
        code: RULE,
        severity,
        range,
        message: "This is bad.".to_owned(),
        upstream: None,
        related: Vec::new(),
        fixes: vec![Fix {
            title: "Make it good".to_owned(),
            edits: vec![TextEdit::replace(range, "good")],
            safety: ide::Safety::Safe,
        }],
        tag: None,
    }
}

/// Holds the threads that pass.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    closed: bool,
    waiting: usize,
}

impl Gate {
    pub(crate) fn close(&self) {
        self.state.lock().unwrap().closed = true;
    }

    pub(crate) fn open(&self) {
        self.state.lock().unwrap().closed = false;
        self.changed.notify_all();
    }

    /// Waits until as many threads are held.
    pub(crate) async fn holds(self: &Gate, count: usize) {
        while self.state.lock().unwrap().waiting < count {
            tokio::task::yield_now().await;
        }
    }

    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.waiting += 1;
        self.changed.notify_all();
        let mut state = self
            .changed
            .wait_while(state, |state| state.closed)
            .unwrap();
        state.waiting -= 1;
    }
}

//! Hundreds of open documents: what follows from all of them is computed once, not once for each.

use crate::analysis::Scripted;
use crate::server::TestServer;
use serde_json::json;
use std::sync::atomic::Ordering;
use std::time::Duration;

const COUNT: usize = 300;

#[tokio::test]
async fn opening_many_documents_analyzes_each_a_few_times() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    let uri = |number: usize| format!("file:///nowhere/{number}.yaml");
    for number in 0..COUNT {
        // Each changes the project of all others.
        let text = format!(
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
             metadata: {{name: bad-{number}}}\nspec: {{}}\n"
        );
        server.open(&uri(number), 1, &text).await;
    }
    for number in 0..COUNT {
        assert_eq!(server.published(&uri(number)).await.1.len(), 1);
    }
    let mut analyzed = 0;
    while analyzed != analysis.analyzed.load(Ordering::SeqCst) {
        analyzed = analysis.analyzed.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    assert!(analyzed <= 6 * COUNT, "{analyzed}");
    server.finish().await;
}

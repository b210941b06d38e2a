//! What is known where, in words.

use super::{FieldState, Flow, SiteKind};
use crate::fixture::policy;
use policy::openapi::Catalog;

#[test]
fn prints() {
    let text = policy("
  validations:
    - expression: has(object.spec.template.spec.hostNetwork) && object.spec.template.spec.hostNetwork == object.spec.paused
");
    let file = crate::SourceFile::new(text);
    let document = &file.policies()[0];
    let flow = Flow::new(document, Catalog::built_in(document.target().newest()));
    for place in flow.places() {
        if place.site.kind != SiteKind::Read { continue; }
        for case in place.cases() {
            let state = place.state(case, place.site.term);
            println!("{:?} {:?} {:?} {}", case.operation, place.fields(place.site.term), match state { FieldState::Required => "required", FieldState::Optional(_) => "optional", FieldState::Key(_) => "key", FieldState::Undefined => "undefined", FieldState::Unknown => "unknown"}, place.is_present(place.site.term));
        }
    }
}

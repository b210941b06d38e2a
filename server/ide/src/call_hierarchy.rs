//! The call hierarchy of variables: the callers of a variable are the expressions that read it, and
//! its callees are the variables that it reads.

use crate::definition::{Access, Definition, Occurrence};
use crate::file::SourceFile;
use crate::references::{name_at, occurrences};
use policy::{Expression, PolicyDocument, Role};
use text::{TextRange, TextSize};

/// A variable, or an expression that uses variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyItem {
    /// The name of the variable, or the path of the expression.
    pub name: String,
    /// Whether it is a variable.
    pub is_variable: bool,
    /// The whole entry of a list.
    pub range: TextRange,
    /// The name of the variable, or the expression.
    pub selection: TextRange,
}

/// An item with the ranges of its uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyCall {
    /// The item.
    pub item: HierarchyItem,
    /// The names at the uses.
    pub uses: Vec<TextRange>,
}

/// Returns the variable at an offset, otherwise the variable or the expression around it.
#[must_use]
pub fn hierarchy_item(file: &SourceFile, offset: TextSize) -> Option<HierarchyItem> {
    let named = name_at(file, offset).and_then(|name| defined(file, &name.definition));
    named.or_else(|| {
        let (_, document, expression) = expression_at(file, offset)?;
        item(file, document, expression)
    })
}

/// Returns the expressions that use the variable at an offset.
#[must_use]
pub fn incoming_calls(file: &SourceFile, offset: TextSize) -> Vec<HierarchyCall> {
    let Some(name) = name_at(file, offset).filter(|it| is_variable(&it.definition)) else {
        return Vec::new();
    };
    let mut calls = Vec::new();
    let uses = occurrences(file, &name.definition).filter(|it| it.access == Access::Reference);
    for used in uses {
        let enclosing = expression_at(file, used.range.start());
        let enclosing =
            enclosing.and_then(|(_, document, expression)| item(file, document, expression));
        add(&mut calls, enclosing, used.range);
    }
    calls
}

/// Returns the variables that the variable or the expression at an offset reads.
#[must_use]
pub fn outgoing_calls(file: &SourceFile, offset: TextSize) -> Vec<HierarchyCall> {
    let Some(range) = body(file, offset) else {
        return Vec::new();
    };
    let mut calls = Vec::new();
    let names = file.names().iter();
    let uses = names.filter(|it| it.access == Access::Reference && is_variable(&it.definition));
    for used in uses.filter(|it| range.contains_range(it.range)) {
        add(&mut calls, defined(file, &used.definition), used.range);
    }
    calls
}

fn add(calls: &mut Vec<HierarchyCall>, item: Option<HierarchyItem>, used: TextRange) {
    let Some(item) = item else {
        return;
    };
    match calls.iter_mut().find(|call| call.item == item) {
        Some(call) => call.uses.push(used),
        None => calls.push(HierarchyCall {
            item,
            uses: vec![used],
        }),
    }
}

fn is_variable(definition: &Definition) -> bool {
    matches!(definition, Definition::Variable { .. })
}

/// Returns the item of a variable.
fn defined(file: &SourceFile, of: &Definition) -> Option<HierarchyItem> {
    let Definition::Variable { name, .. } = of else {
        return None;
    };
    let is_definition = |it: &&Occurrence| it.access == Access::Definition;
    let found = occurrences(file, of).find(is_definition)?;
    Some(HierarchyItem {
        name: name.to_string(),
        is_variable: true,
        range: found.whole.cover(found.range),
        selection: found.range,
    })
}

/// Returns the item of an expression: of its variable, if it belongs to one.
fn item(
    file: &SourceFile,
    document: &PolicyDocument,
    expression: &Expression,
) -> Option<HierarchyItem> {
    if let Role::Variable { .. } = expression.role {
        let index = file
            .policies()
            .iter()
            .position(|it| std::ptr::eq(&**it, document))?;
        let definition = Definition::Variable {
            document: index,
            name: document.variable_name(expression)?.into(),
        };
        return defined(file, &definition);
    }
    let selection = document.node(expression.node).range();
    Some(HierarchyItem {
        name: expression.path.to_string(),
        is_variable: false,
        range: document.node(expression.owner).range().cover(selection),
        selection,
    })
}

/// Returns the range of the expression of the variable whose definition is at an offset, otherwise
/// of the expression around the offset.
fn body(file: &SourceFile, offset: TextSize) -> Option<TextRange> {
    let name = name_at(file, offset).filter(|it| it.access == Access::Definition);
    let Some(Definition::Variable { document, name }) = name.map(|it| &it.definition) else {
        let (range, ..) = expression_at(file, offset)?;
        return Some(range);
    };
    let document = file.policies().get(*document)?;
    let mut expressions = document.expressions().iter().rev();
    let expression = expressions.find(|it| document.variable_name(it) == Some(name))?;
    Some(document.node(expression.node).range())
}

fn expression_at(
    file: &SourceFile,
    offset: TextSize,
) -> Option<(TextRange, &PolicyDocument, &Expression)> {
    file.policies().iter().find_map(|document| {
        let expression = document.expression_at(offset)?;
        let range = document.node(expression.node).range();
        Some((range, &**document, expression))
    })
}

#[cfg(test)]
mod tests {
    use super::{HierarchyCall, hierarchy_item, incoming_calls, outgoing_calls};
    use crate::file::SourceFile;
    use crate::fixture::{Fixture, policy};
    use expect_test::{Expect, expect};

    const TEXT: &str = "
  variables:
  - {name: a, expression: '1'}
  - {name: b, expression: variables.a + variables.a}
  - name: c
    expression: variables.b + variables.a
  validations:
  - expression: '''😀'' != '''' && variables.c == variables.b'
    messageExpression: string(variables.c)
";

    /// Compares the item at the cursor, its callers and its callees.
    #[track_caller]
    fn check(cursor: (&str, &str), expected: &Expect) {
        let fixture = Fixture::parse(&policy(&TEXT.replacen(cursor.0, cursor.1, 1)));
        let file = SourceFile::new(fixture.text.as_str());
        let item = hierarchy_item(&file, fixture.cursor.unwrap()).unwrap();
        assert!(item.range.contains_range(item.selection));
        // Clients send the item back.
        let at = item.selection.start();
        let show = |calls: Vec<HierarchyCall>| {
            let calls = calls
                .iter()
                .map(|it| format!("{} ×{}", it.item.name, it.uses.len()))
                .collect::<Vec<_>>();
            if calls.is_empty() {
                return "nothing".to_owned();
            }
            calls.join(", ")
        };
        let (incoming, outgoing) = (incoming_calls(&file, at), outgoing_calls(&file, at));
        expected.assert_eq(&format!(
            "{}\nused by: {}\nuses: {}",
            item.name,
            show(incoming),
            show(outgoing)
        ));
    }

    #[test]
    fn variables_use_variables() {
        check(
            ("name: a", "name: $0a"),
            &expect![[r#"
            a
            used by: b ×2, c ×1
            uses: nothing"#]],
        );
        check(
            ("variables.b +", "variables.b$0 +"),
            &expect![[r#"
            b
            used by: c ×1, spec.validations[0].expression ×1
            uses: a ×2"#]],
        );
        check(
            ("name: c", "name: c$0"),
            &expect![[r#"
            c
            used by: spec.validations[0].expression ×1, spec.validations[0].messageExpression ×1
            uses: b ×1, a ×1"#]],
        );
    }

    #[test]
    fn an_expression_uses_variables() {
        check(
            (" == variables.b", " =$0= variables.b"),
            &expect![[r#"
            spec.validations[0].expression
            used by: nothing
            uses: c ×1, b ×1"#]],
        );
    }
}

//! The webhooks and whether they are called, one line each.

use super::{BOLD, RESET, Writer, cost};
use crate::eval::InputOutcome;
use crate::terminal::printable;
use admission::Request;
use annotate_snippets::Level;
use evaluation::run::{ResultText, WebhookAnswer, WebhookOutcome};
use policy::cost::MATCH_CONDITIONS;
use std::io;

impl Writer<'_> {
    /// Writes the errors of match conditions at their positions, and the values of all of them.
    pub(super) fn webhook_reasons(&mut self, outcome: &InputOutcome) -> io::Result<()> {
        for (webhook, expressions) in &outcome.webhooks {
            let level = match &webhook.outcome {
                WebhookOutcome::Denied(_) => Level::ERROR,
                _ => Level::WARNING,
            };
            let failing = expressions
                .iter()
                .filter(|it| webhook.failing.contains(&it.range));
            for expression in failing {
                let ResultText::Failure(reason) = &expression.result else {
                    continue;
                };
                let words = format!("the match condition fails: {reason}");
                let place = (webhook.policy, expression.range);
                self.at(place, level.clone(), &words)?;
            }
            if self.trace {
                self.expressions(webhook.policy, expressions)?;
            }
        }
        Ok(())
    }

    /// Writes a line for each webhook.
    pub(super) fn webhooks(&mut self, outcome: &InputOutcome) -> io::Result<()> {
        for (webhook, _) in &outcome.webhooks {
            self.webhook(webhook, &outcome.answer.request)?;
        }
        Ok(())
    }

    fn webhook(&mut self, webhook: &WebhookAnswer, request: &Request) -> io::Result<()> {
        let name = match webhook.name.as_str() {
            "" => "a webhook without a name",
            name => name,
        };
        let name = match webhook.configuration.as_str() {
            "" => name.to_owned(),
            configuration => format!("{name} of {configuration}"),
        };
        let name = printable(&name);
        let cost = match webhook.cost {
            0 => String::new(),
            units => format!(" ({})", cost(units, MATCH_CONDITIONS)),
        };
        let (verdict, reason) = match &webhook.outcome {
            WebhookOutcome::Called => {
                let request = request.to_string();
                let request = printable(&request);
                return writeln!(self.out, "{BOLD}Called{RESET}: {request} by {name}{cost}");
            }
            WebhookOutcome::NotEvaluated(why) => {
                let line = why.range.map(|range| self.line(webhook.policy, range));
                let line = line.map_or_else(String::new, |line| format!(" ({line})"));
                ("Not called", format!("{}{line}", why.reason))
            }
            WebhookOutcome::Skipped { range } => {
                let line = self.line(webhook.policy, *range);
                let reason = format!("the match condition on {line} is false{cost}");
                ("Not called", reason)
            }
            WebhookOutcome::Ignored(_) => {
                let reason = "a match condition fails and failurePolicy is Ignore";
                ("Not called", format!("{reason}{cost}"))
            }
            WebhookOutcome::Denied(_) => ("Denied", format!("a match condition fails{cost}")),
        };
        writeln!(
            self.out,
            "{BOLD}{verdict}{RESET}: {name}: {}",
            printable(&reason)
        )
    }
}

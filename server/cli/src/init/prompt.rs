//! Questions in a terminal, answered line by line.

use crate::problem::Problem;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Stdin, Stdout, Write};

/// A terminal that answers.
pub(super) struct Prompt<R, W> {
    answers: R,
    out: W,
}

impl Prompt<BufReader<Stdin>, Stdout> {
    /// Returns the terminal of this process. `None` if there is none, or it is not to be used.
    pub(super) fn of_terminal(is_silent: bool) -> Option<Self> {
        let (stdin, out) = (io::stdin(), io::stdout());
        let is_answered = stdin.is_terminal() && out.is_terminal() && !is_silent;
        is_answered.then(|| Self {
            answers: BufReader::new(stdin),
            out,
        })
    }
}

impl<R: BufRead, W: Write> Prompt<R, W> {
    /// Returns an answer, or the default for an empty one.
    pub(super) fn text(&mut self, question: &str, default: &str) -> Result<String, Problem> {
        let answer = self.ask(&format!("{question} [{default}] "))?;
        Ok(if answer.is_empty() {
            default.to_owned()
        } else {
            answer
        })
    }

    /// Returns the index of the chosen option. The first is the default.
    pub(super) fn choice(&mut self, question: &str, options: &[&str]) -> Result<usize, Problem> {
        let list = options.iter().enumerate();
        let list = list.map(|(index, option)| format!("  {}. {option}\n", index + 1));
        let mut prompt = format!("{question}\n{}Number [1] ", list.collect::<String>());
        loop {
            let answer = self.ask(&prompt)?;
            let number = if answer.is_empty() {
                Ok(1)
            } else {
                answer.parse()
            };
            let chosen = number.ok().and_then(|it: usize| it.checked_sub(1));
            match chosen.filter(|chosen| *chosen < options.len()) {
                Some(chosen) => return Ok(chosen),
                None => prompt = format!("Enter a number from 1 to {} [1] ", options.len()),
            }
        }
    }

    fn ask(&mut self, prompt: &str) -> Result<String, Problem> {
        let failed = |error: io::Error| Problem::new("", error.to_string());
        self.out.write_all(prompt.as_bytes()).map_err(failed)?;
        self.out.flush().map_err(failed)?;
        let mut line = String::new();
        if self.answers.read_line(&mut line).map_err(failed)? == 0 {
            return Err(Problem::new("", "canceled; nothing was written"));
        }
        Ok(line.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_number_is_prompted_for_until_it_fits() {
        let mut prompt = Prompt {
            answers: "pods\n\n7\n2\n".as_bytes(),
            out: Vec::new(),
        };
        assert_eq!(prompt.text("Kind?", "Deployment").unwrap(), "pods");
        assert_eq!(prompt.text("Kind?", "Deployment").unwrap(), "Deployment");
        assert_eq!(prompt.choice("Purpose?", &["a", "b"]).unwrap(), 1);
        let error = prompt.text("Kind?", "Deployment").unwrap_err();
        assert_eq!(error.message, "canceled; nothing was written");
        expect![[r#"
            Kind? [Deployment] Kind? [Deployment] Purpose?
              1. a
              2. b
            Number [1] Enter a number from 1 to 2 [1] Kind? [Deployment] "#]]
        .assert_eq(&String::from_utf8(prompt.out).unwrap());
    }
}

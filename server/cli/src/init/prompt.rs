//! Questions in a terminal, answered line by line.

use crate::problem::Problem;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Stdin, Stdout, Write};

/// A terminal that answers.
pub(super) struct Prompt<R, W> {
    answers: R,
    out: W,
}

impl Prompt<BufReader<Stdin>, Stdout> {
    /// Returns the terminal of this process. `None` if there is none, or it must not be used.
    pub(super) fn from_terminal(is_silent: bool) -> Option<Self> {
        let (stdin, out) = (io::stdin(), io::stdout());
        let is_answered = stdin.is_terminal() && out.is_terminal() && !is_silent;
        is_answered.then(|| Self {
            answers: BufReader::new(stdin),
            out,
        })
    }
}

impl<R: BufRead, W: Write> Prompt<R, W> {
    /// Returns the result of `read` for an answer, or for the default if it is empty. After an
    /// answer that it rejects, its message is the next prompt.
    pub(super) fn answer<T>(
        &mut self,
        question: &str,
        default: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Problem> {
        let mut question = question.to_owned();
        loop {
            let answer = self.ask(&format!("{question} [{default}] "))?;
            let answer = if answer.is_empty() { default } else { &answer };
            match read(answer) {
                Ok(value) => return Ok(value),
                Err(message) => question = message,
            }
        }
    }

    /// Returns the index of the chosen option. The first is the default.
    pub(super) fn choice(&mut self, question: &str, options: &[&str]) -> Result<usize, Problem> {
        let list = options.iter().enumerate();
        let list = list.map(|(index, option)| format!("  {}. {option}\n", index + 1));
        let question = format!("{question}\n{}Number", list.collect::<String>());
        self.answer(&question, "1", |answer| {
            let chosen = answer.parse().ok().and_then(|it: usize| it.checked_sub(1));
            let chosen = chosen.filter(|chosen| *chosen < options.len());
            chosen.ok_or_else(|| format!("Enter a number from 1 to {}", options.len()))
        })
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
    fn an_answer_is_prompted_for_until_it_fits() {
        let mut prompt = Prompt {
            answers: "cats\npods\n\n7\n2\n".as_bytes(),
            out: Vec::new(),
        };
        let kind = |prompt: &mut Prompt<&[u8], Vec<u8>>| {
            prompt.answer("Kind?", "Deployment", |answer| match answer {
                "cats" => Err("Unknown kind".to_owned()),
                known => Ok(known.to_owned()),
            })
        };
        assert_eq!(kind(&mut prompt).unwrap(), "pods");
        assert_eq!(kind(&mut prompt).unwrap(), "Deployment");
        assert_eq!(prompt.choice("Purpose?", &["a", "b"]).unwrap(), 1);
        let error = kind(&mut prompt).unwrap_err();
        assert_eq!(error.message, "canceled; nothing was written");
        expect![[r#"
            Kind? [Deployment] Unknown kind [Deployment] Kind? [Deployment] Purpose?
              1. a
              2. b
            Number [1] Enter a number from 1 to 2 [1] Kind? [Deployment] "#]]
        .assert_eq(&String::from_utf8(prompt.out).unwrap());
    }
}

//! Who is asked.

use std::io::{BufRead, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::question::Question;

/// An answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes.
    Approved(Grant),
    /// No.
    Refused {
        /// Why, in the person's words.
        reason: Option<String>,
    },
    /// Nobody answered, and why.
    Unanswered(String),
}

/// What a person grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Who.
    pub approver: String,
    /// The roles that the approver holds.
    pub roles: Vec<String>,
    /// Why.
    pub reason: Option<String>,
    /// For how long. An approval that is not spent by then counts no more.
    pub lasts: Duration,
    /// Whether the exact call may run again in this session until then; otherwise it runs once.
    pub for_session: bool,
}

/// Asks a person.
pub trait Approver: Sync {
    /// The answer. It may take as long as the person does; an implementation that gives up says
    /// [`Answer::Unanswered`]. A panic counts as that too.
    fn answer(&self, question: &Question) -> Answer;
}

impl<F: Fn(&Question) -> Answer + Sync> Approver for F {
    fn answer(&self, question: &Question) -> Answer {
        self(question)
    }
}

/// Nobody can be asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Approver for Nobody {
    fn answer(&self, _: &Question) -> Answer {
        Answer::Unanswered("nobody was there to ask".to_owned())
    }
}

/// A person at a terminal. Only `y` and `yes`, in any case, approve; an empty line, anything else and the end of input
/// refuse.
#[derive(Debug)]
pub struct Terminal<R, W> {
    /// Who sits there.
    pub approver: String,
    /// The roles of that person.
    pub roles: Vec<String>,
    /// How long a yes lasts.
    pub lasts: Duration,
    streams: Mutex<(R, W)>,
}

impl<R: BufRead, W: Write> Terminal<R, W> {
    /// The longest answer that is read, in bytes.
    const LONGEST: u64 = 1024;

    /// A terminal that is read and written through these.
    pub fn new(approver: impl Into<String>, input: R, output: W) -> Self {
        Self {
            approver: approver.into(),
            roles: Vec::new(),
            lasts: Duration::from_secs(300),
            streams: Mutex::new((input, output)),
        }
    }
}

impl<R: BufRead + Send, W: Write + Send> Approver for Terminal<R, W> {
    fn answer(&self, question: &Question) -> Answer {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let (input, output) = &mut *streams;
        let asked = write!(output, "{}Run it? [y/N] ", question.text()).and_then(|()| output.flush());
        if let Err(error) = asked {
            return Answer::Unanswered(format!("the terminal cannot be written: {error}"));
        }
        let mut line = String::new();
        match std::io::Read::take(&mut *input, Self::LONGEST).read_line(&mut line) {
            Ok(0) => Answer::Unanswered("the input of the terminal has ended".to_owned()),
            Err(error) => Answer::Unanswered(format!("the terminal cannot be read: {error}")),
            // A line that is cut off is no answer.
            Ok(_) if line.ends_with('\n') && ["y", "yes"].contains(&&*line.trim().to_lowercase()) => {
                Answer::Approved(Grant {
                    approver: self.approver.clone(),
                    roles: self.roles.clone(),
                    reason: None,
                    lasts: self.lasts,
                    for_session: false,
                })
            }
            Ok(_) => Answer::Refused { reason: None },
        }
    }
}

//! A door for programs in any language: JSON lines in, JSON lines out.
//!
//! A line in holds one of
//!
//! - `{"call": …}`: a call in the shape of the client's protocol;
//! - `{"answer": {"id", "approved", "approver", "roles", "reason", "lasts_seconds", "for_session"}}`: a person's answer;
//! - `{"result": {"id", "text", "is_error"}}`: what the tool answered that the client has run.
//!
//! A line out is `{"id", "decision", "reason", …}`. `ask` comes with a `question`, and waits for an answer; `allow` without a
//! receipt tells the client to run the tool once and report its result; every call ends in a line with a `receipt`, which
//! goes to the model as it is, and an `outcome`. A line in that means nothing is answered by `{"error": …}`.

use std::collections::HashMap;
use std::io::{self, BufRead, Read as _, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::approver::{Answer, Approver, Grant};
use crate::call::ToolCall;
use crate::door::{Door, HandlerError, Permit};
use crate::protocol::Protocol;
use crate::question::Question;
use crate::receipt::{Receipt, ReceiptKind};

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 4 << 20;

/// The most calls that are on their way at once.
const MOST_CALLS: usize = 64;

/// One client on the other side of two streams.
pub struct Coprocess<W> {
    protocol: Protocol,
    /// How long a person may take to answer.
    patience: Duration,
    output: Mutex<W>,
    /// The calls that are on their way, and who waits for word of them.
    waiting: Mutex<HashMap<String, Sender<Word>>>,
    /// Where that word comes in, taken by the call's own thread.
    words: Mutex<HashMap<String, Receiver<Word>>>,
}

/// What a client says of a call.
enum Word {
    Answer(Answer),
    Result(Result<String, HandlerError>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'t> {
    #[serde(borrow)]
    call: Option<&'t RawValue>,
    answer: Option<AnswerLine>,
    result: Option<ResultLine>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerLine {
    id: Value,
    approved: bool,
    #[serde(default)]
    approver: String,
    #[serde(default)]
    roles: Vec<String>,
    reason: Option<String>,
    #[serde(default = "five_minutes")]
    lasts_seconds: u64,
    #[serde(default)]
    for_session: bool,
}

fn five_minutes() -> u64 {
    300
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultLine {
    id: Value,
    #[serde(default)]
    text: String,
    #[serde(default)]
    is_error: bool,
}

impl<W> std::fmt::Debug for Coprocess<W> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Coprocess").field("protocol", &self.protocol).finish_non_exhaustive()
    }
}

impl<W: Write + Send> Coprocess<W> {
    /// A co-process that writes to `output`.
    pub fn new(protocol: Protocol, patience: Duration, output: W) -> Self {
        let (waiting, words) = (Mutex::default(), Mutex::default());
        Self { protocol, patience, output: Mutex::new(output), waiting, words }
    }

    /// Answers until the input ends. `door` asks this co-process, whose `approver` must be it.
    ///
    /// # Errors
    ///
    /// Where the input cannot be read. What cannot be written is said to nobody: the client has gone.
    pub fn run(&self, door: &Door<'_>, mut input: impl BufRead) -> io::Result<()> {
        thread::scope(|scope| {
            let ended = loop {
                let mut line = Vec::new();
                match (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line) {
                    Ok(0) => break Ok(()),
                    Ok(_) if line.last() != Some(&b'\n') => {
                        // A line that is too long, or was cut off by the end.
                        self.error("a line is longer than 4 MiB, or its end is missing");
                        if let Err(error) = skip_line(&mut input) {
                            break Err(error);
                        }
                    }
                    Ok(_) => {
                        if let Some(call) = self.word(line.trim_ascii()) {
                            let spawned = thread::Builder::new().spawn_scoped(scope, {
                                let call = call.clone();
                                move || self.answered(door, &call)
                            });
                            if spawned.is_err() {
                                self.refuse(&call, "no further call can be taken on at the moment");
                            }
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => break Err(error),
                }
            };
            // Whoever waits for word learns that none will come.
            self.waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
            ended
        })
    }

    /// One line of the client's; a call, where it is a new one.
    fn word(&self, line: &[u8]) -> Option<ToolCall> {
        if line.is_empty() {
            return None;
        }
        let read = std::str::from_utf8(line).map_err(|error| format!("the line is not UTF-8: {error}"));
        let line: Line<'_> = match read
            .and_then(|text| serde_json::from_str(text).map_err(|error| format!("the line means nothing: {error}")))
        {
            Ok(line) => line,
            Err(message) => {
                self.error(&message);
                return None;
            }
        };
        match line {
            Line { call: Some(call), answer: None, result: None } => match self.protocol.call(call.get()) {
                Ok(call) => self.new_call(call),
                Err(error) => {
                    self.error(&error.to_string());
                    None
                }
            },
            Line { call: None, answer: Some(answer), result: None } => {
                let id = self.id_text(&answer.id);
                let told = if answer.approved {
                    Answer::Approved(Grant {
                        approver: answer.approver,
                        roles: answer.roles,
                        reason: answer.reason,
                        lasts: Duration::from_secs(answer.lasts_seconds),
                        for_session: answer.for_session,
                    })
                } else {
                    Answer::Refused { reason: answer.reason }
                };
                self.tell(&id, Word::Answer(told));
                None
            }
            Line { call: None, answer: None, result: Some(result) } => {
                let id = self.id_text(&result.id);
                let told = if result.is_error { Err(HandlerError(result.text)) } else { Ok(result.text) };
                self.tell(&id, Word::Result(told));
                None
            }
            _ => {
                self.error("a line holds one of `call`, `answer` and `result`");
                None
            }
        }
    }

    /// Takes a call on, unless one of its id is on its way or there are too many.
    fn new_call(&self, call: ToolCall) -> Option<ToolCall> {
        let id = call.id.clone().unwrap_or_default();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = if waiting.contains_key(&id) {
            Some("a call of this id is on its way already")
        } else if waiting.len() >= MOST_CALLS {
            Some("too many calls are on their way at once")
        } else {
            let (sender, receiver) = channel();
            self.words.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), receiver);
            waiting.insert(id, sender);
            None
        };
        drop(waiting);
        match refused {
            None => Some(call),
            Some(why) => {
                self.refuse(&call, why);
                None
            }
        }
    }

    /// Takes one call through the door, and says what became of it.
    fn answered(&self, door: &Door<'_>, call: &ToolCall) {
        let reason = Mutex::new(None);
        let receipt = door.receipt(call, |permit| {
            *reason.lock().unwrap_or_else(PoisonError::into_inner) = Some(permit.decision.reason.clone());
            self.handled(permit)
        });
        let id = call.id.clone().unwrap_or_default();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        self.words.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        let reason = reason.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.finish(&receipt, reason);
    }

    /// Lets the client run the tool, and waits for its result.
    fn handled(&self, permit: &Permit<'_>) -> Result<String, HandlerError> {
        let id = permit.call.id.as_deref().unwrap_or_default();
        self.say(&json!({ "id": self.id_value(id), "decision": "allow", "reason": permit.decision.reason }));
        loop {
            match self.wait(id, None) {
                Some(Word::Result(result)) => return result,
                // An answer to a question that is no longer open.
                Some(Word::Answer(_)) => {}
                None => return Err(HandlerError("the client has gone; whether the tool ran is not known".to_owned())),
            }
        }
    }

    /// What the client says next of a call; `None`: nothing any more.
    fn wait(&self, id: &str, patience: Option<Duration>) -> Option<Word> {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner).remove(id)?;
        let word = match patience {
            Some(patience) => words.recv_timeout(patience).ok(),
            None => words.recv().ok(),
        };
        self.words.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), words);
        word
    }

    fn tell(&self, id: &str, word: Word) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let told = waiting.get(id).is_some_and(|sender| sender.send(word).is_ok());
        drop(waiting);
        if !told {
            self.error(&format!("no call `{id}` is on its way"));
        }
    }

    fn refuse(&self, call: &ToolCall, why: &str) {
        self.finish(
            &Receipt::without_run(call.id.as_deref(), ReceiptKind::Unpaired, format!("Permission denied: {why}.")),
            None,
        );
    }

    /// The last line about a call.
    fn finish(&self, receipt: &Receipt, reason: Option<String>) {
        let id = receipt.id.as_deref().unwrap_or_default();
        let decision = if receipt.kind.ran() { "allow" } else { "deny" };
        self.say(&json!({
            "id": self.id_value(id),
            "decision": decision,
            "reason": reason.unwrap_or_else(|| receipt.text.clone()),
            "outcome": receipt.kind.name(),
            "receipt": self.protocol.receipt(receipt),
        }));
    }

    fn error(&self, message: &str) {
        self.say(&json!({ "error": message }));
    }

    fn say(&self, line: &Value) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        // A client that does not read has gone.
        let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    }

    /// Ids of MCP are JSON of any kind, and kept as their text.
    fn id_text(&self, id: &Value) -> String {
        match id {
            Value::String(text) if self.protocol != Protocol::Mcp => text.clone(),
            other => other.to_string(),
        }
    }

    fn id_value(&self, id: &str) -> Value {
        if self.protocol == Protocol::Mcp {
            return serde_json::from_str(id).unwrap_or(Value::Null);
        }
        if id.is_empty() { Value::Null } else { Value::from(id) }
    }
}

impl<W: Write + Send> Approver for Coprocess<W> {
    fn answer(&self, question: &Question) -> Answer {
        let id = question.id.as_deref().unwrap_or_default();
        let shown = serde_json::to_value(question).unwrap_or(Value::Null);
        self.say(&json!({ "id": self.id_value(id), "decision": "ask", "reason": question.reason, "question": shown }));
        loop {
            match self.wait(id, Some(self.patience)) {
                Some(Word::Answer(answer)) => return answer,
                // A result of a tool that was not let run is no answer.
                Some(Word::Result(_)) => {}
                None => return Answer::Unanswered("nobody answered".to_owned()),
            }
        }
    }
}

/// Reads to the end of a line that is not kept.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (length, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(length);
        if ended {
            return Ok(());
        }
    }
}

//! What one effect of a program comes to.

use super::access::{ReadFiles, Stated};
use super::inner::Inner;
use super::redirect::access;
use super::simple::Call;
use super::{Evaluator, Frame, Output, Stream, index};
use crate::facts::{Access, AccessKind, Certainty, Cover, End, FindingKind, How, InvocationId, Request};
use crate::reading::{Effect, Reading};
use crate::scope::Value;
use crate::{Host, Span, Word};

impl<'a> Evaluator<'a> {
    /// Records one effect; what an inner command prints.
    pub(super) fn effect(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        effect: &Effect<'a>,
        reading: &Reading<'a>,
        input: Stream<'a>,
        read: &mut ReadFiles<'a>,
    ) -> Option<Output<'a>> {
        let span_of = |word: u32| call.fields.get(word as usize).map_or(call.span, |field| field.span);
        match *effect {
            Effect::Access { kind, path, word, recursive, partial, sources, riding, certain, option, operand } => {
                let span = span_of(word);
                let stated = Stated { kind, path, span, recursive, partial, sources, riding, certain, option, operand };
                self.stated_access(id, &stated, reading, input, read);
                None
            }
            Effect::Request { url, scheme, word, method, riding, certain } => {
                self.request(Some(id), url, scheme, span_of(word), method, riding, certain);
                None
            }
            Effect::Command { words, origin, open, assignments, directory, host, certain, input: passes, lookup } => {
                let fields = self.inner_fields(call, words, origin);
                let inner = Inner { fields, open, assignments, directory, host, certain, lookup };
                let stream = if passes { input } else { Stream::INHERITED };
                Some(self.inner_command(call, id, inner, reading, stream, input))
            }
            Effect::Script { text, word, arguments, open, here, host, certain } => {
                let span = text
                    .iter()
                    .enumerate()
                    .fold(span_of(word), |span, (offset, _)| span.to(span_of(word.saturating_add(index(offset)))));
                let mut parts = Vec::with_capacity(text.len() * 2);
                for (at, part) in text.iter().enumerate() {
                    if at > 0 {
                        parts.push(Word::Text(" "));
                    }
                    parts.push(*part);
                }
                let ends = ends_of_text(self.arena, call, word, text);
                let text = crate::expand::concatenated(self, &parts, span);
                let values: Vec<Value<'a>> = arguments.iter().map(|word| Value { word: *word, ends: &[] }).collect();
                let values = (!open && !call.open).then(|| &*self.arena.alloc_slice_copy(&values));
                let cap = if certain { self.frame.cap } else { Certainty::Possible };
                let frame = Frame { cap, host: if host == Host::Other { host } else { self.frame.host }, ..self.frame };
                let first = self.facts.invocations.len();
                let output = self.framed(frame, |this| {
                    this.shell_text(text, span, Some(id), ends, How::Argument, here, values, input, call.captured)
                });
                // Bash writes words of its own behind a callback (bash manual, section 4.2: `mapfile -C`; 8.7: `complete -C`).
                if matches!(
                    call.fields.first().and_then(|field| field.word.known()),
                    Some("mapfile" | "readarray" | "compgen" | "complete")
                ) {
                    let added = self.facts.invocations.iter_mut().skip(first);
                    if let Some(invocation) = added.filter(|own| own.via.last() == Some(&id)).last() {
                        (invocation.open, invocation.made) = (true, true);
                    }
                }
                Some(output)
            }
            Effect::Code { language, text, word } => {
                let span = span_of(word);
                self.finding(FindingKind::InlineCode, Some(id), span);
                let ends = call.fields.get(word as usize).map_or(&[] as &[End], |field| field.ends);
                if text.known().is_none() && text.made() {
                    self.unknown_code(Some(id), span, ends, How::Argument);
                }
                let code = self.code(language, text, Some(id), span);
                self.flows(ends, code, How::Argument);
                None
            }
            Effect::CodeFile { language, path, word, here } => {
                self.code_file(call, id, language, path, span_of(word), here, input)
            }
            Effect::Setting { name, value, steering, word } => {
                let span = span_of(word);
                // The value stands in the variable that it names (git(1), `--config-env`).
                let named = |one: &crate::GivenOption<'a>| one.word == word && one.spelling == "--config-env";
                let value = match value.known() {
                    Some(variable) if reading.arguments.options.iter().any(named) => {
                        self.exported(variable).map_or(crate::word::UNKNOWN_PLACE, Word::Text)
                    }
                    _ => value,
                };
                self.steered(name, value, steering, crate::facts::Reach::Invocation, Some(id), span);
                None
            }
            // What shares a folder counts where the inner command runs: see `mounts`.
            Effect::Mount { .. } => None,
            Effect::ProjectCode => {
                self.finding(FindingKind::CodeFile, Some(id), call.span);
                None
            }
            // What the input is decides: see `code_from_input`.
            Effect::Interactive => None,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one effect")]
    pub(super) fn request(
        &mut self,
        by: Option<InvocationId>,
        url: Word<'a>,
        scheme: &'a str,
        span: Span,
        method: Option<&'a str>,
        riding: bool,
        certain: bool,
    ) {
        let has_scheme = url.known_prefix().contains("://");
        let unknown_beginning = url.known_prefix().is_empty() && url.known().is_none();
        let url = if has_scheme || unknown_beginning || scheme.is_empty() {
            url
        } else {
            let scheme = self.arena.alloc_str(&format!("{scheme}://"));
            crate::expand::concatenated(self, &[Word::Text(scheme), url], span)
        };
        if let Some(path) = url.known().and_then(|url| url.strip_prefix("file://")) {
            let path = path.strip_prefix("localhost").unwrap_or(path);
            let access = access(AccessKind::Read, Word::Text(path), span);
            let end = self.push_access(Access { by, riding: true, host: self.frame.host, ..access });
            if let Some(id) = by {
                self.flow(end, End::Invocation(id), How::Argument);
            }
            return;
        }
        let certainty = if certain { self.frame.cap } else { Certainty::Possible };
        self.facts.requests.push(Request { url, method, certainty, riding, by, span });
        let end = End::Request(index(self.facts.requests.len() - 1));
        if let Some(id) = by {
            self.flow(end, End::Invocation(id), How::Argument);
            self.flow(End::Invocation(id), end, How::Argument);
        }
    }
}

/// Where the bytes of a text that a command's words hold came from: words from `word` on, or the value behind it.
fn ends_of_text<'a>(arena: &'a crate::Arena, call: &Call<'a, '_>, word: u32, text: &[Word<'a>]) -> &'a [End] {
    let fields = call.fields.get(word as usize..).unwrap_or(&[]);
    let first = fields.first().is_none_or(|field| text.first().is_none_or(|text| field.word != *text));
    let fields = fields.get(..text.len() + usize::from(first)).unwrap_or(fields);
    crate::scope::all_ends(arena, fields.iter().map(|field| field.ends))
}

impl<'a> crate::Analysis<'a> {
    pub(super) fn set_cover(&mut self, id: InvocationId, cover: Cover) {
        if let Some(invocation) = self.invocations.get_mut(id as usize) {
            invocation.cover = cover;
        }
    }
}

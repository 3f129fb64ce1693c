//! The cursor: bytes, their classes, blanks, comments and backslash-newlines.

use super::Parser;

/// Sets of bytes at which a run of literal text stops.
pub(super) mod stop {
    /// Ends a word, or begins a part of one.
    pub const WORD: u8 = 1;
    /// Active inside double quotes.
    pub const DOUBLE_QUOTE: u8 = 1 << 1;
    /// Active in the body of a here-document.
    pub const DOCUMENT: u8 = 1 << 2;
    /// Active in an operand of `${…}`.
    pub const OPERAND: u8 = 1 << 3;
    /// Active in arithmetic and subscripts.
    pub const ARITHMETIC: u8 = 1 << 4;
    /// Active in an extended glob.
    pub const GLOB: u8 = 1 << 5;
    /// The slash between the operands of a replacement.
    pub const SLASH: u8 = 1 << 7;
    /// May stand in a name.
    pub const NAME: u8 = 1 << 6;
}

const CLASSES: [u8; 256] = classes();

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn classes() -> [u8; 256] {
    let sets: [(&[u8], u8); 7] = [
        (b" \t\n;&|<>()$`'\"\\", stop::WORD),
        (b"$`\"\\", stop::DOUBLE_QUOTE),
        (b"$`\\", stop::DOCUMENT),
        (b"$`\"\\'}<>", stop::OPERAND),
        (b"$`\"\\'()[]{};:?", stop::ARITHMETIC),
        (b"$`\"\\'()|<>", stop::GLOB),
        (b"/", stop::SLASH),
    ];
    let mut table = [0; 256];
    let mut set = 0;
    while set < sets.len() {
        let (bytes, class) = sets[set];
        let mut i = 0;
        while i < bytes.len() {
            table[bytes[i] as usize] |= class;
            i += 1;
        }
        set += 1;
    }
    let mut byte = 0;
    while byte < 256 {
        if (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' {
            table[byte] |= stop::NAME;
        }
        byte += 1;
    }
    table
}

/// Whether `byte` is in the set.
pub(super) fn is(byte: u8, class: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|classes| classes & class != 0)
}

/// Whether a word ends before `byte`: a blank, a newline or an operator.
pub(super) fn ends_word(byte: Option<u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'))
}

/// Whether `text` holds a backslash-newline.
pub(super) fn has_continuation(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"\\\n").is_some()
}

/// Whether `text` is a name (POSIX XBD 3.216).
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|byte| is(byte, stop::NAME))
}

impl<'a> Parser<'a> {
    /// The byte at `at`, not looking through backslash-newlines.
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The byte at the cursor.
    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.position)
    }

    /// Whether the byte at the cursor is `byte`.
    pub(super) fn at(&self, byte: u8) -> bool {
        self.peek() == Some(byte)
    }

    /// The place behind the byte at `at`, and behind backslash-newlines that follow it.
    pub(super) fn after(&self, at: usize) -> usize {
        let mut next = at + 1;
        while self.continued && self.byte(next) == Some(b'\\') && self.byte(next + 1) == Some(b'\n') {
            next += 2;
        }
        next
    }

    /// The byte behind the one at the cursor.
    pub(super) fn peek_second(&self) -> Option<u8> {
        self.byte(self.after(self.position))
    }

    /// Whether the two bytes stand at the cursor.
    pub(super) fn at_both(&self, first: u8, second: u8) -> bool {
        self.at(first) && self.peek_second() == Some(second)
    }

    /// Moves the cursor to `position` and past backslash-newlines there (POSIX XCU 2.2.1).
    pub(super) fn go_to(&mut self, position: usize) {
        self.position = position.min(self.text.len());
        self.skip_continuations();
    }

    /// Moves past one byte, which is ASCII, and past backslash-newlines behind it.
    pub(super) fn bump(&mut self) {
        if self.position < self.text.len() {
            self.position = self.after(self.position);
        }
    }

    /// Moves past `byte` if it stands at the cursor.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.at(byte);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn skip_continuations(&mut self) {
        while self.continued && self.at(b'\\') && self.byte(self.position + 1) == Some(b'\n') {
            self.position += 2;
        }
    }

    /// Moves past bytes that are not in `class`, and past backslash-newlines between them.
    pub(super) fn skip_run(&mut self, class: u8) {
        loop {
            let rest = self.text.as_bytes().get(self.position..).unwrap_or_default();
            self.position += rest.iter().position(|&byte| is(byte, class)).unwrap_or(rest.len());
            let before = self.position;
            self.skip_continuations();
            if self.position == before {
                return;
            }
        }
    }

    /// Moves past the bytes of a name.
    pub(super) fn skip_name(&mut self) {
        while self.peek().is_some_and(|byte| is(byte, stop::NAME)) {
            self.bump();
        }
    }

    /// The text from `start` to `end` without backslash-newlines. Only for runs of literal text, in
    /// which every backslash-newline is one.
    pub(super) fn joined(&self, start: usize, end: usize) -> &'a str {
        let text = self.text.get(start..end).unwrap_or_default();
        if !self.continued || !has_continuation(text) {
            return text;
        }
        let mut joined = bumpalo::collections::String::with_capacity_in(text.len(), self.arena);
        text.split("\\\n").for_each(|piece| joined.push_str(piece));
        joined.into_bump_str()
    }

    /// Moves past blanks and a comment.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.bump(),
                Some(b'#') => {
                    let rest = self.text.as_bytes().get(self.position..).unwrap_or_default();
                    self.position += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    return;
                }
                _ => return,
            }
        }
    }

    /// Moves past blanks, comments and newlines, reading the here-documents that were announced.
    pub(super) fn skip_newlines(&mut self) {
        self.skip_blanks();
        while self.at(b'\n') {
            self.newline();
            self.skip_blanks();
        }
    }

    /// Moves past a newline that is a token: here-documents announced on the line stand behind it.
    pub(super) fn newline(&mut self) {
        self.position += 1;
        self.read_announced();
        self.skip_continuations();
    }
}

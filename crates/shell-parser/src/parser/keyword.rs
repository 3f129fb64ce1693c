//! Reserved words (POSIX XCU 2.4; bash manual, section 3.2.1).

use super::cursor::{ends_word, stop};
use super::{Parser, Substitution};

/// The reserved words, which count only unquoted and where a command may begin (POSIX XCU 2.4).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    Bang,
    Case,
    Condition,
    Coprocess,
    Do,
    Done,
    Elif,
    Else,
    Esac,
    Fi,
    For,
    Function,
    If,
    Open,
    Close,
    Select,
    Then,
    Time,
    Until,
    While,
}

impl Keyword {
    fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            "!" => Self::Bang,
            "case" => Self::Case,
            "[[" => Self::Condition,
            "coproc" => Self::Coprocess,
            "do" => Self::Do,
            "done" => Self::Done,
            "elif" => Self::Elif,
            "else" => Self::Else,
            "esac" => Self::Esac,
            "fi" => Self::Fi,
            "for" => Self::For,
            "function" => Self::Function,
            "if" => Self::If,
            "{" => Self::Open,
            "}" => Self::Close,
            "select" => Self::Select,
            "then" => Self::Then,
            "time" => Self::Time,
            "until" => Self::Until,
            "while" => Self::While,
            _ => return None,
        })
    }

    /// Whether it ends a list.
    pub(super) fn closes(self) -> bool {
        matches!(
            self,
            Self::Do | Self::Done | Self::Elif | Self::Else | Self::Esac | Self::Fi | Self::Close | Self::Then
        )
    }

    /// Whether a compound command begins with it.
    pub(super) fn opens_compound(self) -> bool {
        matches!(
            self,
            Self::Case | Self::Condition | Self::For | Self::If | Self::Open | Self::Select | Self::Until | Self::While
        )
    }
}

impl<'a> Parser<'a> {
    /// The reserved word at the cursor.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        let mut end = self.position;
        if self.substitution == Substitution::Brace && self.at(b'}') {
            return Some(Keyword::Close);
        }
        // The longest has eight letters; with backslash-newlines inside there may be more bytes.
        for _ in 0..9 {
            match self.byte(end) {
                Some(b'a'..=b'z' | b'!' | b'[' | b'{' | b'}') => end = self.after(end),
                Some(b'<' | b'>') if self.byte(self.after(end)) == Some(b'(') => return None,
                byte if ends_word(byte) => break,
                _ => return None,
            }
        }
        Keyword::from_text(self.joined(self.position, end))
    }

    /// Moves past the reserved word, if it stands at the cursor.
    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.keyword() == Some(keyword);
        if found {
            self.skip_run(stop::WORD);
        }
        found
    }

    /// Moves past the reserved word, or faults.
    pub(super) fn expect_keyword(&mut self, keyword: Keyword, open: usize, message: &'static str) {
        if !self.eat_keyword(keyword) {
            self.unclosed(open, message);
        }
    }

    /// Whether the unquoted word `text` stands at the cursor.
    pub(super) fn at_plain_word(&self, text: &str) -> bool {
        let mut end = self.position;
        for expected in text.bytes() {
            if self.byte(end) != Some(expected) {
                return false;
            }
            end = self.after(end);
        }
        ends_word(self.byte(end))
    }
}

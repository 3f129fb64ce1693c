//! Commands: simple, compound, functions, coprocesses (POSIX XCU 2.9; bash manual, section 3.2.5).

use super::arithmetic::Closer;
use super::cursor::{ends_word, is, is_name, stop};
use super::word::Place;
use super::{Parser, Substitution};
use crate::tree::{Arithmetic, Arm, Command, CommandKind, List, Redirect, Word};

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
    fn opens_compound(self) -> bool {
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
    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.keyword() == Some(keyword);
        if found {
            self.skip_run(stop::WORD);
        }
        found
    }

    /// Moves past the reserved word, or faults.
    fn expect_keyword(&mut self, keyword: Keyword, open: usize, message: &'static str) {
        if !self.eat_keyword(keyword) {
            self.unclosed(open, message);
        }
    }

    /// One command with its redirections.
    pub(super) fn command(&mut self) -> Command<'a> {
        self.skip_blanks();
        let start = self.position;
        let Some(kind) = self.compound() else {
            return match self.keyword() {
                Some(Keyword::Function) => self.function_keyword(),
                Some(Keyword::Coprocess) => self.coprocess(),
                Some(keyword) if keyword.closes() => {
                    self.syntax("a reserved word closes nothing that is open");
                    self.empty_command(start)
                }
                _ => self.simple(),
            };
        };
        let redirects = self.redirects();
        Command { kind, redirects, span: self.span_from(start) }
    }

    fn empty_command(&self, start: usize) -> Command<'a> {
        let kind = CommandKind::Simple { assignments: &[], words: &[] };
        Command { kind, redirects: &[], span: self.span_from(start) }
    }

    /// The redirections behind a compound command.
    fn redirects(&mut self) -> &'a [Redirect<'a>] {
        let mut redirects = self.children();
        loop {
            let end = self.position;
            self.skip_blanks();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => {
                    self.position = end;
                    return redirects.into_bump_slice();
                }
            }
        }
    }

    /// The compound command at the cursor, if one begins there.
    fn compound(&mut self) -> Option<CommandKind<'a>> {
        if self.at(b'(') {
            if self.peek_second() == Some(b'(')
                && let Some(arithmetic) = self.double_parenthesis()
            {
                return Some(CommandKind::Arithmetic(arithmetic));
            }
            return Some(self.construct(Self::subshell));
        }
        let keyword = self.keyword().filter(|keyword| keyword.opens_compound())?;
        Some(match keyword {
            Keyword::Case => self.construct(Self::case),
            Keyword::Condition => CommandKind::Condition(self.condition()),
            Keyword::For | Keyword::Select => self.construct(|parser| parser.for_loop(keyword == Keyword::Select)),
            Keyword::If => self.construct(Self::if_command),
            Keyword::Until | Keyword::While => {
                self.construct(|parser| parser.conditional_loop(keyword == Keyword::Until))
            }
            _ => CommandKind::Group(self.deeper(Self::group)),
        })
    }

    /// A command read one level deeper.
    fn construct(&mut self, read: impl FnOnce(&mut Self) -> CommandKind<'a>) -> CommandKind<'a> {
        self.deeper(|parser| Some(read(parser))).unwrap_or(CommandKind::Simple { assignments: &[], words: &[] })
    }

    fn subshell(&mut self) -> CommandKind<'a> {
        let open = self.position;
        self.bump();
        let list = self.filled_list();
        if !self.eat(b')') {
            self.unclosed(open, "`(` is not closed");
        }
        CommandKind::Subshell(list)
    }

    /// `{ list; }`
    fn group(&mut self) -> List<'a> {
        let open = self.position;
        self.bump();
        let list = self.filled_list();
        self.expect_keyword(Keyword::Close, open, "`{` is not closed");
        list
    }

    fn if_command(&mut self) -> CommandKind<'a> {
        let open = self.position;
        let mut branches = self.children();
        let mut otherwise = None;
        self.skip_run(stop::WORD);
        loop {
            let condition = self.filled_list();
            self.expect_keyword(Keyword::Then, open, "`if` without `then`");
            // A condition that was read stays, whatever follows it.
            let body = if !self.stopped { self.filled_list() } else { List::default() };
            branches.push((condition, body));
            if self.eat_keyword(Keyword::Elif) {
                continue;
            }
            if self.eat_keyword(Keyword::Else) {
                otherwise = Some(self.filled_list());
            }
            self.expect_keyword(Keyword::Fi, open, "`if` without `fi`");
            return CommandKind::If { branches: branches.into_bump_slice(), otherwise };
        }
    }

    fn conditional_loop(&mut self, until: bool) -> CommandKind<'a> {
        self.skip_run(stop::WORD);
        let condition = self.filled_list();
        let body = self.do_group();
        CommandKind::Loop { until, condition, body }
    }

    /// `do list done`
    fn do_group(&mut self) -> List<'a> {
        let open = self.position;
        self.expect_keyword(Keyword::Do, open, "`do` is missing");
        if self.stopped {
            return List::default();
        }
        let body = self.filled_list();
        self.expect_keyword(Keyword::Done, open, "`do` without `done`");
        body
    }

    /// The body of `for` and `select`: bash takes `{ list; }` as well.
    fn loop_body(&mut self) -> List<'a> {
        if self.keyword() == Some(Keyword::Open) { self.group() } else { self.do_group() }
    }

    fn for_loop(&mut self, select: bool) -> CommandKind<'a> {
        self.skip_run(stop::WORD);
        self.skip_blanks();
        if !select && self.at_both(b'(', b'(') {
            return self.arithmetic_for();
        }
        let name = self.position;
        self.skip_run(stop::WORD);
        let name = self.joined(name, self.position);
        if name.is_empty() || !ends_word(self.peek()) {
            self.syntax("a variable's name is missing");
        }
        self.skip_blanks();
        let mut words = None;
        if self.at(b';') {
            self.bump();
            self.skip_newlines();
        } else {
            self.skip_newlines();
            if self.at_plain_word("in") {
                self.skip_run(stop::WORD);
                words = Some(self.for_words());
            }
        }
        let body = self.loop_body();
        CommandKind::For { select, name, words, body }
    }

    /// The words behind `in`, and the separator behind them.
    fn for_words(&mut self) -> &'a [Word<'a>] {
        let mut words = self.children();
        loop {
            self.skip_blanks();
            if ends_word(self.peek()) && !self.at_process() {
                break;
            }
            words.push(self.word(Place::Command));
        }
        if !self.at(b'\n') && !self.eat(b';') {
            self.syntax("a separator is missing before the body of the loop");
        }
        self.skip_newlines();
        words.into_bump_slice()
    }

    /// Whether `<(` or `>(` stands at the cursor.
    pub(super) fn at_process(&self) -> bool {
        matches!(self.peek(), Some(b'<' | b'>')) && self.peek_second() == Some(b'(')
    }

    /// Whether the unquoted word `text` stands at the cursor.
    fn at_plain_word(&self, text: &str) -> bool {
        let mut end = self.position;
        for expected in text.bytes() {
            if self.byte(end) != Some(expected) {
                return false;
            }
            end = self.after(end);
        }
        ends_word(self.byte(end))
    }

    fn arithmetic_for(&mut self) -> CommandKind<'a> {
        let open = self.position;
        self.bump();
        self.bump();
        let mut expressions = [Arithmetic::default(); 3];
        for (index, expression) in expressions.iter_mut().enumerate() {
            *expression = self.arithmetic(Closer::ForPart);
            if index < 2 && !self.eat(b';') {
                self.unclosed(open, "`for ((` wants three expressions");
            }
        }
        if !(self.eat(b')') && self.eat(b')')) {
            self.unclosed(open, "`for ((` is not closed");
        }
        self.skip_blanks();
        self.eat(b';');
        self.skip_newlines();
        let body = self.loop_body();
        CommandKind::ArithmeticFor { expressions: self.arena.alloc(expressions), body }
    }

    fn case(&mut self) -> CommandKind<'a> {
        let open = self.position;
        self.skip_run(stop::WORD);
        self.skip_blanks();
        let word = self.word(Place::Command);
        self.skip_newlines();
        if self.at_plain_word("in") {
            self.skip_run(stop::WORD);
        } else {
            self.unclosed(open, "`case` without `in`");
        }
        let mut arms = self.children();
        loop {
            self.skip_newlines();
            if self.eat_keyword(Keyword::Esac) {
                break;
            }
            if self.peek().is_none() {
                self.unclosed(open, "`case` without `esac`");
                break;
            }
            arms.push(self.arm());
        }
        CommandKind::Case { word, arms: arms.into_bump_slice() }
    }

    fn arm(&mut self) -> Arm<'a> {
        if self.eat(b'(') {
            self.skip_blanks();
        }
        let mut patterns = self.children();
        loop {
            self.skip_blanks();
            patterns.push(self.word(Place::Command));
            self.skip_blanks();
            if !self.eat(b'|') {
                break;
            }
        }
        if !self.eat(b')') {
            self.syntax("a pattern of `case` is not followed by `)`");
        }
        let body = self.list();
        let mut falls_through = false;
        if self.eat(b';') {
            self.eat(b';');
            falls_through = self.eat(b'&');
        } else if self.keyword() != Some(Keyword::Esac) {
            self.syntax("an arm of `case` is not closed");
        }
        Arm { patterns: patterns.into_bump_slice(), body, falls_through }
    }

    /// `function name [()] body`
    fn function_keyword(&mut self) -> Command<'a> {
        let start = self.position;
        self.skip_run(stop::WORD);
        self.skip_blanks();
        let name = self.position;
        self.word(Place::Command);
        let name = self.joined(name, self.position);
        self.skip_blanks();
        if self.at(b'(') {
            let open = self.position;
            self.bump();
            self.skip_blanks();
            if !self.eat(b')') {
                // `function f ( list )`: the body is a subshell.
                self.position = open;
            }
        }
        self.function(start, name)
    }

    /// The rest of a function definition: its body, a compound command.
    pub(super) fn function(&mut self, start: usize, name: &'a str) -> Command<'a> {
        self.skip_newlines();
        if !(self.at(b'(') || self.keyword().is_some_and(Keyword::opens_compound)) {
            self.syntax("a function's body is not a compound command");
        }
        let body = self.arena.alloc(self.command());
        Command { kind: CommandKind::Function { name, body }, redirects: &[], span: self.span_from(start) }
    }

    /// `coproc [NAME] command`: there is a name only where a compound command follows it.
    fn coprocess(&mut self) -> Command<'a> {
        let start = self.position;
        self.skip_run(stop::WORD);
        self.skip_blanks();
        let first = self.position;
        let mut name = None;
        if self.keyword().is_none() {
            while self.peek().is_some_and(|byte| is(byte, stop::NAME)) {
                self.bump();
            }
            let text = self.joined(first, self.position);
            let ended = matches!(self.peek(), Some(b' ' | b'\t'));
            self.skip_blanks();
            if ended && is_name(text) && (self.at(b'(') || self.keyword().is_some_and(Keyword::opens_compound)) {
                name = Some(text);
            } else {
                self.position = first;
            }
        }
        let body = self.deeper(|parser| Some(parser.command())).unwrap_or(self.empty_command(first));
        let body = self.arena.alloc(body);
        Command { kind: CommandKind::Coprocess { name, body }, redirects: &[], span: self.span_from(start) }
    }
}

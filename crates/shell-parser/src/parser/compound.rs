//! Compound commands (POSIX XCU 2.9.4; bash manual, section 3.2.5).

use super::cursor::stop;
use super::keyword::Keyword;
use super::word::Place;
use super::{Children, Parser};
use crate::tree::{Arm, Command, CommandKind, List, Redirect};

impl<'a> Parser<'a> {
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

    pub(super) fn empty_command(&self, start: usize) -> Command<'a> {
        let kind = CommandKind::Simple { assignments: &[], words: &[] };
        Command { kind, redirects: &[], span: self.span_from(start) }
    }

    /// The redirections behind a compound command.
    fn redirects(&mut self) -> &'a [Redirect<'a>] {
        let mut redirects = Children::new();
        loop {
            let end = self.position;
            self.skip_blanks();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => {
                    self.position = end;
                    return self.kept(&redirects);
                }
            }
        }
    }

    /// The compound command at the cursor, if one begins there.
    fn compound(&mut self) -> Option<CommandKind<'a>> {
        if self.at(b'(') {
            if self.peek_second() == Some(b'(')
                && let Some(arithmetic) = self.double_parenthesis(false)
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
    pub(super) fn group(&mut self) -> List<'a> {
        let open = self.position;
        self.bump();
        let list = self.filled_list();
        self.expect_keyword(Keyword::Close, open, "`{` is not closed");
        list
    }

    fn if_command(&mut self) -> CommandKind<'a> {
        let open = self.position;
        let mut branches = Children::new();
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
            return CommandKind::If { branches: self.kept(&branches), otherwise };
        }
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
        let mut arms = Children::new();
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
        CommandKind::Case { word, arms: self.kept(&arms) }
    }

    fn arm(&mut self) -> Arm<'a> {
        if self.eat(b'(') {
            self.skip_blanks();
        }
        let mut patterns = Children::new();
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
        Arm { patterns: self.kept(&patterns), body, falls_through }
    }
}

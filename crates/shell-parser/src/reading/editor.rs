//! Commands of editors and pagers that stand in a word (`vim -c '!ls'`, `less +F`).

use super::effects::{Effects, Source};
use crate::Word;
use crate::programs::Role;

/// Adds what a command of vim, ed or less runs and writes; whether that is all that it does.
///
/// `!COMMAND`, also behind a range, `:r`, `:w` or `:silent`, gives the rest of the line to a shell (vim: `:help :!`; ed(1);
/// less(1)). What is not known here is code in the editor's language.
pub(super) fn effects<'a>(effects: &mut Effects<'_, 'a>, word: Word<'a>, index: u32, source: Source) -> bool {
    let Some(text) = word.known() else { return false };
    let mut known = true;
    for line in text.lines() {
        known &= command(effects, line, index, source);
    }
    known
}

fn command<'a>(effects: &mut Effects<'_, 'a>, line: &'a str, index: u32, source: Source) -> bool {
    let mut rest = line.trim_start_matches([':', ' ', '\t']);
    for word in ["silent!", "silent", "sil!", "sil"] {
        if let Some(behind) = rest.strip_prefix(word).filter(|behind| behind.starts_with([' ', '!'])) {
            rest = behind.trim_start();
            break;
        }
    }
    let addressed = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "%$.,;'<>+-".contains(c));
    let named = addressed.trim_end().trim_end_matches('!');
    // A search, a place, or a command that ends, moves, or only changes how text is shown.
    let plain = addressed.trim().is_empty()
        || rest.starts_with(['/', '?'])
        || matches!(
            named,
            "q" | "qa"
                | "qall"
                | "wq"
                | "wqa"
                | "wqall"
                | "x"
                | "xa"
                | "w"
                | "wa"
                | "up"
                | "e"
                | "n"
                | "p"
                | "P"
                | "F"
                | "G"
                | "g"
                | "Gg"
                | "noh"
                | "only"
                | "vsp"
                | "sp"
        )
        || ["set ", "se ", "setlocal ", "syntax ", "colorscheme ", "norm G", "echo "]
            .iter()
            .any(|word| rest.starts_with(word))
            && !rest.contains(['|', '`', '=', '(']);
    if plain {
        return true;
    }
    for verb in ["", "r", "read", "re", "w", "write"] {
        let Some(behind) = addressed.strip_prefix(verb) else { continue };
        let behind = if verb.is_empty() { behind } else { behind.trim_start() };
        if let Some(shell) = behind.strip_prefix('!').filter(|shell| !shell.trim().is_empty()) {
            // `w! FILE` forces a write; `w !COMMAND` has a blank in front.
            let forces = verb.starts_with('w') && addressed.get(verb.len()..).is_some_and(|next| next.starts_with('!'));
            if !forces {
                effects.push_script(effects.arena.alloc([Word::Text(shell.trim_start())]), index);
                return true;
            }
        }
    }
    for verb in ["write!", "write", "w!", "w", "saveas!", "saveas", "sav"] {
        if let Some(file) = addressed.strip_prefix(verb).and_then(|behind| behind.strip_prefix(' ')) {
            let file = file.trim();
            if !file.is_empty() && !file.contains(['|', '`', '%', '$', '*', '>']) {
                effects.path(Role::RIDING_WRITE, Word::Text(file), index, source, true);
                return true;
            }
        }
    }
    false
}

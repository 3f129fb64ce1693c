//! Lossy spellings: texts that a file system or a reader's eye may take for the same.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed as Normalizer;

/// How much of a spelling is dropped before texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fold {
    /// Nothing.
    Exact,
    /// What a case-insensitive volume drops: case, the form of accents (NFC), and the invisible
    /// characters that HFS+ leaves out of names.
    Volume,
    /// What an eye drops too: full-width and styled letters (NFKC), Cyrillic and Greek look-alikes.
    Looks,
}

impl Fold {
    /// `text` without what is dropped. Idempotent; borrows where nothing is.
    pub(crate) fn apply(self, text: &str) -> Cow<'_, str> {
        if self == Self::Exact {
            return Cow::Borrowed(text);
        }
        if text.is_ascii() {
            return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
                Cow::Owned(text.to_ascii_lowercase())
            } else {
                Cow::Borrowed(text)
            };
        }
        let normalizer = if self == Self::Looks { Normalizer::new_nfkc() } else { Normalizer::new_nfc() };
        let mut current = text.to_owned();
        // Changing case can undo a composition and composing can bring forth a letter with case;
        // two rounds settle all of Unicode but oddities, for which the rounds are bounded.
        for _ in 0..4 {
            let visible: String = current.chars().filter(|&c| !invisible(c)).collect();
            let composed = normalizer.normalize(&visible);
            let cased: String = composed.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
            let next = if self == Self::Looks { cased.chars().map(look_alike).collect() } else { cased };
            let next = normalizer.normalize(&next).into_owned();
            if next == current {
                break;
            }
            current = next;
        }
        Cow::Owned(current)
    }
}

/// Characters that HFS+ ignores in names and that no font shows (Apple TN1150, "Case-Insensitive
/// String Comparison"), with the other default-ignorable format characters.
fn invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// The ASCII letter or mark that `c` (lower case) looks like, after the table of confusables of
/// Unicode TS #39; other characters stay.
fn look_alike(c: char) -> char {
    match c {
        'а' | 'ɑ' | 'α' => 'a',
        'в' | 'β' | 'ь' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' | 'ɗ' => 'd',
        'е' | 'ε' | 'ҽ' => 'e',
        'ɡ' => 'g',
        'һ' | 'н' | 'η' => 'h',
        'і' | 'ι' | 'ı' | 'ɩ' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' | 'ⅼ' => 'l',
        'м' | 'μ' => 'm',
        'п' | 'ո' => 'n',
        'о' | 'ο' | 'σ' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ѡ' | 'ω' | 'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        'ζ' => 'z',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '∕' | '⁄' => '/',
        '․' => '.',
        '∶' | 'ː' => ':',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::Fold;

    #[test]
    fn folding() {
        let rows = [
            (Fold::Exact, "ÉA", "ÉA"),
            (Fold::Volume, ".ZSHRC", ".zshrc"),
            (Fold::Volume, "e\u{301}tat", "état"),
            (Fold::Volume, "E\u{301}TAT", "état"),
            (Fold::Volume, ".g\u{200c}it", ".git"),
            (Fold::Volume, "\u{212a}", "k"),
            (Fold::Volume, "ſ", "s"),
            (Fold::Volume, "STRASSE", "strasse"),
            (Fold::Volume, "straße", "strasse"),
            (Fold::Volume, "ｒｍ", "ｒｍ"),
            (Fold::Looks, "ｒｍ", "rm"),
            (Fold::Looks, "ＲＭ", "rm"),
            (Fold::Looks, "сurl", "curl"),
            (Fold::Looks, "СURL", "curl"),
            (Fold::Looks, "𝐫𝐦", "rm"),
            (Fold::Looks, "ѕuԁo", "sudo"),
            (Fold::Looks, "日本語", "日本語"),
            (Fold::Looks, "plain", "plain"),
        ];
        for (fold, text, folded) in rows {
            assert_eq!(fold.apply(text), folded, "{fold:?} {text}");
            assert_eq!(fold.apply(folded), folded, "{fold:?} is idempotent on {folded}");
        }
    }
}

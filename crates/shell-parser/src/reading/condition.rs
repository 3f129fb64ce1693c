//! The paths of `test` and `[`.

use super::options::Found;
use crate::programs::Role;

/// The role of the operand at `position` of a condition (POSIX `test`; bash manual, "Bash Conditional Expressions").
pub(super) fn role(operands: &[Found<'_>], position: usize) -> Role {
    let text = |at: Option<usize>| at.and_then(|at| operands.get(at)).and_then(|operand| operand.text.known());
    let before = text(position.checked_sub(1));
    let behind = text(position.checked_add(1));
    let compares = |text: Option<&str>| matches!(text, Some("-nt" | "-ot" | "-ef"));
    let tests = before.and_then(|text| text.strip_prefix('-')).is_some_and(|letter| {
        letter.len() == 1 && letter.starts_with(|letter: char| "abcdefghkprsuwxGLNOS".contains(letter))
    });
    // In `[ a -a b ]` the letter joins two conditions: nothing tells it from a file test without parsing, and the
    // name that is listed then too many is no more than listed.
    if tests || compares(before) || compares(behind) { Role::LIST } else { Role::TEXT }
}

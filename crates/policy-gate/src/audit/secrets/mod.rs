//! What in a call is a secret.
//!
//! Three ways know one: by its own look or what stands around it ([`shape`]), by the name that is given to it ([`name`]), and
//! by the program that takes it at this place ([`command`]), for which the text is read as the shell reads it.

pub(crate) mod command;
mod input;
pub(crate) mod name;
pub(crate) mod shape;
pub(crate) mod written;

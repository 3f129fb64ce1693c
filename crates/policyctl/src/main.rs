//! The command line over the reader and the matcher.

fn main() {}

//! Links the program for a fast start.

#![expect(clippy::disallowed_methods, reason = "a build script reads its environment")]

use std::env;

/// A position-independent executable has thousands of pointers set each time it starts, in the program
/// tables' and dependencies' constants: a sixth of the time that judging one command takes. Nothing
/// here needs a random address: no part of the program is unsafe code of its own.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

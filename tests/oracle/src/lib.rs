//! What a command really runs.
//!
//! ```text
//! commands ──▶ sandboxes, where every program is a shim ──▶ records of what was started, with which words
//! ```
//!
//! An [`Oracle`] runs a command under a real shell. The root that the shell sees holds nothing but shims, which write down
//! their words, and a few harmless filters, which run for real after that. The sandbox has user, mount, process, network,
//! IPC and UTS namespaces of its own, limits on CPU, memory, processes, file size and wall clock, and one that is started
//! by root is nobody first. It needs Linux with user namespaces, a C compiler with a static C library, and bash.
//!
//! ```no_run
//! use shell_oracle::{Command, Oracle};
//!
//! let oracle = Oracle::new()?;
//! let records = oracle.runs(&[Command::new("X=rm; $X -rf /")]);
//! assert_eq!(records[0].executions[0].words, ["rm", "-rf", "/"]);
//! # Ok::<(), shell_oracle::Unavailable>(())
//! ```

#![expect(clippy::disallowed_methods, reason = "it starts programs, and reads files that they are made from")]

mod command;
mod oracle;
mod record;
mod sandbox;
mod template;

pub use command::{Command, Exits, Shell};
pub use oracle::Oracle;
pub use record::{End, Execution, Record, Start};
pub use template::{Programs, Unavailable};

//! `policyctl gate`: the door as a co-process.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use policy_gate::audit::{ChainKey, FileLog};
use policy_gate::coprocess::Coprocess;
use policy_gate::protocol::Protocol;
use policy_gate::{Door, MemoryStore};
use policy_matcher::Policies;

use crate::cli;
use crate::context::Surroundings;
use crate::eval;
use crate::failure::Failure;
use crate::policies::{Folders, Loaded};

/// The client has closed its end.
const ENDED: u8 = 0;

/// Answers calls on standard input until it ends.
///
/// # Errors
/// Where a policy has a problem, or a file or the input cannot be read: nothing was let through then.
pub fn run(arguments: &cli::Gate) -> Result<u8, Failure> {
    let surroundings = Surroundings::new(&arguments.place)?;
    let named = &arguments.policies.names;
    let (layers, _) = Loaded::in_force(named, &Folders::of(&surroundings))?.layers(!named.is_empty())?;
    let context = eval::context(&surroundings, &arguments.context)?;
    let approvals = MemoryStore::default();
    let patience = Duration::from_secs(arguments.ask_timeout);
    let coprocess = Coprocess::new(protocol(arguments.protocol), patience, io::stdout());
    let policies = Arc::new(Policies::of_layers(layers));
    let mut door = Door::new(policies, context, surroundings.files(), &approvals);
    door.approver = &coprocess;
    door.session.clone_from(&arguments.session);
    let log = match &arguments.audit {
        Some(path) => Some(FileLog::new(path, key(arguments.key.as_deref())?)),
        None => None,
    };
    if let Some(log) = &log {
        // What an earlier run began does not run again.
        door.set_ran(log.started().map_err(|error| Failure::Argument(error.to_string()))?);
        door.audit = log;
    }
    coprocess.run(&door, io::stdin().lock()).map_err(|error| Failure::Read { path: "-".into(), error })?;
    Ok(ENDED)
}

const fn protocol(named: cli::Protocol) -> Protocol {
    match named {
        cli::Protocol::OpenAiChat => Protocol::OpenAiChat,
        cli::Protocol::OpenAiResponses => Protocol::OpenAiResponses,
        cli::Protocol::Anthropic => Protocol::Anthropic,
        cli::Protocol::Mcp => Protocol::Mcp,
    }
}

/// The key in a file; without a file, none.
///
/// # Errors
/// Where the file cannot be read, or is empty: a log that somebody wants sealed is never without.
pub fn key(path: Option<&Path>) -> Result<ChainKey, Failure> {
    let Some(path) = path else { return Ok(ChainKey::default()) };
    let key = crate::audit::bytes(path)?;
    if key.is_empty() {
        return Err(Failure::Argument(format!("the key in `{}` is empty", path.display())));
    }
    Ok(ChainKey::new(key))
}

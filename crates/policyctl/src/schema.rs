//! `policyctl schema`: the policy language as a JSON Schema.

use std::io::{self, Write as _};

use crate::failure::Failure;

/// Prints the schema.
///
/// # Errors
/// Where the answer cannot be written.
pub fn run() -> Result<u8, Failure> {
    let schema = policy_matcher::schema();
    let text = serde_json::to_string_pretty(&schema).map_err(io::Error::from)? + "\n";
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(0)
}

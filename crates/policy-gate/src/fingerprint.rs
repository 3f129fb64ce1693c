//! What an approval is bound to.

use std::fmt::{self, Write as _};
use std::path::Path;

use policy_matcher::{Call, Context, Policies};
use sha2::{Digest as _, Sha256};
use shell_parser::Files;

use crate::call::ToolCall;
use crate::identity::{identity, looked_up, search_path};

/// The digest of one canonical call and of all that its meaning depends on: SHA-256 over the tool, the arguments byte for
/// byte as received, the whole context, the policies, where each path that the call names leads (device and file number,
/// the content where it is run or read as code), and where the names of its programs are found.
///
/// It changes whenever one of these does, and stays the same otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of `call` as it stands now. `judged`: the same call as [`ToolCall::parsed`] gives it.
    #[must_use]
    pub fn of(call: &ToolCall, judged: &Call, policies: &Policies, context: &Context, files: &dyn Files) -> Self {
        let mut hash = Sha256::new();
        let mut part = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        part(&call.tool);
        part(&call.arguments);
        // Tool, canonical arguments, context and policies, as every decision names them.
        part(&policies.decision(judged, context, files).call_digest);
        if files.present() {
            let touched = policies.touched(judged, context, files);
            for (path, runs) in &touched.paths {
                part(path);
                part(&identity(Path::new(path), *runs));
            }
            let search = search_path();
            for name in &touched.programs {
                part(name);
                let found = looked_up(name, search.as_deref());
                part(&found.map_or_else(String::new, |file| identity(&file, false)));
            }
        }
        Self(format!("sha256:{}", hexadecimal(&hash.finalize())))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// `bytes` in hexadecimal, lower case.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

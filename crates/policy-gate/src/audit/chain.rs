//! Each record holds the hash of the one before it.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::fingerprint::hexadecimal;

/// What the first record holds in place of a hash.
pub(crate) const BEGINNING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What stands between a record and its hash.
const SEAM: &str = ",\"hash\":\"";

/// How a record is sealed: by SHA-256, which shows what was changed by mistake, or by HMAC-SHA-256 with a key, without
/// which nobody can write the chain anew.
#[derive(Clone, Default)]
pub struct ChainKey(Option<Vec<u8>>);

impl std::fmt::Debug for ChainKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(if self.0.is_some() { "ChainKey(…)" } else { "ChainKey(none)" })
    }
}

impl ChainKey {
    /// A key.
    #[must_use]
    pub fn new(key: Vec<u8>) -> Self {
        Self(Some(key))
    }

    /// The hash of a text, in hexadecimal.
    fn hash(&self, text: &str) -> String {
        if let Some(key) = &self.0
            && let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key)
        {
            mac.update(text.as_bytes());
            return hexadecimal(&mac.finalize().into_bytes());
        }
        hexadecimal(&Sha256::digest(text))
    }

    /// The digest of a text that nobody without the key can try guesses at; `None`: there is no key.
    pub(crate) fn keyed_digest(&self, text: &str) -> Option<String> {
        self.0.as_ref().map(|_| format!("hmac-sha256:{}", self.hash(text)))
    }

    /// The line of a record: its JSON, which is an object, with its hash as the last member. And the hash.
    pub(crate) fn sealed(&self, record: &str) -> (String, String) {
        let hash = self.hash(record);
        let open = record.strip_suffix('}').unwrap_or(record);
        (format!("{open}{SEAM}{hash}\"}}"), hash)
    }

    /// The record and the hash of a line, where the hash is that of the record.
    pub(crate) fn opened<'l>(&self, line: &'l str) -> Option<(String, &'l str)> {
        let (open, rest) = line.rsplit_once(SEAM)?;
        let hash = rest.strip_suffix("\"}")?;
        let record = format!("{open}}}");
        (hash.len() == BEGINNING.len() && self.hash(&record) == hash).then_some((record, hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_record_opens_with_its_key_alone() {
        let (plain, keyed) = (ChainKey::default(), ChainKey::new(b"k".to_vec()));
        let (line, hash) = plain.sealed(r#"{"a":1}"#);
        assert_eq!(plain.opened(&line), Some((r#"{"a":1}"#.to_owned(), &*hash)));
        assert_eq!(keyed.opened(&line), None);
        let (line, _) = keyed.sealed(r#"{"a":1}"#);
        assert!(keyed.opened(&line).is_some() && plain.opened(&line).is_none());
        assert!(ChainKey::new(b"other".to_vec()).opened(&line).is_none());
        for broken in ["", "{}", line.trim_start_matches('{'), line.trim_end_matches('}'), &line.replace('1', "2")] {
            assert_eq!(keyed.opened(broken), None, "{broken}");
        }
    }
}

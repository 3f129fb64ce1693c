//! Where texts come from: every text that is read again knows the bytes that it was made of.

use std::collections::BTreeMap;

use crate::{SourceMap, Span};

/// The texts that were registered, by address.
#[derive(Debug, Default)]
pub(crate) struct Sources<'a> {
    texts: BTreeMap<usize, (usize, SourceMap<'a>)>,
}

impl<'a> Sources<'a> {
    /// Says where `text` came from.
    pub fn register(&mut self, text: &'a str, map: SourceMap<'a>) {
        if !text.is_empty() {
            self.texts.insert(text.as_ptr() as usize, (text.len(), map));
        }
    }

    /// Where `text`, a part of a registered text, came from.
    pub fn map(&self, text: &str) -> Option<SourceMap<'a>> {
        let address = text.as_ptr() as usize;
        let (start, (length, map)) = self.texts.range(..=address).next_back()?;
        let offset = address - start;
        if text.is_empty() || offset + text.len() > *length {
            return None;
        }
        Some(match *map {
            SourceMap::Shifted(base) => {
                SourceMap::Shifted(base.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)))
            }
            SourceMap::Whole(span) => SourceMap::Whole(span),
            SourceMap::Bytes(bytes) => SourceMap::Bytes(bytes.get(offset..).unwrap_or(&[])),
        })
    }

    /// The span that `text` came from, or `otherwise`.
    pub fn span(&self, text: &str, otherwise: Span) -> Span {
        self.map(text).map_or(otherwise, |map| map.span(0, text.len()))
    }
}

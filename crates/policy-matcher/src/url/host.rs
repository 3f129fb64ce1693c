//! Hosts: names and addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The host of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Host {
    /// A name in punycode, lower case, without a trailing dot.
    Name(String),
    /// An address, however it was spelled.
    Address(IpAddr),
    /// The URL has no host (`file:///x`, `data:`).
    None,
}

impl Host {
    /// The host of a URL that was read as the WHATWG standard says.
    pub(super) fn of(url: &url::Url) -> Self {
        match url.host() {
            Some(url::Host::Domain(name)) => Self::named(name),
            Some(url::Host::Ipv4(address)) => Self::Address(IpAddr::V4(address)),
            Some(url::Host::Ipv6(address)) => Self::Address(IpAddr::V6(address)),
            None => Self::None,
        }
    }

    /// The host that `text` spells; `None`: it spells none.
    pub(super) fn parsed(text: &str) -> Option<Self> {
        match url::Host::parse(text).ok()? {
            url::Host::Domain(name) => Some(Self::named(&name)),
            url::Host::Ipv4(address) => Some(Self::Address(IpAddr::V4(address))),
            url::Host::Ipv6(address) => Some(Self::Address(IpAddr::V6(address))),
        }
    }

    /// Schemes that the standard does not know keep their hosts as opaque text: it is read again.
    fn named(name: &str) -> Self {
        let name = name.strip_suffix('.').unwrap_or(name);
        match url::Host::parse(name) {
            Ok(url::Host::Ipv4(address)) => Self::Address(IpAddr::V4(address)),
            Ok(url::Host::Domain(parsed)) => Self::Name(parsed.to_ascii_lowercase()),
            _ => Self::Name(name.to_ascii_lowercase()),
        }
    }

    /// Whether it is this machine, a private network, or the link: addresses of RFC 1918, 6598,
    /// 3927, 4193 and 4291, names of RFC 6761 and 6762, and the names of clouds' metadata servers.
    pub(super) fn is_private(&self) -> bool {
        match self {
            Self::Address(IpAddr::V4(address)) => private_v4(*address),
            Self::Address(IpAddr::V6(address)) => private_v6(*address),
            Self::Name(name) => {
                let ends =
                    |suffix: &str| name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
                // A name without a dot is looked up in the local network.
                !name.contains('.')
                    || ["localhost", "localdomain", "local", "internal", "home.arpa", "lan", "intranet"]
                        .iter()
                        .any(|suffix| ends(suffix))
                    // Wildcard names whose addresses are spelled in them.
                    || ["nip.io", "sslip.io", "localtest.me", "lvh.me"].iter().any(|suffix| ends(suffix))
            }
            Self::None => false,
        }
    }
}

fn private_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || address.is_broadcast()
        || a == 0
        || (a == 100 && (64..128).contains(&b))
}

fn private_v6(address: Ipv6Addr) -> bool {
    // ::ffff:a.b.c.d, ::a.b.c.d, 64:ff9b::a.b.c.d and 2002:… hold an address of version 4.
    let [a, b, c, d, e, f, g, h] = address.segments();
    let v4 = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        private_v4(Ipv4Addr::new(a, b, c, d))
    };
    let inner = match (a, b, c, d, e, f) {
        (0, 0, 0, 0, 0, 0 | 0xffff) | (0, 0, 0, 0, 0xffff, 0) | (0x64, 0xff9b, 0, 0, 0, 0) => v4(g, h),
        (0x2002, ..) => v4(b, c),
        _ => false,
    };
    inner
        || address.is_loopback()
        || address.is_unspecified()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        // Site-local, deprecated and still routed by some.
        || a & 0xffc0 == 0xfec0
}

/// Whether the pattern `own` takes `host`: `*.example.com` its subdomains alone, `*` every host.
pub(super) fn matches(own: &str, host: &Host) -> bool {
    let Some(suffix) = own.strip_prefix("*.") else {
        return match host {
            Host::None => false,
            _ if own == "*" => true,
            _ => pattern_host(own).as_ref() == Some(host),
        };
    };
    match (pattern_host(suffix), host) {
        (Some(Host::Name(suffix)), Host::Name(name)) => {
            name.strip_suffix(&*suffix).and_then(|rest| rest.strip_suffix('.')).is_some_and(|rest| !rest.is_empty())
        }
        _ => false,
    }
}

/// The host that a pattern names; addresses of version 6 with or without brackets.
fn pattern_host(own: &str) -> Option<Host> {
    if own.matches(':').count() > 1 && !own.starts_with('[') {
        return Host::parsed(&format!("[{own}]"));
    }
    // Plain names, the usual case, are not parsed.
    if own.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'.' || byte == b'-') && !own.ends_with('.') {
        return Some(Host::Name(own.to_owned()));
    }
    Host::parsed(own)
}

/// Whether a name that ends in `known` may be taken by the pattern `own`.
pub(super) fn may_end_in(own: &str, known: &str) -> bool {
    let own = own.strip_prefix('*').unwrap_or(own).to_ascii_lowercase();
    let known = known.strip_suffix('.').unwrap_or(known).to_ascii_lowercase();
    // Another spelling than plain ASCII may become anything.
    !known.is_ascii() || known.contains('%') || own.ends_with(&known) || known.ends_with(&own)
}

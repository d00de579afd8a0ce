//! Who asks: a cookie that holds a number and nothing else, or the address where there is none.
//!
//! The number is random and sealed by a key of this server, so that nobody can be many visitors by
//! making numbers up.

use std::fmt::Write as _;
use std::net::IpAddr;

use axum::http::header::{self, HeaderMap, HeaderValue};
use hmac_sha256::HMAC;

/// The name of the cookie.
const NAME: &str = "visitor";

/// Bytes of the seal.
const SEAL: usize = 16;

/// One visitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Visitor {
    /// By the number of the cookie.
    Cookie(u64),
    /// By the address that the request comes from.
    Address(IpAddr),
}

/// Gives cookies, and reads them.
pub(super) struct Visitors {
    key: [u8; 32],
}

fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Keys of the standard library's hashes come from the system's source of random numbers.
    RandomState::new().build_hasher().finish()
}

impl Visitors {
    pub fn new() -> Self {
        let mut key = [0; 32];
        for bytes in key.chunks_mut(8) {
            bytes.copy_from_slice(&random().to_le_bytes());
        }
        Visitors { key }
    }

    fn sealed(&self, number: u64) -> String {
        let seal = HMAC::mac(number.to_le_bytes(), self.key);
        let mut text = format!("{number:016x}");
        for byte in &seal[..SEAL] {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// The number of a cookie that this server has given.
    fn number(&self, text: &str) -> Option<u64> {
        let number = u64::from_str_radix(text.get(..16)?, 16).ok()?;
        (self.sealed(number) == text).then_some(number)
    }

    /// Who sends these headers from this address.
    pub fn who(&self, headers: &HeaderMap, address: IpAddr) -> Visitor {
        let cookies = headers.get_all(header::COOKIE).iter();
        let texts = cookies.filter_map(|cookies| cookies.to_str().ok());
        let pairs = texts.flat_map(|cookies| cookies.split(';'));
        let own = pairs.filter_map(|pair| pair.trim().strip_prefix(NAME)?.strip_prefix('='));
        own.filter_map(|text| self.number(text))
            .next()
            .map_or(Visitor::Address(address), Visitor::Cookie)
    }

    /// A cookie for a new visitor: for this session, for no script and no other site.
    pub fn cookie(&self) -> Option<HeaderValue> {
        let text = format!(
            "{NAME}={}; Path=/; HttpOnly; SameSite=Strict",
            self.sealed(random())
        );
        HeaderValue::from_str(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn with(cookie: &str) -> HeaderMap {
        let value = HeaderValue::from_str(cookie).unwrap();
        HeaderMap::from_iter([(header::COOKIE, value)])
    }

    #[test]
    fn a_visitor_is_known_by_the_cookie_that_was_given() {
        let visitors = Visitors::new();
        let given = visitors.cookie().unwrap();
        let given = given.to_str().unwrap().split(';').next().unwrap();
        let first = visitors.who(&with(&format!("other=1; {given}")), HERE);
        assert!(matches!(first, Visitor::Cookie(_)));
        assert_eq!(visitors.who(&with(given), HERE), first);
        assert_eq!(
            Visitors::new().who(&with(given), HERE),
            Visitor::Address(HERE)
        );
    }

    #[test]
    fn a_number_that_was_made_up_is_nobody() {
        let visitors = Visitors::new();
        for made_up in ["", "visitor=", "visitor=1", &format!("visitor={:048x}", 7)] {
            assert_eq!(
                visitors.who(&with(made_up), HERE),
                Visitor::Address(HERE),
                "{made_up}"
            );
        }
    }
}

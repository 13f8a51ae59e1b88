//! What an IP address is: public, or one of the kinds that lead inside. After the special-purpose registries of IANA
//! and the addresses at which clouds answer their machines.
//!
//! Not which of them may be reached, beyond the ranges that a rule names.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of an address. Only [`Public`](Self::Public) ones are reached where a rule names no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressClass {
    /// Anybody's, on the internet.
    Public,
    /// No address, or "this network".
    Unspecified,
    /// Of a private network.
    Private,
    /// This machine.
    Loopback,
    /// The wire next to this machine.
    LinkLocal,
    /// Of a carrier's translated network.
    CarrierNat,
    /// A private network of version 6.
    UniqueLocal,
    /// For measurements.
    Benchmark,
    /// For documents.
    Documentation,
    /// Many at once.
    Multicast,
    /// All at once.
    Broadcast,
    /// Version 6 that is translated to version 4.
    Nat64,
    /// Version 4 inside of version 6.
    SixToFour,
    /// Version 4 inside of version 6, through a relay.
    Teredo,
    /// Where a cloud tells a machine its secrets.
    Metadata,
    /// Kept for something else.
    Reserved,
}

impl AddressClass {
    /// The class of an address; one of version 4 that is written as version 6 counts as version 4.
    pub fn of(address: IpAddr) -> Self {
        let address = address.to_canonical();
        if METADATA.contains(&address) {
            return Self::Metadata;
        }
        match address {
            IpAddr::V4(four) => RANGES_4
                .iter()
                .find(|(base, prefix, _)| four_in(four, Ipv4Addr::from(*base), *prefix))
                .map_or(Self::Public, |(_, _, class)| *class),
            IpAddr::V6(six) => RANGES_6
                .iter()
                .find(|(base, prefix, _)| six_in(six, Ipv6Addr::from(*base), *prefix))
                .map_or(Self::Reserved, |(_, _, class)| *class),
        }
    }
}

const METADATA: [IpAddr; 8] = [
    IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 170, 2)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 170, 23)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
];

use AddressClass as C;

/// Narrower ranges stand before wider ones; what is in none is public.
const RANGES_4: [([u8; 4], u8, AddressClass); 16] = [
    ([0, 0, 0, 0], 8, C::Unspecified),
    ([10, 0, 0, 0], 8, C::Private),
    ([100, 64, 0, 0], 10, C::CarrierNat),
    ([127, 0, 0, 0], 8, C::Loopback),
    ([169, 254, 0, 0], 16, C::LinkLocal),
    ([172, 16, 0, 0], 12, C::Private),
    ([192, 0, 0, 0], 24, C::Reserved),
    ([192, 0, 2, 0], 24, C::Documentation),
    ([192, 88, 99, 0], 24, C::SixToFour),
    ([192, 168, 0, 0], 16, C::Private),
    ([198, 18, 0, 0], 15, C::Benchmark),
    ([198, 51, 100, 0], 24, C::Documentation),
    ([203, 0, 113, 0], 24, C::Documentation),
    ([224, 0, 0, 0], 4, C::Multicast),
    ([255, 255, 255, 255], 32, C::Broadcast),
    ([240, 0, 0, 0], 4, C::Reserved),
];

/// Narrower ranges stand before wider ones; what is in none is reserved.
const RANGES_6: [([u16; 8], u8, AddressClass); 16] = [
    ([0; 8], 128, C::Unspecified),
    ([0, 0, 0, 0, 0, 0, 0, 1], 128, C::Loopback),
    ([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, C::Nat64),
    ([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, C::Nat64),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, C::Teredo),
    ([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, C::Benchmark),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, C::Reserved),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, C::Documentation),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, C::SixToFour),
    ([0x3ffe, 0, 0, 0, 0, 0, 0, 0], 16, C::Reserved),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, C::Documentation),
    ([0x2000, 0, 0, 0, 0, 0, 0, 0], 3, C::Public),
    ([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, C::UniqueLocal),
    ([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, C::LinkLocal),
    ([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, C::Private),
    ([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, C::Multicast),
];

fn four_in(address: Ipv4Addr, base: Ipv4Addr, prefix: u8) -> bool {
    let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0);
    u32::from(address) & mask == u32::from(base) & mask
}

fn six_in(address: Ipv6Addr, base: Ipv6Addr, prefix: u8) -> bool {
    let mask = u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or(0);
    u128::from(address) & mask == u128::from(base) & mask
}

/// The address of version 4 that a translated one leads to.
fn translated(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let bits = u128::from(address);
    let low = |shift: u32| u32::try_from((bits >> shift) & u128::from(u32::MAX)).ok().map(Ipv4Addr::from);
    match AddressClass::of(IpAddr::V6(address)) {
        AddressClass::Nat64 => low(0),
        AddressClass::SixToFour => low(80),
        _ => None,
    }
}

/// The addresses that a rule means: public ones, or those in named ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Networks {
    pub(super) public: bool,
    pub(super) ranges: Vec<Range>,
}

impl Networks {
    pub(super) const PUBLIC: Self = Self { public: true, ranges: Vec::new() };

    /// As they are written, one after the other.
    #[cfg(feature = "policy-file")]
    pub(super) fn told(&self) -> String {
        let ranges = self.ranges.iter().map(Range::to_string);
        self.public.then(|| "public".to_owned()).into_iter().chain(ranges).collect::<Vec<_>>().join(", ")
    }

    /// Whether this address is meant. One where a cloud tells secrets must be named alone; one that is translated must
    /// be meant as what it leads to, too.
    pub(super) fn allow(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let class = AddressClass::of(address);
        let named = self
            .ranges
            .iter()
            .any(|range| range.contains(address) && (class != AddressClass::Metadata || range.is_one_address()));
        let inside = match address {
            IpAddr::V6(six) if named => translated(six).is_none_or(|four| self.allow(IpAddr::V4(four))),
            _ => true,
        };
        (named && inside) || (self.public && class == AddressClass::Public)
    }
}

/// A range of addresses, such as `10.20.0.0/16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    base: IpAddr,
    prefix: u8,
}

impl Range {
    pub(super) fn one(address: IpAddr) -> Self {
        let address = address.to_canonical();
        Self { base: address, prefix: bits_of(address) }
    }

    /// Reads a range or an address; what is wrong with it otherwise.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let (base, prefix) = text.split_once('/').map_or((text, None), |(base, prefix)| (base, Some(prefix)));
        let base: IpAddr =
            base.parse().map_err(|_| "a network is `public`, an address, or a range such as `10.20.0.0/16`")?;
        if base != base.to_canonical() {
            return Err("an address of version 4 is written as one");
        }
        let bits = bits_of(base);
        let prefix = match prefix {
            None => bits,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().ok().filter(|prefix| *prefix <= bits).ok_or("the number after the `/` is too large")?
            }
            Some(_) => return Err("after the `/` stands the number of bits that all addresses share"),
        };
        if prefix < if base.is_ipv4() { 8 } else { 7 } {
            return Err("the range is more than any network; name the networks that are meant, or `public`");
        }
        let range = Self { base, prefix };
        if range.first() != base {
            return Err("the address has bits beyond the range; begin with the first address of the range");
        }
        Ok(range)
    }

    fn first(self) -> IpAddr {
        match self.base {
            IpAddr::V4(four) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.prefix)).unwrap_or(0);
                IpAddr::V4(Ipv4Addr::from(u32::from(four) & mask))
            }
            IpAddr::V6(six) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.prefix)).unwrap_or(0);
                IpAddr::V6(Ipv6Addr::from(u128::from(six) & mask))
            }
        }
    }

    fn contains(self, address: IpAddr) -> bool {
        match (address, self.base) {
            (IpAddr::V4(address), IpAddr::V4(base)) => four_in(address, base, self.prefix),
            (IpAddr::V6(address), IpAddr::V6(base)) => six_in(address, base, self.prefix),
            _ => false,
        }
    }

    fn is_one_address(self) -> bool {
        self.prefix == bits_of(self.base)
    }
}

const fn bits_of(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.base, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(text: &str) -> AddressClass {
        AddressClass::of(text.parse().unwrap())
    }

    #[test]
    fn only_public_addresses_are_public() {
        for (text, expected) in [
            ("93.184.216.34", C::Public),
            ("2606:2800:220:1::1", C::Public),
            ("::ffff:93.184.216.34", C::Public),
            ("0.1.2.3", C::Unspecified),
            ("::", C::Unspecified),
            ("10.0.0.1", C::Private),
            ("::ffff:10.0.0.1", C::Private),
            ("172.31.255.255", C::Private),
            ("192.168.1.1", C::Private),
            ("fec0::1", C::Private),
            ("100.64.1.1", C::CarrierNat),
            ("127.0.0.53", C::Loopback),
            ("::1", C::Loopback),
            ("169.254.1.1", C::LinkLocal),
            ("fe80::1", C::LinkLocal),
            ("fd12::1", C::UniqueLocal),
            ("192.0.0.8", C::Reserved),
            ("::127.0.0.1", C::Reserved),
            ("240.0.0.1", C::Reserved),
            ("2001:10::1", C::Reserved),
            ("3ffe::1", C::Reserved),
            ("100::1", C::Reserved),
            ("4000::1", C::Reserved),
            ("198.18.0.1", C::Benchmark),
            ("2001:2::1", C::Benchmark),
            ("203.0.113.7", C::Documentation),
            ("2001:db8::1", C::Documentation),
            ("224.0.0.251", C::Multicast),
            ("ff02::1", C::Multicast),
            ("255.255.255.255", C::Broadcast),
            ("64:ff9b::a00:1", C::Nat64),
            ("64:ff9b:1::1", C::Nat64),
            ("2002:7f00:1::", C::SixToFour),
            ("192.88.99.1", C::SixToFour),
            ("2001::1", C::Teredo),
            ("169.254.169.254", C::Metadata),
            ("::ffff:169.254.169.254", C::Metadata),
            ("fd00:ec2::254", C::Metadata),
            ("168.63.129.16", C::Metadata),
        ] {
            assert_eq!(class(text), expected, "{text}");
        }
    }

    fn networks(ranges: &[&str]) -> Networks {
        Networks { public: false, ranges: ranges.iter().map(|text| Range::parse(text).unwrap()).collect() }
    }

    #[test]
    fn a_range_allows_its_addresses_and_no_others() {
        let named = networks(&["10.20.0.0/16", "::1"]);
        for (text, allowed) in [
            ("10.20.3.4", true),
            ("::ffff:10.20.3.4", true),
            ("::1", true),
            ("10.21.0.1", false),
            ("93.184.216.34", false),
            ("127.0.0.1", false),
        ] {
            assert_eq!(named.allow(text.parse().unwrap()), allowed, "{text}");
        }
    }

    #[test]
    fn where_secrets_are_told_must_be_named_alone() {
        let metadata = "169.254.169.254".parse().unwrap();
        assert!(!networks(&["169.254.0.0/16"]).allow(metadata));
        assert!(networks(&["169.254.169.254"]).allow(metadata));
    }

    #[test]
    fn a_translated_address_must_be_meant_as_what_it_leads_to() {
        let translated = "64:ff9b::a00:1".parse().unwrap();
        assert!(!networks(&["64:ff9b::/96"]).allow(translated));
        assert!(networks(&["64:ff9b::/96", "10.0.0.0/8"]).allow(translated));
    }

    #[test]
    fn ranges_that_mean_all_or_nothing_are_refused() {
        for wrong in [
            "0.0.0.0/0",
            "::/0",
            "10.20.3.4/16",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0/8",
            "",
            "::ffff:10.0.0.1",
        ] {
            assert!(Range::parse(wrong).is_err(), "{wrong}");
        }
    }
}

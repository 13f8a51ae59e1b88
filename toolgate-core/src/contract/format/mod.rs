//! The string formats that are asserted. A format that isn't here is refused at registration,
//! because a format that only decorates is a check nobody makes.

mod name;
mod time;
mod uri;

use super::pattern::is_ecma_regex;
use super::rule::Format;

impl Format {
    const ALL: [(&'static str, Self); 17] = [
        ("date", Self::Date),
        ("time", Self::Time),
        ("date-time", Self::DateTime),
        ("duration", Self::Duration),
        ("uuid", Self::Uuid),
        ("ipv4", Self::Ipv4),
        ("ipv6", Self::Ipv6),
        ("email", Self::Email),
        ("idn-email", Self::IdnEmail),
        ("hostname", Self::Hostname),
        ("uri", Self::Uri),
        ("uri-reference", Self::UriReference),
        ("iri", Self::Iri),
        ("iri-reference", Self::IriReference),
        ("json-pointer", Self::JsonPointer),
        ("relative-json-pointer", Self::RelativeJsonPointer),
        ("regex", Self::Regex),
    ];

    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, format)| *format)
    }

    pub(super) fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }

    pub(super) fn allows(self, text: &str) -> bool {
        match self {
            Self::Date => time::is_date(text),
            Self::Time => time::is_time(text),
            Self::DateTime => time::is_date_time(text),
            Self::Duration => time::is_duration(text),
            Self::Uuid => name::is_uuid(text),
            Self::Ipv4 => text.parse::<std::net::Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<std::net::Ipv6Addr>().is_ok(),
            Self::Email => text.is_ascii() && name::is_email(text),
            Self::IdnEmail => name::is_email(text),
            Self::Hostname => name::is_hostname(text),
            Self::Uri => text.is_ascii() && uri::is_absolute(text),
            Self::UriReference => text.is_ascii() && uri::is_reference(text),
            Self::Iri => uri::is_absolute(text),
            Self::IriReference => uri::is_reference(text),
            Self::JsonPointer => name::is_json_pointer(text),
            Self::RelativeJsonPointer => name::is_relative_json_pointer(text),
            Self::Regex => is_ecma_regex(text),
        }
    }
}

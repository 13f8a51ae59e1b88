//! Names of tools as a provider takes them, and back. A name that it takes is kept; any other is
//! mapped to one that depends on nothing but itself, so that a conversation outlives a change of the
//! set of tools.

use std::collections::BTreeMap;

use super::Dialect;
use crate::ledger::framed_digest;

/// Longest name that all providers take.
const MAX_NAME: usize = 64;
/// Hexadecimal digits of the digest in a mapped name.
const DIGITS: usize = 8;

/// The names of a set of tools, in one dialect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// Name for the model to name of the tool; only those that differ.
    mapped: BTreeMap<String, String>,
}

impl Dialect {
    /// Whether a tool may be called that.
    fn takes(self, name: &str) -> bool {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let (longest, dots) = match self {
            Self::Mcp => (128, true),
            Self::Gemini => (MAX_NAME, true),
            _ => (MAX_NAME, false),
        };
        let first = name
            .chars()
            .next()
            .is_some_and(|first| self != Self::Gemini || first.is_ascii_alphabetic() || first == '_');
        first && name.len() <= longest && name.bytes().all(|byte| word(byte) || (dots && byte == b'.'))
    }
}

impl Names {
    /// The names of these tools in a dialect.
    pub(super) fn of(dialect: Dialect, names: &[&str]) -> Self {
        let mut mapped = BTreeMap::new();
        for name in names.iter().filter(|name| !dialect.takes(name)) {
            let digest = framed_digest("toolgate.name.v1", &[name.as_bytes()]);
            // Another tool may be called like a mapped one, by accident or not; a longer digest is another name.
            let free = (DIGITS..=MAX_NAME - 2)
                .map(|digits| candidate(name, &digest, digits))
                .find(|candidate| !mapped.contains_key(candidate) && names.iter().all(|other| other != candidate));
            if let Some(free) = free {
                mapped.insert(free, (*name).to_owned());
            }
        }
        Self { mapped }
    }

    /// The name that the model knows a tool by.
    pub fn for_model<'n>(&'n self, tool: &'n str) -> &'n str {
        self.mapped.iter().find(|(_, own)| *own == tool).map_or(tool, |(shown, _)| shown)
    }

    /// The tool that the model means by a name; an unknown name is its own.
    pub fn tool<'n>(&'n self, name: &'n str) -> &'n str {
        self.mapped.get(name).map_or(name, String::as_str)
    }
}

/// The plain letters of a name, and enough of its digest to tell it from others.
fn candidate(name: &str, digest: &str, digits: usize) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let first = if name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') { "" } else { "_" };
    let letters = first.chars().chain(name.chars().map(|letter| if plain(letter) { letter } else { '_' }));
    let digits: String = digest.chars().take(digits).collect();
    let kept: String = letters.take(MAX_NAME - 1 - digits.len()).collect();
    format!("{kept}_{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_fit_stay_and_others_come_back() {
        let long = "n".repeat(70);
        let names = ["plain", "calendar.respondToEvent", "3d_print", long.as_str(), "a b/c"];
        for dialect in Dialect::ALL {
            let map = Names::of(*dialect, &names);
            assert_eq!(map.for_model("plain"), "plain");
            for name in names {
                let shown = map.for_model(name);
                assert!(dialect.takes(shown), "{dialect}: {shown}");
                assert_eq!(map.tool(shown), name, "{dialect}");
                let alone = Names::of(*dialect, &[name]);
                assert_eq!(alone.for_model(name), shown, "a name depends on itself only");
            }
        }
        assert_eq!(Names::of(Dialect::Mcp, &names).for_model(names[1]), names[1]);
        assert!(Names::of(Dialect::Gemini, &names).for_model(names[2]).starts_with("_3d_print_"));
    }

    #[test]
    fn a_tool_that_is_called_like_a_mapped_one_does_not_take_its_calls() {
        let victim = "mail.send";
        let first = Names::of(Dialect::OpenAi, &[victim]);
        let thief = first.for_model(victim).to_owned();
        let both = [thief.as_str(), victim];
        let map = Names::of(Dialect::OpenAi, &both);
        assert_eq!(map.for_model(&thief), thief);
        assert_ne!(map.for_model(victim), thief);
        assert_eq!((map.tool(&thief), map.tool(map.for_model(victim))), (thief.as_str(), victim));
    }
}

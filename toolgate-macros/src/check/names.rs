//! Names: which are allowed for tools, and which say that a parameter is a resource.

use syn::LitStr;

use crate::errors::Errors;
use crate::messages;
use crate::syntax::Keyed;

/// The tool's name: the one given, or the function's.
pub(super) fn tool(given: Option<&Keyed<LitStr>>, ident: &str, errors: &mut Errors) -> String {
    match given {
        Some(given) => {
            let name = given.value.value();
            if !is_tool_name(&name) {
                errors.at(given.value.span(), messages::name_illegal(&name));
            }
            name
        }
        None => ident.to_owned(),
    }
}

/// 1 to 64 of `[a-zA-Z0-9_-]`: what every provider takes.
pub(super) fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_' || letter == b'-')
}

const FILE_WORDS: &[&str] = &[
    "path",
    "paths",
    "filepath",
    "file",
    "files",
    "filename",
    "filenames",
    "dir",
    "dirs",
    "directory",
    "directories",
    "folder",
    "folders",
];
const HOST_WORDS: &[&str] =
    &["url", "urls", "uri", "uris", "href", "host", "hosts", "hostname", "hostnames", "endpoint", "endpoints"];

/// What a parameter's name says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resource<'n> {
    /// This word of it names a file.
    File(&'n str),
    /// This word of it names a place on the network.
    Host(&'n str),
}

impl<'n> Resource<'n> {
    /// The word.
    pub(super) fn word(self) -> &'n str {
        match self {
            Self::File(word) | Self::Host(word) => word,
        }
    }
}

/// The last word of a name that says it is a resource.
pub(super) fn resource(name: &str) -> Option<Resource<'_>> {
    name.rsplit('_').find_map(|word| {
        if FILE_WORDS.contains(&word) {
            Some(Resource::File(word))
        } else if HOST_WORDS.contains(&word) {
            Some(Resource::Host(word))
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_names_are_what_providers_take() {
        for name in ["a", "restart_service", "A-1", &"x".repeat(64)] {
            assert!(is_tool_name(name), "{name}");
        }
        for name in ["", "a b", "ä", "a.b", "a/b", &"x".repeat(65)] {
            assert!(!is_tool_name(name), "{name}");
        }
    }

    #[test]
    fn resources_are_found_word_by_word() {
        assert_eq!(resource("config_path"), Some(Resource::File("path")));
        assert_eq!(resource("path"), Some(Resource::File("path")));
        assert_eq!(resource("host"), Some(Resource::Host("host")));
        assert_eq!(resource("callback_url"), Some(Resource::Host("url")));
        for name in ["profile", "pathological", "hostility", "curly", "direction", "reason", ""] {
            assert_eq!(resource(name), None, "{name}");
        }
    }
}

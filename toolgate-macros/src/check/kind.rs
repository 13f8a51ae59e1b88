//! What a type is, as far as its spelling says: enough to see that a constraint does not fit. A type of
//! the user's is unknown here, and its own business.

use syn::{GenericArgument, PathArguments, Type};

/// What a type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Character,
    Integer { word: &'static str, low: i128, high: i128 },
    Fraction,
    Truth,
    List,
    Map,
    Path,
    Url,
    Unknown,
}

/// Largest integer that JSON keeps exact.
pub(super) const MAX_EXACT: i128 = 9_007_199_254_740_991;

impl Kind {
    /// How a message calls it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Character => "a character",
            Self::Integer { .. } => "a whole number",
            Self::Fraction => "a number",
            Self::Truth => "`true` or `false`",
            Self::List => "a list",
            Self::Map => "a map",
            Self::Path => "a workspace path",
            Self::Url => "a URL",
            Self::Unknown => "a type of its own",
        }
    }

    /// The kind of a type; `Option<T>` and `Box<T>` count as `T`.
    pub(crate) fn of(ty: &Type) -> Self {
        if let Some(("Option" | "Box", Some(inner))) = named(ty) {
            return Self::of(inner);
        }
        match named(ty).map(|(name, _)| name).unwrap_or_default() {
            "String" => Self::Text,
            "char" => Self::Character,
            "bool" => Self::Truth,
            "f32" | "f64" => Self::Fraction,
            "u8" => integer("u8", 0, u8::MAX.into()),
            "u16" => integer("u16", 0, u16::MAX.into()),
            "u32" => integer("u32", 0, u32::MAX.into()),
            "u64" => integer("u64", 0, MAX_EXACT),
            "usize" => integer("usize", 0, MAX_EXACT),
            "u128" => integer("u128", 0, MAX_EXACT),
            "i8" => integer("i8", i8::MIN.into(), i8::MAX.into()),
            "i16" => integer("i16", i16::MIN.into(), i16::MAX.into()),
            "i32" => integer("i32", i32::MIN.into(), i32::MAX.into()),
            "i64" => integer("i64", -MAX_EXACT, MAX_EXACT),
            "isize" => integer("isize", -MAX_EXACT, MAX_EXACT),
            "i128" => integer("i128", -MAX_EXACT, MAX_EXACT),
            "Vec" | "BTreeSet" | "HashSet" | "VecDeque" => Self::List,
            "BTreeMap" | "HashMap" => Self::Map,
            "ReadPath" | "WritePath" | "DirPath" | "EntryPath" => Self::Path,
            "HttpUrl" => Self::Url,
            _ => Self::Unknown,
        }
    }
}

const fn integer(word: &'static str, low: i128, high: i128) -> Kind {
    Kind::Integer { word, low, high }
}

/// Whether the type is `Option<..>`.
pub(crate) fn is_option(ty: &Type) -> bool {
    matches!(named(ty), Some(("Option", Some(_))))
}

/// Whether the type is text, also inside `Option`, `Vec` and the like.
pub(super) fn holds_text(ty: &Type) -> bool {
    match named(ty) {
        Some(("String", None)) => true,
        Some(("Option" | "Box" | "Vec" | "BTreeSet" | "HashSet", Some(inner))) => holds_text(inner),
        _ => false,
    }
}

/// The type of the items of a list.
pub(super) fn items(ty: &Type) -> Option<&Type> {
    match named(ty) {
        Some(("Option" | "Box", Some(inner))) => items(inner),
        Some(("Vec" | "BTreeSet" | "HashSet" | "VecDeque", inner)) => inner,
        _ => None,
    }
}

/// Types of the standard library that a model's words can't stand for, and what can.
const OF_THE_MACHINE: [(&str, &str); 6] = [
    (
        "PathBuf",
        "`ReadPath`, `WritePath`, `DirPath` or `EntryPath`, or a `String` with `#[arg(not_a_resource = \"why\")]`",
    ),
    ("OsString", "a `String`"),
    ("CString", "a `String`"),
    ("SystemTime", "a `String` such as `2026-01-31T12:00:00Z`, or a `u64` of seconds"),
    ("Instant", "a `Duration`"),
    ("Mutex", "the type inside of it"),
];
/// Of these, those that no other crate names so.
const ONLY_STD: [&str; 3] = ["PathBuf", "OsString", "CString"];

/// A type of this machine, also inside of lists and options: its name, and what to take instead.
pub(super) fn machine(ty: &Type) -> Option<(&'static str, &'static str)> {
    if let Some(("Option" | "Box" | "Vec" | "BTreeSet" | "HashSet" | "VecDeque", Some(inner))) = named(ty) {
        return machine(inner);
    }
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let (word, repair) = OF_THE_MACHINE.iter().find(|(word, _)| last.ident == *word)?;
    let first =
        path.path.segments.first().filter(|first| ["std", "core", "alloc"].iter().any(|std| first.ident == *std));
    let alone = path.path.segments.len() == 1 && ONLY_STD.contains(word);
    (path.qself.is_none() && (first.is_some() || alone)).then_some((word, repair))
}

const NAMES: &[&str] = &[
    "Option",
    "Box",
    "String",
    "char",
    "bool",
    "f32",
    "f64",
    "u8",
    "u16",
    "u32",
    "u64",
    "usize",
    "u128",
    "i8",
    "i16",
    "i32",
    "i64",
    "isize",
    "i128",
    "Vec",
    "BTreeSet",
    "HashSet",
    "VecDeque",
    "BTreeMap",
    "HashMap",
    "ReadPath",
    "WritePath",
    "DirPath",
    "EntryPath",
    "HttpUrl",
];

/// The last name of a path that is known here, and its first type argument.
fn named(ty: &Type) -> Option<(&'static str, Option<&Type>)> {
    let path = match ty {
        Type::Path(path) if path.qself.is_none() => &path.path,
        Type::Group(group) => return named(&group.elem),
        Type::Paren(paren) => return named(&paren.elem),
        _ => return None,
    };
    let last = path.segments.last()?;
    let name = NAMES.iter().find(|name| last.ident == **name)?;
    let inner = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        }),
        _ => None,
    };
    Some((name, inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(text: &str) -> Type {
        syn::parse_str(text).unwrap()
    }

    #[test]
    fn kinds_come_from_the_last_name() {
        assert_eq!(Kind::of(&ty("std::string::String")), Kind::Text);
        assert_eq!(Kind::of(&ty("Option<Box<u8>>")), Kind::Integer { word: "u8", low: 0, high: 255 });
        assert_eq!(Kind::of(&ty("Vec<String>")), Kind::List);
        assert_eq!(Kind::of(&ty("ServiceName")), Kind::Unknown);
        assert_eq!(Kind::of(&ty("(u8, u8)")), Kind::Unknown);
    }

    #[test]
    fn text_is_found_inside_lists_and_options() {
        assert!(holds_text(&ty("Option<Vec<String>>")));
        assert!(!holds_text(&ty("Vec<u8>")));
        assert!(is_option(&ty("core::option::Option<u8>")));
        assert!(!is_option(&ty("Vec<Option<u8>>")));
    }
}

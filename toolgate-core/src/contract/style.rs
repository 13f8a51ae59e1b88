//! What a reader of schemas understands: one value says how `schema.rs` writes a contract for it. Not
//! which provider that is; `crate::dialect` holds a style for each.

/// How a contract is written. What a style has no keyword for is said in words, in the description
/// of the same schema, or the whole can't be said.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the reader")]
pub(crate) struct Style {
    pub(crate) nulls: Nulls,
    pub(crate) required: Required,
    /// `additionalProperties: false` is written.
    pub(crate) closed: bool,
    /// An object without fields has its empty `properties`.
    pub(crate) empty_properties: bool,
    /// Whatever may be an array has `items`, whatever may be an object `properties`.
    pub(crate) spelt_out: bool,
    pub(crate) recursion: Recursion,
    pub(crate) ranges: Ranges,
    /// `minLength` and `maxLength`.
    pub(crate) lengths: bool,
    pub(crate) counts: Counts,
    /// `uniqueItems`.
    pub(crate) unique: bool,
    pub(crate) patterns: Patterns,
    /// The known formats; all where nothing is said.
    pub(crate) formats: Option<&'static [&'static str]>,
    pub(crate) tuples: Tuples,
    pub(crate) maps: Maps,
    pub(crate) fixed: Fixed,
    /// `oneOf`.
    pub(crate) exactly_one: bool,
    /// `default`, `examples` and `writeOnly`.
    pub(crate) annotations: bool,
    pub(crate) anything: Anything,
    pub(crate) asks: Asks,
    /// The outermost schema has no `allOf` and no `not`.
    pub(crate) plain_root: bool,
    /// `anyOf` stands alone, without a description beside it.
    pub(crate) lone_choices: bool,
    /// `propertyOrdering`.
    pub(crate) ordering: bool,
    /// Bounds that every text, list and number has unless something else is declared are said once.
    pub(crate) usual_bounds_once: bool,
    /// What has no keyword is said in words.
    pub(crate) words: bool,
}

/// How "or null" is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// A list of types.
    Types,
    /// A list of types for texts, numbers and booleans, a choice for all else.
    ScalarTypes,
    /// A choice.
    Choice,
    /// `nullable`.
    Keyword,
}

/// Which fields `required` lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Required {
    AsDeclared,
    /// All; an optional one takes `null`.
    All,
    /// None: what is shown may have lost parts.
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recursion {
    /// `$defs` and `$ref`.
    References,
    /// Written out so many times, then cut off with words.
    Levels(usize),
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ranges {
    All,
    /// `minimum` and `maximum` only.
    Inclusive,
    Words,
}

/// `minItems`, `maxItems` and `maxProperties`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    All,
    /// `minItems` of 0 or 1.
    AtLeastOne,
    Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patterns {
    All,
    /// Those that all readers of regular expressions read alike.
    Portable,
    Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tuples {
    /// `prefixItems`.
    Prefix,
    /// `items` that are one of the kinds, and words.
    Items,
    /// Only those whose items are all of one kind.
    Alike,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maps {
    /// A schema as `additionalProperties`.
    Values,
    Words,
    Never,
}

/// How fixed values are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fixed {
    Const,
    /// `enum` with its type.
    Enum,
    /// `enum` for texts, bounds and words for all else.
    Texts,
}

/// How "any value" is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anything {
    /// All types.
    Types,
    /// A choice between simple forms.
    Forms,
    Never,
}

/// How what is asked beyond a form is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    All,
    /// `multipleOf` only.
    Steps,
    Words,
}

impl Style {
    /// JSON Schema 2020-12: everything has its keyword.
    pub(crate) const PLAIN: Self = Self {
        nulls: Nulls::Types,
        required: Required::AsDeclared,
        closed: true,
        empty_properties: true,
        spelt_out: false,
        recursion: Recursion::References,
        ranges: Ranges::All,
        lengths: true,
        counts: Counts::All,
        unique: true,
        patterns: Patterns::All,
        formats: None,
        tuples: Tuples::Prefix,
        maps: Maps::Values,
        fixed: Fixed::Const,
        exactly_one: true,
        annotations: true,
        anything: Anything::Types,
        asks: Asks::All,
        plain_root: false,
        lone_choices: false,
        ordering: false,
        usual_bounds_once: false,
        words: true,
    };

    /// What a result looks like once it is masked and clipped: the kinds of its parts, no bounds.
    pub(crate) const RESULT: Self = Self {
        required: Required::Never,
        closed: false,
        empty_properties: false,
        ranges: Ranges::Words,
        lengths: false,
        counts: Counts::Words,
        unique: false,
        patterns: Patterns::Words,
        formats: Some(&[]),
        tuples: Tuples::Items,
        exactly_one: false,
        annotations: false,
        asks: Asks::Words,
        words: false,
        ..Self::PLAIN
    };
}

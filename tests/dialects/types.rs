//! Arguments that are hard to say: a tool for each. Not what is expected of them, which the golden files
//! and the rules of the providers say.

#![expect(clippy::type_complexity, clippy::option_option, reason = "types that are hard to say")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use serde_json::Value;
use toolgate::{ToolError, schemars, serde, tool, tool_type, toolset};

macro_rules! foreign {
    ($($item:item)*) => {$(
        #[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(crate = "toolgate::serde")]
        #[schemars(crate = "toolgate::schemars")]
        $item
    )*};
}

macro_rules! tools {
    ($set:ident: $($name:ident($type:ty) $doc:literal;)*) => {
        $(
            /// Takes a value and says so.
            #[tool(risk = "read")]
            fn $name(
                #[doc = $doc]
                value: $type,
            ) -> Result<String, ToolError> {
                let _value = value;
                Ok("taken".to_owned())
            }
        )*
        toolset! { pub(crate) static $set = [$($name),*]; }
    };
}

/// How loud.
#[tool_type]
#[derive(Debug)]
pub(crate) enum Level {
    Low,
    /// Louder than all others.
    High,
}

/// Words that are written otherwise.
#[tool_type(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Shout {
    VeryLoud,
    #[arg(rename = "quiet!")]
    Quiet,
}

#[tool_type(pattern = "^[a-z-]+$", max_length = 40)]
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slug(String);

#[tool_type(range = 1..=10)]
pub(crate) struct Rank(u8);

#[tool_type]
pub(crate) struct Window {
    /// Minutes from now
    #[arg(range = 0..=60, default = 5)]
    start: u32,
    /// How loud.
    level: Level,
    /// What to call it
    name: Option<Slug>,
    /// A word for the lock.
    #[arg(sensitive)]
    word: Option<String>,
}

#[tool_type]
pub(crate) struct Nested {
    /// Outer.
    outer: Window,
    /// Inner ones.
    inner: Vec<Window>,
    /// The last one, if any.
    last: Option<Window>,
}

#[tool_type]
pub(crate) enum Target {
    All,
    /// One by name.
    One(Slug),
    /// Several.
    Some {
        /// Their names.
        names: Vec<Slug>,
        /// How loud.
        level: Option<Level>,
    },
}

#[tool_type]
pub(crate) struct Tree {
    /// Its name.
    name: Slug,
    /// Smaller ones.
    children: Vec<Tree>,
}

#[tool_type]
pub(crate) enum Formula {
    True,
    /// The opposite.
    Not(Box<Formula>),
    /// All of them.
    All(Vec<Formula>),
    /// One name equals a number.
    Equals {
        /// The name.
        name: String,
        /// The number.
        number: f64,
    },
}

#[tool_type]
pub(crate) struct Linked {
    /// A number.
    number: i32,
    /// The one after it.
    next: Option<Box<Linked>>,
}

#[tool_type]
pub(crate) struct Deep1 {
    /// Next.
    a: Deep2,
}
#[tool_type]
pub(crate) struct Deep2 {
    /// Next.
    a: Deep3,
}
#[tool_type]
pub(crate) struct Deep3 {
    /// Next.
    a: Deep4,
}
#[tool_type]
pub(crate) struct Deep4 {
    /// Next.
    a: Vec<Vec<Vec<Vec<Vec<Vec<Vec<Slug>>>>>>>,
}

foreign! {
    /// An amount.
    pub(crate) struct Money {
        /// In the smallest unit.
        amount: u64,
        /// Three letters.
        #[schemars(length(min = 3, max = 3), regex(pattern = "^[A-Z]{3}$"))]
        currency: String,
        #[serde(default)]
        note: Option<String>,
    }

    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub(crate) struct Camel {
        first_name: String,
        #[serde(default)]
        last_name: String,
        #[serde(rename = "$age")]
        age: u8,
    }

    pub(crate) enum Plain { North, South }

    /// Documented words.
    #[serde(rename_all = "lowercase")]
    pub(crate) enum Documented {
        /// Up.
        North,
        /// Down.
        South,
        East,
    }

    pub(crate) enum External { Nothing, Number(u32), Pair(u32, String), Named { value: bool } }

    #[serde(tag = "type")]
    pub(crate) enum Internal { Circle { radius: f64 }, Square { side: f64 }, Point }

    #[serde(tag = "kind", content = "value")]
    pub(crate) enum Adjacent { Text(String), Number(i64), Nothing }

    #[serde(untagged)]
    pub(crate) enum Untagged { Id(u64), Name(String), Both { id: u64, name: String } }

    pub(crate) struct Nothing {}

    pub(crate) struct Newtype(String);

    pub(crate) struct Pair(u8, String);

    pub(crate) struct Unit;

    pub(crate) struct Flattened {
        #[serde(flatten)]
        money: Money,
        paid: bool,
    }

    pub(crate) struct Optional {
        #[serde(default)]
        count: u32,
        flag: Option<bool>,
        level: Option<Plain>,
        money: Option<Money>,
        nested: Option<Option<u8>>,
    }

    pub(crate) struct Bounded {
        #[schemars(range(min = 0.5, max = 9.5))]
        ratio: f64,
        #[schemars(length(min = 1, max = 3))]
        tags: Vec<String>,
        #[schemars(extend("exclusiveMinimum" = 0))]
        above: f64,
    }

    /// A node of a tree of serde's.
    pub(crate) struct SerdeTree { name: String, children: Vec<SerdeTree> }

    pub(crate) struct Holder { tree: Option<Box<SerdeTree>> }

    pub(crate) struct Anything { value: Value, list: Vec<Value> }

    pub(crate) struct Bytes { data: Vec<u8>, more: [u8; 4] }

    pub(crate) struct Times { wait: Duration }

    pub(crate) struct Addresses { four: Ipv4Addr, any: IpAddr }

    pub(crate) struct Keyed { by_number: HashMap<u64, String> }

    pub(crate) struct Chars { one: char, many: Vec<char> }

    pub(crate) struct Large { signed: i128, unsigned: u128, size: usize, exact: i64 }
}

tools! { SCALARS:
    take_bool(bool) "Whether";
    take_u8(u8) "A small number.";
    take_u32(u32) "A number.";
    take_u64(u64) "A large number";
    take_usize(usize) "A size";
    take_i8(i8) "A small signed number";
    take_i64(i64) "A large signed number";
    take_i128(i128) "A very large number";
    take_f32(f32) "A fraction";
    take_f64(f64) "A fraction (exact)";
    take_char(char) "One character";
    take_string(String) "A text";
    take_unit(()) "Nothing";
    take_value(Value) "Anything";
    take_slug(Slug) "A name";
    take_rank(Rank) "A rank";
}

tools! { WORDS:
    take_level(Level) "How loud";
    take_shout(Shout) "How loud.";
    take_target(Target) "Which";
    take_levels(Vec<Level>) "How loud, each time";
    take_targets(Vec<Target>) "Which ones";
    take_level_option(Option<Level>) "How loud";
    take_target_option(Option<Target>) "Which";
}

tools! { PARTS:
    take_option(Option<u8>) "A number";
    take_option_option(Option<Option<u8>>) "A number";
    take_option_text(Option<String>) "A text";
    take_option_list(Option<Vec<u8>>) "Numbers";
    take_option_struct(Option<Window>) "A window";
    take_list(Vec<String>) "Texts";
    take_list_of_options(Vec<Option<u8>>) "Numbers or nothing";
    take_list_of_lists(Vec<Vec<f64>>) "A matrix";
    take_set(BTreeSet<Slug>) "Names";
    take_map(BTreeMap<String, f64>) "Weights";
    take_hash_map(HashMap<String, Vec<Window>>) "Windows by name";
    take_pair((u8, String)) "A number and a text";
    take_point((f64, f64)) "A place";
    take_triple((u8, Option<String>, Plain)) "Three things";
    take_values(Vec<Value>) "Anything, several times";
    take_boxed(Box<Window>) "A window";
    take_window(Window) "A window";
    take_nested(Nested) "Windows in windows";
    take_tree(Tree) "A tree";
    take_formula(Formula) "A formula";
    take_linked(Linked) "A list";
    take_linked_option(Option<Linked>) "A list";
    take_empty(Nothing) "Nothing in it";
    take_deep(Deep1) "Very deep";
}

tools! { FOREIGN:
    take_money(Money) "An amount";
    take_money_list(Vec<Money>) "Amounts";
    take_camel(Camel) "Another spelling";
    take_plain(Plain) "A direction";
    take_documented(Documented) "A direction";
    take_external(External) "One of several";
    take_internal(Internal) "A shape";
    take_adjacent(Adjacent) "A value and its kind";
    take_untagged(Untagged) "An id, a name, or both";
    take_newtype(Newtype) "A text";
    take_tuple_struct(Pair) "A pair";
    take_unit_struct(Unit) "Nothing";
    take_flattened(Flattened) "An amount and more";
    take_optional(Optional) "All may be missing";
    take_bounded(Bounded) "Bounds";
    take_serde_tree(SerdeTree) "A tree";
    take_holder(Holder) "What holds a tree";
    take_anything(Anything) "Anything";
    take_bytes(Bytes) "Bytes";
    take_times(Times) "How long";
    take_addresses(Addresses) "Where";
    take_keyed(Keyed) "Texts by number";
    take_chars(Chars) "Characters";
    take_large(Large) "Large numbers";
    take_hash_set(HashSet<u16>) "Numbers";
    take_map_of_money(BTreeMap<String, Money>) "Amounts by name";
}

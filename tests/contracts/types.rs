//! Types as arguments: native ones, `#[tool_type]`s, and types with serde and schemars derives. Each entry
//! is one tool with one argument `value`. Not what is asked of them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI16, NonZeroU8, NonZeroU64};
use std::sync::Arc;
use std::time::Duration;

use toolgate::__private::v1::{Args, Probe, ProbeForeign};
use toolgate::serde_json::Value;
use toolgate::spec::shape::Field;
use toolgate::{schemars, serde, tool_type};
use toolgate_core::contract::{Contract, Problem};
use toolgate_core::json::Node;

/// How accepted arguments may still fare when they become a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decoding {
    /// What the contract accepts becomes a value.
    Always,
    /// serde ignores or refuses some of it; such a call is refused with `schema.decode`.
    Sometimes,
}

type Decode = fn(&Node<'_>) -> Result<Value, Vec<Problem>>;

pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) contract: Contract,
    pub(crate) decoding: Decoding,
    /// The value that the arguments become, told again as JSON.
    pub(crate) decode: Decode,
}

macro_rules! entries {
    ($($decoding:ident $type:ty;)*) => {
        pub(crate) fn all() -> Vec<Entry> {
            vec![$({
                let param = Probe::<$type>::ARGUMENT.param();
                let field = Field::new("value", "The value.", param.shape, !param.optional);
                Entry {
                    name: stringify!($type),
                    contract: Contract::of_params("tool", &[field]).unwrap_or_else(|fault| panic!("{fault}")),
                    decoding: Decoding::$decoding,
                    decode: |node| {
                        let mut args = Args::new(node);
                        let value = (Probe::<$type>::ARGUMENT.param().take)(&mut args, "value");
                        let problems = args.finish().problems;
                        match value {
                            Some(value) if problems.is_empty() => Ok((Probe::<$type>::RESULT.returned().write)(value).unwrap()),
                            _ => Err(problems),
                        }
                    },
                }
            }),*]
        }
    };
}

entries! {
    Always bool;
    Always u8;
    Always u32;
    Always u64;
    Always i16;
    Always i64;
    Always f64;
    Sometimes f32;
    Always char;
    Always String;
    Always ();
    Always Value;
    Always Option<u32>;
    Always Option<Option<String>>;
    Always Vec<String>;
    Always Vec<Option<u8>>;
    Always [u8; 3];
    Always [Pair; 2];
    Always (u8, String);
    Always (f64, f64, Option<bool>);
    Always (u8, (i8, bool), Vec<u8>, String);
    Always BTreeSet<u8>;
    Always HashSet<String>;
    Always VecDeque<i8>;
    Always BTreeMap<String, u8>;
    Always HashMap<String, Vec<Color>>;
    Always BTreeMap<u8, String>;
    Always HashMap<i32, bool>;
    Always BTreeMap<Color, u8>;
    Always BTreeMap<Slug, Pair>;
    Always BTreeMap<Minute, bool>;
    Always NonZeroU8;
    Always NonZeroU64;
    Always NonZeroI16;
    Always Duration;
    Always Vec<Duration>;
    Always Option<Duration>;
    Always IpAddr;
    Always Ipv4Addr;
    Always Ipv6Addr;
    Always SocketAddr;
    Always Arc<str>;
    Always Box<str>;
    Always Cow<'static, str>;
    Always Box<u8>;
    Always Color;
    Always Option<Color>;
    Always Slug;
    Always Minute;
    Always Pair;
    Always Option<Pair>;
    Always Window;
    Always Tree;
    Always Target;
    Always Vec<Target>;
    Always Option<Target>;
    Always Money;
    Always Option<Level>;
    Always Level;
    Always Shout;
    Always Message;
    Always Adjacent;
    Sometimes Untagged;
    Sometimes Flat;
    Sometimes FlatMap;
    Sometimes FlatEnum;
    Sometimes Aliased;
    Sometimes Skipped;
    Always Strict;
    Always Defaulted;
    Always Chain;
    Always Point;
    Always Meters;
    Sometimes ByNumber;
    Always Ranged;
    Sometimes Stamped;
}

/// A colour.
#[tool_type]
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Color {
    /// As blood.
    Red,
    Green,
    DarkBlue,
}

#[tool_type(pattern = "^[a-z]{1,8}$")]
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slug(String);

#[tool_type(range = 0..=59)]
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Minute(u8);

#[tool_type]
pub(crate) struct Pair {
    /// Left.
    left: u8,
    /// Right.
    right: Option<String>,
}

#[tool_type]
pub(crate) struct Window {
    /// First minute.
    #[arg(range = 0..=1439, rename = "from")]
    start: u16,
    /// Last minute.
    #[arg(range = 0..=1439, default = 1439)]
    end: u16,
    /// Labels.
    #[arg(min_items = 1, max_items = 3, default = ["new"])]
    labels: Vec<String>,
    /// How long to wait.
    wait: Option<Duration>,
}

#[tool_type]
pub(crate) struct Tree {
    /// Its name.
    name: Slug,
    /// Smaller trees.
    children: Vec<Tree>,
}

#[tool_type]
pub(crate) enum Target {
    All,
    /// One by name.
    One(Slug),
    /// All of a colour.
    Some {
        /// Which.
        color: Color,
        /// How many.
        count: Option<u8>,
    },
}

macro_rules! serde_types {
    ($($item:item)*) => {$(
        #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(crate = "toolgate::serde")]
        #[schemars(crate = "toolgate::schemars")]
        $item
    )*};
}

serde_types! {
    pub(crate) struct Money {
        /// In the smallest unit.
        amount: u64,
        currency: String,
    }

    pub(crate) enum Level {
        Low,
        #[serde(rename = "very-high")]
        High,
    }

    /// Documented words make a `oneOf`.
    pub(crate) enum Shout {
        /// Not loud.
        Soft,
        /// Loud.
        Loud,
    }

    #[serde(tag = "type", rename_all = "snake_case")]
    pub(crate) enum Message {
        Email { to: String, urgent: Option<bool> },
        Sms { number: u32 },
        Ping,
    }

    #[serde(tag = "kind", content = "data")]
    pub(crate) enum Adjacent {
        Count(u8),
        Names(Vec<String>),
        Nothing,
    }

    #[serde(untagged)]
    pub(crate) enum Untagged {
        Number(u8),
        Word(String),
        Job { cmd: String },
        Preview { cmd: String, dry_run: bool },
    }

    pub(crate) struct Flat {
        table: String,
        #[serde(flatten)]
        money: Money,
    }

    pub(crate) struct FlatMap {
        id: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, bool>,
    }

    pub(crate) struct FlatEnum {
        id: u8,
        #[serde(flatten)]
        message: Message,
    }

    pub(crate) struct Aliased {
        #[serde(alias = "file_path")]
        path: String,
    }

    pub(crate) struct Skipped {
        a: u8,
        #[serde(skip)]
        #[expect(dead_code, reason = "never read")]
        b: u8,
        #[serde(skip_serializing)]
        #[expect(dead_code, reason = "never read")]
        c: Option<bool>,
    }

    #[serde(deny_unknown_fields)]
    pub(crate) struct Strict {
        a: u8,
    }

    #[serde(default)]
    #[derive(Default)]
    pub(crate) struct Defaulted {
        a: u8,
        b: String,
        c: Option<u8>,
    }

    pub(crate) struct Chain {
        value: i8,
        next: Option<Box<Chain>>,
    }

    pub(crate) struct Point(f64, f64);

    #[serde(transparent)]
    pub(crate) struct Meters {
        value: u16,
    }

    pub(crate) struct ByNumber {
        names: HashMap<u64, Level>,
    }

    pub(crate) struct Ranged {
        #[schemars(range(min = 1, max = 10))]
        a: i32,
        #[schemars(length(min = 1, max = 5))]
        b: String,
        #[schemars(regex(pattern = r"^\d+$"))]
        c: String,
    }

    pub(crate) struct Stamped {
        #[schemars(extend("format" = "partial-date-time"))]
        at: String,
        #[schemars(extend("format" = "uuid"))]
        id: String,
        #[schemars(with = "std::net::IpAddr")]
        ip: String,
    }
}

//! JSON as a tree of raw pieces, so that a mutant can say what no JSON value can: doubled keys, huge
//! numbers, half surrogates. Not a parser; it starts from a valid value.

use serde_json::Value;

use crate::random::Random;

/// One node. Scalars and keys are raw JSON text.
#[derive(Clone)]
pub(crate) enum Tree {
    Raw(String),
    List(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

const RETYPED: [&str; 12] =
    ["null", "true", "false", "0", "-1", "1.5", "\"\"", "\"7\"", "[]", "{}", "[null]", "{\"a\":{}}"];
const NUMBERS: [&str; 14] = [
    "9007199254740991",
    "9007199254740992",
    "-9007199254740993",
    "123456789012345678901234567890",
    "1e400",
    "-1e-400",
    "1E2",
    "2.0",
    "-0",
    "-0.0",
    "4294967296",
    "0.1e1",
    "01",
    "1e",
];
const PIECES: [&str; 18] = [
    "\\u0000",
    "\\ud800",
    "\\udc00\\ud800",
    "\\ud83d\\ude00",
    "\\u202e",
    "\\u0061",
    "\u{e9}",
    "\u{1F600}",
    "\u{200B}",
    "\u{1}",
    "\\x",
    "\\\"",
    "\\n",
    "/../",
    "\\\\",
    "%2e%2e/",
    "{title}",
    "sk-live-0123456789abcdef0123456789abcdef",
];
const TEXTS: [&str; 16] = [
    "\"a\"",
    "\"notes.txt\"",
    "\"deep/leaf.txt\"",
    "\"../outside.txt\"",
    "\"/etc/passwd\"",
    "\"deep/../notes.txt\"",
    "\"link.txt\"",
    "\"deep\"",
    "\".\"",
    "\"gone.txt\"",
    "\"low\"",
    "\"urgent\"",
    "\"all\"",
    "\"./notes.txt\"",
    "\".git/config\"",
    "\"NOTES.TXT\"",
];
const KEYS: [&str; 9] = [
    "\"$serde_json::private::Number\"",
    "\"titel\"",
    "\"\"",
    "\"a.b\"",
    "\"\\u0074itle\"",
    "\"__proto__\"",
    "\"path \"",
    "\"x/y~z\"",
    "\"\\ud800\"",
];

impl Tree {
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Object(members) => Self::Object(
                members.iter().map(|(name, value)| (Value::from(name.as_str()).to_string(), Self::of(value))).collect(),
            ),
            scalar => Self::Raw(scalar.to_string()),
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::Raw(_) => 1,
            Self::List(items) => 1 + items.iter().map(Self::count).sum::<usize>(),
            Self::Object(members) => 1 + members.iter().map(|(_, value)| value.count()).sum::<usize>(),
        }
    }

    /// The node of that number, in reading order.
    fn node(&mut self, number: usize) -> Option<&mut Tree> {
        if number == 0 {
            return Some(self);
        }
        let mut left = number - 1;
        let children: Vec<&mut Tree> = match self {
            Self::Raw(_) => Vec::new(),
            Self::List(items) => items.iter_mut().collect(),
            Self::Object(members) => members.iter_mut().map(|(_, value)| value).collect(),
        };
        for child in children {
            let count = child.count();
            if left < count {
                return child.node(left);
            }
            left -= count;
        }
        None
    }

    /// Changes one place.
    pub(crate) fn mutate(&mut self, random: &mut Random) {
        let number = random.below(self.count());
        let Some(node) = self.node(number) else { return };
        match node {
            Self::Raw(text) => mutate_scalar(text, random),
            Self::List(items) => mutate_list(items, random),
            Self::Object(members) => mutate_object(members, random),
        }
        if random.percent(4) {
            node.nest(random);
        }
    }

    fn nest(&mut self, random: &mut Random) {
        let levels = *random.pick(&[1, 1, 1, 2, 31, 40, 200]);
        for _ in 0..levels {
            let inner = std::mem::replace(self, Self::Raw(String::new()));
            *self =
                if random.percent(50) { Self::List(vec![inner]) } else { Self::Object(vec![("\"x\"".into(), inner)]) };
        }
    }

    pub(crate) fn write(&self, text: &mut String) {
        match self {
            Self::Raw(raw) => text.push_str(raw),
            Self::List(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    item.write(text);
                }
                text.push(']');
            }
            Self::Object(members) => {
                text.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    text.push_str(name);
                    text.push(':');
                    value.write(text);
                }
                text.push('}');
            }
        }
    }
}

fn mutate_scalar(text: &mut String, random: &mut Random) {
    if random.percent(15) {
        (*random.pick(&RETYPED)).clone_into(text);
    } else if !text.starts_with('"') {
        *text = if random.percent(50) { random.below(50).to_string() } else { (*random.pick(&NUMBERS)).to_owned() };
    } else if random.percent(35) {
        (*random.pick(&TEXTS)).clone_into(text);
    } else if random.percent(40) {
        let piece: &&str = random.pick(&PIECES);
        text.insert_str(text.len() - 1, piece);
    } else {
        let length = *random.pick(&[1, 2, 5, 20, 100, 1_000, 12_000]);
        text.insert_str(1, &"b".repeat(random.below(length) + 1));
    }
}

fn mutate_list(items: &mut Vec<Tree>, random: &mut Random) {
    match (random.below(4), items.first().cloned()) {
        (0, _) => drop(items.pop()),
        (1, Some(first)) => items.push(first),
        (2, Some(first)) => {
            let most = *random.pick(&[3, 3, 10, 1_200]);
            items.extend(std::iter::repeat_n(first, random.below(most)));
        }
        _ => items.push(Tree::Raw((*random.pick(&RETYPED)).to_owned())),
    }
}

fn mutate_object(members: &mut Vec<(String, Tree)>, random: &mut Random) {
    let at = random.below(members.len());
    let Some((name, value)) = members.get(at).cloned() else {
        members.push(((*random.pick(&KEYS)).to_owned(), Tree::Raw("1".into())));
        return;
    };
    match random.below(6) {
        0 => drop(members.remove(at)),
        1 => members.push((name, value)),
        2 => (*random.pick(&KEYS)).clone_into(&mut members[at].0),
        3 => members.push(((*random.pick(&KEYS)).to_owned(), value)),
        4 => members.reverse(),
        _ => members[at].1 = Tree::Raw((*random.pick(&RETYPED)).to_owned()),
    }
}

/// Changes the text itself.
pub(crate) fn mutate_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << random.below(8),
        2 => drop(bytes.remove(at)),
        3 => bytes.insert(at, u8::try_from(random.below(256)).unwrap_or_default()),
        4 => {
            let piece: Vec<u8> = bytes[at..bytes.len().min(at + 12)].to_vec();
            bytes.splice(at..at, piece);
        }
        // Space around a comma means nothing.
        5 | 6 => {
            let commas: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b',').collect();
            let at = if commas.is_empty() { 0 } else { *random.pick(&commas) };
            bytes.splice(at..at, *b" \n\t");
        }
        _ => bytes.extend_from_slice(random.pick(&["}", " ", "{}", "\u{feff}", "\0", "null"]).as_bytes()),
    }
}

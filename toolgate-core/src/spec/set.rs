//! The checks across the tools of one `toolset!`, in const evaluation: each ends in a panic whose text
//! is the compiler's headline. Not the checks of a set put together at run time.

#![expect(clippy::indexing_slicing, reason = "const evaluation has no `get`; each index is bounded by its loop")]

use super::facts::Risk;
use super::tool_spec::{BROKEN, Need, Tool, ToolEntry, name_id};
use super::unmarked::UNMARKED;

/// What is compared about one tool.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    name: &'static str,
    id: u64,
    risk: Risk,
    needs: &'static [Need],
    fallback: Option<&'static str>,
    params: &'static [&'static str],
    source: &'static str,
    entry: ToolEntry,
}

impl Member {
    /// The facts of the tool behind a path, which is written as `path`.
    pub const fn of<T: Tool>(path: &'static str) -> Self {
        Self {
            name: if T::ID == UNMARKED { path } else { T::NAME },
            id: T::ID,
            risk: T::RISK,
            needs: T::NEEDS,
            fallback: T::FALLBACK,
            params: T::PARAMS,
            source: T::SOURCE,
            entry: T::ENTRY,
        }
    }
}

/// It carries `#[tool]`.
pub const fn is_tool(set: &[Member], at: usize) -> Verdict {
    marked(set[at].id != UNMARKED, set[at].name)
}

/// What is said of a function without the attribute.
pub(super) const fn marked(marked: bool, path: &str) -> Verdict {
    let text = Text::new("").quoted(path).push(" is no tool; put `#[tool(..)]` on the function");
    if marked { FINE } else { text.fault() }
}

/// What a toolset lists.
pub const fn entries<const N: usize>(set: &[Member]) -> [ToolEntry; N] {
    let mut entries = [BROKEN; N];
    let mut index = 0;
    while index < set.len() && index < N {
        entries[index] = set[index].entry;
        index += 1;
    }
    entries
}

/// What a tool says of another tool that it names.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// Its name.
    pub name: &'static str,
    /// Its identity.
    pub id: u64,
    /// Names of its parameters.
    pub params: &'static [&'static str],
}

impl Link {
    /// The tool behind a path.
    pub const fn to<T: Tool>() -> Self {
        Self { name: T::NAME, id: T::ID, params: T::PARAMS }
    }

    /// What the path, as it is written, names is a tool.
    pub const fn is_tool(&self, path: &str) -> Verdict {
        marked(self.id != UNMARKED, path)
    }
}

/// A message put together in const evaluation; what is too long is cut.
#[derive(Clone, Copy)]
struct Text {
    bytes: [u8; 600],
    length: usize,
}

impl Text {
    const fn new(start: &str) -> Self {
        Self { bytes: [0; 600], length: 0 }.push(start)
    }

    const fn push(mut self, part: &str) -> Self {
        let part = part.as_bytes();
        let mut index = 0;
        while index < part.len() && self.length < self.bytes.len() {
            self.bytes[self.length] = part[index];
            self.length += 1;
            index += 1;
        }
        self
    }

    const fn quoted(self, name: &str) -> Self {
        self.push("`").push(name).push("`")
    }

    const fn fault(self) -> Verdict {
        Verdict(Some(self))
    }

    const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "this toolset breaks a rule",
        }
    }
}

/// What a check found.
#[must_use = "a verdict that is not held has no effect"]
pub struct Verdict(Option<Text>);

const FINE: Verdict = Verdict(None);

impl Verdict {
    /// Nothing, where all is well.
    ///
    /// # Panics
    /// With what was found. In const evaluation, where this is for, that is a compile error.
    #[expect(clippy::panic, reason = "in const evaluation a panic is a compile error")]
    pub const fn hold(self) {
        if let Self(Some(text)) = self {
            panic!("{}", text.as_str())
        }
    }

    /// What was found.
    pub const fn fault(&self) -> Option<&str> {
        match self {
            Self(Some(text)) => Some(text.as_str()),
            Self(None) => None,
        }
    }
}

impl std::fmt::Debug for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Verdict").field(&self.fault()).finish()
    }
}

const fn position(set: &[Member], id: u64) -> Option<usize> {
    let mut index = 0;
    while index < set.len() {
        if set[index].id == id {
            return Some(index);
        }
        index += 1;
    }
    None
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}

const fn has(names: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < names.len() {
        if same(names[index], name) {
            return true;
        }
        index += 1;
    }
    false
}

/// No tool before this one has its name.
pub const fn name_is_free(set: &[Member], at: usize) -> Verdict {
    let member = &set[at];
    match position(set, member.id) {
        Some(first) if first < at && member.id != UNMARKED => {
            let text = Text::new("tool ").quoted(member.name);
            if same(set[first].source, member.source) {
                return text.push(" is listed twice in this toolset; remove one of the two").fault();
            }
            text.push(" has the same name as another tool of this toolset (at ")
                .push(set[first].source)
                .push("); give one of them `#[tool(name = \"..\")]`")
                .fault()
        }
        _ => FINE,
    }
}

/// What its preconditions name is in the set, and string-named ones bind what both tools have.
pub const fn needs_are_met(set: &[Member], at: usize) -> Verdict {
    let member = &set[at];
    let mut index = 0;
    while index < member.needs.len() {
        let need = &member.needs[index];
        index += 1;
        if need.id == UNMARKED {
            continue; // The tool that names it has the error.
        }
        let Some(other) = position(set, need.id) else {
            return Text::new("tool ")
                .quoted(member.name)
                .push(" has a precondition on ")
                .quoted(need.name)
                .push(", which is not in this toolset; add it, or correct the name")
                .fault();
        };
        let verdict = binds(member.name, need.name, need.loose, set[other].params);
        if verdict.0.is_some() {
            return verdict;
        }
    }
    FINE
}

/// A precondition leaves no parameter loose that both tools have.
pub const fn binds(tool: &str, needed: &str, loose: &[&str], params: &[&str]) -> Verdict {
    let mut index = 0;
    while index < loose.len() {
        let name = loose[index];
        if has(params, name) {
            return Text::new("the precondition of ")
                .quoted(tool)
                .push(" on ")
                .quoted(needed)
                .push(" does not bind ")
                .quoted(name)
                .push(", which both have; add `prior.")
                .push(name)
                .push(" == args.")
                .push(name)
                .push("` to `when`, or say `unbound = \"why\"`")
                .fault();
        }
        index += 1;
    }
    FINE
}

/// What it falls back on is in the set, risks no more, and takes the same arguments.
pub const fn fallback_fits(set: &[Member], at: usize) -> Verdict {
    let member = &set[at];
    let Some(name) = member.fallback else { return FINE };
    let text = Text::new("tool ").quoted(member.name);
    let Some(other) = position(set, name_id(name)) else {
        return text
            .push(" falls back on ")
            .quoted(name)
            .push(", which is not in this toolset; add it, or correct the name")
            .fault();
    };
    let other = &set[other];
    if other.source.is_empty() {
        // What the macro could not read has its own errors.
        return FINE;
    }
    if other.risk as u8 > member.risk as u8 {
        return text
            .push(" (risk ")
            .quoted(member.risk.as_str())
            .push(") falls back on ")
            .quoted(name)
            .push(" (risk ")
            .quoted(other.risk.as_str())
            .push("); choose a tool that risks no more")
            .fault();
    }
    match odd_one_out(member.params, other.params) {
        Some(odd) => text
            .push(" falls back on ")
            .quoted(name)
            .push(", but only one of them has a parameter ")
            .quoted(odd)
            .push("; a fallback takes the same arguments, so give both the same parameters")
            .fault(),
        None => FINE,
    }
}

/// A name that only one of the lists has.
const fn odd_one_out(left: &[&'static str], right: &[&'static str]) -> Option<&'static str> {
    let mut index = 0;
    while index < left.len() {
        if !has(right, left[index]) {
            return Some(left[index]);
        }
        index += 1;
    }
    index = 0;
    while index < right.len() {
        if !has(left, right[index]) {
            return Some(right[index]);
        }
        index += 1;
    }
    None
}

/// Which tools can never be called, because what they need can't be either. Worked out once for a set:
/// following each tool's needs on its own is cubic.
pub const fn stuck<const N: usize>(set: &[Member]) -> [bool; N] {
    let mut stuck = [true; N];
    let mut changed = true;
    while changed {
        changed = false;
        let mut index = 0;
        while index < N {
            if stuck[index] && !waits(set, index, &stuck) {
                stuck[index] = false;
                changed = true;
            }
            index += 1;
        }
    }
    stuck
}

const fn waits(set: &[Member], at: usize, stuck: &[bool]) -> bool {
    let needs = set[at].needs;
    let mut index = 0;
    while index < needs.len() {
        if let Some(other) = position(set, needs[index].id)
            && stuck[other]
        {
            return true;
        }
        index += 1;
    }
    false
}

/// It need not have been called before it can be called. Each circle is told at its first tool.
pub const fn needs_no_circle<const N: usize>(set: &[Member], stuck: &[bool; N], at: usize) -> Verdict {
    if !stuck[at] {
        return FINE;
    }
    // Of each tool, the next one on the way to `at`.
    let mut next = [None; N];
    let mut changed = true;
    while changed {
        changed = false;
        let mut index = 0;
        while index < N {
            if next[index].is_none() {
                next[index] = step_towards(set, index, at, &next);
                changed |= next[index].is_some();
            }
            index += 1;
        }
    }
    let mut text = Text::new("tool ").quoted(set[at].name).push(" can never be called: it");
    let mut here = at;
    while let Some(there) = next[here] {
        if there < at {
            return FINE;
        }
        text = text.push(" needs ").quoted(set[there].name);
        if there == at {
            return text.push(" first; remove one of these preconditions").fault();
        }
        text = text.push(" first, which");
        here = there;
    }
    FINE
}

const fn step_towards<const N: usize>(
    set: &[Member],
    from: usize,
    goal: usize,
    next: &[Option<usize>; N],
) -> Option<usize> {
    let needs = set[from].needs;
    let mut index = 0;
    while index < needs.len() {
        if let Some(there) = position(set, needs[index].id)
            && (there == goal || next[there].is_some())
        {
            return Some(there);
        }
        index += 1;
    }
    None
}

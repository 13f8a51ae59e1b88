//! The checks across the tools of one `toolset!`, in const evaluation: each ends in a panic whose text
//! is the compiler's headline, from `told`. Not the checks of a set put together at run time.

#![expect(clippy::indexing_slicing, reason = "const evaluation has no `get`; each index is bounded by its loop")]

use super::facts::{FailurePolicy, Risk};
use super::shape::{ALL_AT_ONCE, Field};
use super::told::{self, Text};
use super::tool_spec::{BROKEN, Need, Tool, ToolEntry, name_id};
use super::unmarked::UNMARKED;

/// What is compared about one tool.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    name: &'static str,
    id: u64,
    needs: &'static [Need],
    entry: ToolEntry,
}

impl Member {
    /// The facts of the tool behind a path, which is written as `path`.
    pub const fn of<T: Tool>(path: &'static str) -> Self {
        Self { name: if T::ID == UNMARKED { path } else { T::HEAD.name }, id: T::ID, needs: T::NEEDS, entry: T::ENTRY }
    }

    const fn risk(&self) -> Risk {
        self.entry.spec.risk
    }

    const fn params(&self) -> &'static [Field] {
        self.entry.spec.params
    }
}

/// The tool at that place keeps every rule, or the first that it breaks.
pub const fn fits<const N: usize>(set: &[Member], stuck: &[bool; N], at: usize) -> Verdict {
    fault_at(set, stuck, at, 0)
}

/// The second rule that the tool at that place breaks: one constant has one message.
pub const fn fits_too<const N: usize>(set: &[Member], stuck: &[bool; N], at: usize) -> Verdict {
    fault_at(set, stuck, at, 1)
}

const fn fault_at<const N: usize>(set: &[Member], stuck: &[bool; N], at: usize, mut passed_over: usize) -> Verdict {
    let mut rule = 0;
    while rule < 5 {
        let verdict = match rule {
            0 => is_tool(set, at),
            1 => name_is_free(set, at),
            2 => needs_are_met(set, at),
            3 => fallback_fits(set, at),
            _ => needs_no_circle(set, stuck, at),
        };
        if verdict.0.is_some() {
            if passed_over == 0 {
                return verdict;
            }
            passed_over -= 1;
        }
        rule += 1;
    }
    FINE
}

/// It carries `#[tool]`.
const fn is_tool(set: &[Member], at: usize) -> Verdict {
    marked(set[at].id != UNMARKED, set[at].name)
}

/// What is said of a function without the attribute.
pub(super) const fn marked(marked: bool, path: &str) -> Verdict {
    if marked { FINE } else { fault(told::no_tool(path)) }
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
    /// Its parameters.
    pub params: &'static [Field],
}

impl Link {
    /// The tool behind a path.
    pub const fn to<T: Tool>() -> Self {
        Self { name: T::HEAD.name, id: T::ID, params: T::HEAD.params }
    }

    /// What the path, as it is written, names is a tool.
    pub const fn is_tool(&self, path: &str) -> Verdict {
        marked(self.id != UNMARKED, path)
    }
}

/// What a check found.
#[must_use = "a verdict that is not held has no effect"]
pub struct Verdict(Option<Text>);

pub(super) const FINE: Verdict = Verdict(None);

#[expect(clippy::large_types_passed_by_value, reason = "made in place, in const evaluation only")]
pub(super) const fn fault(text: Text) -> Verdict {
    Verdict(Some(text))
}

impl Verdict {
    /// Nothing, where all is well.
    ///
    /// # Panics
    /// With what was found. In const evaluation, where this is for, that is a compile error.
    #[expect(clippy::panic, reason = "in const evaluation a panic is a compile error")]
    pub const fn hold(&self) {
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

/// A parameter has the name.
const fn takes(params: &[Field], name: &str) -> bool {
    let mut index = 0;
    while index < params.len() {
        if same(params[index].name, name) {
            return true;
        }
        index += 1;
    }
    false
}

pub(super) const fn has(names: &[&str], name: &str) -> bool {
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
const fn name_is_free(set: &[Member], at: usize) -> Verdict {
    let member = &set[at];
    match position(set, member.id) {
        Some(first) if first < at && member.id != UNMARKED => {
            let first = set[first].entry.spec.source;
            fault(if same(first, member.entry.spec.source) {
                told::tool_twice(member.name)
            } else {
                told::name_taken(member.name, first)
            })
        }
        _ => FINE,
    }
}

/// What its preconditions name is in the set, and string-named ones bind what both tools have.
const fn needs_are_met(set: &[Member], at: usize) -> Verdict {
    let member = &set[at];
    let mut index = 0;
    while index < member.needs.len() {
        let need = &member.needs[index];
        index += 1;
        if need.id == UNMARKED {
            continue; // The tool that names it has the error.
        }
        let Some(other) = position(set, need.id) else {
            return fault(told::need_outside(member.name, need.name));
        };
        let verdict = binds(member.name, need.name, need.loose, set[other].params());
        if verdict.0.is_some() {
            return verdict;
        }
    }
    FINE
}

/// A precondition leaves no parameter loose that both tools have.
pub const fn binds(tool: &str, needed: &str, loose: &[&str], params: &[Field]) -> Verdict {
    let mut index = 0;
    while index < loose.len() {
        let name = loose[index];
        if takes(params, name) {
            return fault(told::need_unbound(tool, needed, name));
        }
        index += 1;
    }
    FINE
}

/// What it falls back on is in the set, risks no more, and takes the same arguments.
const fn fallback_fits(set: &[Member], at: usize) -> Verdict {
    let member = &set[at];
    let FailurePolicy::Fallback { tool: name } = member.entry.spec.failure_policy else { return FINE };
    let Some(other) = position(set, name_id(name)) else {
        return fault(told::fallback_outside(member.name, name));
    };
    let other = &set[other];
    if other.entry.spec.source.is_empty() {
        // What the macro could not read has its own errors.
        return FINE;
    }
    if other.risk() as u8 > member.risk() as u8 {
        return fault(told::fallback_risk(member.name, member.risk().as_str(), name, other.risk().as_str()));
    }
    match odd_one_out(member.params(), other.params()) {
        Some(odd) => fault(told::fallback_differs(member.name, name, odd)),
        None => FINE,
    }
}

/// A name that only one of the lists has.
const fn odd_one_out(left: &[Field], right: &[Field]) -> Option<&'static str> {
    if takes(left, ALL_AT_ONCE) || takes(right, ALL_AT_ONCE) {
        return None; // Only serde knows the names; they are compared when a gate is built.
    }
    match missing(left, right) {
        None => missing(right, left),
        odd => odd,
    }
}

/// The first that the others don't have.
const fn missing(params: &[Field], others: &[Field]) -> Option<&'static str> {
    let mut index = 0;
    while index < params.len() {
        if !takes(others, params[index].name) {
            return Some(params[index].name);
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
const fn needs_no_circle<const N: usize>(set: &[Member], stuck: &[bool; N], at: usize) -> Verdict {
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
    let mut way = Text::EMPTY;
    let mut here = at;
    while let Some(there) = next[here] {
        if there < at {
            return FINE;
        }
        way = way.push("needs `").push(set[there].name).push("` first");
        if there == at {
            return fault(told::circle(set[at].name, way.as_str()));
        }
        way = way.push(", which ");
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

//! Arguments that a contract refused, made into what the model meant, where exactly one reading of them
//! keeps the contract. What already keeps it is never touched. Which repairs there are, is `repair.rs`.

use std::borrow::Cow;

use super::Contract;
use super::check::{Check, has_repeats};
use super::members::Members;
use super::repair::{Repair, Repaired, Repairs};
use super::rule::{FieldRule, Rule, RuleId};
use super::wording::shown_name;
use super::work::{Work, count};
use crate::json::{Limits, Node, canonical, parse};
use crate::tool::push_pointer;

type Fields = Vec<(Cow<'static, str>, Node<'static>)>;

/// Why a value can't be repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stuck {
    /// No allowed repair makes it fit.
    Unfit,
    /// It would fit in more than one way.
    Ambiguous,
}

impl Contract {
    /// The arguments with these repairs, and each repair that was made. `None` where they don't lead to
    /// arguments that keep the contract, or in more than one way.
    ///
    /// Texts that hold JSON are read by the strict reader; depth and values inside of them count as if
    /// they stood there without quotes.
    pub fn repair(
        &self,
        arguments: &Node<'_>,
        allowed: Repairs,
        limits: &Limits,
    ) -> Option<(Node<'static>, Vec<Repaired>)> {
        if allowed.is_empty() {
            return None;
        }
        let nodes = count(arguments);
        let mut mend = Mend {
            contract: self,
            allowed,
            limits: limits.capped(),
            depth: 0,
            nodes,
            items_at: 0,
            work: Work::of(arguments),
            pointer: String::new(),
            made: Vec::new(),
        };
        let repaired = mend.value(self.root, arguments).ok()?;
        // The last word is the check's.
        (!mend.made.is_empty() && self.check(&repaired).is_empty()).then_some((repaired, mend.made))
    }
}

struct Mend<'c> {
    contract: &'c Contract,
    allowed: Repairs,
    limits: Limits,
    /// Arrays and objects around the value that is looked at.
    depth: usize,
    /// Values of the whole call, those that were read out of texts among them.
    nodes: usize,
    /// Depth at which values are items of an array: none of them is made an array, as the one around it
    /// could be meant to be the inner one.
    items_at: usize,
    work: Work,
    pointer: String,
    made: Vec<Repaired>,
}

impl Mend<'_> {
    fn allows(&self, repair: Repair) -> bool {
        self.allowed.contains(repair)
    }

    fn note(&mut self, repair: Repair) {
        self.made.push(Repaired { pointer: self.pointer.clone(), repair });
    }

    fn inside<T>(&mut self, segment: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        push_pointer(&mut self.pointer, segment);
        self.depth += 1;
        let done = work(self);
        self.depth -= 1;
        self.pointer.truncate(length);
        done
    }

    /// The value as it keeps the rule: as it is, or repaired.
    fn value(&mut self, id: RuleId, node: &Node<'_>) -> Result<Node<'static>, Stuck> {
        let done = if self.work.enter() { self.value_itself(id, node) } else { Err(Stuck::Ambiguous) };
        self.work.leave();
        // What wasn't tried to its end could be read in any way.
        if self.work.is_out() { Err(Stuck::Ambiguous) } else { done }
    }

    /// Whether the value keeps the rule as it stands.
    fn keeps(&mut self, id: RuleId, node: &Node<'_>) -> bool {
        Check::within(self.contract, id, node, &mut self.work).is_empty()
    }

    fn value_itself(&mut self, id: RuleId, node: &Node<'_>) -> Result<Node<'static>, Stuck> {
        let contract = self.contract;
        let rule = contract.rule(id);
        match (rule, node) {
            (Rule::Named { rule, .. }, node) => self.value(*rule, node),
            (Rule::AnyOf(options) | Rule::ExactlyOne(options), node) => self.one_of(options, node),
            (Rule::Object(fields), Node::Object(entries)) => self.object(fields, false, entries),
            (Rule::Open { fields, .. }, Node::Object(entries)) => self.object(fields, true, entries),
            (Rule::Also { rule, .. }, node) => {
                let value = self.value(*rule, node)?;
                if self.keeps(id, &value) { Ok(value) } else { Err(Stuck::Unfit) }
            }
            (Rule::Prefixed { prefix, rest, .. }, Node::List(nodes)) => {
                self.items(nodes, prefix.iter().chain(std::iter::repeat(rest)).copied()).map(Node::List)
            }
            (Rule::Map { values, max }, Node::Object(entries)) if entries.len() <= *max as usize => {
                let entry = |(name, node): &(Cow<'_, str>, Node<'_>)| {
                    let value = self.inside(shown_name(name), |mend| mend.value(*values, node))?;
                    Ok((Cow::Owned(name.clone().into_owned()), value))
                };
                entries.iter().map(entry).collect::<Result<_, _>>().map(Node::Object)
            }
            (Rule::List { items, min, max, unique }, Node::List(nodes)) => {
                let nodes = self.items(nodes, std::iter::repeat_n(*items, nodes.len()))?;
                let fits = (*min as usize..=*max as usize).contains(&nodes.len()) && !(*unique && has_repeats(&nodes));
                if fits { Ok(Node::List(nodes)) } else { Err(Stuck::Unfit) }
            }
            (Rule::Tuple(rules), Node::List(nodes)) if rules.len() == nodes.len() => {
                self.items(nodes, rules.iter().copied()).map(Node::List)
            }
            (_, node) if self.keeps(id, node) => Ok(node.clone().into_owned()),
            (_, Node::Text(text)) => self.text(id, rule, text),
            (Rule::List { .. }, Node::Bool(_) | Node::Integer(_) | Node::Float(_) | Node::Object(_)) => {
                self.item(rule, node)
            }
            _ => Err(Stuck::Unfit),
        }
    }

    fn items(&mut self, nodes: &[Node<'_>], rules: impl Iterator<Item = RuleId>) -> Result<Vec<Node<'static>>, Stuck> {
        let before = std::mem::replace(&mut self.items_at, self.depth + 1);
        let one = |(index, (node, rule)): (usize, (&Node<'_>, RuleId))| {
            self.inside(&index.to_string(), |mend| mend.value(rule, node))
        };
        let items = nodes.iter().zip(rules).enumerate().map(one).collect();
        self.items_at = before;
        items
    }

    /// In an open object the values of other names are taken as they are.
    fn object(
        &mut self,
        fields: &[FieldRule],
        open: bool,
        entries: &[(Cow<'_, str>, Node<'_>)],
    ) -> Result<Node<'static>, Stuck> {
        let members = Members::of(fields, entries, &mut self.work).ok_or(Stuck::Ambiguous)?;
        let mut by_place: Vec<Option<&FieldRule>> = vec![None; entries.len()];
        for (field, place) in fields.iter().zip(members.places()) {
            match place.and_then(|place| by_place.get_mut(place)) {
                Some(slot) => *slot = Some(field),
                None if field.required => return Err(Stuck::Unfit),
                None => {}
            }
        }
        let mut kept: Fields = Vec::with_capacity(entries.len());
        for ((name, node), field) in entries.iter().zip(by_place) {
            let Some(field) = field else {
                if !open {
                    return Err(Stuck::Unfit);
                }
                kept.push((Cow::Owned(name.clone().into_owned()), node.clone().into_owned()));
                continue;
            };
            if field.null_is_absent && matches!(node, Node::Null) {
                kept.push((Cow::Owned(field.name.clone()), Node::Null));
            } else if let Some(node) = self.inside(name, |mend| mend.field(field, node))? {
                kept.push((Cow::Owned(field.name.clone()), node));
            }
        }
        Ok(Node::Object(kept))
    }

    /// The value of a field, or none where it is read as left out.
    fn field(&mut self, field: &FieldRule, node: &Node<'_>) -> Result<Option<Node<'static>>, Stuck> {
        let before = self.made.len();
        let absent = matches!(node, Node::Null) && !field.required && self.allows(Repair::NullForAbsent);
        match self.value(field.rule, node) {
            Ok(node) => Ok(Some(node)),
            Err(Stuck::Unfit) if absent => {
                self.made.truncate(before);
                self.note(Repair::NullForAbsent);
                Ok(None)
            }
            Err(stuck) => Err(stuck),
        }
    }

    /// The choice that fits as it stands, else the one reading that all choices agree on.
    fn one_of(&mut self, options: &[RuleId], node: &Node<'_>) -> Result<Node<'static>, Stuck> {
        let (made, nodes) = (self.made.len(), self.nodes);
        let mut readings: Vec<(Node<'static>, Vec<Repaired>, usize)> = Vec::new();
        let mut ambiguous = false;
        for option in options {
            let tried = self.value(*option, node);
            let repaired = self.made.split_off(made);
            let read = std::mem::replace(&mut self.nodes, nodes);
            match tried {
                Ok(value) if repaired.is_empty() => return Ok(value),
                Ok(value) => readings.push((value, repaired, read)),
                Err(Stuck::Ambiguous) => ambiguous = true,
                Err(Stuck::Unfit) => {}
            }
        }
        let mut readings = readings.into_iter();
        let Some((value, repaired, read)) = readings.next().filter(|_| !ambiguous) else {
            return Err(if ambiguous { Stuck::Ambiguous } else { Stuck::Unfit });
        };
        let text = canonical(&value);
        if readings.any(|(other, ..)| canonical(&other) != text) {
            return Err(Stuck::Ambiguous);
        }
        self.made.extend(repaired);
        self.nodes = read;
        Ok(value)
    }

    /// A text that the rule refused.
    fn text(&mut self, id: RuleId, rule: &Rule, text: &str) -> Result<Node<'static>, Stuck> {
        let repaired = match rule {
            Rule::Integer { .. } | Rule::Number(_) | Rule::Literal(Node::Integer(_) | Node::Float(_)) => {
                decimal(text, &self.limits).map(|node| (Repair::StringNumber, node))
            }
            Rule::Bool | Rule::Literal(Node::Bool(_)) => boolean(text).map(|node| (Repair::StringBoolean, node)),

            Rule::List { .. } if is_one_word(text) => return self.item(rule, &Node::Text(Cow::Borrowed(text))),
            Rule::Object(_) | Rule::Open { .. } | Rule::Map { .. } => return self.encoded(id, rule, text),
            Rule::List { .. } | Rule::Tuple(_) | Rule::Prefixed { .. } => return self.encoded(id, rule, text),
            _ => None,
        };
        match repaired {
            Some((repair, node)) if self.allows(repair) && self.keeps(id, &node) => {
                self.note(repair);
                Ok(node)
            }
            _ => Err(Stuck::Unfit),
        }
    }

    /// The array or object that a text holds.
    fn encoded(&mut self, id: RuleId, rule: &Rule, text: &str) -> Result<Node<'static>, Stuck> {
        if !self.allows(Repair::DoubleEncoded) {
            return Err(Stuck::Unfit);
        }
        let limits = Limits {
            depth: self.limits.depth.saturating_sub(self.depth),
            // The text itself is one of those counted, and gives way.
            nodes: self.limits.nodes.saturating_sub(self.nodes.saturating_sub(1)),
            ..self.limits.clone()
        };
        if !self.work.read(text) {
            return Err(Stuck::Ambiguous);
        }
        let node = parse(text.as_bytes(), &limits).map_err(|_| Stuck::Unfit)?;
        let fits = match rule {
            Rule::Object(_) | Rule::Open { .. } | Rule::Map { .. } => matches!(node, Node::Object(_)),
            _ => matches!(node, Node::List(_)),
        };
        if !fits {
            return Err(Stuck::Unfit);
        }
        let more = count(&node) - 1;
        self.nodes += more;
        self.work.take(more);
        self.note(Repair::DoubleEncoded);
        self.value(id, &node)
    }

    /// An array of this one item.
    fn item(&mut self, list: &Rule, node: &Node<'_>) -> Result<Node<'static>, Stuck> {
        let Rule::List { items, min: 0 | 1, max: 1.., .. } = list else { return Err(Stuck::Unfit) };
        let deeper = self.depth + 1 + nesting(node);
        let is_item = self.items_at > 0 && self.items_at == self.depth;
        if !self.allows(Repair::ItemForList) || is_item || deeper > self.limits.depth {
            return Err(Stuck::Unfit);
        }
        self.note(Repair::ItemForList);
        self.nodes += 1;
        self.items(std::slice::from_ref(node), std::iter::once(*items)).map(Node::List)
    }
}

/// How many arrays and objects are inside each other.
fn nesting(node: &Node<'_>) -> usize {
    match node {
        Node::List(items) => 1 + items.iter().map(nesting).max().unwrap_or_default(),
        Node::Object(fields) => 1 + fields.iter().map(|(_, node)| nesting(node)).max().unwrap_or_default(),
        _ => 0,
    }
}

/// Whether a text can be one item only: no list in words, and none in the notation of some language.
fn is_one_word(text: &str) -> bool {
    // Beyond ASCII, letters, digits and the marks on them are no separators; any other sign could be one.
    let several = |letter: char| match letter {
        ',' | ';' | '|' => true,
        letter if letter.is_ascii() => letter.is_whitespace(),
        letter => !letter.is_alphanumeric(),
    };
    let quoted = text.starts_with(['"', '\'', '`']) || text.ends_with(['"', '\'', '`']);
    let nothing = matches!(text, "null" | "none" | "None" | "nil" | "undefined");
    !text.is_empty() && !quoted && !nothing && !text.contains(several) && !text.starts_with(['[', '{', '(', '<'])
}

fn boolean(text: &str) -> Option<Node<'static>> {
    match text {
        "true" => Some(Node::Bool(true)),
        "false" => Some(Node::Bool(false)),
        _ => None,
    }
}

/// The number that a plain decimal says, where no digit of it is lost.
fn decimal(text: &str, limits: &Limits) -> Option<Node<'static>> {
    if text.is_empty() || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-')) {
        return None;
    }
    let node = parse(text.as_bytes(), limits).ok()?.into_owned();
    // Zeros at the end of a fraction say nothing.
    let said = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    (canonical(&node) == said).then_some(node)
}

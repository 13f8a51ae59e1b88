//! Which member of an object is which field's: one look for all of them, as fields times members would be
//! any amount of work. Not what the fields ask.

use std::borrow::Cow;
use std::collections::HashMap;

use super::rule::FieldRule;
use super::work::Work;
use crate::json::Node;

type Entries<'e> = [(Cow<'e, str>, Node<'e>)];

/// So few members are compared one by one.
const FEW: usize = 8;

/// Where the fields of an object are among its members.
#[derive(Debug)]
pub(super) struct Members {
    /// For each field, the place of its member.
    places: Vec<Option<usize>>,
    /// How many members there are.
    count: usize,
    /// For each member, whether it is a field's.
    known: Known,
}

/// One truth value for each of so many places.
#[derive(Debug)]
enum Known {
    /// As bits, for up to 64.
    Bits(u64),
    Many(Vec<bool>),
}

impl Known {
    fn none(of: usize) -> Self {
        if of <= 64 { Self::Bits(0) } else { Self::Many(vec![false; of]) }
    }

    fn set(&mut self, place: usize) {
        match self {
            Self::Bits(bits) => *bits |= 1 << (place & 63),
            Self::Many(known) => {
                if let Some(known) = known.get_mut(place) {
                    *known = true;
                }
            }
        }
    }

    fn has(&self, place: usize) -> bool {
        match self {
            Self::Bits(bits) => place < 64 && (bits >> place) & 1 == 1,
            Self::Many(known) => known.get(place).copied().unwrap_or_default(),
        }
    }
}

impl Members {
    /// Finds them, where that isn't more work than is left.
    pub(super) fn of(fields: &[FieldRule], entries: &Entries<'_>, work: &mut Work) -> Option<Self> {
        if !work.look(fields.len().saturating_add(entries.len())) {
            return None;
        }
        let by_name: HashMap<&str, usize> = if entries.len() > FEW {
            entries.iter().enumerate().map(|(at, (name, _))| (&**name, at)).collect()
        } else {
            HashMap::new()
        };
        let place = |field: &FieldRule| {
            if entries.len() > FEW {
                return by_name.get(field.name.as_str()).copied();
            }
            entries.iter().position(|(name, _)| *name == field.name)
        };
        let places: Vec<Option<usize>> = fields.iter().map(place).collect();
        let mut known = Known::none(entries.len());
        places.iter().flatten().for_each(|place| known.set(*place));
        Some(Self { places, count: entries.len(), known })
    }

    /// The place of each field's member, in the order of the fields.
    pub(super) fn places(&self) -> impl Iterator<Item = Option<usize>> {
        self.places.iter().copied()
    }

    /// Whether the member at this place is a field's.
    pub(super) fn is_known(&self, place: usize) -> bool {
        self.known.has(place)
    }

    /// Whether all members are fields'.
    pub(super) fn are_all_known(&self) -> bool {
        (0..self.count).all(|place| self.known.has(place))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::asked::TOO_COMPLEX;
    use super::super::{Contract, Problem};
    use crate::json::{Limits, Node, parse};

    /// A list of objects with that many members that may be left out.
    fn wide(members: usize) -> Contract {
        let each = |at| (format!("field_{at}"), json!({"type": "integer", "default": 7}));
        let properties: serde_json::Map<String, Value> = (0..members).map(each).collect();
        let item = json!({"type": "object", "properties": properties});
        let list = json!({"type": "array", "items": item, "maxItems": 100_000});
        let schema = json!({"type": "object", "properties": {"list": list}, "required": ["list"]});
        Contract::of_schema("t", &schema).unwrap()
    }

    fn rules(problems: &[Problem]) -> Vec<&str> {
        problems.iter().map(|problem| problem.rule).collect()
    }

    #[test]
    fn many_small_objects_against_a_wide_one_are_told_instead_of_checked_without_end() {
        let contract = wide(4_000);
        let text = json!({"list": vec![json!({}); 20_000]}).to_string();
        let node = parse(text.as_bytes(), &Limits::MAX).unwrap();
        assert_eq!(rules(&contract.check(&node)), [TOO_COMPLEX]);
        let problem = contract.fill(&mut node.into_owned());
        assert_eq!(problem.map(|problem| problem.rule), Some(TOO_COMPLEX));
    }

    #[test]
    fn every_member_has_a_place_of_its_own_at_any_width() {
        for width in [63, 64, 65, 130] {
            let contract = wide(width);
            let each = |at: usize| (format!("field_{at}"), json!(at));
            let mut object: serde_json::Map<_, _> = (0..width - 1).map(each).collect();
            object.insert("other".to_owned(), json!(1));
            let value = json!({"list": [object]});
            let problems = contract.check(&Node::from_value_within(&value, &Limits::MAX).unwrap());
            let told: Vec<&str> = problems.iter().map(|found| found.pointer.as_str()).collect();
            assert_eq!(told, ["/list/0/other"], "{width}");
        }
    }

    #[test]
    fn a_wide_object_is_checked_whole_and_filled_in() {
        let contract = wide(2_000);
        // Every second one is given, last first, and one is wrong.
        let given = |at: usize| (format!("field_{at}"), if at == 1_000 { json!("x") } else { json!(at) });
        let object = |places: &mut dyn Iterator<Item = usize>| places.map(given).collect::<serde_json::Map<_, _>>();
        let wrong = json!({"list": [object(&mut (0..2_000).step_by(2).rev())]});
        let problems = contract.check(&Node::from_value_within(&wrong, &Limits::MAX).unwrap());
        let told: Vec<(&str, &str)> = problems.iter().map(|found| (found.pointer.as_str(), found.rule)).collect();
        assert_eq!(told, [("/list/0/field_1000", "schema.type")]);
        let right = json!({"list": [object(&mut (1..2_000).step_by(2).rev())]});
        let mut node = Node::from_value_within(&right, &Limits::MAX).unwrap();
        assert_eq!(rules(&contract.check(&node)), Vec::<&str>::new());
        assert!(contract.fill(&mut node).is_none());
        let whole = node.to_value();
        let members = whole["list"][0].as_object().unwrap();
        assert_eq!((members.len(), &members["field_0"], &members["field_1"]), (2_000, &json!(7), &json!(1)));
    }
}

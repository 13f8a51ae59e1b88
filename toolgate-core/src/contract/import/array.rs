//! What is said about an array, as one rule. Not its items' own rules.

use super::build::Reading;
use super::parts::Parts;
use super::{Built, Import, Names, Said};
use crate::contract::compile::Compiler;
use crate::contract::rule::{Ask, Rule};
use crate::spec::shape::DEFAULT_ITEMS_MAX;

impl<'s> Import<'s> {
    pub(super) fn array(&mut self, to: &mut Compiler<'_>, parts: &Parts<'s>, reading: Reading) -> Built {
        let min = parts.min_items;
        let unsaid = if reading.bounded { DEFAULT_ITEMS_MAX.max(min) } else { u32::MAX };
        let mut max = parts.max_items.unwrap_or(unsaid);
        let longest = parts.arrays.iter().map(|part| part.prefix.len()).max().unwrap_or(0);
        let mut prefix = Vec::with_capacity(longest);
        for index in 0..longest {
            let said: Vec<Said<'s>> = parts
                .arrays
                .iter()
                .filter_map(|part| part.prefix.get(index).or(part.items.as_ref()))
                .cloned()
                .collect();
            let rule = self.satisfiable(to, said, reading.names)?;
            if to.is_never(rule) {
                break;
            }
            prefix.push(rule);
        }
        let length = u32::try_from(prefix.len()).unwrap_or(u32::MAX);
        let said: Vec<Said<'s>> = parts.arrays.iter().filter_map(|part| part.items.clone()).collect();
        let mut rest = if prefix.len() < longest { to.never() } else { self.satisfiable(to, said, reading.names)? };
        if to.is_never(rest) {
            max = max.min(length);
            rest = to.push(Rule::Any);
        }
        prefix.truncate(max as usize);
        if min > max {
            return Ok(to.never());
        }
        let unique = parts.unique;
        let rule = match prefix.len() {
            0 => Rule::List { items: rest, min, max, unique },
            length if min == max && length == max as usize && !unique => Rule::Tuple(prefix),
            _ => Rule::Prefixed { prefix, rest, min, max, unique },
        };
        let rule = to.push(rule);
        let mut asks = Vec::new();
        for contains in &parts.contains {
            let item = self.rule(to, vec![contains.item.clone()], Names::Open)?;
            match (to.is_never(item), contains.min, contains.max) {
                (_, min, max) if min > max => return Ok(to.never()),
                (true, 1.., _) => return Ok(to.never()),
                (true, ..) | (_, 0, u32::MAX) => {}
                (_, min, max) => asks.push(Ask::Contains { item, min, max }),
            }
        }
        Ok(to.also(rule, asks))
    }
}

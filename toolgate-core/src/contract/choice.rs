//! A value against a choice of rules: which option was meant, and what is wrong with the value as that
//! one. Not the options themselves, which are checked like any rule.

use std::borrow::Cow;

use super::check::{Check, MAX_PROBLEMS};
use super::members::Members;
use super::problem::Problem;
use super::rule::{FieldRule, Format, Rule, RuleId};
use super::wording::{list, shown_name, with_article};
use crate::json::{Node, canonical};

/// Most forms of an object that are named when none fits.
const FORMS: usize = 5;

type Entries<'e> = [(Cow<'e, str>, Node<'e>)];

/// An option that did not fit, and why.
struct Attempt {
    option: RuleId,
    problems: Vec<Problem>,
}

impl<'c> Check<'c> {
    pub(super) fn any_of(&mut self, options: &[RuleId], node: &Node<'_>) {
        let mut attempts = Vec::with_capacity(options.len());
        for option in options {
            let problems = self.attempt(*option, node);
            if problems.is_empty() {
                return;
            }
            attempts.push(Attempt { option: *option, problems });
        }
        if self.fixed(options, node) {
            return;
        }
        match node {
            Node::Object(entries) if self.object_choice(&mut attempts, entries) => {}
            Node::Text(text) if self.variant_as_word(options, text) => {}
            _ => self.best_of(options, attempts, node),
        }
    }

    /// One option and no other, before and after what is left out is filled in.
    pub(super) fn exactly_one(&mut self, options: &[RuleId], node: &Node<'_>) {
        let Some(at) = options.iter().position(|option| self.attempt(*option, node).is_empty()) else {
            return self.any_of(options, node);
        };
        let whole = options.get(at).and_then(|fitting| self.completed(*fitting, node));
        let others = options.iter().enumerate().filter(|(other, _)| *other != at);
        let found = others.filter(|(_, option)| {
            self.attempt(**option, node).is_empty()
                || whole.as_ref().is_some_and(|whole| self.attempt(**option, whole).is_empty())
        });
        if found.count() > 0 {
            self.problem("schema.one_of", "expected a value that fits one of the choices only");
        }
        self.stop_if_too_complex();
    }

    /// The value with what is left out filled in, where that can change anything.
    pub(super) fn completed<'n>(&mut self, rule: RuleId, node: &Node<'n>) -> Option<Node<'n>> {
        if !matches!(node, Node::Object(_) | Node::List(_)) {
            return None;
        }
        let whole = self.work.copy(node)?;
        self.contract.complete(rule, whole, &mut self.work)
    }

    pub(super) fn attempt(&mut self, option: RuleId, node: &Node<'_>) -> Vec<Problem> {
        let pointer = self.pointer.clone();
        let mut check = Check { compared: self.compared, ..Check::new(self.contract, pointer, self.work) };
        check.rule(option, node);
        // The work of an option that didn't fit was done all the same.
        self.work = check.work;
        self.compared = check.compared;
        check.problems
    }

    fn extend(&mut self, problems: Vec<Problem>) {
        let room = MAX_PROBLEMS.saturating_sub(self.problems.len());
        self.problems.extend(problems.into_iter().take(room));
    }

    /// Fixed values only: they are listed as one.
    fn fixed(&mut self, options: &[RuleId], node: &Node<'_>) -> bool {
        let mut texts = Vec::new();
        let mut literals = false;
        for option in options {
            match self.contract.form(*option) {
                Rule::Literal(literal) => {
                    literals = true;
                    texts.push(canonical(literal));
                }
                Rule::OneOf(words) => texts.extend(words.iter().map(|word| format!("\"{}\"", word.value))),
                Rule::Null => texts.push("null".to_owned()),
                _ => return false,
            }
        }
        if literals {
            let near = match node {
                Node::Text(text) => self.nearest_text(text, options),
                _ => None,
            };
            let expected = format!("expected one of {}", list(texts.len(), texts.iter().map(String::as_str)));
            self.problem_near("schema.enum", expected, near);
        }
        literals
    }

    fn nearest_text(&mut self, text: &str, options: &[RuleId]) -> Option<&'c str> {
        let contract = self.contract;
        let mut words: Vec<&'c str> = Vec::new();
        for option in options {
            match contract.form(*option) {
                Rule::OneOf(known) => words.extend(known.iter().map(|word| word.value.as_str())),
                Rule::Literal(Node::Text(word)) => words.push(word),
                _ => {}
            }
        }
        self.nearest(text, words.into_iter())
    }

    /// The fields of an option that is an object.
    fn fields_of(&self, option: RuleId) -> Option<&'c [FieldRule]> {
        match self.contract.form(option) {
            Rule::Object(fields) | Rule::Open { fields, .. } => Some(fields),
            _ => None,
        }
    }

    /// Several forms of objects: told apart by a tag word, by their only member, or by their names.
    fn object_choice(&mut self, attempts: &mut [Attempt], entries: &Entries<'_>) -> bool {
        let options = attempts.iter().map(|attempt| attempt.option);
        let options: Vec<RuleId> = options.filter(|option| self.fields_of(*option).is_some()).collect();
        if options.len() < 2 {
            return false;
        }
        let meant = match (self.tag(&options), self.variants(&options)) {
            (Some(tag), _) => match self.by_tag(tag, &options, entries) {
                Some(meant) => meant,
                None => return true,
            },
            (None, Some(variants)) => match self.by_variant(&variants, entries) {
                Some(meant) => meant,
                None => return true,
            },
            (None, None) => {
                let Some(meant) = self.by_names(&options, entries) else {
                    self.forms(&options);
                    return true;
                };
                meant
            }
        };
        let meant = options.get(meant).and_then(|meant| attempts.iter_mut().find(|attempt| attempt.option == *meant));
        if let Some(attempt) = meant {
            self.extend(std::mem::take(&mut attempt.problems));
        }
        true
    }

    /// The member that all options have, with words of its own in each.
    fn tag(&self, options: &[RuleId]) -> Option<&'c str> {
        let first = self.fields_of(*options.first()?)?;
        let mut names = first.iter().map(|field| field.name.as_str());
        names.find(|name| {
            let mut seen: Vec<&str> = Vec::new();
            options.iter().all(|option| {
                let words = self.tag_words(*option, name);
                let own = !words.is_empty() && !words.iter().any(|word| seen.contains(word));
                seen.extend(words);
                own
            })
        })
    }

    fn tag_words(&self, option: RuleId, name: &str) -> Vec<&'c str> {
        let field = self.fields_of(option).and_then(|fields| fields.iter().find(|field| field.name == name));
        match field.map(|field| self.contract.form(field.rule)) {
            Some(Rule::OneOf(words)) => words.iter().map(|word| word.value.as_str()).collect(),
            Some(Rule::Literal(Node::Text(word))) => vec![word],
            _ => Vec::new(),
        }
    }

    fn by_tag(&mut self, tag: &str, options: &[RuleId], entries: &Entries<'_>) -> Option<usize> {
        let given = entries.iter().find(|(name, _)| name == tag).map(|(_, node)| node);
        let words: Vec<(usize, &'c str)> = options
            .iter()
            .enumerate()
            .flat_map(|(at, option)| self.tag_words(*option, tag).into_iter().map(move |word| (at, word)))
            .collect();
        let known = list(words.len(), words.iter().map(|(_, word)| *word));
        match given {
            Some(Node::Text(text)) => {
                if let Some((meant, _)) = words.iter().find(|(_, word)| word == text) {
                    return Some(*meant);
                }
                let near = self.nearest(text, words.iter().map(|(_, word)| *word));
                let expected = format!("expected one of {known}");
                self.inside(tag, |check| check.problem_near("schema.enum", expected, near));
            }
            Some(node) => {
                let kind = with_article(node.kind());
                self.inside(tag, |check| {
                    check.problem("schema.type", format!("expected one of {known}, got {kind}"));
                });
            }
            None => self.inside(tag, |check| {
                check.problem("schema.required", format!("required and missing, expected one of {known}"));
            }),
        }
        None
    }

    /// The only members of options that have one each.
    fn variants(&self, options: &[RuleId]) -> Option<Vec<&'c str>> {
        let mut names = Vec::with_capacity(options.len());
        for option in options {
            let [only] = self.fields_of(*option)? else { return None };
            if !only.required || names.contains(&only.name.as_str()) {
                return None;
            }
            names.push(only.name.as_str());
        }
        Some(names)
    }

    fn by_variant(&mut self, variants: &[&'c str], entries: &Entries<'_>) -> Option<usize> {
        let known = list(variants.len(), variants.iter().copied());
        let mut given = variants.iter().enumerate().filter(|(_, word)| entries.iter().any(|(name, _)| name == **word));
        match (given.next(), given.next(), entries) {
            (Some((meant, _)), None, _) => return Some(meant),
            (None, _, [(name, _)]) => {
                let near = self.nearest(name, variants.iter().copied());
                let expected = format!("no such variant; known are {known}");
                self.inside(shown_name(name), |check| check.problem_near("schema.additional", expected, near));
            }
            _ => self.problem("schema.any_of", format!("expected an object with exactly one of {known}")),
        }
        None
    }

    /// A word where a variant holds a value: its name was right, its form is not.
    fn variant_as_word(&mut self, options: &[RuleId], text: &str) -> bool {
        let objects: Vec<RuleId> = options.iter().copied().filter(|option| self.fields_of(*option).is_some()).collect();
        let Some(variants) = self.variants(&objects).filter(|_| !objects.is_empty()) else { return false };
        if variants.contains(&text) {
            self.problem(
                "schema.any_of",
                format!("expected an object `{{\"{text}\": ..}}`, this variant holds a value"),
            );
            return true;
        }
        let mut words: Vec<&'c str> = Vec::new();
        for option in options {
            match self.contract.form(*option) {
                Rule::OneOf(known) => words.extend(known.iter().map(|word| word.value.as_str())),
                Rule::Object(_) | Rule::Open { .. } | Rule::Null => {}
                _ => return false,
            }
        }
        if words.is_empty() {
            return false;
        }
        let near = self.nearest(text, words.iter().chain(&variants).copied().collect::<Vec<_>>().into_iter());
        let holding = list(variants.len(), variants.iter().copied());
        let words = list(words.len(), words.iter().copied());
        let expected = format!("expected one of {words}, or an object with one of {holding}");
        self.problem_near("schema.enum", expected, near);
        true
    }

    /// The one option that has fewest names too many and too few.
    fn by_names(&mut self, options: &[RuleId], entries: &Entries<'_>) -> Option<usize> {
        let mut misses = Vec::with_capacity(options.len());
        for option in options {
            let fields = self.fields_of(*option).unwrap_or_default();
            let members = Members::of(fields, entries, &mut self.work)?;
            let unknown = (0..entries.len()).filter(|at| !members.is_known(*at)).count();
            let missing =
                fields.iter().zip(members.places()).filter(|(field, place)| field.required && place.is_none());
            misses.push(unknown + missing.count());
        }
        let least = misses.iter().min()?;
        let mut at = misses.iter().enumerate().filter(|(_, count)| *count == least).map(|(at, _)| at);
        match (at.next(), at.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    fn forms(&mut self, options: &[RuleId]) {
        let forms = options.iter().take(FORMS).map(|option| {
            let fields = self.fields_of(*option).unwrap_or_default();
            let needed: Vec<&str> =
                fields.iter().filter(|field| field.required).map(|field| field.name.as_str()).collect();
            if needed.is_empty() {
                "with any of its members".to_owned()
            } else {
                format!("with {}", list(needed.len(), needed.iter().copied()))
            }
        });
        let mut text = forms.collect::<Vec<_>>().join("; or ");
        if options.len() > FORMS {
            text.push_str("; or others");
        }
        self.problem("schema.any_of", format!("expected an object of one form: {text}"));
    }

    /// The formats, where the options differ in nothing else.
    fn formats(&self, options: &[RuleId]) -> Option<Vec<&'static str>> {
        let format = |option: &RuleId| match self.contract.form(*option) {
            Rule::Text(rule) => rule.format.map(Format::as_str),
            _ => None,
        };
        options.iter().map(format).collect()
    }

    /// The problems of the option that fits best, or one problem that names what would fit.
    fn best_of(&mut self, options: &[RuleId], attempts: Vec<Attempt>, node: &Node<'_>) {
        if let (Node::Text(_), Some(formats)) = (node, self.formats(options)) {
            let formats = formats.join("` or `");
            return self.problem("schema.format", format!("expected text in the format `{formats}`"));
        }
        let mut best: Option<Vec<Problem>> = None;
        let mut fitting = 0;
        for Attempt { problems, .. } in attempts {
            // An option that is wrong at this very place is not what was meant.
            let here = problems.iter().any(|problem| problem.pointer == self.pointer && problem.rule == "schema.type");
            if !here {
                fitting += 1;
                if best.as_ref().is_none_or(|best| problems.len() < best.len()) {
                    best = Some(problems);
                }
            }
        }
        match best {
            Some(problems) if fitting == 1 || !matches!(node, Node::Object(_)) => self.extend(problems),
            _ => {
                let kinds = self.contract.kinds(options);
                self.wrong_type(&kinds, node);
            }
        }
    }
}

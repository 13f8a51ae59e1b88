//! Choices and fixed values: what stands in `anyOf`, `oneOf`, `if`, `dependentSchemas`, `enum`, `const`
//! and `not`, and how a choice becomes a rule beside whatever else is said. Not the kinds of values.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::parts::{Alternative, Choice, Fixed, Parts, list};
use super::{Built, Import, Names, Said};
use crate::contract::compile::Compiler;
use crate::contract::fault::SpecFault;
use crate::contract::rule::{Ask, Rule, RuleId};

/// What a schema may say about a member without saying anything about what is inside of it.
const FLAT: [&str; 14] = [
    "const",
    "enum",
    "type",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "description",
    "title",
];

impl<'s> Import<'s> {
    /// Adds what is said about a value as a whole.
    pub(super) fn wholes(
        &self,
        to: &Compiler<'_>,
        parts: &mut Parts<'s>,
        object: &'s Map<String, Value>,
        said: &Said<'s>,
    ) -> Result<(), SpecFault> {
        if let Some(value) = object.get("const") {
            parts.fixed.push(Fixed { values: vec![(value, "")] });
        }
        if object.contains_key("enum") {
            parts.fixed.push(Fixed { values: list(object, "enum").iter().map(|value| (value, "")).collect() });
        }
        for keyword in ["anyOf", "oneOf"] {
            if object.contains_key(keyword) {
                self.alternatives(to, parts, list(object, keyword), keyword, said)?;
            }
        }
        parts.nots.extend(object.get("not").map(|schema| said.inside(schema, &["not"])));
        if let Some(condition) = object.get("if") {
            let condition = said.inside(condition, &["if"]);
            let then = object.get("then").map(|schema| said.inside(schema, &["then"]));
            let otherwise = object.get("else").map(|schema| said.inside(schema, &["else"]));
            let holds =
                Alternative { said: [condition.clone()].into_iter().chain(then).collect(), ..Alternative::default() };
            let fails = [condition.negated()].into_iter().chain(otherwise).collect();
            let options = vec![holds, Alternative { said: fails, ..Alternative::default() }];
            parts.choices.push(Choice { said: said.clone(), exactly_one: false, options });
        }
        let dependent = object.get("dependentSchemas").and_then(Value::as_object);
        // One keyword, and as many choices as it has members.
        parts.asserted = parts.asserted + dependent.map_or(0, Map::len) - usize::from(dependent.is_some());
        for (name, schema) in dependent.into_iter().flatten() {
            let schema = said.inside(schema, &["dependentSchemas", name]);
            let with = Alternative { said: vec![schema], with: Some(name), without: None };
            let without = Alternative { said: Vec::new(), with: None, without: Some(name) };
            parts.choices.push(Choice { said: said.clone(), exactly_one: false, options: vec![with, without] });
        }
        Ok(())
    }

    fn alternatives(
        &self,
        to: &Compiler<'_>,
        parts: &mut Parts<'s>,
        options: &'s [Value],
        keyword: &str,
        said: &Said<'s>,
    ) -> Result<(), SpecFault> {
        if options.is_empty() {
            return Err(self.fault(to, said, "schema.invalid", "a choice between no schemas"));
        }
        if let Some(values) = options.iter().map(described_word).collect::<Option<Vec<_>>>()
            && !(keyword == "oneOf" && has_twins(&values))
        {
            parts.fixed.push(Fixed { values });
            return Ok(());
        }
        let options = options.iter().enumerate().map(|(index, option)| Alternative {
            said: vec![said.inside(option, &[keyword, &index.to_string()])],
            ..Alternative::default()
        });
        // serde takes the first variant that fits, so a type's own `oneOf` promises no more.
        let exactly_one = keyword == "oneOf" && !self.foreign;
        parts.choices.push(Choice { said: said.clone(), exactly_one, options: options.collect() });
        Ok(())
    }

    /// A rule for the last choice of these parts, beside all the rest.
    pub(super) fn choose(
        &mut self,
        to: &mut Compiler<'_>,
        mut parts: Parts<'s>,
        choice: &Choice<'s>,
        names: Names,
    ) -> Built {
        let alone = parts.asserted == 1;
        parts.asserted -= 1;
        if alone {
            return self.options(to, choice, names);
        }
        // Options that name no members of their own only ask something more of the object.
        let flat = names == Names::Open || {
            let known =
                |name: &str| parts.objects.iter().any(|part| part.properties.is_some_and(|all| all.contains_key(name)));
            let mut said = choice.options.iter().flat_map(|option| &option.said);
            !parts.objects.is_empty() && said.all(|said| is_flat(said.schema, &known))
        };
        self.choosing += 1;
        let built = if flat {
            let asked = self.options(to, choice, Names::Open);
            asked.and_then(|asked| {
                let base = self.build(to, parts, names)?;
                Ok(match (to.is_never(asked), to.is_any(asked)) {
                    (true, _) => asked,
                    (_, true) => base,
                    _ => to.also(base, vec![Ask::Keeps(asked)]),
                })
            })
        } else {
            self.distributed(to, &parts, choice, names)
        };
        self.choosing -= 1;
        built
    }

    /// The choice alone.
    fn options(&mut self, to: &mut Compiler<'_>, choice: &Choice<'s>, names: Names) -> Built {
        let mut rules = Vec::with_capacity(choice.options.len());
        for option in &choice.options {
            let rule = match option {
                Alternative { said, with: None, without: None } => self.satisfiable_option(to, said, names)?,
                option => {
                    let parts = self.beside(to, &Parts::default(), option)?;
                    self.build(to, parts, names)?
                }
            };
            rules.push(rule);
        }
        Ok(one_of(to, rules, choice.exactly_one))
    }

    fn satisfiable_option(&mut self, to: &mut Compiler<'_>, said: &[Said<'s>], names: Names) -> Built {
        self.choosing += 1;
        let rule = self.rule(to, said, names);
        self.choosing -= 1;
        rule
    }

    /// Every option together with all the rest.
    fn distributed(&mut self, to: &mut Compiler<'_>, parts: &Parts<'s>, choice: &Choice<'s>, names: Names) -> Built {
        let mut rules = Vec::with_capacity(choice.options.len());
        for option in &choice.options {
            self.count(to, choice.said.depth)?;
            let whole = self.beside(to, parts, option)?;
            rules.push(self.build(to, whole, names)?);
        }
        Ok(one_of(to, rules, choice.exactly_one))
    }

    fn beside(
        &mut self,
        to: &mut Compiler<'_>,
        parts: &Parts<'s>,
        option: &Alternative<'s>,
    ) -> Result<Parts<'s>, SpecFault> {
        let mut whole = parts.clone();
        for said in &option.said {
            // One reference down, so that what it stands for is added here and now.
            self.gather(to, &mut whole, said, &mut vec![said.at.clone()])?;
        }
        whole.required.extend(option.with);
        whole.without.extend(option.without);
        whole.asserted += usize::from(option.with.is_some() || option.without.is_some());
        Ok(whole)
    }
}

fn one_of(to: &mut Compiler<'_>, mut rules: Vec<RuleId>, exactly_one: bool) -> RuleId {
    rules.retain(|rule| !to.is_never(*rule));
    match rules.as_slice() {
        [] => to.never(),
        [only] => *only,
        _ if exactly_one => to.push(Rule::ExactlyOne(rules)),
        _ => to.push(Rule::AnyOf(rules)),
    }
}

/// Whether a value stands there more than once: it fits more than one of the choices.
fn has_twins(values: &[(&Value, &str)]) -> bool {
    let mut seen = HashSet::new();
    !values.iter().all(|(value, _)| seen.insert(value.as_str()))
}

fn described_word(schema: &Value) -> Option<(&Value, &str)> {
    let object = schema.as_object()?;
    let known =
        |keyword: &String| matches!(keyword.as_str(), "const" | "type" | "description" | "title" | "deprecated");
    let value = object.get("const").filter(|value| value.is_string())?;
    let kind = object.get("type").is_none_or(|kind| kind == "string");
    let doc = object.get("description").and_then(Value::as_str).unwrap_or_default();
    (kind && object.keys().all(known)).then_some((value, doc))
}

/// Whether an option asks something of an object's members without naming any that are not known, or that
/// have members of their own.
fn is_flat(schema: &Value, known: &dyn Fn(&str) -> bool) -> bool {
    let Value::Object(object) = schema else { return schema.is_boolean() };
    object.iter().all(|(keyword, value)| match keyword.as_str() {
        "required" | "minProperties" | "maxProperties" | "dependentRequired" | "description" | "title" => true,
        "type" => value == "object",
        "not" => is_flat(value, known),
        "anyOf" | "oneOf" | "allOf" => value.as_array().is_some_and(|all| all.iter().all(|one| is_flat(one, known))),
        "properties" => value
            .as_object()
            .is_some_and(|fields| fields.iter().all(|(name, field)| known(name) && is_flat_member(field))),
        _ => false,
    })
}

fn is_flat_member(schema: &Value) -> bool {
    let Value::Object(members) = schema else { return schema.is_boolean() };
    let listed = members.get("enum").and_then(Value::as_array).into_iter().flatten();
    let kind = members.get("type").is_none_or(|kind| kind.is_string() && kind != "object" && kind != "array");
    kind && members.keys().all(|keyword| FLAT.contains(&keyword.as_str()))
        && !members.get("const").into_iter().chain(listed).any(|value| value.is_object() || value.is_array())
}

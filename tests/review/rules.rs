//! One case for each rule: a set of tools with a fault, and the same set without it.

use std::collections::BTreeSet;

use toolgate::review::{Review, Reviewed, rules};
use toolgate::serde_json::{Value, json};
use toolgate::spec::{FailurePolicy, RegisteredTool, Repeat};
use toolgate::{Capabilities, DynamicTool, Risk, ToolError, tool, tool_type, toolset};

/// What is found, as `rule at place`.
fn found(review: &Review) -> Vec<String> {
    review.run().unwrap().findings.iter().map(|finding| format!("{} at {}", finding.rule, finding.at())).collect()
}

fn of(tools: impl Reviewed) -> Vec<String> {
    found(&Review::of(tools))
}

/// A tool that only reads, with this doc and these properties.
fn reads(name: &str, doc: &str, properties: &Value) -> RegisteredTool {
    declared(name, doc, properties).reads().handler(|_, _| async { Ok(json!(null)) }).unwrap()
}

fn declared(name: &str, doc: &str, properties: &Value) -> DynamicTool {
    let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
    DynamicTool::new(name, doc, json!({"type": "object", "properties": properties, "required": names}))
}

fn done(tool: DynamicTool) -> [RegisteredTool; 1] {
    [tool.handler(|_, _| async { Ok(json!(null)) }).unwrap()]
}

/// The findings of a tool with one parameter.
fn parameter(name: &str, property: &Value) -> Vec<String> {
    of([reads("find_things", "Lists the things that fit, newest first.", &json!({name: property}))])
}

fn text(doc: &str) -> Value {
    json!({"type": "string", "description": doc, "maxLength": 40})
}

/// A rule with a case in which it must be found at this place, and one in which it must not.
struct Case {
    rule: &'static str,
    place: &'static str,
    faulty: Vec<String>,
    sound: Vec<String>,
}

fn case(rule: &'static str, place: &'static str, faulty: Vec<String>, sound: Vec<String>) -> Case {
    Case { rule, place, faulty, sound }
}

fn about_descriptions() -> Vec<Case> {
    let look = |name: &str, doc: &str| of([reads(name, doc, &json!({}))]);
    let near = |doc: &str| {
        let status = reads("service_status", "Says how a service is at this moment.", &json!({}));
        of(vec![status, reads("list_services", doc, &json!({}))])
    };
    let pays = |doc: &str, repeat| of(done(declared("close_month", doc, &json!({})).writes(repeat)));
    vec![
        case("doc.short", "list_notes", look("list_notes", "Lists."), look("list_notes", "Lists the newest notes.")),
        case(
            "doc.repeats_name",
            "list_notes",
            look("list_notes", "Lists the notes."),
            look("list_notes", "Lists the notes, newest first."),
        ),
        case(
            "doc.long",
            "list_notes",
            look("list_notes", &"Lists notes. ".repeat(80)),
            look("list_notes", &"Lists notes. ".repeat(70)),
        ),
        case(
            "doc.contradicts",
            "close_month",
            pays("Closes the month; it is idempotent.", Repeat::Once),
            pays("Closes the month; it is idempotent.", Repeat::Idempotent),
        ),
        case(
            "doc.unknown_tool",
            "list_services",
            near("Lists all services; `services_status` says how one is."),
            near("Lists all services; `service_status` says how one is."),
        ),
    ]
}

fn about_arguments() -> Vec<Case> {
    let any = |name: &str, property: Value| parameter(name, &property);
    vec![
        case(
            "arg.no_doc",
            "find_things/owner",
            any("owner", json!({"type": "boolean"})),
            any("owner", text("Who has it.")),
        ),
        case(
            "arg.doc_repeats_name",
            "find_things/owner_name",
            any("owner_name", text("The owner's name.")),
            any("owner_name", text("Who has it, as on the badge.")),
        ),
        case(
            "arg.free_string_enum",
            "find_things/order",
            any("order", text("One of `newest`, `oldest`.")),
            any("order", text("Any field, such as `newest` or `oldest`.")),
        ),
        case(
            "arg.free_string_enum",
            "find_things/open",
            any("open", text("Either yes or no.")),
            any("open", json!({"type": "boolean", "description": "Either yes or no."})),
        ),
        case(
            "arg.string_is_number",
            "find_things/wait_minutes",
            any("wait_minutes", text("How long.")),
            any("wait_minutes", json!({"type": "integer", "description": "How long."})),
        ),
        case(
            "arg.string_is_number",
            "find_things/size",
            any("size", json!({"type": "string", "description": "In feet.", "pattern": "^[0-9]{1,3}$"})),
            any("size_id", json!({"type": "string", "description": "In feet.", "pattern": "^[0-9]{1,3}$"})),
        ),
        case(
            "arg.string_is_date",
            "find_things/since",
            any("since", text("No older ones.")),
            any("since", json!({"type": "string", "description": "No older ones.", "format": "date"})),
        ),
        case(
            "arg.money_is_float",
            "find_things/price",
            any("price", json!({"type": "number", "description": "At most so much."})),
            any("price", json!({"type": "integer", "description": "At most so many cents."})),
        ),
        case(
            "arg.not_sensitive",
            "find_things/password",
            any("password", text("Of the account.")),
            any("next_page_token", text("Where the last page ended.")),
        ),
        case(
            "arg.any_value",
            "find_things/filter",
            any("filter", json!({"description": "What must hold."})),
            any("filter", json!({"type": "object", "description": "What must hold.", "properties": {}})),
        ),
        case(
            "arg.unbounded_id",
            "find_things/order_id",
            any("order_id", json!({"type": "string", "description": "Which one."})),
            any("order_id", json!({"type": "string", "description": "Which one.", "pattern": "^o-"})),
        ),
    ]
}

#[tool_type(argument)]
struct Loose {
    /// What it says, in a sentence or two.
    body: String,
    /// What it is about, in words.
    tags: Vec<String>,
}

#[tool_type(argument, max_length = 20)]
struct Tag(String);

#[tool_type(argument)]
struct Tight {
    /// What it says, in a sentence or two.
    #[arg(max_length = 400)]
    body: String,
    /// What it is about, in words.
    #[arg(max_items = 5)]
    tags: Vec<Tag>,
}

/// Keeps a note for the whole team.
#[tool(risk = "write", idempotent)]
fn keep_loose(
    /// Everything about it.
    note: Loose,
) -> Result<(), ToolError> {
    drop((note.body, note.tags));
    Ok(())
}

/// Keeps a note for the whole team.
#[tool(risk = "write", idempotent)]
fn keep_tight(
    /// Everything about it.
    note: Tight,
) -> Result<(), ToolError> {
    drop((note.body, note.tags.into_iter().map(|tag| tag.0)));
    Ok(())
}

fn about_bounds() -> Vec<Case> {
    let doc = "How many are there afterwards.";
    let scale = |count: Value| {
        of(done(
            declared("scale_fleet", "Runs so many instances.", &json!({"count": count})).writes(Repeat::Idempotent),
        ))
    };
    let any = json!({"type": "integer", "description": doc});
    let bounded = json!({"type": "integer", "description": doc, "minimum": 0, "maximum": 100});
    vec![
        case("arg.unbounded_text", "keep_loose/note/body", of(toolset![keep_loose]), of(toolset![keep_tight])),
        case("arg.unbounded_list", "keep_loose/note/tags", of(toolset![keep_loose]), of(toolset![keep_tight])),
        case("arg.unbounded_amount", "scale_fleet/count", scale(any), scale(bounded)),
    ]
}

fn about_effects() -> Vec<Case> {
    let doc = "Does what the name says, at once.";
    let with = |name: &str, properties: Value, facts: fn(DynamicTool) -> DynamicTool| {
        of(done(facts(declared(name, doc, &properties))))
    };
    let reads = |tool: DynamicTool| tool.reads();
    let once = |tool: DynamicTool| tool.writes(Repeat::Once);
    let external = |tool: DynamicTool| {
        tool.risk(Risk::External, Repeat::Once).confirm("Post {text}.").failure_policy(FailurePolicy::Abort)
    };
    let amount = || json!({"amount": {"type": "integer", "description": "In cents.", "maximum": 5000}});
    let dangerous = |tool: DynamicTool| tool.confirm("Restart it.");
    vec![
        case(
            "effect.read_acts",
            "delete_note",
            with("delete_note", json!({}), reads),
            with("deleted_notes", json!({}), reads),
        ),
        case("effect.act_reads", "get_slot", with("get_slot", json!({}), once), with("reserve_slot", json!({}), once)),
        case("effect.destroys", "drop_cache", with("drop_cache", json!({}), once), with("warm_cache", json!({}), once)),
        case(
            "effect.leaves",
            "publish_page",
            with("publish_page", json!({}), once),
            with("save_page", json!({}), once),
        ),
        case(
            "effect.no_destination",
            "announce",
            with("announce", json!({"text": text("What is said.")}), external),
            with("announce", json!({"channel": text("Who reads it."), "text": text("What is said.")}), external),
        ),
        case(
            "effect.no_impact",
            "restart_hub",
            with("restart_hub", json!({}), dangerous),
            with("restart_hub", json!({}), |tool| tool.confirm("Restart it.").impact("It is down for 30 s.")),
        ),
        case(
            "effect.money_repeats",
            "top_up",
            with("top_up", amount(), |tool| tool.writes(Repeat::Repeatable("each is a new one"))),
            with("top_up", amount(), once),
        ),
        case(
            "effect.money_unasked",
            "transfer_funds",
            with("transfer_funds", json!({}), once),
            with("transfer_to_a_person", json!({}), once),
        ),
        case(
            "effect.money_unasked",
            "top_up",
            with("top_up", amount(), once),
            with("top_up", amount(), |tool| tool.writes(Repeat::Once).confirm("Top up by {amount} cents.")),
        ),
        case(
            "effect.thin_reason",
            "append_line",
            with("append_line", json!({}), |tool| tool.writes(Repeat::Repeatable("appends"))),
            with("append_line", json!({}), |tool| tool.writes(Repeat::Repeatable("each line is a new one"))),
        ),
        case(
            "effect.slow",
            "count_all",
            with("count_all", json!({}), |tool| tool.reads().timeout(std::time::Duration::from_mins(2))),
            with("count_all", json!({}), |tool| tool.reads().timeout(std::time::Duration::from_mins(1))),
        ),
        case(
            "effect.large_result",
            "dump_log",
            with("dump_log", json!({}), |tool| tool.reads().result_limit(50_000)),
            with("dump_log", json!({}), |tool| tool.reads().result_limit(40_000)),
        ),
    ]
}

fn about_asking() -> Vec<Case> {
    let ask = |confirm: &str| {
        let properties = json!({"service_name": text("Which one, as in the list."), "lines": text("How it looked.")});
        of(done(
            declared("restart_service", "Restarts it and waits.", &properties).writes(Repeat::Once).confirm(confirm),
        ))
    };
    vec![
        case("ask.names_nothing", "restart_service", ask("Restart the service?"), ask("Restart {lines}?")),
        case(
            "ask.leaves_out",
            "restart_service",
            ask("Restart it? It looked like {lines}."),
            ask("Restart {service_name}?"),
        ),
    ]
}

#[tool_type(result)]
enum State {
    Healthy,
    Ill,
}

#[tool_type(result)]
struct Typed {
    /// How it is.
    status: State,
}

#[tool_type(result)]
struct Worded {
    /// How it is.
    status: String,
}

/// Says how the patient is today.
#[tool(risk = "read")]
fn look_typed() -> Result<Typed, ToolError> {
    Ok(Typed { status: if cfg!(test) { State::Ill } else { State::Healthy } })
}

/// Says how the patient is today.
#[tool(risk = "read")]
fn look_worded() -> Result<Worded, ToolError> {
    Ok(Worded { status: "ill".to_owned() })
}

/// Says how the patient is today.
#[tool(risk = "read")]
fn look_anyhow() -> Result<Value, ToolError> {
    Ok(json!({"status": "ill"}))
}

macro_rules! heal {
    ($name:ident, $look:ident $(, $age:ident = $max:literal)?) => {
        /// Gives the patient what helps.
        #[tool(
            risk = "dangerous",
            once,
            confirm = "Give it.",
            impact = "It can't be taken back.",
            precondition(tool = $look, when = "result.status == 'ill'" $(, $age = $max)?)
        )]
        fn $name() -> Result<(), ToolError> {
            Ok(())
        }
    };
}
heal!(heal_typed, look_typed, max_age = "5m");
heal!(heal_worded, look_worded, max_age = "5m");
heal!(heal_anyhow, look_anyhow, max_age = "5m");
heal!(heal_late, look_typed);

/// The same with a tool declared at run time, which says what it gives or doesn't.
fn healed_at_run_time(output: Option<Value>) -> Vec<String> {
    let look = declared("look_closely", "Says how the patient is today.", &json!({})).reads();
    let look = output.into_iter().fold(look, DynamicTool::output_schema);
    let heal = declared("heal_slowly", "Gives the patient what helps.", &json!({}))
        .writes(Repeat::Once)
        .precondition("look_closely", Some("result.status == 'ill'"));
    of([done(look), done(heal)].into_iter().flatten().collect::<Vec<_>>())
}

fn about_conditions() -> Vec<Case> {
    let states = json!({"type": "object", "required": ["status"], "properties": {"status": {"enum": ["ill", "well"]}}});
    let sound = || of(toolset![look_typed, heal_typed]);
    vec![
        case("condition.untyped", "heal_anyhow", of(toolset![look_anyhow, heal_anyhow]), sound()),
        case("condition.untyped", "heal_slowly", healed_at_run_time(None), healed_at_run_time(Some(states))),
        case("condition.free_word", "heal_worded", of(toolset![look_worded, heal_worded]), sound()),
        case("condition.no_age", "heal_late", of(toolset![look_typed, heal_late]), sound()),
    ]
}

fn about_the_set() -> Vec<Case> {
    let two = |second: &str, first_doc: &str, second_doc: &str| {
        of(vec![reads("get_user", first_doc, &json!({})), reads(second, second_doc, &json!({}))])
    };
    let (people, orders) = ("Gives name and team of a person.", "Lists what a person has ordered.");
    let form = |second: Value| {
        let word = json!({"type": "string", "description": "Where it runs.", "enum": ["test", "live"]});
        let first = reads("list_hosts", "Lists all hosts of a kind.", &json!({"stage": word}));
        of(vec![first, reads("count_errors", "Counts errors of an hour.", &json!({"stage": second}))])
    };
    let many = |count: usize| {
        let tools =
            (0..count).map(|n| reads(&format!("tool{n}x"), &format!("Does the thing{n}a of thing{n}b."), &json!({})));
        of(tools.collect::<Vec<_>>())
    };
    vec![
        case("set.near_names", "fetch_users", two("fetch_users", people, orders), two("fetch_orders", people, orders)),
        case(
            "set.near_docs",
            "list_orders",
            two("list_orders", people, "Gives the name and the team of persons."),
            two("list_orders", people, orders),
        ),
        case(
            "set.two_forms",
            "count_errors",
            form(text("Where it runs.")),
            form(json!({"type": "string", "description": "Where it runs.", "enum": ["test", "live"]})),
        ),
        case("set.too_many", "*", many(41), many(40)),
    ]
}

fn about_grants() -> Vec<Case> {
    let with = |grants: Vec<Capabilities>| {
        let review = Review::of([reads("list_notes", "Lists the newest notes.", &json!({}))]);
        found(&grants.into_iter().fold(review, Review::grants))
    };
    let may = |permission: &str, risk| {
        Capabilities::none().allow_tools(["list_notes"]).allow_risks([risk]).permissions([permission])
    };
    let sound = || with(vec![may("tool:other", Risk::Write), may("tool:*", Risk::Read)]);
    vec![
        case("grant.permission", "list_notes", with(vec![may("tool:list_note", Risk::Read)]), sound()),
        case(
            "grant.unreachable",
            "list_notes",
            with(vec![may("tool:*", Risk::Write), may("read:x", Risk::Read)]),
            sound(),
        ),
        case("grant.unreachable", "list_notes", with(vec![may("tool:*", Risk::Write)]), with(vec![])),
    ]
}

#[test]
fn each_rule_finds_what_it_is_for_and_not_what_only_looks_like_it() {
    let cases = [
        about_descriptions(),
        about_arguments(),
        about_bounds(),
        about_effects(),
        about_asking(),
        about_conditions(),
        about_the_set(),
        about_grants(),
    ];
    let mut seen: BTreeSet<&str> = ["allow.stale"].into(); // in `allowances.rs`
    for Case { rule, place, faulty, sound } in cases.into_iter().flatten() {
        let wanted = format!("{rule} at {place}");
        assert!(faulty.contains(&wanted), "{wanted} is not found, but {faulty:?}");
        let begins = format!("{rule} at ");
        assert!(!sound.iter().any(|found| found.starts_with(&begins)), "{rule} is found in a sound set: {sound:?}");
        seen.insert(rule);
    }
    let all: BTreeSet<&str> = rules().map(|rule| rule.id).collect();
    assert_eq!(all, seen, "each rule has a case");
}

#[test]
fn ids_are_stable_words_and_stand_once() {
    let mut seen = BTreeSet::new();
    for rule in rules() {
        let (family, word) = rule.id.split_once('.').unwrap();
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        assert!(plain(family) && plain(word), "{}", rule.id);
        assert!(seen.insert(rule.id), "{} stands twice", rule.id);
        assert!(!rule.about.is_empty() && !rule.about.ends_with('.'), "{}", rule.id);
    }
}

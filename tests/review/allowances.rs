//! What is allowed, what can't be, and what the assertion for tests says.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use toolgate::review::Review;
use toolgate::serde_json::json;
use toolgate::{Capabilities, DynamicTool, Gate, MemoryStore, Risk, ToolError, assert_reviewed, tool, toolset};

/// Posts a notice on the board at the entrance.
#[tool(risk = "external", once, confirm = "Post {notice}")]
fn post_notice(
    /// What it says, in one sentence.
    #[arg(max_length = 200)]
    notice: String,
    /// One of `day`, `week`.
    #[arg(max_length = 10)]
    lasting: String,
) -> Result<(), ToolError> {
    drop((notice, lasting));
    Ok(())
}

/// Takes all notices off the board again.
#[tool(risk = "write", idempotent)]
fn clear_board() -> Result<(), ToolError> {
    Ok(())
}

fn review() -> Review {
    Review::of(toolset![post_notice, clear_board])
}

fn lines(review: &Review) -> Vec<String> {
    review.run().unwrap().findings.iter().map(ToString::to_string).collect()
}

fn faults(review: &Review) -> Vec<String> {
    review.run().unwrap_err().faults
}

/// What the assertion panics with.
fn said(assertion: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(assertion)).unwrap_err();
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn findings_name_the_thing_the_fault_and_the_repair_in_order_of_tools_and_parameters() {
    assert_eq!(
        lines(&review()),
        [
            "warning[effect.no_destination] post_notice: `post_notice` leaves the organisation, and no parameter says where \
             to (recipient, address, channel, host, ..), so neither an approver nor the record can tell; take it as a \
             parameter, or allow this with the one place it goes to",
            "warning[arg.free_string_enum] post_notice/lasting: `lasting` takes any text, and its description lists the only \
             words (`day`, `week`); take an enum with `#[tool_type]`, or say `one_of = [..]`, so that another word is refused",
        ]
    );
    assert_eq!(review().run(), review().run(), "the same again");
}

#[test]
fn an_allowance_is_for_one_rule_at_one_place_and_its_reason_is_kept() {
    let allowed = review().allow("effect.no_destination", "post_notice", "there is one board");
    let report = allowed.run().unwrap();
    assert_eq!(report.findings.len(), 1, "the other finding is not allowed: {report}");
    assert_eq!(
        (report.allowed[0].finding.rule, &*report.allowed[0].reason),
        ("effect.no_destination", "there is one board")
    );
    let elsewhere = review().allow("arg.free_string_enum", "post_notice", "the whole tool");
    let found = lines(&elsewhere);
    assert_eq!(found.len(), 3, "a tool's allowance is not one for its parameters: {found:?}");
}

#[test]
fn an_allowance_that_nothing_needs_is_a_finding() {
    let clear = Review::of(toolset![clear_board]);
    assert_eq!(lines(&clear), [""; 0]);
    assert_eq!(
        lines(&clear.clone().allow("effect.no_impact", "clear_board", "no one reads it")),
        [
            "warning[allow.stale] clear_board: `effect.no_impact` is allowed here, and nothing needs it; remove the allowance"
        ]
    );
    let typo = lines(&review().allow("arg.free_string_enum", "post_notice/lastng", "words come from a person"));
    assert!(
        typo[2].contains("post_notice/lastng: ") && typo[2].contains("did you mean `post_notice/lasting`?"),
        "{typo:?}"
    );
    let why = "there is one board";
    let twice = lines(&review().allow("effect.no_destination", "post_notice", why).allow(
        "effect.no_destination",
        "post_notice",
        why,
    ));
    assert!(twice.iter().any(|line| line.contains("allowed here twice")), "{twice:?}");
}

#[test]
fn an_allowance_that_cannot_be_meant_is_refused() {
    let review = review()
        .allow("effect.no_destinaton", "post_notice", "there is one board")
        .allow("arg.free_string_enum", "post_notice/lasting", "  ")
        .allow("allow.stale", "post_notice", "I like it so");
    assert_eq!(
        faults(&review),
        [
            "an allowance at `post_notice` names the rule `effect.no_destinaton`, which doesn't exist; did you mean \
             `effect.no_destination`?",
            "the allowance of `arg.free_string_enum` at `post_notice/lasting` has no reason; say why it is right there",
            "an allowance of `allow.stale` at `post_notice`: remove the allowance that nothing needs instead",
        ]
    );
}

#[test]
fn the_assertion_passes_where_everything_is_right_or_allowed() {
    assert_reviewed!(toolset![clear_board]);
    assert_reviewed!(
        toolset![post_notice],
        allow("effect.no_destination", "post_notice", "there is one board"),
        allow("arg.free_string_enum", "post_notice/lasting", "a test of this"),
        grants(Capabilities::none().allow_tools(["post_notice"]).allow_risks([Risk::External]).permissions(["*"])),
    );
}

#[test]
fn the_assertion_fails_with_all_that_was_found_and_how_to_allow_it() {
    let found = said(|| drop(assert_reviewed!(toolset![post_notice])));
    assert!(found.contains("warning[effect.no_destination] post_notice: "), "{found}");
    assert!(found.contains("warning[arg.free_string_enum] post_notice/lasting: "), "{found}");
    assert!(found.ends_with("2 found, 0 allowed; what is right here is allowed by `allow(\"effect.no_destination\", \"post_notice\", \"why\")`"), "{found}");
    let refused = said(|| drop(assert_reviewed!(toolset![clear_board], allow("no.rule", "clear_board", "why not"))));
    assert!(refused.contains("names the rule `no.rule`"), "{refused}");
}

fn at_run_time() -> toolgate::spec::RegisteredTool {
    let schema =
        json!({"type": "object", "properties": {"password": {"type": "string", "description": "Of the account."}}});
    DynamicTool::new("log_in", "Opens the account for reading.", schema)
        .reads()
        .handler(|_, _| async { Ok(json!(null)) })
        .unwrap()
}

#[tokio::test]
async fn tools_of_every_origin_are_reviewed() {
    let secret = "arg.not_sensitive";
    for review in [
        Review::of([at_run_time()]),
        Review::of(vec![at_run_time()]),
        Review::of((toolset![clear_board], vec![at_run_time()])),
    ] {
        assert_eq!(review.run().unwrap().findings[0].rule, secret);
    }
    let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(toolset![clear_board]).tool(at_run_time());
    let gate = gate.build().await.unwrap();
    let report = Review::of(gate.tools()).run().unwrap();
    let rules: Vec<&str> = report.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, [secret], "the gate's own tool is not reviewed");
}

#[test]
fn tools_that_do_not_fit_together_are_not_reviewed() {
    let twice = faults(&Review::of(vec![at_run_time(), at_run_time()]));
    assert!(twice[0].contains("a second tool of this name"), "{twice:?}");
}

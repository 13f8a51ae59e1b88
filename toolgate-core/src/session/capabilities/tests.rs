//! That nothing is granted until it is said, and that narrowing only takes away.

use super::*;

#[test]
fn setting_again_after_narrowing_widens_nothing() {
    let all = Capabilities::none().allow_tools(["look", "restart"]).allow_risks(Risk::ALL).permissions(["*"]);
    let narrowed = all.narrow(Narrowing::default().allow_tools(["look"]));
    let again = narrowed.clone().allow_tools(["look", "restart"]);
    assert!(all.allows_tool("restart"));
    assert!(!narrowed.allows_tool("restart"));
    assert!(!again.allows_tool("restart"));
}

#[test]
fn nothing_is_allowed_until_it_is_said() {
    let none = Capabilities::none();
    assert!(!none.allows_tool("look") && !none.allows_risk(Risk::Read) && !none.holds("tool:look"));
    assert!(!none.may_read(|_| true) && !none.may_write(|_| true));
    assert!(none.reachable().read("https://example.com/").is_err());
    assert!(!none.allows_program(|_| true) && none.readable_folders().is_empty());
}

#[test]
fn a_pattern_stands_for_whole_words_of_a_permission() {
    let held = Capabilities::none().permissions(["write:*", "read:service"]);
    assert!(held.holds("write:service") && held.holds("read:service"));
    assert!(!held.holds("write") && !held.holds("read:service2") && !held.holds("read:*"));
}

#[test]
fn a_program_is_allowed_where_every_layer_lists_it() {
    let session = Capabilities::none().programs(["cargo", "/usr/bin/git"]);
    let task = session.narrow(Narrowing::default().programs(["git", "cargo", "sh"]));
    let git = |listed: &str| listed == "git" || listed == "/usr/bin/git";
    assert!(task.allows_program(git) && task.allows_program(|listed| listed == "cargo"));
    assert!(!task.allows_program(|listed| listed == "sh"), "a narrowing adds nothing");
}

#[test]
fn folders_are_those_that_every_layer_covers() {
    let session = Capabilities::none().writable(["src", "tests/data", "docs"]);
    let task = session.narrow(Narrowing::default().writable(["src/bin", "tests", "srcs"]));
    assert_eq!(session.writable_folders(), ["src", "tests/data", "docs"]);
    assert_eq!(task.writable_folders(), ["tests/data", "src/bin"]);
    assert_eq!(Capabilities::none().readable(["src", "."]).readable_folders(), ["."]);
    assert_eq!(Capabilities::none().writable(["../out", "src/.."]).writable_folders(), Vec::<String>::new());
}

#[test]
fn each_layer_counts_its_own_calls() {
    let two = CallLimits { calls: Some(2), effects: None };
    let session = Capabilities::none().limits(CallLimits { calls: Some(3), effects: None });
    let narrowing = Narrowing::default().limits(two);
    let (first, second) = (session.narrow(narrowing.clone()), session.narrow(narrowing));
    assert!(first.count_call() && first.count_call() && !first.count_call());
    assert!(second.count_call() && !second.count_call(), "the session's three calls are used up");
}

#[test]
fn a_credential_is_granted_by_name_and_tool_and_only_ever_narrowed() {
    let none = Capabilities::none();
    let granted = none.clone().credential_for("crm", ["look", "note"]).credential_for("mail", ["send"]);
    let narrowed = granted.narrow(Narrowing::default().credential_for("crm", ["look", "send"]));
    let by_name = granted.narrow(Narrowing::default().credentials(["mail"]));
    let again = narrowed.clone().credentials(["crm", "mail"]);
    let may = |held: &Capabilities| {
        let pairs = [("crm", "look"), ("crm", "note"), ("crm", "send"), ("mail", "send"), ("mail", "look")];
        pairs.map(|(name, tool)| held.allows_credential(name, tool))
    };
    assert_eq!(may(&none), [false; 5]);
    assert_eq!(may(&granted), [true, true, false, true, false]);
    assert_eq!(may(&narrowed), [true, false, false, false, false]);
    assert_eq!(may(&by_name), [false, false, false, true, false]);
    assert_eq!(may(&again), may(&narrowed));
    assert!(none.credentials(["crm"]).allows_credential("crm", "any"));
    let left = Capabilities::by_policy().within(Narrowing::default());
    assert!(!left.allows_credential("crm", "look") && !left.credentials(["crm"]).allows_credential("crm", "look"));
    let by_policy = || Capabilities::by_policy().credential_for("crm", ["look"]).credential_for("mail", ["look*"]);
    assert!(!by_policy().allows_credential("crm", "look"), "no policy has granted anything");
    let said = by_policy().within(Narrowing::default().credentials(["crm"]));
    assert!(said.allows_credential("crm", "look") && !said.allows_credential("crm", "note"));
    assert!(!said.allows_credential("mail", "look"), "the policy doesn't grant it");
    let both = by_policy().within(Narrowing::default().credential_for("mail", ["*"]));
    assert!(both.allows_credential("mail", "look_up") && !both.allows_credential("mail", "send"));
}

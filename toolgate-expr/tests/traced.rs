//! Expressions that ask where values come from.
//!
//! Not how that is found out: whoever evaluates says it.

use toolgate_expr::{Cause, PROVENANCES, Type, Value, check, parse, parse_traced};

#[expect(clippy::unnecessary_wraps, reason = "the form that an expression asks for")]
fn args(_: &str) -> Option<Value> {
    let text = |text: &str| Value::Text(text.to_owned());
    Some(Value::Map(vec![
        ("to".to_owned(), text("ann")),
        ("cc".to_owned(), Value::List(vec![text("ann"), text("eve")])),
    ]))
}

/// Ann was named by the user, everything else by a stranger.
#[expect(clippy::unnecessary_wraps, reason = "the form that an expression asks for")]
fn trace(value: &Value) -> Option<&'static str> {
    Some(if *value == Value::Text("ann".to_owned()) { "user" } else { "untrusted" })
}

#[test]
fn provenance_gives_the_word_of_whoever_traces() {
    let holds = |text: &str| parse_traced(text, &["args"]).unwrap().holds_traced(&args, &trace);
    assert_eq!(holds("provenance(args.to) == 'user'"), Ok(true));
    assert_eq!(holds("provenance(args.cc) == 'untrusted'"), Ok(true));
    assert_eq!(holds("provenance(args.cc[0]) in ['user', 'trusted']"), Ok(true));
    assert_eq!(holds("said(args.to) && !said(args.cc)"), Ok(true));
}

#[test]
fn what_nobody_traces_is_not_answered() {
    let error = parse_traced("said(args.to)", &["args"]).unwrap().holds(&args).unwrap_err();
    assert_eq!((error.cause(), error.part()), (Cause::NoProvenance, "said(args.to)"));
    let missing = parse_traced("said(args.bcc)", &["args"]).unwrap().holds_traced(&args, &trace).unwrap_err();
    assert_eq!(missing.cause(), Cause::MissingField);
}

#[test]
fn where_nothing_is_traced_the_functions_are_not_there() {
    let error = parse("provenance(args.to) == 'user'", &["args"]).unwrap_err();
    assert_eq!(error.to_string(), "unknown function `provenance`, expected one of: size, has");
    let near = parse_traced("provenence(args.to) == 'user'", &["args"]).unwrap_err();
    assert!(near.to_string().ends_with("expected one of: size, has, provenance, said; did you mean `provenance`?"));
}

#[test]
fn a_word_that_provenance_never_gives_is_a_fault() {
    let types = |_: &str| Some(Type::Object(vec![("to".to_owned(), Type::Text(None))], false));
    let told = |text: &str| {
        let faults = check(&parse_traced(text, &["args"]).unwrap(), &types);
        faults.into_iter().map(|fault| fault.message).collect::<Vec<_>>()
    };
    assert_eq!(
        told("provenance(args.to) == 'stranger'"),
        [
            "`provenance(args.to)` is never \"stranger\": it is one of \"user\", \"approved\", \"trusted\", \"model\", \"untrusted\""
        ]
    );
    assert_eq!(told("provenance(args.too) == 'user'"), ["`args` has no field `too`: it has to; did you mean `to`?"]);
    assert!(told("said(args.to)").is_empty());
    assert!(PROVENANCES.iter().all(|word| told(&format!("provenance(args.to) == '{word}'")).is_empty()));
}

#[test]
fn what_is_asked_about_is_read() {
    let expression = parse_traced("said(args.to) || provenance(args.cc[1]) == 'user'", &["args"]).unwrap();
    assert_eq!(expression.fields("args").len(), 2);
}

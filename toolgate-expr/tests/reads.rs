//! Which paths an expression reads, and which names it binds.

#![expect(clippy::expect_used, reason = "where a helper fails, its test fails")]

use toolgate_expr::{Expr, Step, parse};

fn expression(text: &str) -> Expr {
    parse(text, &["result", "args", "prior"]).expect(text)
}

/// The paths as text, `a.0` for `a[0]`.
fn fields(text: &str, root: &str) -> Vec<String> {
    let show = |step: &Step| match step {
        Step::Field(name) => name.clone(),
        Step::Index(index) => index.to_string(),
    };
    let paths = expression(text).fields(root);
    paths.iter().map(|path| path.iter().map(show).collect::<Vec<_>>().join(".")).collect()
}

#[test]
fn every_path_is_found_once() {
    for (text, paths) in [
        ("result.status == 'a' || result.status == 'b'", &["status"][..]),
        ("result['status'] == result.status", &["status"]),
        ("result.a.b == 1 && result.a == 2", &["a.b", "a"]),
        ("result.items[0].id == result.items[-1].id", &["items.0.id", "items.-1.id"]),
        ("has(result.a.b)", &["a.b"]),
        ("size(result.a) == 1 && result.b.startsWith(result.c)", &["a", "b", "c"]),
        ("!(-result.a in [result.b, 1]) ? result.c : result.d", &["a", "b", "c", "d"]),
        ("result == 1", &[""]),
        ("[result.a][0].b == 1", &["a"]),
        ("(true ? result.a : result.b).c == 1", &["a", "b"]),
        ("has((true ? result.a : result.b).c)", &["a", "b"]),
        ("args.status == 1", &[]),
    ] {
        assert_eq!(fields(text, "result"), paths, "{text}");
    }
}

#[test]
fn a_computed_index_ends_the_path_and_is_read_itself() {
    assert_eq!(fields("result.items[result.n].id[0] == 1", "result"), ["n", "items"]);
    assert_eq!(fields("result.items[args.n] == 1", "args"), ["n"]);
    assert_eq!(fields("result[args.key].x == 1", "result"), [""]);
    assert_eq!(fields("result.items[1.0] == 1", "result"), ["items"]);
}

#[test]
fn names_are_bound_only_where_they_must_be_equal() {
    let bindings = |text: &str| expression(text).bindings("prior", "args");
    let pair = |left: &str, right: &str| (left.to_owned(), right.to_owned());
    assert_eq!(bindings("prior.x == args.y"), [pair("x", "y")]);
    assert_eq!(bindings("args.y == prior.x"), [pair("x", "y")]);
    assert_eq!(bindings("prior['x'] == (args.y)"), [pair("x", "y")]);
    assert_eq!(
        bindings("result.ok && (prior.a == args.a && prior.b == args.c) && prior.a == args.a"),
        [pair("a", "a"), pair("b", "c")]
    );
    for text in [
        "prior.x == args.y || true",
        "!(prior.x == args.y)",
        "prior.x != args.y",
        "(prior.x == args.y) == true",
        "true ? prior.x == args.y : false",
        "prior.x == prior.y",
        "prior.x.z == args.y",
        "prior.x == result.y",
        "prior.x in [args.y]",
        "prior == args.y",
        "prior[0] == args.y",
    ] {
        assert_eq!(bindings(text), [], "{text}");
    }
}

#[test]
fn what_is_asked_beyond_bindings_stands_as_written() {
    let text = "result.ok && prior.a == args.b && (result.n > 3 || args.c == prior.c) && args['d'] == prior.d";
    let expr = toolgate_expr::parse(text, &["result", "prior", "args"]).unwrap();
    assert_eq!(expr.beyond_bindings("prior", "args"), ["result.ok", "(result.n > 3 || args.c == prior.c)"]);
    assert_eq!(expr.bindings("prior", "args").len(), 2);
}

#[test]
fn what_is_asked_for_are_the_paths_whose_presence_is_asked() {
    let asked_for = |text: &str| {
        let paths = expression(text).asked_for("args");
        let shown = paths.iter().map(|path| format!("{path:?}").replace("Field", ""));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(asked_for("has(args.a) && args.b == 1 || !has(args.c.d)"), [r#"[("a")]"#, r#"[("c"), ("d")]"#]);
    assert_eq!(asked_for("'a' in args && 'd' in args.c"), [r#"[("a")]"#, r#"[("c"), ("d")]"#]);
    assert_eq!(asked_for("args.a in ['x'] && has(prior.a) && has(args.l[size(args.m)].n)"), [""; 0]);
}

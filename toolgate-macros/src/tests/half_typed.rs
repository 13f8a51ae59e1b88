//! Tools as an editor sees them between two keystrokes: a token is missing, or stands twice. Whatever it is,
//! nothing panics, the body passes through, a type of the tool's name is there, and the mistakes are ours.

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;

/// Options and functions, as people write them.
fn tools() -> Vec<(TokenStream, TokenStream)> {
    vec![
        (
            quote!(
                risk = "dangerous",
                permissions = ["write:service"],
                confirm = "Restart {service} in {environment}.",
                precondition(tool = look, when = "prior.service == args.service", max_age = "5m"),
                failure_policy = "abort_and_alert",
                idempotent,
                key = ["service"],
                timeout = 10
            ),
            quote!(
                /// Restarts one service.
                #[allow(dead_code)]
                pub(crate) async fn restart(
                    ctx: &Context,
                    /// The service.
                    #[arg(pattern = "^[a-z-]+$", max_length = 40, example = "orders")]
                    service: String,
                    /// Where it runs.
                    environment: Environment,
                    #[state] pool: &Pool,
                    /// How often.
                    #[arg(range = 1..=60, default = 30)]
                    wait: std::collections::BTreeMap<String, Vec<u32>>,
                ) -> Result<Report, ToolError> {
                    let found = pool.query(&service).await?;
                    if found.is_empty() {
                        return Err(ToolError::new("none"));
                    }
                    Ok(Report { service, seconds: [1, 2, 3].into_iter().map(|x| x << 1).sum::<u32>() })
                }
            ),
        ),
        (
            quote!(risk = "read", failure_policy = retry(max = 3, backoff = "100ms")),
            quote!(
                /// Looks.
                fn look(#[args] input: Query) -> crate::Result<Vec<String>> {
                    match input {
                        Query { text: Some(text), .. } if text.len() > 2 => Ok(vec![text]),
                        _ => Ok(vec![]),
                    }
                }
            ),
        ),
    ]
}

/// How many tokens there are, with those inside of groups.
fn count(tokens: &TokenStream) -> usize {
    let each = tokens.clone().into_iter().map(|token| match token {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        _ => 1,
    });
    each.sum()
}

/// What is done to a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Removed,
    Doubled,
    Question,
}

/// The tokens with the one at this place changed; `at` counts down to it.
fn changed(tokens: TokenStream, at: &mut Option<usize>, change: Change) -> TokenStream {
    let mut all = TokenStream::new();
    for token in tokens {
        let here = *at == Some(0);
        *at = at.and_then(|at| at.checked_sub(1));
        let token = match token {
            TokenTree::Group(group) if !here => {
                let inside = changed(group.stream(), at, change);
                TokenTree::Group(Group::new(group.delimiter(), inside))
            }
            other => other,
        };
        match change {
            _ if !here => all.extend([token]),
            Change::Removed => {}
            Change::Doubled => all.extend([token.clone(), token]),
            Change::Question => all.extend([TokenTree::Punct(Punct::new('?', Spacing::Alone))]),
        }
    }
    all
}

/// The body, where there is one, and the name behind `fn`.
fn parts(item: &TokenStream) -> (Option<String>, Option<String>) {
    let tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    let body =
        tokens.iter().find(|token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace));
    let name = tokens.windows(2).find_map(|pair| match pair {
        [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "fn" => Some(name.to_string()),
        _ => None,
    });
    (body.map(ToString::to_string), name)
}

fn survives(options: TokenStream, item: &TokenStream) -> Result<(), String> {
    let expanded = crate::tool::expand(options, item).to_string();
    let (body, name) = parts(item);
    if !body.as_ref().is_none_or(|body| expanded.contains(body.as_str())) {
        return Err(format!("the body is lost from `{expanded}`"));
    }
    match name {
        Some(name) if !expanded.contains(&format!("enum {name} {{")) => {
            Err(format!("no type `{name}` in `{expanded}`"))
        }
        _ => Ok(()),
    }
}

#[test]
fn every_token_can_be_missing_doubled_or_nonsense() {
    for (options, item) in tools() {
        for change in [Change::Removed, Change::Doubled, Change::Question] {
            for at in 0..count(&options) {
                let typed = changed(options.clone(), &mut Some(at), change);
                assert_eq!(survives(typed.clone(), &item), Ok(()), "{typed}");
            }
            for at in 0..count(&item) {
                let typed = changed(item.clone(), &mut Some(at), change);
                assert_eq!(survives(options.clone(), &typed), Ok(()), "{typed}");
            }
        }
    }
}

#[test]
fn every_beginning_of_the_options_is_read() {
    for (options, item) in tools() {
        let tokens: Vec<TokenTree> = options.into_iter().collect();
        for length in 0..tokens.len() {
            let typed: TokenStream = tokens.iter().take(length).cloned().collect();
            assert_eq!(survives(typed, &item), Ok(()));
        }
    }
}

proptest::proptest! {
    #[test]
    fn several_changes_at_once_are_survived(
        which in 0..2_usize,
        changes in proptest::collection::vec((proptest::bool::ANY, 0..200_usize, 0..3_usize), 1..6),
    ) {
        let Some((mut options, mut item)) = tools().into_iter().nth(which) else { return Ok(()) };
        for (in_options, at, change) in changes {
            let change = [Change::Removed, Change::Doubled, Change::Question][change];
            let target = if in_options { &mut options } else { &mut item };
            *target = changed(target.clone(), &mut Some(at), change);
        }
        proptest::prop_assert_eq!(survives(options, &item), Ok(()), "{}", item);
    }
}

/// The messages of the `compile_error!`s.
fn told(options: TokenStream, item: &TokenStream) -> Vec<String> {
    let expanded = crate::tool::expand(options, item).to_string();
    let parts = expanded.split("compile_error ! {").skip(1);
    parts.filter_map(|rest| rest.split('"').nth(1)).map(ToOwned::to_owned).collect()
}

#[test]
fn what_is_missing_is_named() {
    let read = || quote!(risk = "read");
    let cases = [
        (quote!(fn), "the function is not finished, its name is missing"),
        (quote!(/** x */ fn act), "the function is not finished, the list of its parameters is missing"),
        (quote!(fn act() -> Result<(), ToolError>), "the function is not finished, its body is missing"),
        (quote!(fn act(service) -> Result<(), ToolError> {}), "parameter `service` can't be read"),
        (
            quote!(fn act(/** x */ #[arg(range)] service:) -> Result<(), ToolError> {}),
            "parameter `service` can't be read",
        ),
        (quote!(fn act() -> {}), "what `act` returns can't be read"),
        (quote!(fn act() -> Result<(), ToolError> {}, 1), "something stands behind the function's body"),
        (quote!(struct), "`#[tool]` goes on a function"),
        (quote!(), "`#[tool]` goes on a function"),
    ];
    for (item, expected) in cases {
        let told = told(read(), &item);
        assert!(told.iter().any(|message| message.starts_with(expected)), "{item}: {told:?}");
    }
}

#[test]
fn half_typed_parameters_are_all_told_and_leave_no_attribute_behind() {
    let item = quote!(
        /// Acts.
        fn act(#[state] pool, /** x */ #[arg(max_length = 5)] text: , map: BTreeMap<String, u8>) -> Result<(), ToolError> {}
    );
    let told = told(quote!(risk = "read", ris), &item);
    assert_eq!(told.len(), 3, "{told:?}");
    let expanded = crate::tool::expand(quote!(risk = "read"), &item).to_string();
    assert!(!expanded.contains("max_length =") && !expanded.contains("# [state]"), "{expanded}");
}

#[test]
fn the_body_is_not_read() {
    let item: TokenStream =
        "/** Acts. */ fn act() -> Result<(), ToolError> { let x = ; fn = struct 1 + }".parse().unwrap();
    assert_eq!(told(quote!(risk = "read"), &item), Vec::<String>::new());
    assert_eq!(survives(quote!(risk = "read"), &item), Ok(()));
}

//! How much the macros write: a hundred tools must stay cheap to compile. Not the time, which the bench
//! measures.

use std::io::Write as _;
use std::process::{Command, Stdio};

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// The lines that rustfmt makes of it.
fn lines(tokens: &TokenStream) -> usize {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "max_width=120,error_on_line_overflow=false"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt is part of the toolchain");
    rustfmt.stdin.take().unwrap().write_all(tokens.to_string().as_bytes()).unwrap();
    let output = rustfmt.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().filter(|line| !line.trim().is_empty()).count()
}

fn five_fields() -> TokenStream {
    quote!(
        /// Restarts one service and waits until it answers.
        async fn restart_service(
            ctx: &Context,
            /// The service to restart.
            #[arg(pattern = "^[a-z-]+$", max_length = 40)]
            service: String,
            /// Where it runs.
            environment: Environment,
            /// Seconds to wait for its answer.
            #[arg(range = 1..=60, default = 30)]
            wait: u32,
            /// Labels of the restart.
            #[arg(max_items = 5)]
            labels: Vec<String>,
            /// Why; shown to the approver.
            #[arg(reason, max_length = 200)]
            reason: String,
        ) -> Result<Report, ToolError> {
            Ok(Report { service })
        }
    )
}

/// How many constants and functions there are in it.
fn bodies(tokens: TokenStream) -> usize {
    let of = |token| match token {
        TokenTree::Group(group) => bodies(group.stream()),
        TokenTree::Ident(word) => usize::from(word == "const" || word == "fn"),
        TokenTree::Punct(_) | TokenTree::Literal(_) => 0,
    };
    tokens.into_iter().map(of).sum()
}

#[test]
fn what_goes_without_saying_is_no_constant_and_no_function() {
    let item = quote!(
        /// Looks.
        async fn look(
            /// What.
            what: String,
            /// How often.
            times: u32,
        ) -> Result<(), ToolError> {
            Ok(())
        }
    );
    // Each costs the compiler about the same. The scope, how the arguments are read and the outcome is told, the
    // function that does it, and what is known of the tool; and the tool's own function.
    assert_eq!(bodies(crate::tool::expand(quote!(risk = "read"), &item)), 6 + 1);
}

#[test]
fn a_tool_of_five_arguments_is_at_most_96_lines() {
    let options = quote!(
        risk = "dangerous",
        confirm = "Restart {service} in {environment}. Reason: {reason}.",
        precondition(tool = look, when = "prior.service == args.service", max_age = "5m"),
        idempotent,
        timeout = 10
    );
    let item = five_fields();
    let written = lines(&crate::tool::expand(options, &item)) - lines(&item);

    assert!((20..=96).contains(&written), "{written} lines");
}

//! The pages of the documentation as doctests: `cargo test` compiles and runs what they show. Not part
//! of the library.

macro_rules! pages {
    ($($name:ident = $path:literal;)*) => {$(
        #[doc = include_str!(concat!("../", $path))]
        mod $name {}
    )*};
}

#[cfg(feature = "exec")]
pages! {
    processes = "docs/guide/processes.md";
}

pages! {
    readme = "README.md";
    getting_started = "docs/guide/getting-started.md";
    agent_loop = "docs/guide/agent-loop.md";
    command = "docs/guide/command.md";
    providers = "docs/guide/providers.md";
    tools = "docs/guide/tools.md";
    sessions = "docs/guide/sessions.md";
    policy = "docs/guide/policy.md";
    taint = "docs/guide/taint.md";
    confirmations = "docs/guide/confirmations.md";
    idempotency = "docs/guide/idempotency.md";
    undo = "docs/guide/undo.md";
    failures = "docs/guide/failures.md";
    background = "docs/guide/background.md";
    hooks = "docs/guide/hooks.md";
    preconditions = "docs/guide/preconditions.md";
    credentials = "docs/guide/credentials.md";
    paths = "docs/guide/paths.md";
    review = "docs/guide/review.md";
    audit = "docs/guide/audit.md";
    testing = "docs/guide/testing.md";
}

#[cfg(feature = "postgres")]
pages! {
    postgres = "docs/guide/postgres.md";
}

#[cfg(feature = "signal")]
pages! {
    cancellation = "docs/guide/cancellation.md";
}

#[cfg(feature = "http")]
pages! {
    http = "docs/guide/http.md";
}

//! All UI cases in one test, so that their dependencies are built once. The texts are those of the
//! compiler in `rust-toolchain.toml`; `TRYBUILD=overwrite` writes them anew, for review.

#[test]
fn the_compiler_says_what_is_wrong_and_accepts_what_is_right() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    for kind in ["malformed", "options", "function", "parameters", "types", "toolset"] {
        cases.compile_fail(format!("{kind}/*.rs"));
    }
}

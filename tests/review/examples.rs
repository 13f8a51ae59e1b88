//! The examples' own tools pass their review: what people start from is right.

use toolgate::assert_reviewed;

#[test]
fn the_tools_of_the_operations_agent_pass_their_review() {
    assert_reviewed!(crate::ops_agent::all());
}

#[test]
fn the_tools_of_the_coding_agent_pass_their_review() {
    assert_reviewed!(crate::code_agent::all());
}

//! The assertion that a set of tools passes its review. Not the review, which is `toolgate_core::review`.

/// Fails a test where the [review](crate::review) of a set of tools finds something that is not allowed.
///
/// The tools are a [`toolset!`](crate::toolset), tools declared at run time (`[tool]`, `vec![..]`), both
/// (`(toolset![..], vec![..])`), or those of a gate (`gate.tools()`). After them stand, as often as needed:
///
/// | | |
/// |---|---|
/// | `allow("rule", "place", "why")` | this finding is right here; the place is `tool`, `tool/parameter`, or `*` for the whole set |
/// | `grants(capabilities)` | what one kind of session may do, so that what nobody may use is found |
///
/// An allowance that no finding needs fails, too, and so does one without a reason or of an unknown rule.
///
/// ```
/// use toolgate::{ToolError, assert_reviewed, tool, toolset};
///
/// /// Posts a notice on the board at the entrance, for everybody who comes in.
/// #[tool(risk = "external", once, confirm = "Post {notice}")]
/// fn post_notice(
///     /// What it says, in one sentence.
///     #[arg(max_length = 200)]
///     notice: String,
/// ) -> Result<(), ToolError> {
///     drop(notice);
///     Ok(())
/// }
///
/// assert_reviewed!(
///     toolset![post_notice],
///     allow("effect.no_destination", "post_notice", "there is one board"),
/// );
/// ```
#[macro_export]
macro_rules! assert_reviewed {
    ($tools:expr $(, $say:ident ( $($what:expr),* $(,)? ))* $(,)?) => {
        $crate::review::Review::of($tools)$(.$say($($what),*))*.assert_clean()
    };
}

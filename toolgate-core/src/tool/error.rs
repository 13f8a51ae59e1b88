//! What a tool says when it can't do its work: what happened to the world, whether asking again can
//! help, a text that is safe for the model and a source for the operator. Not a refusal of the gate.

use std::fmt;
use std::time::Duration;

use super::inner::InnerRefusal;
use crate::call::Code;
use crate::content::ContentError;
use crate::resource::{NetError, PathError};

/// What became of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing happened.
    None,
    /// It happened.
    Done,
    /// Some of it happened, and the tool said what.
    Partial,
    /// It may or may not have happened.
    Unknown,
}

impl Effect {
    /// The word used in results, columns and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Done => "done",
            Self::Partial => "partial",
            Self::Unknown => "unknown",
        }
    }

    /// The effect of that word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::None, Self::Done, Self::Partial, Self::Unknown].into_iter().find(|effect| effect.as_str() == word)
    }
}

/// Most causes that are told of one error.
const MAX_CAUSES: usize = 16;
/// Longest wait that an error asks for.
const LONGEST_WAIT: Duration = Duration::from_hours(24);

type Source = Box<dyn std::error::Error + Send + Sync>;

/// A tool's own failure.
///
/// An error of another type converts with `?`: its text goes to the operator only, and in a tool
/// that writes its effect counts as unknown. A [`PathError`] and a [`NetError`] are known better: their
/// texts are safe, and they know what was changed.
pub struct ToolError {
    effect: Option<Effect>,
    /// Whether the effect is that of one step, which says nothing of what the tool did before.
    of_one_step: bool,
    retryable: bool,
    retry_after: Option<Duration>,
    definite: bool,
    message: Option<String>,
    source: Option<Source>,
    inner: Option<Box<InnerRefusal>>,
    code: Option<Code>,
    rule: Option<&'static str>,
}

impl ToolError {
    /// A failure with a text that the model may read. The author vouches for the text: no secrets,
    /// no host paths, no foreign error text. Effect not stated: unknown in a tool that writes.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            effect: None,
            of_one_step: false,
            retryable: false,
            retry_after: None,
            definite: false,
            message: Some(message.into()),
            source: None,
            inner: None,
            code: None,
            rule: None,
        }
    }

    /// A failure before anything happened.
    pub fn no_effect(message: impl Into<String>) -> Self {
        Self::new(message).with_effect(Effect::None)
    }

    /// A failure after some of it happened; the text says what.
    pub fn partial(message: impl Into<String>) -> Self {
        Self::new(message).with_effect(Effect::Partial)
    }

    /// Says that what the session may do doesn't cover it, and nothing happened: for libraries that enforce
    /// capabilities where something is used, such as the one behind `ctx.command(..)`. The call is answered with
    /// `code` and `rule`, and triggers no failure policy. The text is for the model, as in [`ToolError::new`].
    pub fn refusal(code: Code, rule: &'static str, message: impl Into<String>) -> Self {
        Self { code: Some(code), ..Self::no_effect(message).with_rule(rule) }
    }

    /// Names the finer reason, `details.rule` of the answer, in place of `execute.failed`: for libraries.
    #[must_use]
    pub fn with_rule(mut self, rule: &'static str) -> Self {
        self.rule = Some(rule);
        self
    }

    /// States what became of the world.
    #[must_use]
    pub fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = Some(effect);
        self.of_one_step = false;
        self
    }

    /// Says that trying again can help.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// Says that trying again can help, but not before this time has passed: what another system says with
    /// `Retry-After`. At most 24 hours. The failure policy `retry` waits so long, where that is no longer than the
    /// tool's timeout; else the model is told, `retry_after_ms` in details.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait.min(LONGEST_WAIT));
        self.retryable()
    }

    /// Says that this is the answer for good, such as a declined card: a repeat of the same operation
    /// gets it again instead of another run.
    #[must_use]
    pub fn definite(mut self) -> Self {
        self.definite = true;
        self
    }

    /// Keeps the cause for the operator.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Source>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Says that an inner call was refused.
    pub(super) fn refused(mut self, inner: InnerRefusal) -> Self {
        self.inner = Some(Box::new(inner));
        self
    }

    /// The inner call that was refused, where the tool failed because of it.
    pub(crate) fn inner(&self) -> Option<&InnerRefusal> {
        self.inner.as_deref()
    }

    /// The code of a refusal.
    pub fn code(&self) -> Option<Code> {
        self.code
    }

    /// The finer reason, where one was named.
    pub fn rule(&self) -> Option<&'static str> {
        self.rule
    }

    /// The stated effect.
    pub fn effect(&self) -> Option<Effect> {
        self.effect
    }

    /// Whether the stated effect is that of one step only, and says nothing of what the tool did before.
    pub(crate) fn is_of_one_step(&self) -> bool {
        self.of_one_step
    }

    /// How long to wait before trying again.
    pub fn wait(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Whether trying again can help.
    pub fn is_retryable(&self) -> bool {
        self.retryable
    }

    /// Whether this is the answer for good.
    pub fn is_definite(&self) -> bool {
        self.definite
    }

    /// The text the author marked as safe for the model.
    pub fn for_model(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Everything known, for the operator: message and cause chain.
    pub fn for_operator(&self) -> String {
        let mut text = self.message.clone().unwrap_or_default();
        let mut source: Option<&dyn std::error::Error> = match &self.source {
            Some(source) => Some(&**source),
            None => None,
        };
        // A cause may be its own cause.
        for _ in 0..MAX_CAUSES {
            let Some(error) = source else { return text };
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&error.to_string());
            source = error.source();
        }
        if source.is_some() {
            text.push_str(": ..");
        }
        text
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("effect", &self.effect)
            .field("retryable", &self.retryable)
            .field("text", &self.for_operator())
            .finish_non_exhaustive()
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.for_operator())
    }
}

/// An error that `?` turns into a [`ToolError`]: one with a type of its own, that can go to another thread.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't become a `ToolError`",
    label = "no error with a type of its own that is `Send + Sync + 'static`: say what failed with `.map_err(|error| ToolError::new(\"..\").with_source(error.to_string()))?`, or implement `std::error::Error` for it"
)]
pub trait Cause: std::error::Error + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<E: std::error::Error + Send + Sync + 'static> Cause for E {}

impl<E: Cause> From<E> for ToolError {
    fn from(error: E) -> Self {
        let source: Source = Box::new(error);
        // What a workspace path says is from a closed set, and it knows whether anything was changed.
        let path = source.downcast_ref::<PathError>();
        // The same holds of a block of a result that can't be made.
        let block = source.downcast_ref::<ContentError>();
        let is_without_effect =
            path.is_some_and(PathError::is_without_effect) || block.is_some_and(ContentError::is_without_effect);
        // And of the network, where it also knows whether anything was sent, and whether it was a refusal.
        let net = source.downcast_ref::<NetError>();
        let effect = net.map(NetError::effect).or(is_without_effect.then_some(Effect::None));
        let message = path.map(PathError::for_model).or(block.map(ContentError::for_model));
        let message = message.or(net.map(NetError::for_model)).map(str::to_owned);
        Self {
            effect,
            of_one_step: is_without_effect,
            retryable: net.is_some_and(NetError::is_retryable),
            retry_after: None,
            definite: false,
            message,
            inner: None,
            code: net.filter(|error| error.is_refusal()).map(|_| Code::HostNotAllowed),
            rule: net.map(NetError::code),
            source: Some(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::ReadPath;

    #[test]
    fn a_foreign_error_states_no_effect_and_says_nothing_to_the_model() {
        let error = ToolError::from(std::io::Error::other("/srv/secret is full"));
        assert_eq!((error.effect(), error.for_model()), (None, None));
        assert!(error.for_operator().contains("/srv/secret is full"));
    }

    #[test]
    fn an_error_that_is_its_own_cause_is_told_to_an_end() {
        #[derive(Debug)]
        struct Circle;
        impl fmt::Display for Circle {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("again")
            }
        }
        impl std::error::Error for Circle {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                Some(&Circle)
            }
        }
        let text = ToolError::from(Circle).for_operator();
        assert_eq!((text.matches("again").count(), text.ends_with(": ..")), (MAX_CAUSES, true));
    }

    #[test]
    fn a_path_that_was_never_touched_has_no_effect_and_a_safe_text() {
        let (path, _slot) = ReadPath::pending("notes.txt".into());
        let error = ToolError::from(path.read_to_string().unwrap_err());
        assert_eq!(error.effect(), Some(Effect::None));
        assert!(error.for_model().is_some_and(|text| !text.contains("notes.txt")));
    }
}

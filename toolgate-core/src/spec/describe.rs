//! The line that the gate adds to a tool's description from its facts, so that what the model reads
//! can't contradict what the gate does.

use super::facts::{Confirm, Repeat, Risk};
use super::tool_spec::ToolSpec;

impl ToolSpec {
    /// What the model reads: the doc comment, then the facts.
    pub fn description(&self) -> String {
        let mut facts = vec![match self.risk {
            Risk::Read => "Only reads.".to_owned(),
            Risk::Write => "Changes something.".to_owned(),
            Risk::External => "Leaves the organisation: others see it.".to_owned(),
            Risk::Dangerous => "Destructive or far-reaching.".to_owned(),
        }];
        if matches!(self.confirm, Confirm::Ask(_)) {
            facts.push("A person must approve each call first; you get a ticket and are called again.".to_owned());
        }
        for precondition in self.preconditions {
            facts.push(match precondition.when {
                Some(when) => format!("First call `{}` in this task; needs `{when}`.", precondition.tool),
                None => format!("First call `{}` in this task.", precondition.tool),
            });
        }
        match self.repeat {
            Repeat::Reads => {}
            Repeat::Idempotent => facts.push("Safe to repeat.".to_owned()),
            Repeat::Once => facts.push("Done once per operation: a repeat gets the first result.".to_owned()),
            Repeat::Repeatable(_) => facts.push("Each call is a new effect.".to_owned()),
        }
        let doc = self.doc.trim();
        let join = if doc.is_empty() { "" } else { "\n\n" };
        format!("{doc}{join}{}", facts.join(" "))
    }
}

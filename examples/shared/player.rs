//! Plays a recorded story against a gate: model turns become calls, people decide through the store as
//! from another terminal, and every answer is held against what was recorded.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use toolgate::alert::Alert;
use toolgate::approval::{Decision, decide};
use toolgate::clock::{Clock as _, SystemClock};
use toolgate::store::{Resume, Store, Write, Written, write_one};
use toolgate::{Gate, Session, SqliteStore, Task, ToolCall, ToolResult};

use super::event::{Answered, Event, Transcript};
use super::script::{Expected, Host, Message, ModelCall, Person, Script, Step};
use super::{Failure, Home, Options, audit};

/// How long an alert may take to come out.
const ALERT_WAIT: Duration = Duration::from_secs(5);

/// A task the story may go on in, and its session.
#[derive(Debug)]
pub(crate) struct Role {
    pub(crate) session: Session,
    pub(crate) task: Task,
}

/// What is known of an earlier call of the story.
#[derive(Debug)]
struct Earlier {
    number: usize,
    tool: String,
    call_id: String,
    ticket: Option<String>,
}

/// Plays one story.
pub(crate) struct Player<'a> {
    gate: &'a Gate,
    home: &'a Home,
    /// The people's own connection to the database.
    desk: Arc<dyn Store>,
    roles: Vec<Role>,
    now: usize,
    alerts: UnboundedReceiver<Alert>,
    out: Transcript,
    /// By the provider's id.
    earlier: BTreeMap<String, Earlier>,
    calls: usize,
    surprises: Vec<String>,
}

impl<'a> Player<'a> {
    /// Begins in the first role.
    pub(crate) fn new(
        gate: &'a Gate,
        home: &'a Home,
        options: &Options,
        roles: Vec<Role>,
        alerts: UnboundedReceiver<Alert>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            gate,
            home,
            desk: Arc::new(SqliteStore::open(home.database())?),
            roles,
            now: 0,
            alerts,
            out: Transcript::new(options.json),
            earlier: BTreeMap::new(),
            calls: 0,
            surprises: Vec::new(),
        })
    }

    /// Says where things are.
    pub(crate) fn begin(&self, places: &[(&str, &Path)]) -> Result<(), Failure> {
        self.out.tell(&Event::Begin(places))?;
        Ok(self.out.tell(&Event::Task(self.task()?))?)
    }

    /// Plays all steps.
    pub(crate) async fn play(&mut self, script: &Script) -> Result<(), Failure> {
        for step in &script.steps {
            self.step(step).await?;
        }
        Ok(())
    }

    /// The audit trail, and whether all went as recorded.
    pub(crate) async fn finish(self) -> Result<(), Failure> {
        let mut sessions: Vec<&Session> = self.roles.iter().map(|role| &role.session).collect();
        sessions.dedup_by_key(|session| session.id());
        self.out.tell(&Event::Audit(&audit::records(&*self.desk, &sessions).await?))?;
        let surprises = self.surprises.as_slice();
        self.out.tell(&Event::End { calls: self.calls, surprises, fate: self.home.fate() })?;
        match surprises {
            [] => Ok(()),
            all => Err(format!("the story did not go as recorded:\n{}", all.join("\n")).into()),
        }
    }

    async fn step(&mut self, step: &Step) -> Result<(), Failure> {
        let Step { note, user, model, person, host, expect } = step;
        if let Some(text) = note {
            self.out.tell(&Event::Note(text))?;
        }
        if let Some(text) = user {
            self.task()?.begin_turn();
            self.out.tell(&Event::User(text))?;
        }
        if let Some(message) = model {
            self.model(message, expect).await?;
        }
        if let Some(person) = person {
            self.person(person).await?;
        }
        if let Some(host) = host {
            self.host(host, expect.first()).await?;
        }
        Ok(())
    }

    fn role(&self) -> Result<&Role, Failure> {
        self.roles.get(self.now).ok_or_else(|| "the story has no task to go on in".into())
    }

    fn task(&self) -> Result<&Task, Failure> {
        self.role().map(|role| &role.task)
    }

    /// Each call of the message goes through the gate, in order.
    async fn model(&mut self, message: &Message, expect: &[Expected]) -> Result<(), Failure> {
        if let Some(text) = message.content.as_deref().filter(|text| !text.is_empty()) {
            self.out.tell(&Event::Said(text))?;
        }
        for (index, call) in message.tool_calls.iter().enumerate() {
            let arguments = call.function.arguments_text().map(|text| self.with_handles(&text));
            let mut request = match &arguments {
                Some(text) => ToolCall::new(&call.function.name, text.as_str()),
                None => ToolCall::without_arguments(&call.function.name),
            };
            request = request.with_provider_id(&call.id);
            if let Some(text) = &message.content {
                request = request.with_reasoning(text);
            }
            let result = self.task()?.call(request).await;
            self.remember(call, &result);
            self.answered(&call.function.name, arguments, &result, expect.get(index), false).await?;
        }
        Ok(())
    }

    /// A recorded story can't know the ids of this run: `<handle of ID>` stands for the handle of an earlier call.
    fn with_handles(&self, text: &str) -> String {
        self.earlier
            .iter()
            .fold(text.to_owned(), |text, (id, earlier)| text.replace(&format!("<handle of {id}>"), &earlier.call_id))
    }

    fn remember(&mut self, call: &ModelCall, result: &ToolResult) {
        let earlier = Earlier {
            number: self.calls + 1,
            tool: call.function.name.clone(),
            call_id: result.call_id.clone(),
            ticket: result.ticket().map(str::to_owned),
        };
        self.earlier.insert(call.id.clone(), earlier);
    }

    async fn answered(
        &mut self,
        tool: &str,
        arguments: Option<String>,
        result: &ToolResult,
        expected: Option<&Expected>,
        resumed: bool,
    ) -> Result<(), Failure> {
        self.calls += 1;
        let number = self.calls;
        let story = self.desk.call(&result.call_id).await?;
        let record = story.as_ref().map(|story| &story.record);
        let arguments = arguments.map(|text| self.gate.redactor().text(&text));
        self.out.tell(&Event::Call(&Answered { number, tool, arguments, resumed, result, record }))?;
        let stops = result.details.get("stops").and_then(|reach| reach.as_str());
        if stops == Some("session")
            && let Ok(Some(alert)) = tokio::time::timeout(ALERT_WAIT, self.alerts.recv()).await
        {
            self.out.tell(&Event::Alert(&alert))?;
        }
        self.surprises.extend(expected.and_then(|expected| surprise(number, tool, expected, result)));
        Ok(())
    }

    /// Decides in the database, as `toolgate approvals` does from another terminal.
    async fn person(&mut self, person: &Person) -> Result<(), Failure> {
        let Person { by, comment, approve, deny, resume } = person;
        let now_ms = SystemClock.now_ms();
        for (id, yes) in [(approve, true), (deny, false)] {
            let Some(id) = id else { continue };
            let Some(ticket) = self.ticket(id) else { continue };
            let decision = Decision { approve: yes, by: by.clone(), comment: comment.clone() };
            let decided = decide(&*self.desk, self.gate.redactor(), now_ms, &ticket, &decision, "terminal").await?;
            let decided = decided.into_ticket().ok_or_else(|| format!("the ticket of `{id}` is gone"))?;
            self.out.tell(&Event::Decided(&decided))?;
        }
        if *resume {
            let session = self.role()?.session.id().to_owned();
            let resume = Resume { session, task: None, by: by.clone(), now_ms };
            if let Written::Resumed(stops) = write_one(&*self.desk, Write::Resume(resume)).await? {
                self.out.tell(&Event::Resumed { by, stops })?;
            }
        }
        Ok(())
    }

    async fn host(&mut self, host: &Host, expected: Option<&Expected>) -> Result<(), Failure> {
        if let Some(kind) = &host.task {
            let found = self.roles.iter().position(|role| role.task.task_type() == kind);
            self.now = found.ok_or_else(|| format!("there is no task `{kind}`"))?;
            self.out.tell(&Event::Task(self.task()?))?;
        }
        if let Some(id) = &host.resume
            && let Some(ticket) = self.ticket(id)
        {
            let result = self.task()?.resume(&ticket).await;
            let tool = self.earlier.get(id).map(|earlier| earlier.tool.clone()).unwrap_or_default();
            self.answered(&tool, None, &result, expected, true).await?;
        }
        Ok(())
    }

    /// The ticket of an earlier call. One that waits for nobody is a surprise.
    fn ticket(&mut self, id: &str) -> Option<String> {
        let earlier = self.earlier.get(id);
        let ticket = earlier.and_then(|earlier| earlier.ticket.clone());
        if ticket.is_none() {
            let number = earlier.map_or_else(|| "?".to_owned(), |earlier| earlier.number.to_string());
            let text = format!("  call {number} waits for nobody, and a person should be asked");
            if !self.surprises.contains(&text) {
                self.surprises.push(text);
            }
        }
        ticket
    }
}

/// What differs from the recording.
fn surprise(number: usize, tool: &str, expected: &Expected, result: &ToolResult) -> Option<String> {
    let parts = [
        ("code", &expected.code, result.code.as_str()),
        ("stage", &expected.stage, result.stage.as_str()),
        ("effect", &expected.effect, result.effect.as_str()),
    ];
    let differs = |(name, expected, found): (&str, &Option<String>, &str)| {
        let expected = expected.as_deref().filter(|expected| *expected != found)?;
        Some(format!("{name} {expected} expected, {found} found"))
    };
    let found: Vec<String> = parts.into_iter().filter_map(differs).collect();
    (!found.is_empty()).then(|| format!("  call {number} of `{tool}`: {}", found.join(", ")))
}

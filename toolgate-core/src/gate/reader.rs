//! The built-in tool that reads on where a result was cut: by handle, in pages, only for the agent and
//! session that got the result.

use std::sync::Arc;

use serde_json::{Value, json};

use super::background::{CANCEL_CALL, READ_CALL};
use super::stored::open_result;
use crate::clip::page;
use crate::content::WithContent;
use crate::contract::SpecFault;
use crate::spec::{Builtin, DynamicTool, RegisteredTool};
use crate::store::{CallRecord, Store};
use crate::tool::ToolError;

/// Name of the built-in tool `read_result`, which every task has: it reads on in a result that was too long to
/// be given whole. No other tool may have this name.
pub const READER: &str = "read_result";
/// Most characters of one page.
const PAGE: u64 = 7_000;
/// Most characters of a page as JSON, where each may be escaped: a page is never cut again.
const ESCAPED: u32 = 6 * 7_000 + 200;

/// Whether a tool of this name is one of the gate's own, which no other tool may have the name of.
pub(crate) fn is_builtin(name: &str) -> bool {
    [READER, READ_CALL, CANCEL_CALL].contains(&name)
}

pub(super) fn reader_tool(store: Arc<dyn Store>, tenant: &str) -> Result<RegisteredTool, SpecFault> {
    let schema = json!({
        "type": "object",
        "properties": {
            "handle": {"type": "string", "maxLength": 64, "description": "The handle from the details of a cut result."},
            "limit": {"type": "integer", "minimum": 1, "maximum": PAGE, "default": PAGE,
                      "description": "Most characters to read."},
            "offset": {"type": "integer", "minimum": 0, "default": 0,
                       "description": "First character to read; `next_offset` of the page before."},
        },
        "required": ["handle"],
    });
    let doc = "Reads on in a result that was too long to be given whole.";
    let tenant: Arc<str> = tenant.into();
    let mut tool = DynamicTool::new(READER, doc, schema).reads().trusted().result_limit(ESCAPED).handler(
        move |context, arguments| {
            let (store, tenant) = (Arc::clone(&store), Arc::clone(&tenant));
            async move { read(&*store, (&tenant, context.session(), context.principal()), &arguments).await }
        },
    )?;
    tool.builtin = Some(Builtin::ReadResult);
    Ok(tool)
}

async fn read(
    store: &dyn Store,
    reader: (&str, &str, &str),
    arguments: &Value,
) -> Result<WithContent<Value>, ToolError> {
    let number = |name: &str| arguments.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let handle = arguments.get("handle").and_then(Value::as_str).unwrap_or_default();
    let stored = store.result(handle).await?;
    let call = store.call(handle).await?.map(|story| story.record);
    let mine = |call: CallRecord| (&*call.tenant, &*call.session, &*call.principal) == reader;
    // A handle of another session, agent or tenant is like one that doesn't exist.
    let Some(stored) = stored.filter(|_| call.is_some_and(mine)) else {
        return Err(ToolError::no_effect("there is no result with this handle in this session"));
    };
    let sealed = open_result(store.key(), &stored)?;
    if sealed.error.is_some() {
        return Err(ToolError::no_effect("this call failed, so it has no result"));
    }
    let text = sealed.blocks.whole_text(&sealed.value);
    let offset = number("offset").unwrap_or(0);
    let page = page(&text, offset, number("limit").unwrap_or(usize::MAX));
    let data = json!({"text": page.text, "next_offset": page.next_offset, "total_chars": page.total});
    // Images and files were given with the result; who reads it from its beginning gets them again.
    let content = if offset == 0 { sealed.blocks.without_texts() } else { Vec::new() };
    Ok(WithContent { data, content })
}

//! What an answer holds beside its JSON: images, files and the like, as far as a provider takes them in
//! the place of a result. The JSON says of each other one that it isn't shown.

use serde_json::{Value, json};

use crate::call::ToolResult;
use crate::content::{Content, File};

/// Pictures that all providers with pictures take.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// An answer as JSON, and the blocks that go beside it.
pub(super) fn answer(result: &ToolResult, block: fn(&Content) -> Option<Value>) -> (Value, Vec<Value>) {
    let mut json = result.to_json();
    let mut shown = Vec::new();
    for (index, content) in result.content.iter().enumerate() {
        match block(content) {
            Some(block) => shown.push(block),
            None if content.bytes().is_some() => {
                if let Some(told) = json.pointer_mut(&format!("/content/{index}")).and_then(Value::as_object_mut) {
                    let why = format!("this {} can't be shown here; only its description is", content.kind());
                    told.insert("not_shown".to_owned(), why.into());
                }
            }
            None => {}
        }
    }
    (json, shown)
}

/// Chat completions take nothing but text as a result.
pub(super) fn none(_: &Content) -> Option<Value> {
    None
}

pub(super) fn responses(content: &Content) -> Option<Value> {
    match content {
        Content::Image(image) if IMAGES.contains(&image.media_type()) => {
            let url = format!("data:{};base64,{}", image.media_type(), image.base64());
            Some(json!({"type": "input_image", "image_url": url}))
        }
        Content::File(file) if file.media_type() == "application/pdf" => {
            let data = format!("data:application/pdf;base64,{}", file.base64());
            Some(json!({"type": "input_file", "filename": file.name(), "file_data": data}))
        }
        _ => None,
    }
}

pub(super) fn anthropic(content: &Content) -> Option<Value> {
    let base64 = |media_type: &str, data: String| json!({"type": "base64", "media_type": media_type, "data": data});
    match content {
        Content::Image(image) if IMAGES.contains(&image.media_type()) => {
            Some(json!({"type": "image", "source": base64(image.media_type(), image.base64())}))
        }
        Content::File(file) if file.media_type() == "application/pdf" => {
            let source = base64(file.media_type(), file.base64());
            Some(json!({"type": "document", "source": source, "title": file.name()}))
        }
        Content::File(file) => {
            let source = json!({"type": "text", "media_type": "text/plain", "data": plain(file)?});
            Some(json!({"type": "document", "source": source, "title": file.name()}))
        }
        _ => None,
    }
}

pub(super) fn gemini(content: &Content) -> Option<Value> {
    let (media_type, data) = match content {
        Content::Image(image) => (image.media_type(), image.base64()),
        Content::File(file) if matches!(file.media_type(), "application/pdf" | "text/plain") => {
            (file.media_type(), file.base64())
        }
        _ => return None,
    };
    let taken = ["image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"].contains(&media_type);
    taken.then(|| json!({"inlineData": {"mimeType": media_type, "data": data}}))
}

pub(super) fn mcp(content: &Content) -> Option<Value> {
    match content {
        Content::Image(image) => Some(json!({"type": "image", "mimeType": image.media_type(), "data": image.base64()})),
        Content::Audio(audio) => Some(json!({"type": "audio", "mimeType": audio.media_type(), "data": audio.base64()})),
        Content::File(file) => {
            let resource = json!({"uri": uri_of(file.name()), "mimeType": file.media_type(), "blob": file.base64()});
            Some(json!({"type": "resource", "resource": resource}))
        }
        Content::Link(link) => {
            let mut block = json!({"type": "resource_link", "uri": link.uri(), "name": link.name()});
            let more = [
                ("title", link.title_text()),
                ("description", link.description_text()),
                ("mimeType", link.media_type()),
            ];
            if let Some(members) = block.as_object_mut() {
                members.extend(more.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into()))));
            }
            Some(block)
        }
        _ => None,
    }
}

fn plain(file: &File) -> Option<&str> {
    std::str::from_utf8(file.bytes()).ok().filter(|_| file.media_type() == "text/plain")
}

/// An address that leads nowhere: the bytes are in the block.
fn uri_of(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let encoded = name.bytes().fold(String::new(), |text, byte| {
        if plain(byte) { text + &char::from(byte).to_string() } else { text + &format!("%{byte:02X}") }
    });
    format!("attachment:///{encoded}")
}

//! Every message about the tools of a set in one place, each with what brings it about: templates that are
//! filled in const evaluation. Not the checks that choose among them, see `set`; what one tool can do
//! wrong is in `toolgate-macros/src/messages.rs`.

#![expect(clippy::indexing_slicing, reason = "const evaluation has no `get`; each index is bounded by its loop")]

macro_rules! messages {
    ($($(#[doc = $doc:literal])+ $name:ident($($arg:ident),*) = $text:literal;)*) => {
        $($(#[doc = $doc])+ pub(super) const fn $name($($arg: &str),*) -> Text {
            Text::filled($text, &[$((stringify!($arg), $arg)),*])
        })*

        /// Name, text and cause of each message.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str, &str)] =
            &[$((stringify!($name), $text, concat!($($doc, "\n"),+))),*];
    };
}

messages! {
    /// A path leads to a function that carries no `#[tool]`.
    no_tool(path) = "`{path}` is no tool; put `#[tool(..)]` on the function";
    /// A toolset lists the same function a second time.
    tool_twice(tool) = "tool `{tool}` is listed twice in this toolset; remove one of the two";
    /// Two tools of a toolset would go by the same name.
    name_taken(tool, place) = "tool `{tool}` has the same name as another tool of this toolset (at {place}); give one of them `#[tool(name = \"..\")]`";
    /// A precondition names a tool that the toolset does not list.
    need_outside(tool, needed) = "tool `{tool}` has a precondition on `{needed}`, which is not in this toolset; add it, or correct the name";
    /// A precondition does not say that a parameter which both tools have is the same.
    need_unbound(tool, needed, name) = "the precondition of `{tool}` on `{needed}` does not bind `{name}`, which both have; add `prior.{name} == args.{name}` to `when`, or say `unbound = \"why\"`";
    /// A tool falls back on one that the toolset does not list.
    fallback_outside(tool, other) = "tool `{tool}` falls back on `{other}`, which is not in this toolset; add it, or correct the name";
    /// A tool falls back on one of a higher risk.
    fallback_risk(tool, risk, other, higher) = "tool `{tool}` (risk `{risk}`) falls back on `{other}` (risk `{higher}`); choose a tool that risks no more";
    /// A tool falls back on one that takes other arguments.
    fallback_differs(tool, other, parameter) = "tool `{tool}` falls back on `{other}`, but only one of them has a parameter `{parameter}`; a fallback takes the same arguments, so give both the same parameters";
    /// The type under `#[args]` is no struct.
    args_no_struct(ty) = "`{ty}` has no named fields that could be the arguments; put `#[args]` on a struct, or remove it";
    /// A confirmation text names what is no field of the struct under `#[args]`.
    args_placeholder(name, known) = "`confirm` names `{name}`, which is no argument of this tool; it has: {known}";
    /// A confirmation text would show a field that is to be kept out of texts.
    args_placeholder_sensitive(name) = "`confirm` shows `{name}`, which is `sensitive`; take it out of the text";
    /// A key names what is no field of the struct under `#[args]`.
    args_key(name, known) = "`key` names `{name}`, which is no argument of this tool; it has: {known}";
    /// A key names the model's reason in the struct under `#[args]`.
    args_key_of_reason(name) = "`key` names `{name}`, which is the model's reason and not part of the operation; remove it";
    /// A precondition names what is no field of the struct under `#[args]`.
    args_expression(name, known) = "the precondition names `args.{name}`, but this tool's arguments are: {known}";
    /// A field of the struct under `#[args]` is text whose name says that it is a resource.
    args_resource(ty, field, word) = "`{field}` of `{ty}` is free text, but `{word}` says it names a resource; take a type of its own, such as `ReadPath`, or say `#[arg(not_a_resource = \"why\")]` on the field";
    /// Preconditions in a circle: each tool waits for the next.
    circle(tool, way) = "tool `{tool}` can never be called: it {way}; remove one of these preconditions";
}

/// Most bytes of a message.
const LONGEST: usize = 600;

/// A message put together in const evaluation; what is too long is cut.
#[derive(Clone, Copy)]
pub(super) struct Text {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Text {
    /// Nothing yet.
    pub(super) const EMPTY: Self = Self { bytes: [0; LONGEST], length: 0 };

    /// The template with each `{name}` replaced by the part of that name.
    const fn filled(template: &str, parts: &[(&str, &str)]) -> Self {
        let bytes = template.as_bytes();
        let mut text = Self::EMPTY;
        let mut at = 0;
        while at < bytes.len() {
            let end = hole(bytes, at);
            if let Some(part) = part(bytes, at, end, parts) {
                text.put(part.as_bytes(), 0, part.len());
                at = end;
            } else {
                text.put(bytes, at, at + 1);
                at += 1;
            }
        }
        text
    }

    /// Puts a text at the end.
    pub(super) const fn push(mut self, part: &str) -> Self {
        self.put(part.as_bytes(), 0, part.len());
        self
    }

    const fn put(&mut self, part: &[u8], from: usize, to: usize) {
        let mut index = from;
        while index < to && self.length < self.bytes.len() {
            self.bytes[self.length] = part[index];
            self.length += 1;
            index += 1;
        }
    }

    /// What it says.
    pub(super) const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "this toolset breaks a rule",
        }
    }
}

/// Where the hole that begins here ends; here, where none does.
const fn hole(template: &[u8], at: usize) -> usize {
    let mut end = at;
    if template[at] == b'{' {
        while end < template.len() && template[end] != b'}' {
            end += 1;
        }
        end += 1;
    }
    end
}

/// What fills the hole between the two.
const fn part<'a>(template: &[u8], at: usize, end: usize, parts: &[(&str, &'a str)]) -> Option<&'a str> {
    let mut index = 0;
    while index < parts.len() && end > at {
        if stands(parts[index].0.as_bytes(), template, at + 1, end - 1) {
            return Some(parts[index].1);
        }
        index += 1;
    }
    None
}

const fn stands(name: &[u8], template: &[u8], from: usize, to: usize) -> bool {
    let mut index = 0;
    while index < name.len() && from + index < to && name[index] == template[from + index] {
        index += 1;
    }
    index == name.len() && from + index == to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_by_name_and_as_often_as_they_stand() {
        assert_eq!(
            need_unbound("act", "look", "what").as_str(),
            "the precondition of `act` on `look` does not bind `what`, which both have; \
             add `prior.what == args.what` to `when`, or say `unbound = \"why\"`"
        );
        let text = name_taken("look", "src/{tool}.rs:5");
        assert!(text.as_str().contains("(at src/{tool}.rs:5)"), "what is filled in is not looked through");
    }

    #[test]
    fn every_message_fills_all_its_holes() {
        for (name, text, cause) in ALL {
            let parts: Vec<&str> = text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
            assert!(!parts.is_empty(), "{name}");
            let filled = Text::filled(text, &parts.iter().map(|part| (*part, "x")).collect::<Vec<_>>());
            assert!(!filled.as_str().contains(['{', '}']), "{name}");
            assert!(cause.trim().ends_with('.') && !text.ends_with('.'), "{name}");
        }
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let text = Text::EMPTY.push(&"ä".repeat(299)).push("ab").push("c");
        assert_eq!(text.as_str().len(), LONGEST);
        assert!(Text::EMPTY.push("a").push(&"ä".repeat(400)).as_str().starts_with("this toolset"));
    }
}

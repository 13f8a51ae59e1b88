//! Regular expressions of JSON Schema, which are ECMAScript's: the same words mean less there (`\d` is
//! ten digits, `.` no line end), so they are written out for the engine of linear time. Not that engine.

/// Why a pattern isn't used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PatternFault {
    /// ECMAScript refuses it.
    Invalid,
    /// It can't be matched in linear time, or only one of the two languages reads it so.
    Unsupported,
}

const SPACE: &str = r"\t\n\x0B\f\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";
const WORD: &str = "0-9A-Za-z_";
const LINE_END: &str = r"\n\r\u{2028}\u{2029}";

/// Whether ECMAScript takes it, with the flag `u`.
pub(super) fn is_ecma_regex(text: &str) -> bool {
    translated(text) != Err(PatternFault::Invalid)
}

/// The pattern in the words of the `regex` crate.
pub(super) fn translated(text: &str) -> Result<String, PatternFault> {
    let mut reader = Reader { rest: text, out: String::with_capacity(text.len() + 16), unsupported: false, depth: 0 };
    reader.alternatives(false)?;
    if reader.unsupported { Err(PatternFault::Unsupported) } else { Ok(reader.out) }
}

/// Groups inside of groups.
const MAX_DEPTH: u32 = 100;

struct Reader<'t> {
    rest: &'t str,
    out: String,
    unsupported: bool,
    depth: u32,
}

type Read = Result<(), PatternFault>;

impl Reader<'_> {
    fn eat(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn next(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next();
        self.rest = letters.as_str();
        letter
    }

    fn alternatives(&mut self, inside: bool) -> Read {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.unsupported = true;
            self.rest = "";
            return Ok(());
        }
        loop {
            match self.next() {
                None if inside => return Err(PatternFault::Invalid),
                None => break,
                Some(')') if inside => {
                    self.out.push(')');
                    break;
                }
                Some('|') => self.out.push('|'),
                Some('^') => self.out.push('^'),
                Some('$') => self.out.push('$'),
                Some('\\') if self.eat("b") => self.out.push_str(r"(?-u:\b)"),
                Some('\\') if self.eat("B") => self.out.push_str(r"(?-u:\B)"),
                Some(letter) => {
                    let repeatable = self.atom(letter)?;
                    self.quantifier(repeatable)?;
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// One thing that may be repeated; false for a look around.
    fn atom(&mut self, letter: char) -> Result<bool, PatternFault> {
        match letter {
            '(' => return self.group(),
            '[' => self.class()?,
            '\\' => self.escape(false)?,
            '.' => {
                self.out.push_str("[^");
                self.out.push_str(LINE_END);
                self.out.push(']');
            }
            '*' | '+' | '?' | '{' | ')' => return Err(PatternFault::Invalid),
            letter => self.literal(letter),
        }
        Ok(true)
    }

    fn literal(&mut self, letter: char) {
        if letter.is_ascii_punctuation() && letter != '<' && letter != '>' {
            self.out.push('\\');
        }
        self.out.push(letter);
    }

    fn group(&mut self) -> Result<bool, PatternFault> {
        let look = ["?=", "?!", "?<=", "?<!"].iter().any(|start| self.eat(start));
        if look {
            self.unsupported = true;
            self.alternatives(true)?;
            return Ok(false);
        }
        if self.eat("?:") {
            self.out.push_str("(?:");
        } else if self.eat("?<") {
            let Some((name, rest)) = self.rest.split_once('>') else { return Err(PatternFault::Invalid) };
            let plain = |letter: char| letter == '_' || letter == '$' || letter.is_alphanumeric();
            if name.is_empty() || name.starts_with(|letter: char| letter.is_numeric()) || !name.chars().all(plain) {
                return Err(PatternFault::Invalid);
            }
            self.rest = rest;
            self.out.push_str("(?:");
        } else if self.rest.starts_with('?') {
            return Err(PatternFault::Invalid);
        } else {
            self.out.push_str("(?:");
        }
        self.alternatives(true)?;
        Ok(true)
    }

    fn quantifier(&mut self, repeatable: bool) -> Read {
        let before = self.rest;
        if let Some(sign) = ["*", "+", "?"].into_iter().find(|sign| self.eat(sign)) {
            self.out.push_str(sign);
        } else if self.eat("{") {
            let Some((range, rest)) = self.rest.split_once('}') else { return Err(PatternFault::Invalid) };
            let (low, high) = range.split_once(',').unwrap_or((range, range));
            let number =
                |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok()).flatten();
            let low = number(low).ok_or(PatternFault::Invalid)?;
            if !high.is_empty() && number(high).is_none_or(|high| high < low) {
                return Err(PatternFault::Invalid);
            }
            self.rest = rest;
            self.out.push_str(&format!("{{{range}}}"));
        }
        if before.len() == self.rest.len() {
            return Ok(());
        }
        if !repeatable {
            return Err(PatternFault::Invalid);
        }
        if self.eat("?") {
            self.out.push('?');
        }
        Ok(())
    }

    fn class(&mut self) -> Read {
        self.out.push('[');
        if self.eat("^") {
            self.out.push('^');
        }
        if self.rest.starts_with(']') {
            self.rest = self.rest.strip_prefix(']').unwrap_or_default();
            // Nothing, or everything.
            let everything = self.out.ends_with('^');
            let start = self.out.len() - if everything { 2 } else { 1 };
            self.out.truncate(start);
            self.out.push_str(if everything { r"[\s\S]" } else { r"[^\s\S]" });
            return Ok(());
        }
        // The last single letter, which may start a range.
        let mut low: Option<u32> = None;
        loop {
            let letter = self.next().ok_or(PatternFault::Invalid)?;
            match letter {
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '-' if low.is_some() && !self.rest.starts_with(']') => {
                    self.out.push('-');
                    let high = self.member()?.ok_or(PatternFault::Invalid)?;
                    if low.is_some_and(|low| low > high) {
                        return Err(PatternFault::Invalid);
                    }
                    low = None;
                }
                letter => low = self.member_from(letter)?,
            }
        }
    }

    fn member(&mut self) -> Result<Option<u32>, PatternFault> {
        let letter = self.next().ok_or(PatternFault::Invalid)?;
        self.member_from(letter)
    }

    /// One member of a class; its code where it is a single letter.
    fn member_from(&mut self, letter: char) -> Result<Option<u32>, PatternFault> {
        if letter == '\\' {
            if self.eat("b") {
                self.out.push_str(r"\x08");
                return Ok(Some(8));
            }
            if self.eat("-") {
                self.out.push_str(r"\-");
                return Ok(Some(u32::from('-')));
            }
            let before = self.out.len();
            self.escape(true)?;
            let written = self.out.get(before..).unwrap_or_default();
            return Ok(code_of(written));
        }
        self.literal(letter);
        Ok(Some(u32::from(letter)))
    }

    fn escape(&mut self, in_class: bool) -> Read {
        let letter = self.next().ok_or(PatternFault::Invalid)?;
        let mut set = |set: &str, negated: bool| match (in_class, negated) {
            (true, false) => self.out.push_str(set),
            (_, negated) => self.out.push_str(&format!("[{}{set}]", if negated { "^" } else { "" })),
        };
        match letter {
            'd' => set("0-9", false),
            'D' => set("0-9", true),
            'w' => set(WORD, false),
            'W' => set(WORD, true),
            's' => set(SPACE, false),
            'S' => set(SPACE, true),
            't' | 'n' | 'r' | 'f' => {
                self.out.push('\\');
                self.out.push(letter);
            }
            'v' => self.out.push_str(r"\x0B"),
            '0' if !self.rest.starts_with(|digit: char| digit.is_ascii_digit()) => self.out.push_str(r"\x00"),
            'c' => match self.next() {
                Some(letter) if letter.is_ascii_alphabetic() => self.code(u32::from(letter) % 32),
                _ => return Err(PatternFault::Invalid),
            },
            'x' => {
                let code = self.hex(2)?;
                self.code(code);
            }
            'u' => self.unicode()?,
            'p' | 'P' => {
                let Some((name, rest)) = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
                    return Err(PatternFault::Invalid);
                };
                self.out.push_str(&format!("\\{letter}{{{name}}}"));
                self.rest = rest;
            }
            '1'..='9' | 'k' => self.unsupported = true,
            letter if letter.is_ascii_punctuation() => self.literal(letter),
            _ => return Err(PatternFault::Invalid),
        }
        Ok(())
    }

    fn code(&mut self, code: u32) {
        self.out.push_str(&format!("\\u{{{code:x}}}"));
    }

    fn hex(&mut self, length: usize) -> Result<u32, PatternFault> {
        let (digits, rest) = self.rest.split_at_checked(length).ok_or(PatternFault::Invalid)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(PatternFault::Invalid);
        }
        self.rest = rest;
        u32::from_str_radix(digits, 16).map_err(|_| PatternFault::Invalid)
    }

    /// `\u{..}`, `\uXXXX` or two of them for one letter.
    fn unicode(&mut self) -> Read {
        if self.eat("{") {
            let (digits, rest) = self.rest.split_once('}').ok_or(PatternFault::Invalid)?;
            let code = u32::from_str_radix(digits, 16).map_err(|_| PatternFault::Invalid)?;
            self.rest = rest;
            if char::from_u32(code).is_none() {
                self.unsupported = true;
            }
            self.code(code);
            return Ok(());
        }
        let mut code = self.hex(4)?;
        if (0xd800..0xdc00).contains(&code) && self.eat("\\u") {
            let low = self.hex(4)?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x1_0000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            }
        }
        if char::from_u32(code).is_none() {
            self.unsupported = true;
        }
        self.code(code);
        Ok(())
    }
}

/// The code of one letter as it was written for the engine; none for a set of them.
fn code_of(written: &str) -> Option<u32> {
    let mut letters = written.chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some('\\'), Some('u' | 'x'), Some(_)) => {
            let digits: String = written.chars().skip(2).filter(char::is_ascii_hexdigit).collect();
            u32::from_str_radix(&digits, 16).ok()
        }
        (Some('\\'), Some('t'), None) => Some(9),
        (Some('\\'), Some('n'), None) => Some(10),
        (Some('\\'), Some('f'), None) => Some(12),
        (Some('\\'), Some('r'), None) => Some(13),
        (Some('\\'), Some(letter), None) if letter.is_ascii_punctuation() => Some(u32::from(letter)),
        (Some(letter), None, _) => Some(u32::from(letter)),
        _ => None,
    }
}

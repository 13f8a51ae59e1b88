//! Text to tokens: names, numbers, strings, signs.
//!
//! Not the whole of CEL's lexis: no comments, bytes, raw or triple-quoted strings, unsigned numbers.

use crate::error::ParseError;

/// A token and its bytes in the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spanned {
    pub(crate) token: Token,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    Name(String),
    /// A whole number without its sign.
    Whole(u64),
    Double(f64),
    Text(String),
    Sign(&'static str),
    End,
}

/// Longest first: `<=` before `<`.
const SIGNS: [&str; 20] =
    ["||", "&&", "==", "!=", "<=", ">=", "<", ">", "!", "-", "(", ")", "[", "]", ".", ",", "?", ":", "{", "}"];

/// The tokens of `text`, the last of which is [`Token::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Spanned>, ParseError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip(|letter| matches!(letter, ' ' | '\t' | '\n' | '\r' | '\x0c'));
        let start = lexer.at;
        let token = lexer.token()?;
        let done = token == Token::End;
        tokens.push(Spanned { token, start, end: lexer.at });
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// Moves over the letters that are `wanted` and gives them.
    fn skip(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|letter| !wanted(letter)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn fault(&self, start: usize, message: impl Into<String>) -> ParseError {
        ParseError::new(self.text, start, self.at, message)
    }

    fn token(&mut self) -> Result<Token, ParseError> {
        let start = self.at;
        let Some(first) = self.peek() else {
            return Ok(Token::End);
        };
        let mut after = self.rest().chars().skip(1);
        let dot_digit = first == '.' && after.next().is_some_and(|next| next.is_ascii_digit());
        if first.is_ascii_digit() || dot_digit {
            return self.number();
        }
        if matches!(first, '"' | '\'') {
            return self.string(first);
        }
        if is_name(first) {
            let name = self.skip(is_name);
            if matches!(self.peek(), Some('"' | '\'')) {
                return Err(
                    self.fault(start, format!("unexpected `{name}` before a string: only plain strings are supported"))
                );
            }
            return Ok(Token::Name(name.to_owned()));
        }
        let rest = self.rest();
        if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            self.at += sign.len();
            return Ok(Token::Sign(sign));
        }
        self.next();
        Err(self.fault(start, stray(first)))
    }

    fn number(&mut self) -> Result<Token, ParseError> {
        let start = self.at;
        if let Some(hex) = self.rest().strip_prefix("0x").or(self.rest().strip_prefix("0X")) {
            let digits = hex.len() - hex.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len();
            self.at += 2;
            let digits = hex.get(..digits).unwrap_or_default();
            self.at += digits.len();
            self.end_number(start)?;
            return u64::from_str_radix(digits, 16)
                .map(Token::Whole)
                .map_err(|_| self.fault(start, "this is no integer of 64 bits"));
        }
        self.skip(|c| c.is_ascii_digit());
        let mut whole = true;
        let mut ahead = self.rest().chars();
        if ahead.next() == Some('.') && ahead.next().is_some_and(|c| c.is_ascii_digit()) {
            whole = false;
            self.at += 1;
            self.skip(|c| c.is_ascii_digit());
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.at += 1;
            }
            self.skip(|c| c.is_ascii_digit());
        }
        self.end_number(start)?;
        let digits = self.text.get(start..self.at).unwrap_or_default();
        if whole {
            return digits.parse().map(Token::Whole).map_err(|_| self.fault(start, "this is no integer of 64 bits"));
        }
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Token::Double(number)),
            Ok(_) => Err(self.fault(start, "this number is too large")),
            Err(_) => Err(self.fault(start, "this is no number")),
        }
    }

    /// A number must not run into a name.
    fn end_number(&mut self, start: usize) -> Result<(), ParseError> {
        match self.skip(is_name) {
            "" => Ok(()),
            "u" | "U" => Err(self.fault(start, "unsigned numbers are not supported, leave out the `u`")),
            _ => Err(self.fault(start, "this is no number")),
        }
    }

    fn string(&mut self, quote: char) -> Result<Token, ParseError> {
        let start = self.at;
        self.next();
        let mut string = String::new();
        loop {
            let at = self.at;
            match self.next() {
                Some('\\') => string.push(self.escape(at)?),
                Some(letter) if letter == quote => break,
                Some('\n' | '\r') | None => {
                    self.at = at;
                    return Err(self.fault(start, format!("this string has no closing `{quote}`")));
                }
                Some(letter) => string.push(letter),
            }
        }
        if self.peek() == Some(quote) {
            self.next();
            return Err(self.fault(start, "a string can't follow a string directly"));
        }
        Ok(Token::Text(string))
    }

    /// The letter after a backslash at `start`.
    fn escape(&mut self, start: usize) -> Result<char, ParseError> {
        let letter = match self.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('a') => '\x07',
            Some('b') => '\x08',
            Some('f') => '\x0c',
            Some('v') => '\x0b',
            Some(same @ ('\\' | '\'' | '"' | '`' | '?')) => same,
            Some('x' | 'X') => return self.code(start, 2, 16),
            Some('u') => return self.code(start, 4, 16),
            Some('U') => return self.code(start, 8, 16),
            Some('0'..='3') => {
                self.at -= 1;
                return self.code(start, 3, 8);
            }
            _ => {
                return Err(self.fault(start, "unknown escape in a string; a backslash is written `\\\\`"));
            }
        };
        Ok(letter)
    }

    /// A character by its number, written in exactly `length` digits.
    fn code(&mut self, start: usize, length: usize, radix: u32) -> Result<char, ParseError> {
        let digits = self.rest().get(..length).unwrap_or_default();
        let digits = if digits.chars().all(|c| c.is_digit(radix)) { digits } else { "" };
        self.at += digits.len();
        u32::from_str_radix(digits, radix)
            .ok()
            .and_then(char::from_u32)
            .ok_or_else(|| self.fault(start, format!("this escape needs {length} digits that name a character")))
    }
}

fn is_name(letter: char) -> bool {
    letter == '_' || letter.is_ascii_alphanumeric()
}

fn stray(letter: char) -> String {
    match letter {
        '=' => "unexpected `=`, equality is `==`".to_owned(),
        '&' => "unexpected `&`, use `&&`".to_owned(),
        '|' => "unexpected `|`, use `||`".to_owned(),
        '+' | '*' | '/' | '%' => format!("unexpected `{letter}`: arithmetic is not supported"),
        _ => format!("unexpected character `{}`", letter.escape_debug()),
    }
}

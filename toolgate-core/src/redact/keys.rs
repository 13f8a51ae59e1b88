//! Names that say "a secret follows": split into words, the last words decide.
//!
//! Not here: the values, except for what kind they are.

use serde_json::Value;

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    Open,
    /// Secret unless it is a number or a truth value (`pass`, `auth`, `tokens`, `has_password`).
    Worded,
    /// Secret, whatever it is.
    Secret,
}

/// What kind of value stands under the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Nothing,
    Flag,
    Number,
    Other,
}

impl Verdict {
    /// Whether a value of this kind is hidden.
    pub(super) fn hides(self, kind: Kind) -> bool {
        match self {
            Self::Open => false,
            Self::Worded => kind == Kind::Other,
            Self::Secret => kind != Kind::Nothing,
        }
    }
}

impl Kind {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Nothing,
            Value::Bool(_) => Self::Flag,
            Value::Number(_) => Self::Number,
            Value::String(_) | Value::Array(_) | Value::Object(_) => Self::Other,
        }
    }

    /// The kind of an unquoted value in a text.
    pub(super) fn of_text(text: &str) -> Self {
        match text.trim_end_matches(['.', ',', ';', ')', '}', ']']) {
            "" | "null" | "None" | "nil" | "undefined" => Self::Nothing,
            "true" | "false" | "True" | "False" | "yes" | "no" => Self::Flag,
            text if text.bytes().all(|byte| byte.is_ascii_digit()) => Self::Number,
            _ => Self::Other,
        }
    }
}

const SECRET: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "pwd",
    "passphrase",
    "passphrases",
    "passcode",
    "passcodes",
    "pin",
    "secret",
    "secrets",
    "token",
    "credential",
    "credentials",
    "cred",
    "creds",
    "apikey",
    "apikeys",
    "jwt",
    "otp",
    "totp",
    "cvv",
    "cvc",
    "mnemonic",
    "cookie",
    "cookies",
    "authorization",
    "bearer",
    "passwort",
    "kennwort",
    "contraseña",
    "contrasena",
    "senha",
    "wachtwoord",
    "пароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
];
const WORDED: &[&str] = &["pass", "auth", "tokens"];
/// Words that make a secret of a following `key` or `keys`.
const KEY_OF: &[&str] = &[
    "api",
    "access",
    "private",
    "secret",
    "signing",
    "signature",
    "encryption",
    "encrypt",
    "decryption",
    "master",
    "account",
    "shared",
    "service",
    "session",
    "deploy",
    "auth",
    "client",
    "license",
    "recovery",
    "storage",
    "subscription",
    "consumer",
    "ssh",
    "gpg",
    "pgp",
    "hmac",
    "webhook",
    "admin",
    "root",
    "functions",
    "wrapping",
    "symmetric",
    "data",
];
const CODE_OF: &[&str] =
    &["security", "verification", "recovery", "backup", "auth", "authorization", "access", "pin", "otp", "mfa"];
const PHRASE_OF: &[&str] = &["seed", "recovery", "secret", "pass", "mnemonic", "backup"];
const SIGNATURE_OF: &[&str] = &["amz", "goog", "hub", "sas", "hmac", "webhook", "slack", "stripe"];
/// Endings of names written without any separator.
const SQUASHED: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "credential",
    "credentials",
    "authorization",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
];
/// Last words that say nothing: what stands before them decides.
const NEUTRAL: &[&str] = &[
    "value",
    "values",
    "raw",
    "plain",
    "plaintext",
    "text",
    "string",
    "str",
    "base64",
    "b64",
    "hex",
    "encoded",
    "encrypted",
    "hash",
    "digest",
    "confirm",
    "confirmation",
    "again",
    "repeat",
    "old",
    "new",
    "current",
    "previous",
    "header",
    "env",
    "var",
    "bytes",
    "input",
];
const QUANTITY: &[&str] = &["max", "min", "num", "number", "total", "count", "limit"];
const TOKEN_QUANTITY: &[&str] = &[
    "prompt",
    "completion",
    "input",
    "output",
    "cached",
    "reasoning",
    "used",
    "remaining",
    "budget",
    "thinking",
    "context",
    "of",
];
const QUESTION: &[&str] = &[
    "has", "is", "accept", "needs", "need", "requires", "require", "use", "uses", "allow", "enable", "no", "show",
    "hide", "reset",
];

/// Judges a name by its words and by the caller's own.
pub(super) fn judge(name: &str, extra: &[Vec<String>]) -> Verdict {
    let words = words(name);
    let is_extra = extra.iter().any(|ending| !ending.is_empty() && words.ends_with(ending));
    if is_extra { Verdict::Secret } else { judge_words(&words) }
}

/// `Cookie`, `Proxy-Authorization`: everything to the end of the line is the value.
pub(super) fn takes_the_line(name: &str) -> bool {
    let words = words(name);
    let last = words.last().map(String::as_str);
    let phrase = matches!(last, Some("passphrase" | "mnemonic" | "phrase"));
    phrase || words.iter().any(|word| word.ends_with("authorization") || word == "cookie" || word == "cookies")
}

fn judge_words(words: &[String]) -> Verdict {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    loop {
        let verdict = judge_last(&words);
        let neutral = words.len() > 1 && words.last().is_some_and(|last| NEUTRAL.contains(last) || is_number(last));
        if verdict != Verdict::Open || !neutral {
            return verdict;
        }
        words.pop();
    }
}

fn judge_last(words: &[&str]) -> Verdict {
    let Some((last, before)) = words.split_last() else {
        return Verdict::Open;
    };
    let last = last.trim_end_matches(|char: char| char.is_ascii_digit());
    let previous = before.last().copied().unwrap_or_default();
    if QUANTITY.contains(&previous) || is_token_count(previous, last) {
        return Verdict::Open;
    }
    let verdict = judge_ending(previous, last);
    let asks = verdict == Verdict::Secret && before.iter().any(|word| QUESTION.contains(word));
    if asks { Verdict::Worded } else { verdict }
}

fn judge_ending(previous: &str, last: &str) -> Verdict {
    let of = |list: &[&str]| list.contains(&previous);
    let secret = SECRET.contains(&last)
        || match last {
            "key" | "keys" => of(KEY_OF),
            "code" | "codes" => of(CODE_OF),
            "phrase" | "words" => of(PHRASE_OF),
            "signature" | "sig" => of(SIGNATURE_OF),
            "string" | "str" => of(&["connection", "conn"]),
            "word" => of(&["pass"]),
            _ => SQUASHED.iter().any(|ending| last.len() > ending.len() && last.ends_with(ending)),
        };
    if secret {
        Verdict::Secret
    } else if WORDED.contains(&last) {
        Verdict::Worded
    } else {
        Verdict::Open
    }
}

fn is_token_count(previous: &str, last: &str) -> bool {
    last == "tokens" && TOKEN_QUANTITY.contains(&previous)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The lower-case words of a name: `APIKey`, `api_key`, `x.api-key` all end in `api`, `key`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut chars = name.chars().peekable();
    let mut previous = ' ';
    while let Some(char) = chars.next() {
        if !char.is_alphanumeric() {
            push(&mut words, &mut word);
            previous = ' ';
            continue;
        }
        let next_lower = chars.peek().is_some_and(|next| next.is_lowercase());
        let hump = char.is_uppercase()
            && (previous.is_lowercase() || previous.is_numeric() || (previous.is_uppercase() && next_lower));
        if hump {
            push(&mut words, &mut word);
        }
        word.extend(char.to_lowercase());
        previous = char;
    }
    push(&mut words, &mut word);
    words
}

fn push(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

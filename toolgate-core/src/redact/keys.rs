//! Names that say "a secret follows": split into words, the last words decide.
//!
//! Not here: the values, except for what kind they are.

use serde_json::Value;

use super::names;

/// Every list of words that a name may end in, where it says more than nothing.
pub(super) const TELLING: [&[&str]; 5] = [SECRET, WORDED, AFTER_OTHERS, SQUASHED, NEUTRAL];

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
/// Last words that are secret after some other word.
const AFTER_OTHERS: &[&str] =
    &["key", "keys", "code", "codes", "phrase", "words", "signature", "sig", "string", "str", "word"];
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
    if extra.is_empty() && names::says_nothing(name) {
        return Verdict::Open;
    }
    names::in_words(name, |words| {
        let is_extra = extra.iter().any(|ending| !ending.is_empty() && ends_with(words, ending));
        if is_extra { Verdict::Secret } else { judge_words(words) }
    })
}

fn ends_with(words: &[&str], ending: &[String]) -> bool {
    let from = words.len().checked_sub(ending.len());
    from.and_then(|from| words.get(from..)).is_some_and(|last| last == ending)
}

/// `Cookie`, `Proxy-Authorization`: everything to the end of the line is the value.
pub(super) fn takes_the_line(name: &str) -> bool {
    names::in_words(name, |words| {
        let phrase = matches!(words.last(), Some(&("passphrase" | "mnemonic" | "phrase")));
        phrase || words.iter().any(|word| word.ends_with("authorization") || matches!(*word, "cookie" | "cookies"))
    })
}

fn judge_words(words: &[&str]) -> Verdict {
    let mut words = words;
    loop {
        let verdict = judge_last(words);
        let Some((last, before)) = words.split_last() else {
            return verdict;
        };
        let neutral = !before.is_empty() && (NEUTRAL.contains(last) || is_number(last));
        if verdict != Verdict::Open || !neutral {
            return verdict;
        }
        words = before;
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
            // These last words are in [`AFTER_OTHERS`], too.
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

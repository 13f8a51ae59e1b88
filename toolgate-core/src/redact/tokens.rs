//! Secrets that show themselves: private keys, provider tokens, JWTs, `Bearer ..`, a name beside its value.
//!
//! Not here: secrets that only their name gives away.

use std::sync::LazyLock;

use regex::Regex;

use super::Failed;
use super::keys::{Kind, judge, takes_the_line};
use super::scan::Scan;
use super::signs::{self, COMMA, HYPHENS, QUOTE, SPACE, Signs, TOKEN, VALUE};
use super::spans::Spans;

type Pattern = LazyLock<Result<Regex, regex::Error>>;

/// No word boundary on the left: a token glued to something is a token. Low floors: half a token is a leak.
/// What may begin one is listed in `signs`, too.
pub(super) const KINDS: [&str; 32] = [
    r"gh[opusr]_[A-Za-z0-9_]{6,}",
    r"github_pat_[A-Za-z0-9_]{6,}",
    r"gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|soat)-[A-Za-z0-9_.-]{6,}",
    r"sk-(?:ant|proj|or|svcacct|admin|lf)-[A-Za-z0-9_-]{6,}",
    r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{6,}",
    r"whsec_[A-Za-z0-9+/=_-]{6,}",
    r"xox[a-z]-[A-Za-z0-9-]{6,}",
    r"xapp-[A-Za-z0-9-]{6,}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}",
    r"AIza[A-Za-z0-9_-]{20,}",
    r"ya29\.[A-Za-z0-9_-]{6,}",
    r"GOCSPX-[A-Za-z0-9_-]{6,}",
    r"npm_[A-Za-z0-9]{20,}",
    r"pypi-[A-Za-z0-9_-]{16,}",
    r"do[opr]_v1_[A-Za-z0-9]{6,}",
    r"hf_[A-Za-z0-9]{20,}",
    r"SG\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}",
    r"shp(?:at|ca|pa|ss)_[A-Za-z0-9]{6,}",
    r"lin_(?:api|oauth)_[A-Za-z0-9]{6,}",
    r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{6,}",
    r"hv[bsr]\.[A-Za-z0-9_-]{16,}",
    r"glsa_[A-Za-z0-9_]{6,}",
    r"sq0(?:csp|atp)-[A-Za-z0-9_-]{6,}",
    r"dapi[a-f0-9]{32}",
    r"PMAK-[A-Za-z0-9-]{6,}",
    r"xkeysib-[A-Za-z0-9-]{6,}",
    r"NRAK-[A-Z0-9]{6,}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{6,}",
    r"(?:figd|gsk|rubygems|secret|pul|sbp)_[A-Za-z0-9_-]{30,}",
    r"(?:xai|pplx|nvapi)-[A-Za-z0-9_-]{20,}",
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}",
    r"eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){1,4}",
];

static PREFIXED: Pattern = LazyLock::new(|| Regex::new(&KINDS.join("|")));

/// Too common a prefix to trust alone: the body must mix capitals, small letters and digits.
static GENERIC: Pattern = LazyLock::new(|| Regex::new(r"sk-([A-Za-z0-9_-]{20,})"));

static SCHEME: Pattern = LazyLock::new(|| Regex::new(r#"(?i)\b(?:bearer|basic)[ \t]+([^\s"'`,;<>]{4,})"#));

static PRIVATE_KEY: Pattern =
    LazyLock::new(|| Regex::new(r"-{4,5} ?(BEGIN|END) ((?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?) ?-{4,5}"));

/// `name="..." value="..."` in markup, header dumps and cut JSON.
static NAMED: Pattern = LazyLock::new(|| {
    Regex::new(concat!(
        r#"(?i)\b(?:name|key|header|field)\\*["']?\s{0,8}[=:]\s{0,8}\\*["']([^"'<>\\]{1,128})\\*["'][^<>{}]{0,128}?"#,
        r#"\bvalue\\*["']?\s{0,8}[=:]\s{0,8}\\*(?:"([^"]*)|'([^']*))"#
    ))
});

/// `("authorization", "...")`: a printed header list.
static PAIRED: Pattern =
    LazyLock::new(|| Regex::new(r#"["']([A-Za-z][A-Za-z0-9_.-]{1,63})\\*["']\s{0,8},\s{0,8}\\*(?:"([^"]*)|'([^']*))"#));

/// Words where white space is the operator: `.netrc` and SQL.
static SPACED: Pattern = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:login\s{1,8}\S{1,128}\s{1,8}password|identified\s{1,8}by)\s{1,8}(\S+)|\bpassword\s{1,8}('[^']*)",
    )
});

/// Marks everything these patterns find.
pub(super) fn mark(scan: Scan<'_>, extra: &[Vec<String>], signs: Signs, spans: &mut Spans) -> Result<(), Failed> {
    if signs.has(TOKEN) {
        for found in compiled(&PREFIXED)?.find_iter(scan.text) {
            spans.add(found.start(), found.end());
        }
        for found in compiled(&GENERIC)?.find_iter(scan.text) {
            if is_mixed(found.as_str()) {
                spans.add(found.start(), found.end());
            }
        }
    }
    if signs.has(HYPHENS) {
        mark_private_keys(scan, spans)?;
    }
    if signs.has(QUOTE) && signs.has(VALUE) {
        mark_named(scan, compiled(&NAMED)?, spans, |name| judge(name, extra).hides(Kind::Other));
    }
    if signs.has(QUOTE) && signs.has(COMMA) {
        mark_named(scan, compiled(&PAIRED)?, spans, |name| {
            takes_the_line(name) || (name.contains('-') && judge(name, extra).hides(Kind::Other))
        });
    }
    if signs.has(SPACE) {
        mark_spaced(scan, signs, spans)?;
    }
    Ok(())
}

/// A value that only white space parts from its word.
fn mark_spaced(scan: Scan<'_>, signs: Signs, spans: &mut Spans) -> Result<(), Failed> {
    if signs.has(signs::SCHEME) {
        for groups in compiled(&SCHEME)?.captures_iter(scan.text) {
            if let Some(token) = groups.get(1).filter(|token| looks_encoded(token.as_str())) {
                spans.add(token.start(), token.end());
            }
        }
    }
    if signs.has(signs::SPACED) {
        for groups in compiled(&SPACED)?.captures_iter(scan.text) {
            if let Some(value) = groups.get(1).or_else(|| groups.get(2)) {
                spans.add(value.start(), value.end());
            }
        }
    }
    Ok(())
}

fn compiled(pattern: &'static Pattern) -> Result<&'static Regex, Failed> {
    pattern.as_ref().map_err(|_| Failed)
}

/// A name that isn't secret may be a value itself, and its value a name: the search goes on right behind it.
fn mark_named(scan: Scan<'_>, pattern: &Regex, spans: &mut Spans, secret: impl Fn(&str) -> bool) {
    let mut from = 0;
    while let Some(groups) = pattern.captures_at(scan.text, from) {
        let (Some(name), Some(value)) = (groups.get(1), groups.get(2).or_else(|| groups.get(3))) else {
            return;
        };
        from = name.end();
        if secret(name.as_str()) {
            let end = scan.back(value.end(), 16, |byte| byte == b'\\').max(value.start());
            spans.add(value.start(), end);
            from = value.end();
        }
    }
}

/// From a BEGIN to the END of the same label, or to the end of the text; from the front to an END without a BEGIN.
fn mark_private_keys(scan: Scan<'_>, spans: &mut Spans) -> Result<(), Failed> {
    let mut open: Option<(usize, &str)> = None;
    let mut seen = false;
    for groups in compiled(&PRIVATE_KEY)?.captures_iter(scan.text) {
        let (Some(whole), Some(kind), Some(label)) = (groups.get(0), groups.get(1), groups.get(2)) else {
            continue;
        };
        match (kind.as_str(), open) {
            ("BEGIN", None) => open = Some((whole.start(), label.as_str())),
            ("END", Some((start, begun))) if begun == label.as_str() => {
                spans.add(start, whole.end());
                open = None;
            }
            ("END", None) if !seen => spans.add(0, whole.end()),
            _ => {}
        }
        seen = true;
    }
    if let Some((start, _)) = open {
        spans.add(start, scan.len());
    }
    Ok(())
}

fn is_mixed(token: &str) -> bool {
    let has = |test: fn(&u8) -> bool| token.bytes().any(|byte| test(&byte));
    has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

/// Whether a word after `Bearer` is more than a word: a digit, a sign of encoding, or a capital inside.
fn looks_encoded(token: &str) -> bool {
    let word = token.trim_end_matches(['.', ')', '!', '?', ':']);
    word.bytes().any(|byte| byte.is_ascii_digit() || b"=._/+".contains(&byte))
        || word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
}

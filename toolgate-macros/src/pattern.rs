//! Whether a pattern is a regular expression that Rust and JSON Schema (ECMAScript with the `u` flag)
//! read alike. Not matching.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{
    self, AssertionKind, Ast, ClassPerlKind, ClassSet, ClassSetItem, ClassUnicodeKind, ErrorKind, GroupKind,
    HexLiteralKind, LiteralKind, SpecialLiteralKind, Visitor,
};

/// What is wrong with a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It can't be read.
    Wrong(String),
    /// This part means different things; and what to write instead.
    Dialect(String, &'static str),
}

/// The first fault of a pattern.
pub(crate) fn check(pattern: &str) -> Option<Fault> {
    let ast = match Parser::new().parse(pattern) {
        Ok(ast) => ast,
        Err(error) => {
            return Some(match error.kind() {
                ErrorKind::UnsupportedLookAround => Fault::Wrong("look-around is not supported".to_owned()),
                ErrorKind::UnsupportedBackreference => Fault::Wrong("back-references are not supported".to_owned()),
                other => Fault::Wrong(other.to_string()),
            });
        }
    };
    match ast::visit(&ast, Dialect { pattern }) {
        Err(fault) => Some(fault),
        Ok(()) => regex_syntax::hir::translate::Translator::new()
            .translate(pattern, &ast)
            .err()
            .map(|error| Fault::Wrong(error.kind().to_string())),
    }
}

struct Dialect<'p> {
    pattern: &'p str,
}

impl Dialect<'_> {
    fn source(&self, span: &ast::Span) -> &str {
        self.pattern.get(span.start.offset..span.end.offset).unwrap_or_default()
    }

    fn refuse<T>(&self, span: &ast::Span, repair: &'static str) -> Result<T, Fault> {
        Err(Fault::Dialect(self.source(span).to_owned(), repair))
    }

    fn literal(&self, literal: &ast::Literal, in_class: bool) -> Result<(), Fault> {
        let needs_escape = !in_class && matches!(literal.c, '}' | ']');
        match &literal.kind {
            LiteralKind::Verbatim if needs_escape => self.refuse(&literal.span, "put a backslash before it"),
            LiteralKind::Superfluous if literal.c != '/' => {
                self.refuse(&literal.span, "write the letter without the backslash")
            }
            LiteralKind::Meta if matches!(literal.c, '#' | '&' | '~') || (literal.c == '-' && !in_class) => {
                self.refuse(&literal.span, "write the character without the backslash")
            }
            LiteralKind::HexBrace(HexLiteralKind::UnicodeShort) => Ok(()),
            LiteralKind::Octal | LiteralKind::HexBrace(_) => self.refuse(&literal.span, "write `\\u{..}`"),
            LiteralKind::HexFixed(kind) if *kind == HexLiteralKind::UnicodeLong => {
                self.refuse(&literal.span, "write `\\u{..}`")
            }
            LiteralKind::Special(SpecialLiteralKind::Bell | SpecialLiteralKind::Space) => {
                self.refuse(&literal.span, "write the character itself, or `\\x07` for a bell")
            }
            _ => Ok(()),
        }
    }

    fn perl(&self, class: &ast::ClassPerl) -> Result<(), Fault> {
        self.refuse(
            &class.span,
            match class.kind {
                ClassPerlKind::Digit => "say which: `[0-9]`, or `\\p{Nd}` for every script",
                ClassPerlKind::Space => "say which: `[ \\t\\r\\n]`",
                ClassPerlKind::Word => "say which: `[0-9A-Za-z_]`",
            },
        )
    }

    /// General categories by their short names are the same in both.
    fn unicode(&self, class: &ast::ClassUnicode) -> Result<(), Fault> {
        match &class.kind {
            ClassUnicodeKind::Named(name) if name.len() <= 2 && name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                Ok(())
            }
            _ => self.refuse(&class.span, "use a short general category such as `\\p{L}` or `\\p{Nd}`"),
        }
    }
}

impl Visitor for Dialect<'_> {
    type Output = ();
    type Err = Fault;

    fn finish(self) -> Result<(), Fault> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Fault> {
        match ast {
            Ast::Flags(flags) => self.refuse(&flags.span, "write both cases out, such as `[Aa]`"),
            Ast::Literal(literal) => self.literal(literal, false),
            Ast::Dot(span) => self.refuse(span, "say what it is not: `[^\\n]`"),
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::StartLine | AssertionKind::EndLine => Ok(()),
                AssertionKind::StartText => self.refuse(&assertion.span, "write `^`"),
                AssertionKind::EndText => self.refuse(&assertion.span, "write `$`"),
                _ => self.refuse(&assertion.span, "spell out what stands around the word"),
            },
            Ast::ClassPerl(class) => self.perl(class),
            Ast::ClassUnicode(class) => self.unicode(class),
            Ast::ClassBracketed(class) => {
                let source = self.source(&class.span);
                if source.starts_with("[]") || source.starts_with("[^]") {
                    return self.refuse(&class.span, "write `\\]` for the bracket itself");
                }
                match &class.kind {
                    ClassSet::BinaryOp(operation) => self.refuse(&operation.span, "list the characters instead"),
                    ClassSet::Item(_) => Ok(()),
                }
            }
            Ast::Repetition(repetition) => {
                if matches!(*repetition.ast, Ast::Repetition(_)) {
                    return self.refuse(&repetition.span, "put a group around the inner repetition");
                }
                Ok(())
            }
            Ast::Group(group) => match &group.kind {
                GroupKind::CaptureName { starts_with_p: true, .. } => self.refuse(&group.span, "write `(?<name>..)`"),
                GroupKind::NonCapturing(flags) if !flags.items.is_empty() => {
                    self.refuse(&flags.span, "write both cases out, such as `[Aa]`")
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Fault> {
        match item {
            ClassSetItem::Literal(literal) => self.literal(literal, true),
            ClassSetItem::Range(range) => self.literal(&range.start, true).and(self.literal(&range.end, true)),
            ClassSetItem::Ascii(class) => self.refuse(&class.span, "list the characters, such as `a-z`"),
            ClassSetItem::Bracketed(class) => self.refuse(&class.span, "list the characters in one class"),
            ClassSetItem::Perl(class) => self.perl(class),
            ClassSetItem::Unicode(class) => self.unicode(class),
            ClassSetItem::Empty(_) | ClassSetItem::Union(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_both_read_alike_pass() {
        for pattern in [
            "^[a-z][a-z0-9-]*$",
            "^(?:ab|cd)+?$",
            "^[A-Z]{2,4}\\.[0-9]{1,}$",
            "^\\p{L}+$",
            "^(?<year>[0-9]{4})$",
            "[^\\n]+",
            "a/b\\/c",
            "^[\\w-]$".replace("\\w", "a-z").as_str(),
            "^[a\\-z]$",
            "\\u{1F600}",
            "",
        ] {
            assert_eq!(check(pattern), None, "{pattern}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_pattern_panics(pattern in r"([\\\[\](){}?*+^$.|:<>=!&~a-zPpdwsbAz0-9-]|.){0,24}") {
            let _ = check(&pattern);
        }
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        for pattern in ["(", "[a", "a{2,1}", "*a", "(?=a)", "(a)\\1", "\\p{Nonsense}", "[z-a]"] {
            assert!(check(pattern).is_some(), "{pattern}");
        }
        assert_eq!(check("(?=a)"), Some(Fault::Wrong("look-around is not supported".to_owned())));
    }

    #[test]
    fn what_the_dialects_read_differently_is_told_with_a_repair() {
        for (pattern, part) in [
            ("^\\d+$", "\\d"),
            ("[\\w]", "\\w"),
            ("a\\sb", "\\s"),
            ("^.*$", "."),
            ("\\bword", "\\b"),
            ("\\Aa", "\\A"),
            ("a\\z", "\\z"),
            ("(?i)a", "(?i)"),
            ("(?i:a)", "i"),
            ("(?P<n>a)", "(?P<n>a)"),
            ("[[:alpha:]]", "[:alpha:]"),
            ("[a-z&&[b]]", "a-z&&[b]"),
            ("[]a]", "[]a]"),
            ("a}", "}"),
            ("a\\@", "\\@"),
            ("\\x{41}", "\\x{41}"),
            ("\\pL", "\\pL"),
            ("\\p{Greek}", "\\p{Greek}"),
            ("a**", "a**"),
        ] {
            match check(pattern) {
                Some(Fault::Dialect(found, _)) => assert_eq!(found, part, "{pattern}"),
                other => panic!("{pattern}: {other:?}"),
            }
        }
    }
}

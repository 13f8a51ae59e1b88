//! Reads a confirmation text: which `{name}`s it has and where its braces are wrong. Not the filling,
//! which the gate does with the call's canonical arguments.

/// What is wrong with the braces of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// `{` without `}`, at this column (1 is the first character).
    Unclosed(usize),
    /// `}` without `{`, at this column.
    Unopened(usize),
    /// `{}` or `{two words}`, at this column.
    NotAName(usize),
}

/// The names between braces, in order; `{{` and `}}` stand for the braces themselves.
pub(crate) fn placeholders(text: &str) -> Result<Vec<String>, Fault> {
    let mut names = Vec::new();
    let mut letters = text.chars().zip(1..).peekable();
    while let Some((letter, column)) = letters.next() {
        match letter {
            '{' if letters.next_if(|(next, _)| *next == '{').is_some() => {}
            '{' => {
                let mut name = String::new();
                loop {
                    match letters.next() {
                        Some(('}', _)) => break,
                        Some(('{', _)) | None => return Err(Fault::Unclosed(column)),
                        Some((letter, _)) => name.push(letter),
                    }
                }
                if !is_name(&name) {
                    return Err(Fault::NotAName(column));
                }
                names.push(name);
            }
            '}' if letters.next_if(|(next, _)| *next == '}').is_some() => {}
            '}' => return Err(Fault::Unopened(column)),
            _ => {}
        }
    }
    Ok(names)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter == '_' || letter.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_order_and_doubled_braces_are_text() {
        assert_eq!(placeholders("Restart {a} in {b_2}"), Ok(vec!["a".to_owned(), "b_2".to_owned()]));
        assert_eq!(placeholders("{{literal}} {x}"), Ok(vec!["x".to_owned()]));
        assert_eq!(placeholders("..."), Ok(vec![]));
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "[{}a ü]{0,24}") {
            let _ = placeholders(&text);
        }

        #[test]
        fn doubled_braces_have_no_names(text in "[{}a-z ü]{0,24}") {
            let doubled = text.replace('{', "{{").replace('}', "}}");
            proptest::prop_assert_eq!(placeholders(&doubled), Ok(vec![]));
        }
    }

    #[test]
    fn wrong_braces_are_found_with_their_column() {
        assert_eq!(placeholders("a {b"), Err(Fault::Unclosed(3)));
        assert_eq!(placeholders("a {b {c}"), Err(Fault::Unclosed(3)));
        assert_eq!(placeholders("ä } b"), Err(Fault::Unopened(3)));
        assert_eq!(placeholders("{}"), Err(Fault::NotAName(1)));
        assert_eq!(placeholders("{two words}"), Err(Fault::NotAName(1)));
    }
}

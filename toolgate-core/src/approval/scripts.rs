//! Letters that deceive by company: marks that change their neighbours, scripts that look alike inside of
//! one word, letters that run from right to left. Not a table of all look-alikes: a whole word of another
//! script passes.

/// Marks that are drawn onto other letters, of the scripts that are common enough to meet.
pub(super) fn is_mark(letter: char) -> bool {
    matches!(letter,
        '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05bd}' | '\u{05bf}'..='\u{05c7}'
        | '\u{0610}'..='\u{061a}' | '\u{064b}'..='\u{065f}' | '\u{0670}' | '\u{06d6}'..='\u{06ed}' | '\u{0711}'
        | '\u{0730}'..='\u{074a}' | '\u{07a6}'..='\u{07b0}' | '\u{0e31}' | '\u{0e34}'..='\u{0e3a}'
        | '\u{0e47}'..='\u{0e4e}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}'
    )
}

/// What a reader should know of the letters in this text; empty for most.
pub(super) fn warnings(text: &str) -> &'static str {
    if text.is_ascii() {
        return "";
    }
    match (has_mixed_word(text), text.chars().any(is_right_to_left)) {
        (false, false) => "",
        (true, false) => " [mixed scripts]",
        (false, true) => " [right-to-left letters]",
        (true, true) => " [mixed scripts, right-to-left letters]",
    }
}

/// Scripts with letters that are drawn alike.
#[derive(Clone, Copy, PartialEq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Georgian,
    Cherokee,
    Coptic,
    Lisu,
}

fn script(letter: char) -> Option<Script> {
    match letter {
        _ if !letter.is_alphabetic() => None,
        '\u{0041}'..='\u{02af}'
        | '\u{1d00}'..='\u{1d25}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{2c60}'..='\u{2c7f}'
        | '\u{a720}'..='\u{a7ff}'
        | '\u{ab30}'..='\u{ab6f}' => Some(Script::Latin),
        '\u{0370}'..='\u{03e1}' | '\u{03f0}'..='\u{03ff}' | '\u{1f00}'..='\u{1fff}' => Some(Script::Greek),
        '\u{03e2}'..='\u{03ef}' | '\u{2c80}'..='\u{2cff}' => Some(Script::Coptic),
        '\u{0400}'..='\u{052f}' | '\u{1c80}'..='\u{1c8f}' | '\u{2de0}'..='\u{2dff}' | '\u{a640}'..='\u{a69f}' => {
            Some(Script::Cyrillic)
        }
        '\u{0530}'..='\u{058f}' => Some(Script::Armenian),
        '\u{10a0}'..='\u{10ff}' | '\u{1c90}'..='\u{1cbf}' | '\u{2d00}'..='\u{2d2f}' => Some(Script::Georgian),
        '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}' => Some(Script::Cherokee),
        '\u{a4d0}'..='\u{a4ff}' => Some(Script::Lisu),
        _ => None,
    }
}

fn has_mixed_word(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && !is_mark(letter)).any(|word| {
        let mut scripts = word.chars().filter_map(script);
        scripts.next().is_some_and(|first| scripts.any(|other| other != first))
    })
}

fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{show_said, show_text, show_value};

    #[test]
    fn word_of_two_scripts_is_marked_and_words_of_one_are_not() {
        assert_eq!(show_value(&json!("p\u{0430}ypal.com")), "\"p\u{0430}ypal.com\" [mixed scripts]");
        assert_eq!(show_value(&json!(["db-1", "\u{03bf}k1", "o\u{03bf}"])).matches("[mixed scripts]").count(), 1);
        for plain in ["Grüße aus Łódź", "привет world", "Tシャツ"] {
            assert_eq!(show_value(&json!(plain)), format!("\"{plain}\""));
        }
    }

    #[test]
    fn marks_are_escaped_and_right_to_left_letters_are_marked() {
        assert_eq!(show_text("e\u{0301}\u{0e34}\u{064b}\u{fe0f}"), "e\\u{301}\\u{e34}\\u{64b}\\u{fe0f}");
        assert_eq!(show_said("\u{05d0}\u{05d1}"), "\u{05d0}\u{05d1} [right-to-left letters]");
    }

    #[test]
    fn typed_escape_is_unlike_a_real_one() {
        assert_ne!(show_said("a\\nb"), show_said("a\nb"));
        assert_ne!(show_value(&json!("\\u{200b}")), show_value(&json!("\u{200b}")));
        assert_ne!(show_value(&json!(["\\u{200b}", "\\n"])), show_value(&json!(["\u{200b}", "\n"])));
    }
}

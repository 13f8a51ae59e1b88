//! Whether two names may be one person's, for tickets that need several people: what an eye takes for the same name counts
//! as the same. Not who is behind a name, which is for the channel to prove.

use super::scripts::is_mark;

/// Whether the names differ in nothing but letter case, white space, marks, what can't be seen, and letters of other
/// scripts that are drawn alike.
pub(crate) fn is_same_person(one: &str, other: &str) -> bool {
    one == other || skeleton(one) == skeleton(other)
}

fn skeleton(name: &str) -> String {
    let seen = name.chars().filter(|letter| !letter.is_whitespace() && !is_mark(*letter) && !is_unseen(*letter));
    seen.map(narrow).flat_map(char::to_lowercase).map(latin).collect()
}

const fn is_unseen(letter: char) -> bool {
    letter.is_ascii_control()
        || matches!(letter, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}')
}

/// A wide letter as the usual one.
fn narrow(letter: char) -> char {
    let code = u32::from(letter);
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(code - 0xfee0).unwrap_or(letter),
        _ => letter,
    }
}

/// The Latin letter that a small one is drawn like.
const fn latin(letter: char) -> char {
    match letter {
        'а' | 'α' | 'ɑ' => 'a',
        'в' | 'ь' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ё' | 'ε' => 'e',
        'ɡ' => 'g',
        'һ' | 'н' => 'h',
        'і' | 'ї' | 'ι' | 'ı' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'м' | 'μ' => 'm',
        'п' | 'η' => 'n',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ѵ' | 'ν' => 'v',
        'ԝ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'ү' | 'γ' => 'y',
        'ζ' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_an_eye_takes_for_one_are_one_persons() {
        let alike = [
            "Alice",
            "ALICE ",
            " a lice",
            "\u{0430}lice",
            "\u{0410}lice",
            "al\u{0456}ce",
            "ali\u{0441}e",
            "alic\u{0435}",
            "\u{ff41}\u{ff4c}\u{ff49}\u{ff43}\u{ff45}",
            "ali\u{200b}ce",
            "alice\u{feff}",
            "a\u{301}lice",
            "al\u{131}ce",
            "\u{03b1}l\u{03b9}c\u{03b5}",
            "alice\u{202e}",
            "\u{e0061}alice",
        ];
        for name in alike {
            assert!(is_same_person(name, "alice"), "{name:?}");
        }
        for other in ["alicia", "alice2", "bob", "", "al1ce", "alice@corp.example", "олег"] {
            assert!(!is_same_person(other, "alice"), "{other:?}");
        }
        assert!(!is_same_person("олег", "ольга"));
    }
}

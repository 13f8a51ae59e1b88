//! The nearest known word to a misspelt one, for "did you mean" in messages.
//!
//! Not a search: one short word against a short list of known names.

/// Words longer than this (in characters) are compared only by their spelling without case and separators.
const LONGEST: usize = 64;

/// The option nearest to `word`, if one is near enough to suggest.
///
/// Case, `_` and `-` don't count, so `tokenBudget` finds `token_budget`. Beyond that the distance is Levenshtein's
/// with transposition: at most 1 for words of up to 4 characters, 2 for up to 8, 3 for longer ones. On a tie the
/// spelling as written decides, then the order of the options.
///
/// ```
/// use toolgate_expr::nearest;
///
/// assert_eq!(nearest("resutl", ["result", "args"]), Some("result"));
/// assert_eq!(nearest("tokenBudget", ["timeout", "token_budget"]), Some("token_budget"));
/// assert_eq!(nearest("colour", ["result", "args"]), None);
/// ```
pub fn nearest<'a>(word: &str, options: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain_word = plain(word);
    if plain_word.is_empty() {
        return None;
    }
    let raw_word: Vec<char> = word.chars().collect();
    let allowed = match raw_word.len() {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let mut best: Option<((usize, usize), &'a str)> = None;
    for option in options {
        let plain_option = plain(option);
        let Some(far) = distance(&plain_word, &plain_option) else {
            continue;
        };
        // A word with nothing in common is no suggestion, however short it is.
        if far > allowed || far >= plain_word.len().max(plain_option.len()) {
            continue;
        }
        let raw_option: Vec<char> = option.chars().collect();
        let rank = (far, distance(&raw_word, &raw_option).unwrap_or(usize::MAX));
        if best.is_none_or(|(found, _)| rank < found) {
            best = Some((rank, option));
        }
    }
    best.map(|(_, option)| option)
}

/// The end of a message about a word that is not known: `; did you mean ..?`, or nothing where none is near.
///
/// ```
/// use toolgate_expr::did_you_mean;
///
/// assert_eq!(did_you_mean("resutl", ["result", "args"]), "; did you mean `result`?");
/// assert_eq!(did_you_mean("colour", ["result", "args"]), "");
/// ```
pub fn did_you_mean<'a>(word: &str, options: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, options).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// The letters of a name, without case and separators.
fn plain(name: &str) -> Vec<char> {
    name.chars().filter(|letter| !matches!(letter, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// Edits between two words, a swap of neighbours being one; `None` if one is too long to compare and they differ.
fn distance(left: &[char], right: &[char]) -> Option<usize> {
    if left == right {
        return Some(0);
    }
    if left.len() > LONGEST || right.len() > LONGEST {
        return None;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut left_before = None;
    for (row, &l) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        let mut diagonal = row;
        let mut right_before = None;
        for (column, (&r, &above)) in right.iter().zip(last.iter().skip(1)).enumerate() {
            let beside = current.last().copied().unwrap_or(row + 1);
            let mut edits = (diagonal + usize::from(l != r)).min(above + 1).min(beside + 1);
            if column > 0 && left_before == Some(r) && right_before == Some(l) {
                // Two columns back in the row before last: the swap of two neighbours.
                if let Some(swapped) = before_last.get(column - 1) {
                    edits = edits.min(swapped + 1);
                }
            }
            current.push(edits);
            diagonal = above;
            right_before = Some(r);
        }
        left_before = Some(l);
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(left: &str, right: &str) -> Option<usize> {
        let left: Vec<char> = left.chars().collect();
        let right: Vec<char> = right.chars().collect();
        distance(&left, &right)
    }

    #[test]
    fn distance_counts_edits_and_a_swap_as_one() {
        for (left, right, expected) in [
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("abc", "abd", 1),
            ("abc", "acb", 1),
            ("abcd", "badc", 2),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3),
        ] {
            assert_eq!(edits(left, right), Some(expected), "{left} {right}");
            assert_eq!(edits(right, left), Some(expected), "{right} {left}");
        }
    }

    #[test]
    fn a_swap_of_two_letters_is_found() {
        assert_eq!(nearest("resutl", ["args", "result"]), Some("result"));
        assert_eq!(nearest("stauts", ["state", "status"]), Some("status"));
    }

    #[test]
    fn case_and_separators_do_not_count() {
        let options = ["timeout", "token_budget", "max-age"];
        assert_eq!(nearest("tokenBudget", options), Some("token_budget"));
        assert_eq!(nearest("TOKEN_BUDGET", options), Some("token_budget"));
        assert_eq!(nearest("maxAge", options), Some("max-age"));
        assert_eq!(nearest("tokenBudgt", options), Some("token_budget"));
    }

    #[test]
    fn the_distance_grows_with_the_word() {
        assert_eq!(nearest("rsk", ["risk"]), Some("risk"));
        assert_eq!(nearest("rk", ["risk"]), None);
        assert_eq!(nearest("timout", ["timeout"]), Some("timeout"));
        assert_eq!(nearest("tmot", ["timeout"]), None);
        assert_eq!(nearest("preconditin", ["precondition"]), Some("precondition"));
        assert_eq!(nearest("precndtin", ["precondition"]), Some("precondition"));
    }

    #[test]
    fn nothing_in_common_is_no_suggestion() {
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest("__", ["a", ""]), None);
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn the_nearest_wins_then_the_spelling_then_the_first() {
        assert_eq!(nearest("resul", ["results", "result"]), Some("result"));
        assert_eq!(nearest("max_age", ["maxAge", "max_age"]), Some("max_age"));
        assert_eq!(nearest("abcx", ["abcy", "abcz"]), Some("abcy"));
    }

    #[test]
    fn long_words_are_not_measured() {
        let long = "a".repeat(100_000);
        let longer = format!("{long}b");
        assert_eq!(nearest(&long, [longer.as_str()]), None);
        assert_eq!(nearest(&long, [long.as_str()]), Some(long.as_str()));
    }
}

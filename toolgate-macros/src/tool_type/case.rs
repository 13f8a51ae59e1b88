//! The word of a variant in each case style.

/// The case styles by name.
pub(super) const NAMES: &[&str] =
    &["snake_case", "kebab-case", "camelCase", "PascalCase", "SCREAMING_SNAKE_CASE", "lowercase", "UPPERCASE"];

/// A variant's name in the style; an unknown style leaves it as it is.
pub(super) fn rename(variant: &str, style: &str) -> String {
    match style {
        "snake_case" => separated(variant, '_'),
        "kebab-case" => separated(variant, '-'),
        "SCREAMING_SNAKE_CASE" => separated(variant, '_').to_uppercase(),
        "lowercase" => variant.to_lowercase(),
        "UPPERCASE" => variant.to_uppercase(),
        "camelCase" => {
            let mut letters = variant.chars();
            letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
        }
        _ => variant.to_owned(),
    }
}

/// A separator before each capital but the first, as serde does.
fn separated(variant: &str, separator: char) -> String {
    let mut word = String::new();
    for (index, letter) in variant.chars().enumerate() {
        if index > 0 && letter.is_uppercase() {
            word.push(separator);
        }
        word.extend(letter.to_lowercase());
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_become_words() {
        assert_eq!(rename("InReview", "snake_case"), "in_review");
        assert_eq!(rename("InReview", "kebab-case"), "in-review");
        assert_eq!(rename("InReview", "camelCase"), "inReview");
        assert_eq!(rename("InReview", "PascalCase"), "InReview");
        assert_eq!(rename("InReview", "SCREAMING_SNAKE_CASE"), "IN_REVIEW");
        assert_eq!(rename("InReview", "lowercase"), "inreview");
        assert_eq!(rename("InReview", "UPPERCASE"), "INREVIEW");
    }
}

//! The pages themselves: links, paths, commands, versions.

use super::{files, quoted, read, root};

/// Targets of the links of a page, those to other sites aside.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://")).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for page in files(root(), ".md") {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            assert!(target.exists(), "{}: {link}", page.display());
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&target).unwrap();
                let found = text.lines().filter(|line| line.starts_with('#')).any(|line| slug(line) == heading);
                assert!(found, "{}: {link} names no heading", page.display());
            }
        }
    }
}

fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter))
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

#[test]
fn the_readme_has_exactly_two_commands() {
    let text = read("README.md");
    let blocks: Vec<&str> = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks, ["cargo run --example ops_agent\ncargo test --workspace\n"]);
    assert!(text.contains("-- --json"), "the form for machines is told");
}

#[test]
fn the_changelog_tells_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(read("CHANGELOG.md").contains(&format!("## [{version}]")), "{version}");
}

#[test]
fn every_page_of_the_guide_with_code_is_a_doctest() {
    let listed = read("src/pages.rs");
    let index = read("docs/guide/README.md");
    for page in files(&root().join("docs/guide"), ".md") {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        if name == "README.md" {
            continue;
        }
        assert!(index.contains(&format!("({name})")), "{name} is not in the guide's table");
        let code = std::fs::read_to_string(&page).unwrap().contains("```rust");
        assert_eq!(listed.contains(&format!("docs/guide/{name}\"")), code, "{name} in src/pages.rs");
    }
}

#[test]
fn the_code_map_names_files_that_exist() {
    let text = read("ARCHITECTURE.md");
    let map = text.split("## Code map").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut named = 0;
    for section in map.split("\n### ").skip(1) {
        let heading = section.lines().next().unwrap();
        let base = quoted(heading).first().map_or_else(|| root().to_owned(), |folder| root().join(folder));
        assert!(base.is_dir(), "{heading}");
        for row in section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()) {
            for path in quoted(row) {
                assert!(base.join(path).exists(), "{heading}: {path}");
                named += 1;
            }
        }
    }
    assert!(named > 60, "the map was read: {named}");
}

#[test]
fn every_file_of_the_core_is_on_the_map() {
    let text = read("ARCHITECTURE.md");
    let told = quoted(&text);
    let core = root().join("toolgate-core/src");
    for file in files(&core, ".rs") {
        let path = file.strip_prefix(&core).unwrap().to_string_lossy().into_owned();
        let mut folders = path.match_indices('/').map(|(end, _)| &path[..=end]).filter(|folder| *folder != "gate/");
        let known = told.contains(&path.as_str()) || folders.any(|folder| told.contains(&folder)) || path == "lib.rs";
        assert!(known, "{path} is not on the map of ARCHITECTURE.md");
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let text = read("ARCHITECTURE.md");
    let reasons = text.split("## Dependencies").nth(1).unwrap();
    let told = quoted(reasons);
    for manifest in files(root(), "Cargo.toml") {
        let source = std::fs::read_to_string(&manifest).unwrap();
        let tables = source.split("\n[").filter(|table| table.lines().next().unwrap().ends_with("dependencies]"));
        for line in tables.flat_map(|table| table.lines().skip(1)) {
            let name = line.split([' ', '.', '=']).next().unwrap();
            let own = name.starts_with("toolgate") || line.contains("package = \"toolgate");
            let named = name.starts_with(|letter: char| letter.is_ascii_lowercase()) && !own;
            assert!(
                !named || told.contains(&name),
                "{}: `{name}` has no reason in ARCHITECTURE.md",
                manifest.display()
            );
        }
    }
}

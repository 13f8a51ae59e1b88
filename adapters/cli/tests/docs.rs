//! The guide's page about the command against the command itself. Not what the commands do.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

use clap::Subcommand as _;

fn page() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/command.md")).unwrap()
}

fn tree() -> clap::Command {
    let mut tree = toolgate_cli::Commands::augment_subcommands(clap::Command::new("toolgate"));
    tree.build();
    tree
}

/// Every command that does something, with its whole name.
fn leaves(command: &clap::Command, name: &str, found: &mut Vec<(String, Vec<String>)>) {
    let inside: Vec<_> = command.get_subcommands().filter(|inside| inside.get_name() != "help").collect();
    if inside.is_empty() {
        let options = command.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_owned);
        found.push((name.to_owned(), options.collect()));
    }
    for command in inside {
        leaves(command, &format!("{name} {}", command.get_name()), found);
    }
}

#[test]
fn every_command_and_option_is_in_the_guide() {
    let page = page();
    let mut found = Vec::new();
    leaves(&tree(), "toolgate", &mut found);
    assert!(found.len() > 10, "{found:?}");
    for (name, options) in found {
        assert!(page.contains(&format!("| `{name}` |")), "`{name}` has no row in docs/guide/command.md");
        for option in options.iter().filter(|option| *option != "help" && *option != "version") {
            let told = [format!("`--{option}`"), format!("`--{option} ")].iter().any(|text| page.contains(text));
            assert!(told, "`--{option}` of `{name}` is not in docs/guide/command.md");
        }
    }
}

#[test]
fn every_command_in_the_guide_exists() {
    let mut found = Vec::new();
    leaves(&tree(), "toolgate", &mut found);
    let page = page();
    let told = page.lines().filter_map(|line| line.strip_prefix("| `toolgate ")?.split('`').next());
    for name in told {
        assert!(
            found.iter().any(|(known, _)| *known == format!("toolgate {name}")),
            "`toolgate {name}` does not exist"
        );
    }
}

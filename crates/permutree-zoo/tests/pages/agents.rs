//! `docs/algorithms.md`.

use permutree_zoo::{AGENTS, AgentFacts};

#[test]
fn the_page_is_up_to_date() {
    let rows: String = AGENTS
        .iter()
        .map(|facts| format!("| [{}](#{}) | {} |\n", facts.name, anchor(facts), facts.advice))
        .collect();
    let sections: String = AGENTS.iter().map(section).collect();
    let page = format!(
        "# Algorithms\n\n\
         Generated from the list of agents by `BLESS=1 cargo test -p permutree-zoo --test pages`.\n\n\
         Every agent plays every game, unless it says otherwise. A budget is a number of playouts, a time, or both; it comes \
         from the command or from the agent's own spec, such as `mcps:playouts=5000`. [mcps.md](mcps.md) explains \
         MCPS. To add an algorithm of your own, follow [add-an-algorithm.md](add-an-algorithm.md).\n\n\
         | agent | when to use it |\n|---|---|\n{rows}{sections}"
    );
    super::compare("algorithms.md", &page);
}

fn section(facts: &AgentFacts) -> String {
    let source =
        if facts.source.is_empty() { String::new() } else { format!("\nSource: {}.\n", facts.source) };
    format!(
        "\n## {}\n\n`{}`: {}\n\n{}\n{source}{}",
        facts.title,
        facts.name,
        facts.about,
        facts.advice,
        super::table(&facts.params.list())
    )
}

/// The anchor of a heading.
fn anchor(facts: &AgentFacts) -> String {
    facts.title.to_lowercase().replace(' ', "-")
}

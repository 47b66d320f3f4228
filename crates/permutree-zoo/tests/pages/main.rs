//! Pages of `docs/` that are generated from the lists of games and agents. `BLESS=1` regenerates them.

mod agents;
mod games;

use permutree_zoo::{Kind, Param};
use std::fmt::Write;
use std::path::PathBuf;

/// A table of parameters; nothing if there are none.
fn table(params: &[Param]) -> String {
    let mut table = String::new();
    if !params.is_empty() {
        table += "\n| parameter | values | default | |\n|---|---|---|---|\n";
    }
    for param in params {
        let default = if param.default.is_empty() { "" } else { &format!("`{}`", param.default) };
        let values = match param.kind {
            Kind::Choice { choices } => {
                choices.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
            }
            kind => kind.to_string(),
        };
        let _ = writeln!(table, "| `{}` | {values} | {default} | {} |", param.key, param.help);
    }
    table
}

fn compare(file: &str, now: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, now).unwrap();
    }
    let then = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(now == then, "docs/{file} is out of date; BLESS=1 regenerates it");
}

//! Upgrades stores of earlier versions.

use permutree_zoo::agent;
use rusqlite::{Connection, params};

/// Upgrades a store of version 1, entirely or not at all: agents are stored by their canonical specs, which differ from
/// that version (`policy=mast` in place of `playout=mast`, and another order of some parameters).
pub(super) fn rename_agents(db: &Connection, schema: i32) -> rusqlite::Result<()> {
    db.execute_batch("BEGIN IMMEDIATE")?;
    let renamed = rename(db).and_then(|()| db.pragma_update(None, "user_version", schema));
    db.execute_batch(if renamed.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    renamed
}

fn rename(db: &Connection) -> rusqlite::Result<()> {
    let mut query = db.prepare("SELECT id, agents FROM cells")?;
    let cells = query.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    for (id, list) in cells.collect::<rusqlite::Result<Vec<_>>>()? {
        let Ok(specs) = serde_json::from_str::<Vec<String>>(&list) else { continue };
        let specs: Vec<String> = specs.into_iter().map(canonical).collect();
        // Games of two cells are never mixed: a cell whose new name is taken keeps its old one.
        db.execute(
            "UPDATE OR IGNORE cells SET agents = ? WHERE id = ?",
            params![serde_json::Value::from(specs).to_string(), id],
        )?;
    }
    let mut query = db.prepare("SELECT id, agent FROM measurements")?;
    let measured = query.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    for (id, spec) in measured.collect::<rusqlite::Result<Vec<_>>>()? {
        db.execute("UPDATE measurements SET agent = ? WHERE id = ?", params![canonical(spec), id])?;
    }
    Ok(())
}

/// The canonical form of a spec; an unknown one stays as it is.
fn canonical(spec: String) -> String {
    agent(&spec).map_or(spec, |agent| agent.spec().to_string())
}

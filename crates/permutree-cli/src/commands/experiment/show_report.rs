use super::agent_json;
use permutree_arena::experiment::{CellReport, CodesReport, Report};
use serde_json::{Map, Value, json};

/// The report as JSON: `{"title","source","tables":[{"title","cells":[..],"totals":[..],"codes":[..]}]}`.
pub(super) fn to_json(report: &Report) -> Value {
    let tables = report.tables.iter().map(|table| {
        json!({
            "title": table.title,
            "cells": table.cells.iter().map(cell).collect::<Vec<_>>(),
            "totals": table.totals.iter().map(cell).collect::<Vec<_>>(),
            "codes": table.codes.iter().map(codes).collect::<Vec<_>>(),
        })
    });
    json!({ "title": report.title, "source": report.source, "tables": tables.collect::<Vec<_>>() })
}

fn cell(report: &CellReport) -> Value {
    let CellReport { cell, found, agrees, p_value } = report;
    let paper =
        cell.paper.map(|figure| json!({ "score": figure.score, "ci95": [figure.ci95.0, figure.ci95.1] }));
    json!({
        "game": cell.key.game,
        "budget": cell.key.budget(),
        "seed": cell.key.seed,
        "wanted": found.wanted,
        "games": found.result.games,
        "names": cell.names,
        "agents": found.result.agents.iter().map(agent_json).collect::<Vec<_>>(),
        "paper": paper,
        "agrees": agrees,
        "p_holm": p_value,
        "deterministic": found.result.deterministic,
        "unfinished": found.result.unfinished,
        "forfeits": found.result.forfeits.len(),
        "plies": found.plies,
        "versions": found.versions,
    })
}

fn codes(report: &CodesReport) -> Value {
    let object = |values: &[(String, f64)]| {
        values.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>()
    };
    json!({
        "game": report.cell.game.spec(),
        "playouts": report.cell.playouts,
        "seed": report.cell.seed,
        "found": object(&report.found),
        "paper": object(&report.cell.paper),
    })
}

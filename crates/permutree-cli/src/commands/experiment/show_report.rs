use super::agent_json;
use permutree_arena::experiment::{CellReport, ProbeKind, ProbeReport, Report};
use serde_json::{Map, Value, json};

/// The report as JSON: `{"title","source","tables":[{"title","cells":[..],"totals":[..],"codes":[..],
/// "searches":[..]}]}`.
pub(super) fn to_json(report: &Report) -> Value {
    let tables = report.tables.iter().map(|table| {
        let (codes, searches): (Vec<_>, Vec<_>) =
            table.probes.iter().partition(|report| matches!(report.probe.kind, ProbeKind::Codes(_)));
        json!({
            "title": table.title,
            "cells": table.cells.iter().map(cell).collect::<Vec<_>>(),
            "totals": table.totals.iter().map(cell).collect::<Vec<_>>(),
            "codes": codes.into_iter().map(|report| probe(report, "playouts")).collect::<Vec<_>>(),
            "searches": searches.into_iter().map(|report| probe(report, "searches")).collect::<Vec<_>>(),
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

/// A probe; `count` is the key of its random games or searches.
fn probe(report: &ProbeReport, count: &str) -> Value {
    let object = |values: &[(String, f64)]| {
        values.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>()
    };
    let ProbeReport { probe, found } = report;
    let mut line = json!({
        "game": probe.game.spec(),
        count: probe.count(),
        "seed": probe.seed,
        "found": object(found),
        "paper": object(&probe.paper),
    });
    if let Some(agent) = probe.agent() {
        line["agent"] = json!(agent);
    }
    line
}

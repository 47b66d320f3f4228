//! The plots of a report, as SVG whose colours the page chooses.

use super::page::escape;
use super::report::{CellReport, agents, interval, percent};
use crate::statistics::{Encounter, Rating, ladder};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The plots that suit these cells, each with its caption.
pub(super) fn of(cells: &[CellReport]) -> Vec<(String, String)> {
    let played: Vec<&CellReport> = cells.iter().filter(|report| report.found.result.games > 0).collect();
    let mut plots = Vec::new();
    let mut games: Vec<&str> = played.iter().map(|report| report.cell.key.game.as_str()).collect();
    games.dedup();
    for game in games {
        let of_game: Vec<_> = played.iter().copied().filter(|report| report.cell.key.game == game).collect();
        if let Some(meetings) = Meetings::of(&of_game) {
            plots.push((
                format!("{game}: the score of each row against each column, in percent"),
                meetings.heat_map(),
            ));
            plots.push((
                format!("{game}: Elo with 95 % intervals, by the model of Bradley and Terry"),
                meetings.ladder(),
            ));
        }
    }
    if let Some(curves) = curves(&played) {
        plots.push(("Scores by playouts per move, with 95 % intervals".to_string(), curves));
    } else if plots.is_empty()
        && let Some(whiskers) = whiskers(&played)
    {
        plots.push(("Scores with 95 % intervals; rings are the paper's figures".to_string(), whiskers));
    }
    plots
}

/// The colours that there are.
const COLOURS: usize = 8;

/// The most lines of a plot that can be told apart.
const MOST: usize = 40;

/// A score with its interval, and what it is of.
struct Point<'a> {
    report: &'a CellReport,
    score: f64,
    ci95: (f64, f64),
}

impl<'a> Point<'a> {
    fn of(report: &'a CellReport) -> Self {
        let first = &report.found.result.agents[0];
        Self { report, score: first.score, ci95: first.ci95 }
    }

    fn title(&self) -> String {
        let key = &self.report.cell.key;
        let what = format!("{}, {}, {}", key.game, agents(self.report, 0), key.budget());
        escape(&format!("{what}: {} {}", percent(self.score), interval(self.ci95)))
    }
}

/// The first agent's score in each cell as a dot with a whisker, one below the other.
fn whiskers(cells: &[&CellReport]) -> Option<String> {
    if cells.len() < 2 || cells.len() > MOST {
        return None;
    }
    let names: Vec<String> = labels(cells);
    let left = 7.0 * names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64 + 20.0;
    let (width, row) = (420.0, 22.0);
    let height = row * cells.len() as f64;
    let x = |score: f64| left + width * score;
    let mut svg = begin(left + width + 30.0, height + 40.0);
    for tenth in (0..=10).step_by(2) {
        let at = x(f64::from(tenth) / 10.0);
        let _ = writeln!(
            svg,
            "<line class=\"rule\" x1=\"{at}\" x2=\"{at}\" y1=\"10\" y2=\"{}\"/>",
            height + 10.0
        );
        let _ = writeln!(
            svg,
            "<text class=\"faint\" x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            height + 28.0,
            10 * tenth
        );
    }
    let half = x(0.5);
    let _ = writeln!(
        svg,
        "<line class=\"half\" x1=\"{half}\" x2=\"{half}\" y1=\"10\" y2=\"{}\"/>",
        height + 10.0
    );
    for ((report, name), line) in cells.iter().zip(&names).zip(0..) {
        let point = Point::of(report);
        let y = 10.0 + row * (f64::from(line) + 0.5);
        let _ = writeln!(svg, "<g><title>{}</title>", point.title());
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            left - 10.0,
            y + 4.0,
            escape(name)
        );
        if let Some(paper) = report.cell.paper {
            let (low, high) = (x(paper.ci95.0), x(paper.ci95.1));
            let y = y + 5.0;
            let _ = writeln!(
                svg,
                "<line class=\"paper-line\" x1=\"{low}\" x2=\"{high}\" y1=\"{y}\" y2=\"{y}\"/>"
            );
            let _ = writeln!(svg, "<circle class=\"paper\" cx=\"{}\" cy=\"{y}\" r=\"3.5\"/>", x(paper.score));
        }
        let (low, high) = (x(point.ci95.0), x(point.ci95.1));
        let _ = writeln!(
            svg,
            "<line class=\"whisker\" stroke=\"var(--s0)\" x1=\"{low}\" x2=\"{high}\" y1=\"{y}\" y2=\"{y}\"/>\
            <circle fill=\"var(--s0)\" cx=\"{}\" cy=\"{y}\" r=\"4\"/></g>",
            x(point.score)
        );
    }
    Some(svg + "</svg>\n")
}

/// What tells the cells apart: the parts of their descriptions that are not the same in all.
fn labels(cells: &[&CellReport]) -> Vec<String> {
    let part = |report: &CellReport, part: usize| match part {
        0 => report.cell.key.game.clone(),
        1 => agents(report, 0),
        _ => report.cell.key.budget(),
    };
    let differs = |i: usize| cells.iter().any(|report| part(report, i) != part(cells[0], i));
    let parts: Vec<usize> = (0..3).filter(|&i| differs(i)).collect();
    let label = |report: &&CellReport| {
        let said: Vec<String> = parts.iter().map(|&i| part(report, i)).collect();
        said.join(", ")
    };
    cells.iter().map(label).collect()
}

/// Scores by playouts, a curve for each game and group of agents, if some have several budgets.
fn curves(cells: &[&CellReport]) -> Option<String> {
    let playouts = |report: &CellReport| report.cell.key.playouts.filter(|&playouts| playouts > 0);
    let same = |a: &CellReport, b: &CellReport| {
        (&a.cell.key.game, &a.cell.key.agents) == (&b.cell.key.game, &b.cell.key.agents)
    };
    let mut series: Vec<Vec<&CellReport>> = Vec::new();
    for report in cells.iter().copied().filter(|report| playouts(report).is_some()) {
        match series.iter_mut().find(|series| same(series[0], report)) {
            Some(series) => series.push(report),
            None => series.push(vec![report]),
        }
    }
    series.retain(|series| series.len() > 1);
    series.iter_mut().for_each(|series| series.sort_by_key(|report| playouts(report)));
    if series.is_empty() || series.len() > MOST {
        return None;
    }
    let budgets: BTreeSet<u64> = series.iter().flatten().filter_map(|report| playouts(report)).collect();
    let log = |playouts: u64| (playouts as f64).ln();
    let (first, last) = (log(*budgets.first()?), log(*budgets.last()?));
    let (left, top, width, height) = (40.0, 10.0, 420.0, 260.0);
    let x = |budget: u64| left + 15.0 + (width - 30.0) * (log(budget) - first) / (last - first).max(1e-9);
    let y = |score: f64| top + height * (1.0 - score);
    let names = labels(&series.iter().map(|series| series[0]).collect::<Vec<_>>());
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let legend = 18.0 * series.len() as f64;
    let mut svg = begin(left + width + 40.0 + 7.0 * longest as f64, (top + height + 30.0).max(legend + 20.0));
    for tenth in (0..=10).step_by(2) {
        let at = y(f64::from(tenth) / 10.0);
        let _ = writeln!(
            svg,
            "<line class=\"rule\" x1=\"{left}\" x2=\"{}\" y1=\"{at}\" y2=\"{at}\"/>",
            left + width
        );
        let _ = writeln!(
            svg,
            "<text class=\"faint\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            left - 6.0,
            at + 4.0,
            10 * tenth
        );
    }
    let half = y(0.5);
    let _ = writeln!(
        svg,
        "<line class=\"half\" x1=\"{left}\" x2=\"{}\" y1=\"{half}\" y2=\"{half}\"/>",
        left + width
    );
    for &budget in &budgets {
        let _ = writeln!(
            svg,
            "<text class=\"faint\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{budget}</text>",
            x(budget),
            top + height + 18.0
        );
    }
    for ((series, name), number) in series.iter().zip(&names).zip(0..) {
        let colour = format!("var(--s{})", number % COLOURS);
        let dash = ["", "6 3", "2 3", "8 3 2 3"][(number / COLOURS) % 4];
        let points: Vec<(f64, Point<'_>)> =
            series.iter().filter_map(|report| Some((x(playouts(report)?), Point::of(report)))).collect();
        let path = |score: &dyn Fn(&Point<'_>) -> f64| {
            points.iter().map(|(x, point)| format!("{x:.1},{:.1}", y(score(point)))).collect::<Vec<_>>()
        };
        let mut band = path(&|point| point.ci95.0);
        band.extend(path(&|point| point.ci95.1).into_iter().rev());
        let _ = writeln!(svg, "<polygon class=\"band\" fill=\"{colour}\" points=\"{}\"/>", band.join(" "));
        let line = path(&|point| point.score).join(" ");
        let _ = writeln!(
            svg,
            "<polyline class=\"curve\" stroke=\"{colour}\" stroke-dasharray=\"{dash}\" points=\"{line}\"/>"
        );
        for (x, point) in &points {
            let _ = writeln!(
                svg,
                "<circle fill=\"{colour}\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\"><title>{}</title></circle>",
                y(point.score),
                point.title()
            );
        }
        let (at, from) = (top + 12.0 + 18.0 * number as f64, left + width + 10.0);
        let _ = writeln!(
            svg,
            "<line class=\"curve\" stroke=\"{colour}\" stroke-dasharray=\"{dash}\" x1=\"{from}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\
            <text x=\"{}\" y=\"{at}\">{}</text>",
            from + 18.0,
            at - 4.0,
            at - 4.0,
            from + 24.0,
            escape(name)
        );
    }
    Some(svg + "</svg>\n")
}

/// Who met whom in a game for two.
struct Meetings<'a> {
    names: Vec<&'a str>,
    encounters: Vec<Encounter>,
    ratings: Vec<Rating>,
}

impl<'a> Meetings<'a> {
    /// `None` if these cells are no tournament: agents that met twice, or all of them met only one of them.
    fn of(cells: &[&'a CellReport]) -> Option<Self> {
        let mut names: Vec<&str> = Vec::new();
        let mut encounters: Vec<Encounter> = Vec::new();
        for report in cells {
            let [first, second] = &report.cell.names[..] else { return None };
            if report.cell.players() != 2 {
                return None;
            }
            let [first, second] = [first, second].map(|name| {
                names.iter().position(|known| known == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                })
            });
            if encounters
                .iter()
                .any(|met| [(first, second), (second, first)].contains(&(met.first, met.second)))
            {
                return None;
            }
            let (games, score) = (report.found.result.games as f64, report.found.result.agents[0].score);
            encounters.push(Encounter { first, second, games, score: games * score });
        }
        let enough = names.len() > 2 && names.len() <= MOST && encounters.len() >= names.len();
        let ratings = ladder(names.len(), &encounters);
        enough.then_some(Self { names, encounters, ratings })
    }

    /// The agents, strongest first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| self.ratings[b].elo.total_cmp(&self.ratings[a].elo));
        order
    }

    fn left(&self) -> f64 {
        let longest = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        7.0 * longest as f64 + 34.0
    }

    fn heat_map(&self) -> String {
        let order = self.order();
        let (left, size) = (self.left(), 44.0);
        let side = size * order.len() as f64;
        let mut svg = begin(left + side + 20.0, side + 40.0);
        for (&row, i) in order.iter().zip(0..) {
            let y = 30.0 + size * f64::from(i);
            let name = escape(self.names[row]);
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{name}\u{2002}{}</text><text class=\"faint\" x=\"{}\" y=\"20\" \
                text-anchor=\"middle\"><title>{name}</title>{}</text>",
                left - 10.0,
                y + size / 2.0 + 4.0,
                i + 1,
                left + size * (f64::from(i) + 0.5),
                i + 1
            );
            for (&column, j) in order.iter().zip(0..) {
                let met = |met: &&Encounter| {
                    [(row, column), (column, row)].contains(&(met.first, met.second)) && met.games > 0.0
                };
                let Some(met) = self.encounters.iter().find(met) else { continue };
                let score =
                    if met.first == row { met.score / met.games } else { 1.0 - met.score / met.games };
                let colour = if score >= 0.5 { "--s0" } else { "--s1" };
                let x = left + size * f64::from(j);
                let title =
                    format!("{} against {}, {} games", self.names[row], self.names[column], met.games);
                let _ = writeln!(
                    svg,
                    "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"var({colour})\" \
                    fill-opacity=\"{:.2}\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.0}</text></g>",
                    escape(&title),
                    (1.5 * (score - 0.5).abs()).min(0.75) + 0.05,
                    x + size / 2.0,
                    y + size / 2.0 + 4.0,
                    100.0 * score
                );
            }
        }
        svg + "</svg>\n"
    }

    fn ladder(&self) -> String {
        let order = self.order();
        let (left, width, row) = (self.left(), 420.0, 24.0);
        let bounds = self.ratings.iter().flat_map(|rating| [rating.ci95.0, rating.ci95.1]);
        let most = bounds.filter(|elo| elo.is_finite()).fold(50.0_f64, |most, elo| most.max(elo.abs()));
        let x = |elo: f64| left + width * (0.5 + 0.5 * (elo / most).clamp(-1.0, 1.0));
        let height = row * order.len() as f64;
        let mut svg = begin(left + width + 30.0, height + 40.0);
        for elo in [-most.floor(), 0.0, most.floor()] {
            let at = x(elo);
            let _ = writeln!(
                svg,
                "<line class=\"rule\" x1=\"{at}\" x2=\"{at}\" y1=\"10\" y2=\"{}\"/><text class=\"faint\" x=\"{at}\" y=\"{}\" \
                text-anchor=\"middle\">{elo:+.0}</text>",
                height + 10.0,
                height + 28.0
            );
        }
        for (&agent, line) in order.iter().zip(0..) {
            let Rating { elo, ci95, games, .. } = self.ratings[agent];
            let y = 10.0 + row * (f64::from(line) + 0.5);
            let name = escape(self.names[agent]);
            let _ = writeln!(
                svg,
                "<g><title>{name}: {elo:+.0} ({:+.0}..{:+.0}), {games} games</title><text x=\"{}\" y=\"{}\" text-anchor=\"end\">\
                {name}</text><line class=\"whisker\" stroke=\"var(--s0)\" x1=\"{}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\"/>\
                <circle fill=\"var(--s0)\" cx=\"{}\" cy=\"{y}\" r=\"4\"/></g>",
                ci95.0,
                ci95.1,
                left - 10.0,
                y + 4.0,
                x(ci95.0),
                x(ci95.1),
                x(elo)
            );
        }
        svg + "</svg>\n"
    }
}

fn begin(width: f64, height: f64) -> String {
    format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n")
}

//! The plots of a report, as SVG with colours from the page's style.

use super::page::escape;
use super::report::{CellReport, agents, interval, percent};
use crate::statistics::{Encounter, Rating, ladder};
use std::collections::BTreeSet;

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
            plots.push((format!("{game}: Elo with 95 % intervals (Bradley-Terry model)"), meetings.ladder()));
        }
    }
    if let Some(curves) = curves(&played) {
        plots.push(("Scores by playouts per move, with 95 % intervals".to_string(), curves));
    } else if plots.is_empty()
        && let Some(whiskers) = whiskers(&played)
    {
        let ringed = played.iter().any(|report| report.cell.paper.is_some());
        let rings = if ringed { "; rings are the paper's figures" } else { "" };
        plots.push((format!("Scores with 95 % intervals{rings}"), whiskers));
    }
    plots
}

/// The number of colours.
const COLOURS: usize = 8;

/// The most lines of a plot.
const MOST: usize = 40;

/// A score with its interval and its cell.
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
        format!("{what}: {} {}", percent(self.score), interval(self.ci95))
    }
}

/// The first agent's score in each cell as a dot with a whisker, one below the other.
fn whiskers(cells: &[&CellReport]) -> Option<String> {
    if cells.len() < 2 || cells.len() > MOST {
        return None;
    }
    let names = labels(cells);
    let (left, width, row) = (margin(names.iter()), 420.0, 22.0);
    let height = row * cells.len() as f64;
    let x = |score: f64| left + width * score;
    let mut svg = Plot::new(left + width + 30.0, height + 40.0);
    for percent in (0..=100).step_by(20) {
        let at = x(f64::from(percent) / 100.0);
        svg.line("rule", (at, 10.0), (at, height + 10.0));
        svg.text("faint", "middle", (at, height + 28.0), &percent.to_string());
    }
    svg.line("half", (x(0.5), 10.0), (x(0.5), height + 10.0));
    for ((report, name), line) in cells.iter().zip(&names).zip(0..) {
        let point = Point::of(report);
        let y = 10.0 + row * (f64::from(line) + 0.5);
        svg.open(&point.title());
        svg.text("", "end", (left - 10.0, y + 4.0), name);
        if let Some(paper) = report.cell.paper {
            svg.line("paper-line", (x(paper.ci95.0), y + 5.0), (x(paper.ci95.1), y + 5.0));
            svg.dot("class=\"paper\"", (x(paper.score), y + 5.0));
        }
        svg.whisker((x(point.ci95.0), x(point.score), x(point.ci95.1)), y);
        svg.close();
    }
    Some(svg.finish())
}

/// Labels for the cells: the parts of their descriptions that differ.
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

/// Room for the longest of these names.
fn margin<S: AsRef<str>>(names: impl Iterator<Item = S>) -> f64 {
    7.0 * names.map(|name| name.as_ref().chars().count()).max().unwrap_or(0) as f64 + 20.0
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
    let right = left + width;
    let x = |budget: u64| left + 15.0 + (width - 30.0) * (log(budget) - first) / (last - first).max(1e-9);
    let y = |score: f64| top + height * (1.0 - score);
    let names = labels(&series.iter().map(|series| series[0]).collect::<Vec<_>>());
    let legend = 18.0 * series.len() as f64;
    let mut svg = Plot::new(right + 20.0 + margin(names.iter()), (top + height + 30.0).max(legend + 20.0));
    for percent in (0..=100).step_by(20) {
        let at = y(f64::from(percent) / 100.0);
        svg.line("rule", (left, at), (right, at));
        svg.text("faint", "end", (left - 6.0, at + 4.0), &percent.to_string());
    }
    svg.line("half", (left, y(0.5)), (right, y(0.5)));
    for &budget in &budgets {
        svg.text("faint", "middle", (x(budget), top + height + 18.0), &budget.to_string());
    }
    for ((series, name), number) in series.iter().zip(&names).zip(0..) {
        let colour = format!("var(--s{})", number % COLOURS);
        let dash = ["", "6 3", "2 3", "8 3 2 3"][(number / COLOURS) % 4];
        let stroke = format!("class=\"curve\" stroke=\"{colour}\" stroke-dasharray=\"{dash}\"");
        let points: Vec<(f64, Point<'_>)> =
            series.iter().filter_map(|report| Some((x(playouts(report)?), Point::of(report)))).collect();
        let path = |score: &dyn Fn(&Point<'_>) -> f64| {
            points.iter().map(|(x, point)| format!("{x:.1},{:.1}", y(score(point)))).collect::<Vec<_>>()
        };
        let mut band = path(&|point| point.ci95.0);
        band.extend(path(&|point| point.ci95.1).into_iter().rev());
        svg.put(&format!("<polygon class=\"band\" fill=\"{colour}\" points=\"{}\"/>", band.join(" ")));
        let scores = path(&|point| point.score).join(" ");
        svg.put(&format!("<polyline {stroke} points=\"{scores}\"/>"));
        for (x, point) in &points {
            svg.open(&point.title());
            svg.dot(&format!("fill=\"{colour}\""), (*x, y(point.score)));
            svg.close();
        }
        let at = top + 12.0 + 18.0 * number as f64;
        let (from, to, middle) = (right + 10.0, right + 28.0, at - 4.0);
        svg.put(&format!("<path {stroke} d=\"M{from} {middle}H{to}\"/>"));
        svg.text("", "start", (to + 6.0, at), name);
    }
    Some(svg.finish())
}

/// The encounters of a two-player game.
struct Meetings<'a> {
    names: Vec<&'a str>,
    encounters: Vec<Encounter>,
    ratings: Vec<Rating>,
}

impl<'a> Meetings<'a> {
    /// `None` if these cells are not a tournament: if agents met twice, or all met only one of them.
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

    fn heat_map(&self) -> String {
        let order = self.order();
        let (left, size) = (margin(self.names.iter()) + 14.0, 44.0);
        let side = size * order.len() as f64;
        let mut svg = Plot::new(left + side + 20.0, side + 40.0);
        for (&row, i) in order.iter().zip(0..) {
            let y = 30.0 + size * f64::from(i);
            let middle = y + size / 2.0 + 4.0;
            svg.text("", "end", (left - 10.0, middle), &format!("{}\u{2002}{}", self.names[row], i + 1));
            let head = (left + size * (f64::from(i) + 0.5), 20.0);
            svg.text("faint", "middle", head, &(i + 1).to_string());
            for (&column, j) in order.iter().zip(0..) {
                let met = |met: &&Encounter| {
                    [(row, column), (column, row)].contains(&(met.first, met.second)) && met.games > 0.0
                };
                let Some(met) = self.encounters.iter().find(met) else { continue };
                let first = met.score / met.games;
                let score = if met.first == row { first } else { 1.0 - first };
                let colour = if score >= 0.5 { "--s0" } else { "--s1" };
                let opacity = (1.5 * (score - 0.5).abs()).min(0.75) + 0.05;
                let x = left + size * f64::from(j);
                let title =
                    format!("{} against {}, {} games", self.names[row], self.names[column], met.games);
                svg.open(&title);
                svg.put(&format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"var({colour})\" \
                    fill-opacity=\"{opacity:.2}\"/>"
                ));
                svg.text("", "middle", (x + size / 2.0, middle), &format!("{:.0}", 100.0 * score));
                svg.close();
            }
        }
        svg.finish()
    }

    fn ladder(&self) -> String {
        let order = self.order();
        let (left, width, row) = (margin(self.names.iter()), 420.0, 24.0);
        let bounds = self.ratings.iter().flat_map(|rating| [rating.ci95.0, rating.ci95.1]);
        let most =
            bounds.filter(|elo| elo.is_finite()).fold(50.0_f64, |most, elo| most.max(elo.abs())).ceil();
        let x = |elo: f64| left + width * (0.5 + 0.5 * (elo / most).clamp(-1.0, 1.0));
        let height = row * order.len() as f64;
        let mut svg = Plot::new(left + width + 30.0, height + 40.0);
        for elo in [-most, 0.0, most] {
            svg.line("rule", (x(elo), 10.0), (x(elo), height + 10.0));
            svg.text("faint", "middle", (x(elo), height + 28.0), &format!("{elo:+.0}"));
        }
        for (&agent, line) in order.iter().zip(0..) {
            let Rating { elo, ci95, games, .. } = self.ratings[agent];
            let (name, y) = (self.names[agent], 10.0 + row * (f64::from(line) + 0.5));
            svg.open(&format!("{name}: {elo:+.0} ({:+.0}..{:+.0}), {games} games", ci95.0, ci95.1));
            svg.text("", "end", (left - 10.0, y + 4.0), name);
            svg.whisker((x(ci95.0), x(elo), x(ci95.1)), y);
            svg.close();
        }
        svg.finish()
    }
}

/// An SVG picture under construction. The page's style defines its classes.
struct Plot(String);

impl Plot {
    fn new(width: f64, height: f64) -> Self {
        let size = format!("viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\"");
        Self(format!("<svg {size} role=\"img\">\n"))
    }

    fn put(&mut self, element: &str) {
        self.0 += element;
        self.0.push('\n');
    }

    /// Opens a group, up to `close`, with a tooltip.
    fn open(&mut self, title: &str) {
        self.put(&format!("<g><title>{}</title>", escape(title)));
    }

    fn close(&mut self) {
        self.put("</g>");
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ends = format!("x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"", from.0, from.1, to.0, to.1);
        self.put(&format!("<line class=\"{class}\" {ends}/>"));
    }

    fn text(&mut self, class: &str, anchor: &str, at: (f64, f64), text: &str) {
        let place = format!("x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\"", at.0, at.1);
        self.put(&format!("<text class=\"{class}\" {place}>{}</text>", escape(text)));
    }

    fn dot(&mut self, look: &str, at: (f64, f64)) {
        self.put(&format!("<circle {look} cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"/>", at.0, at.1));
    }

    /// A dot between the ends of its interval.
    fn whisker(&mut self, (low, middle, high): (f64, f64, f64), y: f64) {
        self.line("whisker", (low, y), (high, y));
        self.dot("fill=\"var(--s0)\"", (middle, y));
    }

    fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

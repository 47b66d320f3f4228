use super::plots;
use super::report::{Report, TableReport, notes};

impl Report {
    /// The report as one HTML page with its plots, without scripts or other files.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let mut body = format!("<h1>{title}</h1>\n");
        for text in [&self.source, &self.note] {
            if !text.is_empty() {
                body += &format!("<p>{}</p>\n", escape(text.trim()));
            }
        }
        self.tables.iter().for_each(|table| body += &section(table));
        if let Some(legend) = self.legend() {
            body += &format!("<p>{}</p>\n", escape(&legend));
        }
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
            <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
            <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
        )
    }
}

/// A table with its plots.
fn section(table: &TableReport) -> String {
    let mut text = String::from("<section>\n");
    if !table.title.is_empty() {
        text += &format!("<h2>{}</h2>\n", escape(&table.title));
    }
    let (alike, columns) = table.columns();
    if !alike.is_empty() {
        text += &format!("<p>{}</p>\n", escape(&alike));
    }
    for (caption, plot) in plots::of(&table.cells) {
        text += &format!("<figure>\n{plot}<figcaption>{}</figcaption>\n</figure>\n", escape(&caption));
    }
    text += "<table>\n<tr>";
    columns.iter().for_each(|column| text += &format!("<th>{}</th>", escape(column.head)));
    text += "</tr>\n";
    for line in 0..columns.first().map_or(0, |column| column.cells.len()) {
        text += "<tr>";
        for column in &columns {
            let cell = &column.cells[line];
            let class = if column.head == "agrees" && cell == "no" { " class=\"no\"" } else { "" };
            text += &format!("<td{class}>{}</td>", escape(cell));
        }
        text += "</tr>\n";
    }
    text += "</table>\n";
    for note in notes(&table.cells) {
        text += &format!("<p>{}</p>\n", escape(&note.replace('`', "")));
    }
    text + "</section>\n"
}

/// Escapes text for HTML and SVG.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Light and dark, for the screen and for paper.
const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1c1e21; --faint: #8a9099; --rule: #d9dde2; --page: #fff;
  --s0: #1f6fb2; --s1: #d1582f; --s2: #2f8f5b; --s3: #8a56ac; --s4: #b28a1f; --s5: #c2417c; --s6: #4aa3a8; --s7: #6b6f76; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --faint: #8a9099; --rule: #3a3f46; --page: #16181b;
  --s0: #6cb0ea; --s1: #f08a63; --s2: #6fca97; --s3: #c193e0; --s4: #e0bd5c; --s5: #ee86b4; --s6: #7fd0d4; --s7: #b3b8bf; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--rule); white-space: nowrap; }
td.no { color: var(--s1); font-weight: 600; }
figure { margin: 1.5rem 0; } figcaption { color: var(--faint); font-size: .85rem; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg text.faint { fill: var(--faint); }
svg .rule { stroke: var(--rule); stroke-width: 1; } svg .half { stroke: var(--faint); stroke-dasharray: 4 3; }
svg .whisker { stroke: var(--s0); stroke-width: 2; } svg .curve { stroke-width: 2; fill: none; } svg .band { opacity: .15; }
svg .paper { fill: var(--page); stroke: var(--faint); stroke-width: 1.5; } svg .paper-line { stroke: var(--faint); stroke-width: 1; }
";

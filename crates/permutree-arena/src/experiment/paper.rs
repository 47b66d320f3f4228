use super::source::{Node, Source, number};
use crate::ArenaError;
use crate::statistics::interval;
use toml::de::DeValue;

/// A score from a paper.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Figure {
    /// The score in [0, 1].
    pub score: f64,
    /// Its 95 % confidence interval: the paper's own, or else Wilson's for the number of games.
    #[cfg_attr(feature = "openapi", schema(value_type = [f64; 2]))]
    pub ci95: (f64, f64),
}

impl Figure {
    /// Whether this figure agrees with a score that has the interval `ci95`: whether the intervals overlap.
    #[must_use]
    pub fn agrees(&self, ci95: (f64, f64)) -> bool {
        self.ci95.0 <= ci95.1 && ci95.0 <= self.ci95.1
    }
}

/// A score from a file, in [0, 1].
#[derive(Clone, Copy)]
pub(super) struct Score {
    score: f64,
    /// Half the width of the paper's own interval.
    error: Option<f64>,
}

impl Score {
    /// The figure, if the paper played `games` games.
    pub(super) fn figure(self, games: u64) -> Figure {
        let Self { score, error } = self;
        let ci95 =
            error.map_or_else(|| interval(games, score), |e| ((score - e).max(0.0), (score + e).min(1.0)));
        Figure { score, ci95 }
    }
}

/// The paper's scores, in percent with or without an error, in a list or nested lists; `None` for an unknown score.
pub(super) fn scores(source: &Source, key: &str, node: &Node<'_>) -> Result<Vec<Option<Score>>, ArenaError> {
    if let DeValue::Array(items) = node.get_ref() {
        let nested = items.iter().map(|item| scores(source, key, item)).collect::<Result<Vec<_>, _>>()?;
        return Ok(nested.concat());
    }
    let wrong =
        || source.wrong(key, node, "a score in percent such as 56.5, \"56.5 ± 3.4\", or \"\" for none");
    let percent = |value: Option<f64>| {
        let part = value.filter(|value| (0.0..=100.0).contains(value)).map(|value| value / 100.0);
        part.ok_or_else(wrong)
    };
    let score = match node.get_ref().as_str() {
        Some("") => None,
        Some(text) => {
            let (score, error) = text.split_once('±').ok_or_else(wrong)?;
            let read = |text: &str| percent(text.trim().parse().ok());
            Some(Score { score: read(score)?, error: Some(read(error)?) })
        }
        None => Some(Score { score: percent(number(node))?, error: None }),
    };
    Ok(vec![score])
}

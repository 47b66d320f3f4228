/// The games between two agents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// The number of one agent.
    pub first: usize,
    /// The number of the other.
    pub second: usize,
    /// How many games they played.
    pub games: f64,
    /// The first agent's total score, where a win is 1 and a draw 1/2.
    pub score: f64,
}

/// The strength of an agent among those it can be compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rating {
    /// Elo above the mean of its group.
    pub elo: f64,
    /// Its 95 % confidence interval.
    pub ci95: (f64, f64),
    /// The number of games.
    pub games: f64,
    /// The mean score; one half without games.
    pub score: f64,
    /// The first agent of its group, which is all agents connected by games. Ratings of different groups are not
    /// comparable.
    pub group: usize,
}

/// Virtual draws added to the record of each agent, split among its opponents in proportion to the games. They keep
/// ratings finite where everything was won or lost, as in BayesElo (Coulom 2005): n wins against one opponent become a
/// score of (n + 1/2) / (n + 1).
const PRIOR_DRAWS: f64 = 0.5;

/// Elo per unit of natural log strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Ratings of `agents` agents by maximum likelihood in the model of Bradley and Terry (1952), in which i scores
///
/// 1 / (1 + exp(θj - θi))
///
/// against j; draws are half wins. Each group has the mean 0. The intervals come from the information matrix at the
/// maximum: its inverse is the covariance of the ratings (Hunter 2004).
///
/// # Panics
/// If an encounter names an agent that does not exist.
#[must_use]
pub fn ladder(agents: usize, encounters: &[Encounter]) -> Vec<Rating> {
    let record = Record::new(agents, encounters);
    let theta = record.maximum();
    let covariance = record.information(&theta).inverse_diagonal();
    let rating = |agent: usize| {
        let (games, group) = (record.games[agent], record.groups[agent]);
        let members = record.groups.iter().filter(|&&other| other == group).count();
        // The mean of the group is fixed, so its component is not variance.
        let deviation = (covariance[agent] - 1.0 / members as f64).max(0.0).sqrt();
        let error = if games == 0.0 { f64::INFINITY } else { super::Z * ELO * deviation };
        let elo = ELO * theta[agent];
        let score = if games == 0.0 { 0.5 } else { record.scores[agent] / games };
        Rating { elo, ci95: (elo - error, elo + error), games, score, group }
    };
    (0..agents).map(rating).collect()
}

/// How often each two agents played, and their scores.
struct Record {
    /// Without the added draws.
    games: Vec<f64>,
    scores: Vec<f64>,
    /// With the added draws.
    met: Matrix,
    points: Vec<f64>,
    groups: Vec<usize>,
}

impl Record {
    fn new(agents: usize, encounters: &[Encounter]) -> Self {
        let (mut games, mut scores) = (vec![0.0; agents], vec![0.0; agents]);
        let mut played = Matrix::new(agents);
        for &Encounter { first, second, games: count, score } in encounters {
            if first == second || count <= 0.0 {
                continue;
            }
            for (one, other, score) in [(first, second, score), (second, first, count - score)] {
                games[one] += count;
                scores[one] += score;
                *played.at(one, other) += count;
            }
        }
        let mut met = played.clone();
        let mut points = scores.clone();
        for i in 0..agents {
            for j in (0..agents).filter(|&j| played.get(i, j) > 0.0) {
                let draws = PRIOR_DRAWS * played.get(i, j) * (1.0 / games[i] + 1.0 / games[j]);
                *met.at(i, j) += draws;
                points[i] += draws / 2.0;
            }
        }
        let groups = groups(&played);
        Self { games, scores, met, points, groups }
    }

    /// The expected score of i in a game with j, and its variance.
    fn expected(theta: &[f64], i: usize, j: usize) -> (f64, f64) {
        let score = 1.0 / (1.0 + libm::exp(theta[j] - theta[i]));
        (score, score * (1.0 - score))
    }

    fn agents(&self) -> usize {
        self.games.len()
    }

    /// The log-likelihood.
    fn likelihood(&self, theta: &[f64]) -> f64 {
        let pair = |i: usize, j: usize| {
            let (high, low) = (theta[i].max(theta[j]), theta[i].min(theta[j]));
            self.met.get(i, j) * (high + libm::log1p(libm::exp(low - high)))
        };
        let pairs: f64 = (0..self.agents()).map(|i| (0..i).map(|j| pair(i, j)).sum::<f64>()).sum();
        self.points.iter().zip(theta).map(|(points, theta)| points * theta).sum::<f64>() - pairs
    }

    fn gradient(&self, theta: &[f64]) -> Vec<f64> {
        let all = 0..self.agents();
        let expected =
            |i: usize| all.clone().map(|j| self.met.get(i, j) * Self::expected(theta, i, j).0).sum::<f64>();
        all.clone().map(|i| self.points[i] - expected(i)).collect()
    }

    /// The information matrix. Only differences within a group are known, so 1 is added along its mean, which makes the
    /// matrix regular and changes nothing else.
    fn information(&self, theta: &[f64]) -> Matrix {
        let n = self.agents();
        let mut sizes = vec![0.0; n];
        self.groups.iter().for_each(|&group| sizes[group] += 1.0);
        let mut matrix = Matrix::new(n);
        for i in 0..n {
            for j in 0..n {
                if self.groups[i] == self.groups[j] {
                    *matrix.at(i, j) += 1.0 / sizes[self.groups[i]];
                }
                if self.met.get(i, j) > 0.0 {
                    let information = self.met.get(i, j) * Self::expected(theta, i, j).1;
                    *matrix.at(i, j) -= information;
                    *matrix.at(i, i) += information;
                }
            }
        }
        matrix
    }

    /// Newton's method; the likelihood has one maximum. A step that is too long is halved until the likelihood grows.
    fn maximum(&self) -> Vec<f64> {
        let mut theta = vec![0.0; self.agents()];
        for _ in 0..200 {
            let mut step = self.information(&theta).solve(&self.gradient(&theta));
            let longest = step.iter().fold(0.0, |longest: f64, x| longest.max(x.abs()));
            if longest < 1e-12 {
                break;
            }
            let scale = (2.0 / longest).min(1.0);
            step.iter_mut().for_each(|x| *x *= scale);
            let now = self.likelihood(&theta);
            let next =
                |share: f64| -> Vec<f64> { theta.iter().zip(&step).map(|(x, dx)| x + share * dx).collect() };
            let shares = (0..30).map(|halved| 1.0 / f64::from(1u32 << halved));
            match shares.map(next).find(|next| self.likelihood(next) > now) {
                Some(next) => theta = next,
                None => break,
            }
        }
        theta
    }
}

/// The first agent of each agent's group.
fn groups(played: &Matrix) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..played.n).collect();
    for first in 0..played.n {
        let mut open = if groups[first] == first { vec![first] } else { vec![] };
        while let Some(i) = open.pop() {
            for (j, group) in groups.iter_mut().enumerate().skip(first + 1) {
                if *group == j && played.get(i, j) > 0.0 {
                    *group = first;
                    open.push(j);
                }
            }
        }
    }
    groups
}

/// A square matrix.
#[derive(Clone)]
struct Matrix {
    n: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn new(n: usize) -> Self {
        Self { n, cells: vec![0.0; n * n] }
    }

    fn get(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.n + j]
    }

    fn at(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.cells[i * self.n + j]
    }

    /// The lower triangular L with L Lᵀ = self, which must be symmetric and positive definite.
    fn cholesky(&self) -> Self {
        let mut lower = Self::new(self.n);
        for i in 0..self.n {
            for j in 0..=i {
                let rest = self.get(i, j) - (0..j).map(|k| lower.get(i, k) * lower.get(j, k)).sum::<f64>();
                // Rounding must not make the diagonal zero or not a number.
                *lower.at(i, j) = if i == j { rest.max(1e-300).sqrt() } else { rest / lower.get(j, j) };
            }
        }
        lower
    }

    /// The solution x of self x = b.
    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let lower = self.cholesky();
        let mut x = lower.forward(b);
        for i in (0..self.n).rev() {
            let rest = x[i] - (i + 1..self.n).map(|k| lower.get(k, i) * x[k]).sum::<f64>();
            x[i] = rest / lower.get(i, i);
        }
        x
    }

    /// The solution x of self x = b for a lower triangular matrix.
    fn forward(&self, b: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = Vec::with_capacity(self.n);
        for (i, b) in b.iter().enumerate() {
            let rest = b - (0..i).map(|k| self.get(i, k) * x[k]).sum::<f64>();
            x.push(rest / self.get(i, i));
        }
        x
    }

    /// The diagonal of the inverse: with A = L Lᵀ its entry i is the squared length of L⁻¹ eᵢ.
    fn inverse_diagonal(&self) -> Vec<f64> {
        let lower = self.cholesky();
        let unit = |i: usize| (0..self.n).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
        (0..self.n).map(|i| lower.forward(&unit(i)).iter().map(|x| x * x).sum()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Elo, elo, expected_score};
    use permutree_zoo::Rng;

    fn met(first: usize, second: usize, games: f64, score: f64) -> Encounter {
        Encounter { first, second, games, score }
    }

    /// Two players are as far apart as the Elo of their score, here 190.85 for 0.75, except for the virtual draw; and
    /// the interval of either is half of that of the difference.
    #[test]
    fn two_players() {
        let ratings = ladder(2, &[met(0, 1, 400.0, 300.0)]);
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - elo(300.5 / 401.0)).abs() < 1e-6, "{difference}");
        assert!((difference - 190.85).abs() < 0.6 && (ratings[0].elo + ratings[1].elo).abs() < 1e-9);
        let (error, expected) = (ratings[0].ci95.1 - ratings[0].elo, Elo::of(400, 0.75).error() / 2.0);
        assert!((error / expected - 1.0).abs() < 0.02, "{error}, not {expected}");
        assert_eq!((ratings[0].games, ratings[0].score, ratings[1].score), (400.0, 0.75, 0.25));
    }

    /// The first beats the second as often as the second beats the third: the differences are those of the scores,
    /// whatever the numbers of games, since nothing contradicts them.
    #[test]
    fn a_chain() {
        let ratings = ladder(3, &[met(0, 1, 1e6, 640_000.0), met(2, 1, 1e4, 3600.0)]);
        let elos: Vec<f64> = ratings.iter().map(|rating| rating.elo).collect();
        assert!(
            (elos[0] - elos[1] - elo(0.64)).abs() < 0.1 && (elos[1] - elos[2] - elo(0.64)).abs() < 0.1,
            "{elos:?}"
        );
        assert!(elos.iter().sum::<f64>().abs() < 1e-6);
    }

    /// Of 200 tournaments of three players with known ratings about 95 % of the intervals hold them: four standard
    /// deviations are 6 %.
    #[test]
    fn ratings_are_found_again() {
        let truth = [120.0, 10.0, -130.0];
        let mut held = [0; 3];
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut play = |i: usize, j: usize| {
                let score = expected_score(truth[i] - truth[j]);
                met(i, j, 100.0, (0..100).filter(|_| rng.unit() < score).count() as f64)
            };
            let ratings = ladder(3, &[play(0, 1), play(1, 2), play(2, 0)]);
            for (held, (rating, truth)) in held.iter_mut().zip(ratings.iter().zip(truth)) {
                *held += u32::from(rating.ci95.0 <= truth && truth <= rating.ci95.1);
            }
        }
        assert!(held.iter().all(|held| (178..=199).contains(held)), "{held:?} of 200");
    }

    #[test]
    fn all_won_all_drawn_and_none_played() {
        for games in [1.0, 10.0, 1e6] {
            let ratings = ladder(2, &[met(0, 1, games, games)]);
            let expected = elo((games + 0.5) / (games + 1.0));
            assert!((ratings[0].elo - ratings[1].elo - expected).abs() < 1e-3, "{games}: {ratings:?}");
            assert!(ratings.iter().all(|rating| rating.ci95.0 < rating.elo && rating.ci95.1.is_finite()));
        }
        // One loses every game to two that always draw.
        let ratings = ladder(3, &[met(0, 1, 9.0, 4.5), met(0, 2, 9.0, 9.0), met(1, 2, 9.0, 9.0)]);
        assert!((ratings[0].elo - ratings[1].elo).abs() < 1e-6 && ratings[2].elo < -200.0, "{ratings:?}");
        assert!(ladder(0, &[]).is_empty());
        let idle = ladder(1, &[met(0, 0, 5.0, 2.0)])[0];
        assert_eq!((idle.elo, idle.ci95), (0.0, (f64::NEG_INFINITY, f64::INFINITY)));
    }

    /// Agents that never met, directly or through others, are in different groups, each with its own mean.
    #[test]
    fn groups_that_never_met() {
        let ratings = ladder(5, &[met(3, 1, 10.0, 7.0), met(0, 4, 10.0, 2.0)]);
        assert_eq!(ratings.iter().map(|rating| rating.group).collect::<Vec<_>>(), [0, 1, 2, 1, 0]);
        assert!(
            (ratings[0].elo + ratings[4].elo).abs() < 1e-9 && (ratings[1].elo + ratings[3].elo).abs() < 1e-9
        );
        assert_eq!((ratings[2].games, ratings[2].elo), (0.0, 0.0));
    }
}

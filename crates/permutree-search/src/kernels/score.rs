//! Scores moves by their statistics and finds the best.

use super::isa::Isa;
use super::{kernel, lanes, lanes_mut};
use crate::statistics::tally::{Line, Tally};
use crate::tree::{LANES, Own};

/// The moves with the greatest score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Best {
    /// The first of them.
    pub(crate) first: usize,
    /// Their number.
    pub(crate) count: usize,
}

/// The AMAF tallies of moves: those of their codes in a row. Codes beyond the row have none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByCode<'a> {
    pub(crate) row: &'a [Line],
    pub(crate) codes: &'a [u32],
}

// All slices of statistics have the same length, a multiple of `LANES`. The rewards of an unused edge are NaN, and so is its
// value, which is never the best.

kernel! {
    /// Scores moves by UCT: mean + c sqrt(ln N / n), where `explore` is c sqrt(ln N) times the unit of rewards.
    /// Untried moves come first; the others then get no scores.
    uct = uct_body(own: Own<'_>, explore: f64, scores: &mut [f64]) -> Best
}

kernel! {
    /// Scores moves by [`grave_value`].
    grave = grave_body(own: Own<'_>, amaf: ByCode<'_>, bias: f64,
        scores: &mut [f64]) -> Best
}

kernel! {
    /// Scores moves by [`grave_value`] with the exploration term of [`uct`]: w + `explore` sqrt(n) in place of w.
    grave_exploring = grave_exploring_body(own: Own<'_>, amaf: ByCode<'_>, bias: f64,
        explore: f64, scores: &mut [f64]) -> Best
}

kernel! {
    /// Scores moves by [`mcps_value`].
    mcps = mcps_body(own: Own<'_>, amaf: ByCode<'_>, permutations: &[Tally],
        scores: &mut [f64]) -> Best
}

kernel! {
    /// Scores moves by [`optimal_value`].
    optimal = optimal_body(own: Own<'_>, amaf: ByCode<'_>, permutations: &[Tally],
        scores: &mut [f64]) -> Best
}

kernel! {
    /// The best of `scores`, whose length is a multiple of [`LANES`].
    best = best_body(scores: &[f64]) -> Best
}

/// The value of a move by algorithm 1 of the MCPS paper: (1 - beta) Q + beta Q̃ with
/// beta = ñ / (ñ + n + bias ñ n), with a single division. `INFINITY` for a move without statistics.
#[inline(always)]
pub(crate) fn grave_value(n: f64, w: f64, amaf_n: f64, amaf_w: f64, bias: f64) -> f64 {
    let weight = n + amaf_n + bias * amaf_n * n;
    let value = (w * (1.0 + bias * amaf_n) + amaf_w) / weight;
    if weight == 0.0 { f64::INFINITY } else { value }
}

/// The value of a move by algorithm 2 of the MCPS paper with the weights of section 3.2, with a single division:
/// (w + ñ P) / (n + ñ) with P = (w̃ + ŵ) / (ñ + n̂).
///
/// `INFINITY` for a move that was neither tried nor seen below the reference; its mean w / n if it was only tried.
#[inline(always)]
pub(crate) fn mcps_value(n: f64, w: f64, amaf_n: f64, amaf_w: f64, perm_n: f64, perm_w: f64) -> f64 {
    let pooled = amaf_n + perm_n;
    let pooled = if pooled > 1.0 { pooled } else { 1.0 };
    let value = (w * pooled + amaf_n * (amaf_w + perm_w)) / ((n + amaf_n) * pooled);
    if n + amaf_n == 0.0 { f64::INFINITY } else { value }
}

/// The value of a move with the optimal weights of section 3.1: all playouts pooled.
#[inline(always)]
pub(crate) fn optimal_value(n: f64, w: f64, amaf_n: f64, amaf_w: f64, perm_n: f64, perm_w: f64) -> f64 {
    let value = (w + amaf_w + perm_w) / (n + amaf_n + perm_n);
    if n + amaf_n == 0.0 { f64::INFINITY } else { value }
}

#[inline(always)]
fn uct_body<I: Isa>(own: Own<'_>, explore: f64, scores: &mut [f64]) -> Best {
    // Untried moves come before all others, and many nodes have some.
    let untried = ties_of(own.iter().map(|group| I::zeros(&group.visits)));
    if untried.count > 0 {
        return untried;
    }
    score::<I, _>(scores, both(own), |(n, w), i| {
        let n = count(n[i]);
        (sum(w[i]) + explore * n.sqrt()) / n
    })
}

#[inline(always)]
fn grave_body<I: Isa>(own: Own<'_>, amaf: ByCode<'_>, bias: f64, scores: &mut [f64]) -> Best {
    score_by_code::<I, _>(scores, both(own), amaf, |(n, w), a, i| {
        let (n, w) = (count(n[i]), sum(w[i]));
        grave_value(n, w, count(a.count()), sum(a.sum()), bias)
    })
}

#[inline(always)]
fn grave_exploring_body<I: Isa>(
    own: Own<'_>,
    amaf: ByCode<'_>,
    bias: f64,
    explore: f64,
    scores: &mut [f64],
) -> Best {
    score_by_code::<I, _>(scores, both(own), amaf, |(n, w), a, i| {
        let n = count(n[i]);
        let w = sum(w[i]) + explore * n.sqrt();
        grave_value(n, w, count(a.count()), sum(a.sum()), bias)
    })
}

/// Both weightings of MCPS.
macro_rules! three_sources {
    ($name:ident, $value:ident) => {
        #[inline(always)]
        fn $name<I: Isa>(own: Own<'_>, amaf: ByCode<'_>, permutations: &[Tally], scores: &mut [f64]) -> Best {
            score_by_code::<I, _>(scores, both(own).zip(lanes(permutations)), amaf, |((n, w), p), a, i| {
                let (an, aw) = (count(a.count()), sum(a.sum()));
                let (pn, pw) = (count(p[i].count()), sum(p[i].sum()));
                $value(count(n[i]), sum(w[i]), an, aw, pn, pw)
            })
        }
    };
}

three_sources!(mcps_body, mcps_value);
three_sources!(optimal_body, optimal_value);

/// Visits and rewards, `LANES` at a time.
#[inline(always)]
fn both<'a>(own: Own<'a>) -> impl Iterator<Item = (&'a [u32; LANES], &'a [u64; LANES])> {
    own.iter().map(|group| (&group.visits, &group.rewards))
}

/// Fills `scores`, which may be longer than needed, with the values of the moves, and finds the best.
#[inline(always)]
fn score<I: Isa, T: Copy>(
    scores: &mut [f64],
    sources: impl Iterator<Item = T>,
    value: impl Fn(T, usize) -> f64,
) -> Best {
    let mut maxima = [f64::NEG_INFINITY; LANES];
    let mut used = 0;
    for (scores, source) in lanes_mut(scores).zip(sources) {
        *scores = std::array::from_fn(|i| value(source, i));
        I::raise(&mut maxima, scores);
        used += LANES;
    }
    ties::<I>(&scores[..used], maxima)
}

/// [`score`] with the AMAF tally of each move.
#[inline(always)]
fn score_by_code<I: Isa, T: Copy>(
    scores: &mut [f64],
    sources: impl Iterator<Item = T>,
    amaf: ByCode<'_>,
    value: impl Fn(T, Tally, usize) -> f64,
) -> Best {
    let mut maxima = [f64::NEG_INFINITY; LANES];
    let mut used = 0;
    for ((scores, source), codes) in lanes_mut(scores).zip(sources).zip(lanes(amaf.codes)) {
        let tallies = I::gather(amaf.row, codes);
        *scores = std::array::from_fn(|i| value(source, tallies[i], i));
        I::raise(&mut maxima, scores);
        used += LANES;
    }
    ties_in_words::<I>(&scores[..used], maxima)
}

#[inline(always)]
fn best_body<I: Isa>(scores: &[f64]) -> Best {
    let mut maxima = [f64::NEG_INFINITY; LANES];
    lanes(scores).for_each(|scores| I::raise(&mut maxima, scores));
    ties::<I>(scores, maxima)
}

/// The greatest of `maxima`.
#[inline(always)]
fn greatest(maxima: [f64; LANES]) -> f64 {
    let [a, b, c, d, e, f, g, h] = maxima;
    greater(greater(greater(a, e), greater(c, g)), greater(greater(b, f), greater(d, h)))
}

/// The scores equal to the greatest of `maxima`.
#[inline(always)]
fn ties<I: Isa>(scores: &[f64], maxima: [f64; LANES]) -> Best {
    let max = greatest(maxima);
    ties_of(lanes(scores).map(|scores| I::equal(scores, max)))
}

/// [`ties`] a word of 64 moves at a time. Faster than `LANES` at a time where statistics by code are used, slower in UCT.
#[inline(always)]
fn ties_in_words<I: Isa>(scores: &[f64], maxima: [f64; LANES]) -> Best {
    let max = greatest(maxima);
    if let [few] = scores.as_chunks().0 {
        let ties = I::equal(few, max);
        return Best { first: ties.trailing_zeros() as usize, count: ties.count_ones() as usize };
    }
    let mut best = Best { first: usize::MAX, count: 0 };
    for (place, scores) in scores.chunks(64).enumerate() {
        let (mut word, mut shift) = (0, 0);
        for scores in lanes(scores) {
            word |= I::equal(scores, max) << shift;
            shift += LANES;
        }
        let first = if word == 0 { usize::MAX } else { place * 64 + word.trailing_zeros() as usize };
        best.first = best.first.min(first);
        best.count += word.count_ones() as usize;
    }
    best
}

/// The moves whose bits are set, `LANES` in each word.
#[inline(always)]
fn ties_of(words: impl Iterator<Item = u64>) -> Best {
    let mut best = Best { first: usize::MAX, count: 0 };
    for (chunk, ties) in words.enumerate() {
        let first = if ties == 0 { usize::MAX } else { chunk * LANES + ties.trailing_zeros() as usize };
        best.first = best.first.min(first);
        best.count += ties.count_ones() as usize;
    }
    best
}

#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// A count as a float. Counts stay below 2^31, so a signed conversion works, for which all machines have SIMD instructions.
#[inline(always)]
fn count(n: u32) -> f64 {
    f64::from(n as i32)
}

/// A sum of rewards as a float. Sums stay below 2^52: with the bits of 2^52 above them they are the mantissa of a
/// float, which needs no conversion instruction, wide or not.
#[inline(always)]
fn sum(w: u64) -> f64 {
    const TWO_52: u64 = 0x4330_0000_0000_0000;
    f64::from_bits(w | TWO_52) - 4_503_599_627_370_496.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Level;
    use crate::statistics::tally::ONE;
    use crate::tree::{Group, UNUSED};
    use permutree_game::Rng;

    /// Algorithm 2 line 9 with the weights as section 3.2 writes them.
    fn paper(n: f64, w: f64, an: f64, aw: f64, pn: f64, pw: f64) -> f64 {
        let c1 = (an + pn) / an;
        let sum = c1 * n + an + pn;
        let mean = |w: f64, n: f64| if n == 0.0 { 0.0 } else { w / n };
        (c1 * n / sum) * mean(w, n) + (an / sum) * mean(aw, an) + (pn / sum) * mean(pw, pn)
    }

    #[test]
    fn values_are_the_papers() {
        for (n, w, an, aw, pn, pw) in [
            (3.0, 1.0, 20.0, 9.0, 55.0, 30.0),
            (0.0, 0.0, 4.0, 1.0, 9.0, 8.0),
            (10.0, 6.0, 10.0, 6.0, 0.0, 0.0),
        ] {
            assert!((mcps_value(n, w, an, aw, pn, pw) - paper(n, w, an, aw, pn, pw)).abs() < 1e-12);
            let beta = an / (an + n + 1e-5 * an * n);
            let q = if n == 0.0 { 0.0 } else { w / n };
            assert!((grave_value(n, w, an, aw, 1e-5) - ((1.0 - beta) * q + beta * aw / an)).abs() < 1e-12);
        }
        assert_eq!(mcps_value(0.0, 0.0, 0.0, 0.0, 7.0, 3.0), f64::INFINITY);
        assert_eq!(mcps_value(4.0, 3.0, 0.0, 0.0, 0.0, 0.0), 0.75);
        assert_eq!(mcps_value(4.0, 3.0, 0.0, 0.0, 5.0, 1.0), 0.75);
        assert_eq!(grave_value(4.0, 3.0, 0.0, 0.0, 1e-5), 0.75);
        assert_eq!(grave_value(0.0, 0.0, 0.0, 0.0, 1e-5), f64::INFINITY);
        assert_eq!(optimal_value(1.0, 1.0, 2.0, 1.0, 1.0, 0.0), 0.5);
    }

    /// (1 - beta) (w / n + c sqrt(ln N / n)) + beta w̃ / ñ with beta = ñ / (n + ñ + 4 b² n ñ), as the Order & Chaos report
    /// writes it.
    #[test]
    fn exploring_is_the_reports() {
        let (one, ln, c, b) = (u64::from(ONE), 2.5f64, 0.7, 0.5f64);
        let mut scores = [0.0; LANES];
        let n = [4, 0, 4, 0, 1, 1, 1, 1];
        let w = [3 * one, 0, 3 * one, 0, UNUSED, UNUSED, UNUSED, UNUSED];
        let mut a = [Tally::default(); LANES];
        (a[0], a[1]) = (Tally((9 << 40) + 2 * one), Tally((5 << 40) + one));
        let explore = f64::from(ONE) * c * ln.sqrt();
        let (groups, of) = groups(&n, &w);
        let best = grave_exploring(
            Level::Portable,
            Own { groups: &groups, of: &of },
            ByCode { row: &[Line(a)], codes: &[0, 1, 2, 3, 4, 5, 6, 7] },
            4.0 * b * b,
            explore,
            &mut scores,
        );
        let beta = 9.0 / (4.0 + 9.0 + 4.0 * b * b * 36.0);
        let own = 0.75 + c * (ln / 4.0).sqrt();
        let expected = [(1.0 - beta) * own + beta * 2.0 / 9.0, 0.2, own];
        for (score, expected) in scores.iter().zip(expected) {
            assert!((score / f64::from(ONE) - expected).abs() < 1e-12, "{scores:?}");
        }
        assert_eq!(best, Best { first: 3, count: 1 });
    }

    #[test]
    fn best_finds_all_ties() {
        for level in Level::all() {
            for len in (LANES..100).step_by(LANES) {
                let mut scores: Vec<f64> = (0..len).map(|i| (i % 7) as f64).collect();
                let max = scores.iter().copied().fold(0.0, f64::max);
                let count = scores.iter().filter(|s| **s == max).count();
                let first = scores.iter().position(|s| *s == max).unwrap();
                assert_eq!(best(level, &scores), Best { first, count });
                scores[len - 1] = f64::INFINITY;
                assert_eq!(best(level, &scores), Best { first: len - 1, count: 1 });
            }
        }
    }

    /// Edges with these visits and rewards.
    fn groups(n: &[u32], w: &[u64]) -> (Vec<Group>, Vec<u32>) {
        let groups: Vec<Group> = lanes(n).zip(lanes(w)).map(|(n, w)| Group::new(*n, *w)).collect();
        let of = (0..groups.len() as u32).collect();
        (groups, of)
    }

    /// Random statistics of `len` moves.
    fn random(rng: &mut Rng, len: usize) -> (Vec<u32>, Vec<u64>, Vec<Tally>, Vec<Tally>) {
        let mut tally = |most: usize| {
            let n = rng.below(most) as u64;
            Tally(n << 40 | rng.below(n as usize * ONE as usize + 1) as u64)
        };
        let own: Vec<Tally> = (0..len).map(|_| tally(5)).collect();
        let amaf = (0..len).map(|_| tally(50)).collect();
        let permutations = (0..len).map(|_| tally(90)).collect();
        (own.iter().map(|t| t.count()).collect(), own.iter().map(|t| t.sum()).collect(), amaf, permutations)
    }

    #[test]
    fn levels_agree_to_the_last_bit() {
        let mut rng = Rng::new(3);
        for moves in 1..100usize {
            let (mut n, mut w, a, p) = random(&mut rng, moves.next_multiple_of(LANES));
            n[moves..].fill(1);
            w[moves..].fill(UNUSED);
            let row: Vec<Line> = lanes(&a).map(|tallies| Line(*tallies)).collect();
            let codes: Vec<u32> = (0..n.len() as u32).collect();
            let a = ByCode { row: &row, codes: &codes };
            let (groups, of) = groups(&n, &w);
            let own = Own { groups: &groups, of: &of };
            let run = |level| {
                let mut scores = vec![vec![0.0; n.len()]; 5];
                let best = [
                    uct(level, own, 91.5, &mut scores[0]),
                    grave(level, own, a, 1e-5, &mut scores[1]),
                    mcps(level, own, a, &p, &mut scores[2]),
                    optimal(level, own, a, &p, &mut scores[3]),
                    grave_exploring(level, own, a, 1.0, 91.5, &mut scores[4]),
                ];
                assert!(best.iter().all(|best| best.first < moves && best.first + best.count <= moves));
                (scores.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>(), best)
            };
            assert!(Level::all().into_iter().all(|level| run(level) == run(Level::Portable)));
        }
    }
}

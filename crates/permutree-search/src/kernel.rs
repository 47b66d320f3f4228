//! The hot loops, compiled for plain and for wide machines and chosen at run time.
//!
//! Every version does the same additions, multiplications, divisions and square roots in the same order on each
//! element, so results are the same to the last bit whichever runs. This is the only module with `unsafe`: calling a
//! function that was compiled for AVX2 and BMI2 is sound only after the processor was asked, which [`Level::detect`]
//! does.

use crate::tally::Tally;

/// What the processor can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Any machine.
    Portable,
    /// x86-64 with AVX2 and BMI2. Made only by [`Level::detect`].
    #[cfg(target_arch = "x86_64")]
    Wide,
}

impl Level {
    /// Asks the processor.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
            return Self::Wide;
        }
        Self::Portable
    }
}

/// The moves with the greatest score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Best {
    /// The first of them.
    pub(crate) first: usize,
    /// How many there are.
    pub(crate) count: usize,
}

/// Makes `pub(crate) fn $name` that runs `$body` compiled for the level it is given.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident = $body:ident ($($arg:ident: $type:ty),*) -> $out:ty) => {
        $(#[$doc])*
        #[inline]
        #[allow(unsafe_code)]
        pub(crate) fn $name(level: Level, $($arg: $type),*) -> $out {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
                fn wide($($arg: $type),*) -> $out {
                    $body($($arg),*)
                }
                if level == Level::Wide {
                    // SAFETY: `Wide` says that the processor has these features.
                    return unsafe { wide($($arg),*) };
                }
            }
            let _ = level;
            $body($($arg),*)
        }
    };
}

kernel! {
    /// Scores moves by UCT: mean + c sqrt(ln N / n), where `explore` is c sqrt(ln N) times the unit of rewards.
    /// Moves never tried come first.
    uct = uct_body(visits: &[u32], rewards: &[u64], explore: f64, scores: &mut Vec<f64>) -> Best
}

kernel! {
    /// Scores moves by [`grave_value`].
    grave = grave_body(visits: &[u32], rewards: &[u64], amaf: &[Tally], bias: f64, scores: &mut Vec<f64>) -> Best
}

kernel! {
    /// Scores moves by [`mcps_value`].
    mcps = mcps_body(visits: &[u32], rewards: &[u64], amaf: &[Tally], permutations: &[Tally], scores: &mut Vec<f64>)
        -> Best
}

kernel! {
    /// Scores moves by [`optimal_value`].
    optimal = optimal_body(visits: &[u32], rewards: &[u64], amaf: &[Tally], permutations: &[Tally],
        scores: &mut Vec<f64>) -> Best
}

kernel! {
    /// The best of `scores`.
    best = best_body(scores: &[f64]) -> Best
}

/// The value of a move by algorithm 1 of the MCPS paper: (1 - beta) Q + beta Q̃ with
/// beta = ñ / (ñ + n + bias ñ n), brought to one division. `INFINITY` when nothing is known of the move.
#[inline(always)]
pub(crate) fn grave_value(n: f64, w: f64, amaf_n: f64, amaf_w: f64, bias: f64) -> f64 {
    let weight = n + amaf_n + bias * amaf_n * n;
    let value = (w * (1.0 + bias * amaf_n) + amaf_w) / weight;
    if weight == 0.0 { f64::INFINITY } else { value }
}

/// The value of a move by algorithm 2 of the MCPS paper, weights of section 3.2, brought to one division:
/// (w + ñ P) / (n + ñ) with P = (w̃ + ŵ) / (ñ + n̂).
///
/// `INFINITY` when the move was neither tried nor seen below the reference; its mean w / n when it was only tried.
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
fn uct_body(visits: &[u32], rewards: &[u64], explore: f64, scores: &mut Vec<f64>) -> Best {
    let untried = visits.iter().map(|&n| usize::from(n == 0)).sum::<usize>();
    if untried > 0 {
        scores.clear();
        scores.extend(visits.iter().map(|&n| if n == 0 { 1.0 } else { 0.0 }));
        return Best { first: visits.iter().position(|&n| n == 0).unwrap_or(0), count: untried };
    }
    fill(scores, visits.len());
    for ((score, &n), &w) in scores.iter_mut().zip(visits).zip(rewards) {
        let n = count(n);
        *score = (sum(w) + explore * n.sqrt()) / n;
    }
    best_body(scores)
}

#[inline(always)]
fn grave_body(visits: &[u32], rewards: &[u64], amaf: &[Tally], bias: f64, scores: &mut Vec<f64>) -> Best {
    fill(scores, visits.len());
    for (((score, &n), &w), a) in scores.iter_mut().zip(visits).zip(rewards).zip(amaf) {
        *score = grave_value(count(n), sum(w), count(a.count()), sum(a.sum()), bias);
    }
    best_body(scores)
}

/// The loop that both weightings of MCPS share.
macro_rules! three_sources {
    ($name:ident, $value:ident) => {
        #[inline(always)]
        fn $name(
            visits: &[u32],
            rewards: &[u64],
            amaf: &[Tally],
            permutations: &[Tally],
            scores: &mut Vec<f64>,
        ) -> Best {
            fill(scores, visits.len());
            let moves = scores.iter_mut().zip(visits).zip(rewards).zip(amaf).zip(permutations);
            for ((((score, &n), &w), a), p) in moves {
                *score = $value(
                    count(n),
                    sum(w),
                    count(a.count()),
                    sum(a.sum()),
                    count(p.count()),
                    sum(p.sum()),
                );
            }
            best_body(scores)
        }
    };
}

three_sources!(mcps_body, mcps_value);
three_sources!(optimal_body, optimal_value);

#[inline(always)]
fn best_body(scores: &[f64]) -> Best {
    // Eight running maxima, so that the loop needs no order among elements and becomes wide.
    let greater = |a: f64, b: f64| if b > a { b } else { a };
    let mut lanes = [f64::NEG_INFINITY; 8];
    let chunks = scores.chunks_exact(8);
    let mut max = chunks.remainder().iter().fold(f64::NEG_INFINITY, |a, &b| greater(a, b));
    for chunk in chunks {
        for (lane, &score) in lanes.iter_mut().zip(chunk) {
            *lane = greater(*lane, score);
        }
    }
    max = lanes.into_iter().fold(max, greater);
    Best {
        first: scores.iter().position(|&score| score == max).unwrap_or(0),
        count: scores.iter().map(|&score| usize::from(score == max)).sum(),
    }
}

/// Makes room for `len` scores; their values are about to be written.
#[inline(always)]
fn fill(scores: &mut Vec<f64>, len: usize) {
    if scores.len() != len {
        scores.resize(len, 0.0);
    }
}

/// A count as a float. Counts stay below 2^31, so the conversion can be the signed one, which every machine has wide.
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

/// The legal codes of a node that share a word of a playout's row: their bits there, ascending, are consecutive slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) word: u32,
    pub(crate) slots: u32,
    pub(crate) mask: u64,
}

/// Adds playouts to the tallies of a node's legal codes: for each playout of `matches`, its tally in `rewards` (that of
/// the player to move, `players` apart) to the slot of every code that its row contains.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn absorb(
    level: Level,
    tallies: &mut [Tally],
    spans: &[Span],
    rows: &[u64],
    words: usize,
    matches: &[u32],
    rewards: &[Tally],
    players: usize,
) {
    #[cfg(target_arch = "x86_64")]
    if level == Level::Wide {
        // SAFETY: `Wide` says that the processor has these features.
        return unsafe { absorb_wide(tallies, spans, rows, words, matches, rewards, players) };
    }
    let _ = level;
    for &playout in matches {
        let row = &rows[playout as usize * words..][..words];
        let add = rewards[playout as usize * players];
        let mut first = 0;
        for span in spans {
            let mut present = row[span.word as usize] & span.mask;
            while present != 0 {
                let below = (present & present.wrapping_neg()) - 1;
                tallies[first + (span.mask & below).count_ones() as usize].add(add);
                present &= present - 1;
            }
            first += span.slots as usize;
        }
    }
}

/// The same with `pext`, which brings a row's bits for a span next to each other, and all slots added to at once.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn absorb_wide(
    tallies: &mut [Tally],
    spans: &[Span],
    rows: &[u64],
    words: usize,
    matches: &[u32],
    rewards: &[Tally],
    players: usize,
) {
    for &playout in matches {
        let row = &rows[playout as usize * words..][..words];
        let add = rewards[playout as usize * players].0;
        let mut rest = &mut *tallies;
        for span in spans {
            let present = std::arch::x86_64::_pext_u64(row[span.word as usize], span.mask);
            let (slots, after) = rest.split_at_mut(span.slots as usize);
            for (i, slot) in slots.iter_mut().enumerate() {
                slot.0 += add & (present >> i & 1).wrapping_neg();
            }
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::ONE;
    use permutree_game::Rng;

    fn levels() -> Vec<Level> {
        vec![Level::Portable, Level::detect()]
    }

    /// Algorithm 2 line 9 with the weights as section 3.2 writes them.
    fn paper(n: f64, w: f64, an: f64, aw: f64, pn: f64, pw: f64) -> f64 {
        let c1 = (an + pn) / an;
        let sum = c1 * n + an + pn;
        let mean = |w: f64, n: f64| if n == 0.0 { 0.0 } else { w / n };
        (c1 * n / sum) * mean(w, n) + (an / sum) * mean(aw, an) + (pn / sum) * mean(pw, pn)
    }

    #[test]
    fn values_are_the_papers() {
        for (n, w, an, aw, pn, pw) in
            [(3.0, 1.0, 20.0, 9.0, 55.0, 30.0), (0.0, 0.0, 4.0, 1.0, 9.0, 8.0), (10.0, 6.0, 10.0, 6.0, 0.0, 0.0)]
        {
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

    #[test]
    fn best_finds_all_ties() {
        for level in levels() {
            for len in 1..40 {
                let mut scores: Vec<f64> = (0..len).map(|i| f64::from(i % 7)).collect();
                let max = scores.iter().copied().fold(0.0, f64::max);
                let count = scores.iter().filter(|s| **s == max).count();
                let first = scores.iter().position(|s| *s == max).unwrap();
                assert_eq!(best(level, &scores), Best { first, count });
                scores[len as usize - 1] = f64::INFINITY;
                assert_eq!(best(level, &scores), Best { first: len as usize - 1, count: 1 });
            }
        }
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
        for len in 1..100 {
            let (n, w, a, p) = random(&mut rng, len);
            let run = |level| {
                let mut scores = vec![Vec::new(); 4];
                let best = [
                    uct(level, &n, &w, 91.5, &mut scores[0]),
                    grave(level, &n, &w, &a, 1e-5, &mut scores[1]),
                    mcps(level, &n, &w, &a, &p, &mut scores[2]),
                    optimal(level, &n, &w, &a, &p, &mut scores[3]),
                ];
                (scores, best)
            };
            assert_eq!(run(Level::Portable), run(Level::detect()));
        }
    }

    #[test]
    fn absorb_adds_to_the_codes_that_are_present() {
        let mut rng = Rng::new(4);
        let (words, players, playouts) = (3, 2, 50);
        let rows: Vec<u64> = (0..words * playouts).map(|_| rng.bits()).collect();
        let rewards: Vec<Tally> = (0..players * playouts).map(|_| Tally::one(rng.below(2) as u32 * ONE)).collect();
        let legal: Vec<usize> = (0..64 * words).filter(|_| rng.below(3) == 0).filter(|c| c / 64 != 1).collect();
        let spans: Vec<Span> = [0u32, 2]
            .into_iter()
            .map(|word| {
                let mask = legal.iter().filter(|c| **c / 64 == word as usize).fold(0u64, |m, c| m | 1 << (c % 64));
                Span { word, slots: mask.count_ones(), mask }
            })
            .collect();
        let matches = [3, 7, 8, 31, 49];
        for player in 0..players {
            let expected: Vec<Tally> = legal
                .iter()
                .map(|code| {
                    let mut tally = Tally::default();
                    for &p in &matches {
                        if rows[p as usize * words + code / 64] >> (code % 64) & 1 == 1 {
                            tally.add(rewards[p as usize * players + player]);
                        }
                    }
                    tally
                })
                .collect();
            for level in levels() {
                let mut tallies = vec![Tally::default(); legal.len()];
                absorb(level, &mut tallies, &spans, &rows, words, &matches, &rewards[player..], players);
                assert_eq!(tallies, expected);
            }
        }
    }
}

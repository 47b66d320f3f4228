//! The hot loops, compiled for plain and for wide machines and chosen at run time.
//!
//! Every version does the same additions, multiplications, divisions and square roots in the same order on each
//! element, so results are the same to the last bit whichever runs. This is the only module with `unsafe`: calling a
//! function that was compiled for AVX2 and BMI2 is sound only after the processor was asked, which [`Level::detect`]
//! does.

use crate::tally::Tally;
use crate::tree::LANES;

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

// Slices of statistics are as long as each other and a multiple of `LANES`; the first `moves` elements count.

kernel! {
    /// Scores moves by UCT: mean + c sqrt(ln N / n), where `explore` is c sqrt(ln N) times the unit of rewards.
    /// Moves never tried come first.
    uct = uct_body(moves: usize, visits: &[u32], rewards: &[u64], explore: f64, scores: &mut Vec<f64>) -> Best
}

kernel! {
    /// Scores moves by [`grave_value`].
    grave = grave_body(moves: usize, visits: &[u32], rewards: &[u64], amaf: &[Tally], bias: f64,
        scores: &mut Vec<f64>) -> Best
}

kernel! {
    /// Scores moves by [`mcps_value`].
    mcps = mcps_body(moves: usize, visits: &[u32], rewards: &[u64], amaf: &[Tally], permutations: &[Tally],
        scores: &mut Vec<f64>) -> Best
}

kernel! {
    /// Scores moves by [`optimal_value`].
    optimal = optimal_body(moves: usize, visits: &[u32], rewards: &[u64], amaf: &[Tally], permutations: &[Tally],
        scores: &mut Vec<f64>) -> Best
}

kernel! {
    /// The best of `scores`, which are as many as a multiple of [`LANES`].
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
fn uct_body(moves: usize, visits: &[u32], rewards: &[u64], explore: f64, scores: &mut Vec<f64>) -> Best {
    let untried = visits[..moves].iter().map(|&n| u32::from(n == 0)).sum::<u32>();
    if untried > 0 {
        scores.clear();
        scores.extend(visits[..moves].iter().map(|&n| if n == 0 { 1.0 } else { 0.0 }));
        return Best { first: visits.iter().position(|&n| n == 0).unwrap_or(0), count: untried as usize };
    }
    scores.resize(visits.len(), 0.0);
    for ((scores, n), w) in lanes_mut(scores).zip(lanes(visits)).zip(lanes(rewards)) {
        for i in 0..LANES {
            let n = count(n[i]);
            scores[i] = (sum(w[i]) + explore * n.sqrt()) / n;
        }
    }
    scores[moves..].fill(f64::NEG_INFINITY);
    best_body(scores)
}

#[inline(always)]
fn grave_body(
    moves: usize,
    visits: &[u32],
    rewards: &[u64],
    amaf: &[Tally],
    bias: f64,
    scores: &mut Vec<f64>,
) -> Best {
    scores.resize(visits.len(), 0.0);
    for (((scores, n), w), a) in lanes_mut(scores).zip(lanes(visits)).zip(lanes(rewards)).zip(lanes(amaf)) {
        for i in 0..LANES {
            scores[i] = grave_value(count(n[i]), sum(w[i]), count(a[i].count()), sum(a[i].sum()), bias);
        }
    }
    scores[moves..].fill(f64::NEG_INFINITY);
    best_body(scores)
}

/// The loop that both weightings of MCPS share.
macro_rules! three_sources {
    ($name:ident, $value:ident) => {
        #[inline(always)]
        fn $name(
            moves: usize,
            visits: &[u32],
            rewards: &[u64],
            amaf: &[Tally],
            permutations: &[Tally],
            scores: &mut Vec<f64>,
        ) -> Best {
            scores.resize(visits.len(), 0.0);
            let own = lanes_mut(scores).zip(lanes(visits)).zip(lanes(rewards));
            for ((((scores, n), w), a), p) in own.zip(lanes(amaf)).zip(lanes(permutations)) {
                for i in 0..LANES {
                    let (an, aw) = (count(a[i].count()), sum(a[i].sum()));
                    let (pn, pw) = (count(p[i].count()), sum(p[i].sum()));
                    scores[i] = $value(count(n[i]), sum(w[i]), an, aw, pn, pw);
                }
            }
            scores[moves..].fill(f64::NEG_INFINITY);
            best_body(scores)
        }
    };
}

three_sources!(mcps_body, mcps_value);
three_sources!(optimal_body, optimal_value);

#[inline(always)]
fn best_body(scores: &[f64]) -> Best {
    // A running maximum for each lane, so that the loop needs no order among elements and becomes wide.
    let greater = |a: f64, b: f64| if b > a { b } else { a };
    let mut maxima = [f64::NEG_INFINITY; LANES];
    for scores in lanes(scores) {
        for i in 0..LANES {
            maxima[i] = greater(maxima[i], scores[i]);
        }
    }
    let max = maxima.into_iter().fold(f64::NEG_INFINITY, greater);
    let mut best = Best { first: usize::MAX, count: 0 };
    for (chunk, scores) in lanes(scores).enumerate() {
        let ties: u64 = scores.iter().map(|&score| u64::from(score == max)).sum();
        if ties > 0 {
            if best.count == 0 {
                best.first = chunk * LANES + scores.iter().position(|&score| score == max).unwrap_or(0);
            }
            best.count += ties as usize;
        }
    }
    best
}

/// The elements, `LANES` at a time.
#[inline(always)]
fn lanes<T>(items: &[T]) -> impl Iterator<Item = &[T; LANES]> {
    items.as_chunks().0.iter()
}

/// The elements, `LANES` at a time.
#[inline(always)]
fn lanes_mut<T>(items: &mut [T]) -> impl Iterator<Item = &mut [T; LANES]> {
    items.as_chunks_mut().0.iter_mut()
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

/// Legal codes of a node that share a word of a playout's row. Their bits there, brought next to each other and moved up
/// by `shift`, are slots of group `group`; a group is 64 slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) mask: u64,
    pub(crate) word: u32,
    pub(crate) group: u16,
    pub(crate) shift: u16,
}

/// Lays ascending codes out in slots, one for each distinct code. Returns the number of slots.
pub(crate) fn spans_of(codes: &[u32], spans: &mut Vec<Span>) -> usize {
    let first = spans.len();
    let mut slots = 0;
    let mut last = None;
    for &code in codes {
        if last == Some(code) {
            continue;
        }
        last = Some(code);
        let (word, bit, group) = (code / 64, 1u64 << (code % 64), (slots / 64) as u16);
        match spans[first..].last_mut() {
            Some(span) if span.word == word && span.group == group => span.mask |= bit,
            _ => spans.push(Span { mask: bit, word, group, shift: (slots % 64) as u16 }),
        }
        slots += 1;
    }
    slots
}

/// The playouts of a search, `stride` words each: first a bit for every code, from word `tallies` on what the playout
/// adds to a tally of each player. Side by side, because both are looked at together and each look is a cache miss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Playouts<'a> {
    pub(crate) words: &'a [u64],
    pub(crate) stride: usize,
    pub(crate) tallies: usize,
}

/// Adds the playouts of `matches` to the tallies of a node's legal codes, `slots`, as many as a multiple of [`LANES`]: each playout's tally for `player` to the slot
/// of every code that its row contains.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn absorb(
    level: Level,
    slots: &mut [Tally],
    spans: &[Span],
    playouts: Playouts<'_>,
    player: usize,
    matches: &[u32],
) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn wide(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, player: usize, matches: &[u32]) {
            absorb_body(
                |word, mask| std::arch::x86_64::_pext_u64(word, mask),
                slots,
                spans,
                playouts,
                player,
                matches,
            );
        }
        if level == Level::Wide {
            // SAFETY: `Wide` says that the processor has these features.
            return unsafe { wide(slots, spans, playouts, player, matches) };
        }
    }
    let _ = level;
    absorb_body(extract_portable, slots, spans, playouts, player, matches);
}

/// The bits of `word` under `mask`, next to each other from bit 0 up.
fn extract_portable(word: u64, mask: u64) -> u64 {
    let (mut out, mut present) = (0, word & mask);
    while present != 0 {
        let below = (present & present.wrapping_neg()) - 1;
        out |= 1 << (mask & below).count_ones();
        present &= present - 1;
    }
    out
}

#[inline(always)]
fn absorb_body(
    extract: impl Fn(u64, u64) -> u64,
    slots: &mut [Tally],
    spans: &[Span],
    playouts: Playouts<'_>,
    player: usize,
    matches: &[u32],
) {
    let mut spans = spans;
    for slots in slots.chunks_mut(64) {
        let group = spans.first().map_or(0, |span| span.group);
        let count = spans.iter().take_while(|span| span.group == group).count();
        let (mine, rest) = spans.split_at(count);
        spans = rest;
        let row = |playout: u32| &playouts.words[playout as usize * playouts.stride..][..playouts.stride];
        let present = |row: &[u64]| {
            mine.iter().fold(0, |bits, span| bits | extract(row[span.word as usize], span.mask) << span.shift)
        };
        let tally = |row: &[u64]| Tally(row[playouts.tallies + player]);
        // A batch this small is faster one by one.
        if matches.len() < 8 {
            for &playout in matches {
                let row = row(playout);
                add_where(slots, present(row), tally(row));
            }
            continue;
        }
        // Most games have two rewards, win and loss. All playouts are counted as if they had the first reward, those with
        // the second are counted again with the difference; what has neither is added by itself.
        let first = tally(row(matches[0]));
        let second = matches.iter().map(|&playout| tally(row(playout))).find(|tally| *tally != first);
        let second = second.unwrap_or(first);
        let (mut all, mut seconds) = (Counter::default(), Counter::default());
        for chunk in matches.chunks(16) {
            let mut rows = [[0; 16]; 2];
            for (i, &playout) in chunk.iter().enumerate() {
                let row = row(playout);
                let (bits, tally) = (present(row), tally(row));
                rows[0][i] = bits;
                rows[1][i] = bits & u64::from(tally == second).wrapping_neg();
                if tally != first && tally != second {
                    rows[0][i] = 0;
                    add_where(slots, bits, tally);
                }
            }
            all.add(rows[0], slots, first.0);
            seconds.add(rows[1], slots, second.0.wrapping_sub(first.0));
        }
        all.finish(slots, first.0);
        seconds.finish(slots, second.0.wrapping_sub(first.0));
    }
}

/// Adds `tally` to the slots whose bit is set.
#[inline(always)]
fn add_where(slots: &mut [Tally], bits: u64, tally: Tally) {
    let mut bits = bits;
    for slots in lanes_mut(slots) {
        for (i, slot) in slots.iter_mut().enumerate() {
            slot.0 = slot.0.wrapping_add(tally.0 & (bits >> i & 1).wrapping_neg());
        }
        bits >>= LANES;
    }
}

/// Counts in 64 places at once, sixteen rows of bits at a time: a tree of carry-save adders (Harley and Seal) of which
/// only every sixteenth carry reaches the slots.
#[derive(Default)]
struct Counter {
    /// The bits of the counts that have not reached the slots: ones, twos, fours and eights.
    rest: [u64; 4],
}

impl Counter {
    #[inline(always)]
    fn add(&mut self, rows: [u64; 16], slots: &mut [Tally], tally: u64) {
        /// Adds the rows, two by two, to `sum` in each place; returns the carries.
        #[inline(always)]
        fn carries<const IN: usize, const OUT: usize>(sum: &mut u64, rows: [u64; IN]) -> [u64; OUT] {
            std::array::from_fn(|i| {
                let (a, b) = (rows[2 * i], rows[2 * i + 1]);
                let half = *sum ^ a;
                let carry = *sum & a | half & b;
                *sum = half ^ b;
                carry
            })
        }
        let [ones, twos, fours, eights] = &mut self.rest;
        let rows: [u64; 8] = carries(ones, rows);
        let rows: [u64; 4] = carries(twos, rows);
        let rows: [u64; 2] = carries(fours, rows);
        let [sixteens] = carries(eights, rows);
        add_where(slots, sixteens, Tally(tally.wrapping_mul(16)));
    }

    #[inline(always)]
    fn finish(self, slots: &mut [Tally], tally: u64) {
        for (power, bits) in self.rest.into_iter().enumerate() {
            add_where(slots, bits, Tally(tally.wrapping_mul(1 << power)));
        }
    }
}

kernel! {
    /// Appends the numbers of the playouts in blocks `first..whole` (64 playouts each) whose bit is set in the columns
    /// of all `codes`, `stride` words each, a multiple of [`LANES`]. Of the first block, only those in `keep`.
    conjoin = conjoin_body(columns: &[u64], stride: usize, codes: &[u32], first: usize, whole: usize, keep: u64,
        matches: &mut Vec<u32>) -> ()
}

#[inline(always)]
fn conjoin_body(
    columns: &[u64],
    stride: usize,
    codes: &[u32],
    first: usize,
    whole: usize,
    keep: u64,
    matches: &mut Vec<u32>,
) {
    for at in (first / LANES * LANES..whole).step_by(LANES) {
        let mut words = [u64::MAX; LANES];
        for &code in codes {
            let column = &columns[code as usize * stride + at..][..LANES];
            for (word, other) in words.iter_mut().zip(column) {
                *word &= other;
            }
        }
        for (block, &word) in (at..whole).zip(&words).skip(first.saturating_sub(at)) {
            list_bits(if block == first { word & keep } else { word }, block * 64, matches);
        }
    }
}

/// Appends `first` plus the place of each bit of `word`.
#[inline(always)]
pub(crate) fn list_bits(word: u64, first: usize, matches: &mut Vec<u32>) {
    let mut rest = word;
    while rest != 0 {
        matches.push(first as u32 + rest.trailing_zeros());
        rest &= rest - 1;
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

    #[test]
    fn best_finds_all_ties() {
        for level in levels() {
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
            let (n, w, a, p) = random(&mut rng, moves.next_multiple_of(LANES));
            let run = |level| {
                let mut scores = vec![Vec::new(); 4];
                let best = [
                    uct(level, moves, &n, &w, 91.5, &mut scores[0]),
                    grave(level, moves, &n, &w, &a, 1e-5, &mut scores[1]),
                    mcps(level, moves, &n, &w, &a, &p, &mut scores[2]),
                    optimal(level, moves, &n, &w, &a, &p, &mut scores[3]),
                ];
                (scores, best)
            };
            assert_eq!(run(Level::Portable), run(Level::detect()));
        }
    }

    /// Small and large batches, two rewards and three, slots in one group and in several, on every level.
    #[test]
    fn absorb_adds_to_the_codes_that_are_present() {
        let mut rng = Rng::new(4);
        let (words, players, count) = (3, 2, 500);
        for (rewards, share, batch) in
            [(2, 3, 3), (2, 3, 200), (3, 3, 200), (5, 1, 77), (2, 1, 16), (1, 9, 8)]
        {
            let stride = words + players;
            let mut rows = Vec::new();
            for _ in 0..count {
                rows.extend((0..words).map(|_| rng.bits()));
                rows.extend((0..players).map(|_| Tally::one(rng.below(rewards) as u32).0));
            }
            let playouts = Playouts { words: &rows, stride, tallies: words };
            let legal: Vec<u32> = (0..64 * words as u32).filter(|_| rng.below(share) == 0).collect();
            let mut spans = Vec::new();
            assert_eq!(spans_of(&legal, &mut spans), legal.len());
            let matches: Vec<u32> = (0..batch).map(|i| i * 2).collect();
            for player in 0..players {
                let expected: Vec<Tally> = legal
                    .iter()
                    .map(|&code| {
                        let mut tally = Tally::default();
                        for p in matches.iter().map(|&p| p as usize) {
                            if rows[p * stride + code as usize / 64] >> (code % 64) & 1 == 1 {
                                tally.add(Tally(rows[p * stride + words + player]));
                            }
                        }
                        tally
                    })
                    .collect();
                for level in levels() {
                    let mut slots = vec![Tally::default(); legal.len().next_multiple_of(LANES)];
                    absorb(level, &mut slots, &spans, playouts, player, &matches);
                    assert_eq!(slots[..legal.len()], expected);
                }
            }
        }
    }
}

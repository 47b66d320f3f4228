/// The pairings of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The agents that meet.
    pub pairs: Vec<(usize, usize)>,
    /// The agent that sits out, if the number of agents is odd.
    pub bye: Option<usize>,
}

/// Every agent meets every other once, by the circle method: the first stays in its place and the others rotate.
#[must_use]
pub fn round_robin(agents: usize) -> Vec<Round> {
    if agents < 2 {
        return Vec::new();
    }
    // With an odd number the last place is empty, and the agent paired with it sits out.
    let places = agents.next_multiple_of(2);
    let round = |turn: usize| {
        let held_by = |place: usize| if place == 0 { 0 } else { 1 + (place - 1 + turn) % (places - 1) };
        let mut round = Round::default();
        for place in 0..places / 2 {
            match (held_by(place), held_by(places - 1 - place)) {
                (a, b) if b == agents => round.bye = Some(a),
                (a, b) if a == agents => round.bye = Some(b),
                pair => round.pairs.push(pair),
            }
        }
        round
    };
    (0..places - 1).map(round).collect()
}

/// The first agent meets each of the others in turn.
#[must_use]
pub fn gauntlet(agents: usize) -> Vec<Round> {
    (1..agents).map(|other| Round { pairs: vec![(0, other)], bye: None }).collect()
}

/// The pairings that are tried for each number of rematches and each bye.
const TRIES: usize = 100_000;

/// The next round of a Swiss tournament by the Monrad system: in the order of their points, then of their numbers, each
/// agent meets the next that it has not met. There are as few rematches as possible. With an odd number, the last of
/// the agents with the fewest byes sits out, or the one before it if that saves a rematch.
#[must_use]
pub fn swiss(points: &[f64], past: &[Round]) -> Round {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[b].total_cmp(&points[a]).then(a.cmp(&b)));
    let met = |a: usize, b: usize| {
        past.iter().any(|round| round.pairs.contains(&(a, b)) || round.pairs.contains(&(b, a)))
    };
    let byes = |agent: usize| past.iter().filter(|round| round.bye == Some(agent)).count();
    let fewest = order.iter().map(|&agent| byes(agent)).min();
    let left_over: Vec<Option<usize>> = if points.len().is_multiple_of(2) {
        vec![None]
    } else {
        order.iter().rev().copied().filter(|&agent| Some(byes(agent)) == fewest).map(Some).collect()
    };
    for rematches in 0..=points.len() / 2 {
        for &bye in &left_over {
            let rest: Vec<usize> = order.iter().copied().filter(|&agent| Some(agent) != bye).collect();
            let mut pairs = Vec::new();
            if pair(&rest, &met, rematches, &mut TRIES.clone(), &mut pairs) {
                return Round { pairs, bye };
            }
        }
    }
    // With as many rematches as pairs the first try succeeds, so this is reached only without agents.
    Round::default()
}

/// Pairs the first with the nearest that lets all others be paired, with at most `rematches` rematches.
fn pair(
    rest: &[usize],
    met: &dyn Fn(usize, usize) -> bool,
    rematches: usize,
    tries: &mut usize,
    pairs: &mut Vec<(usize, usize)>,
) -> bool {
    let Some((&first, others)) = rest.split_first() else { return true };
    for (i, &other) in others.iter().enumerate() {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let again = usize::from(met(first, other));
        if again > rematches {
            continue;
        }
        pairs.push((first, other));
        let left = [&others[..i], &others[i + 1..]].concat();
        if pair(&left, met, rematches - again, tries, pairs) {
            return true;
        }
        pairs.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_zoo::Rng;

    /// Every agent is in a round once, paired or sitting out.
    fn complete(round: &Round, agents: usize) {
        let mut seen: Vec<usize> = round.pairs.iter().flat_map(|&(a, b)| [a, b]).chain(round.bye).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..agents).collect::<Vec<_>>(), "{round:?}");
        assert_eq!(round.bye.is_some(), agents % 2 == 1);
    }

    fn sorted(rounds: &[Round]) -> Vec<(usize, usize)> {
        let mut all: Vec<_> =
            rounds.iter().flat_map(|round| &round.pairs).map(|&(a, b)| (a.min(b), a.max(b))).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn everybody_meets_everybody_once() {
        for agents in 2..12 {
            let rounds = round_robin(agents);
            assert_eq!(rounds.len(), agents - 1 + agents % 2);
            rounds.iter().for_each(|round| complete(round, agents));
            let all: Vec<_> = (0..agents).flat_map(|a| (a + 1..agents).map(move |b| (a, b))).collect();
            assert_eq!(sorted(&rounds), all);
            let byes: std::collections::BTreeSet<_> = rounds.iter().filter_map(|round| round.bye).collect();
            assert_eq!(byes.len(), if agents % 2 == 1 { agents } else { 0 });
        }
        assert!(round_robin(0).is_empty() && round_robin(1).is_empty());
    }

    #[test]
    fn one_meets_all() {
        assert_eq!(sorted(&gauntlet(4)), [(0, 1), (0, 2), (0, 3)]);
        assert!(gauntlet(0).is_empty() && gauntlet(1).is_empty());
    }

    #[test]
    fn equals_meet() {
        let first = swiss(&[0.0; 5], &[]);
        assert_eq!(first, Round { pairs: vec![(0, 1), (2, 3)], bye: Some(4) });
        // The winners of the first round meet; the last without a bye sits out.
        let second = swiss(&[0.0, 1.0, 0.0, 1.0, 1.0], std::slice::from_ref(&first));
        assert_eq!(second, Round { pairs: vec![(1, 3), (4, 0)], bye: Some(2) });
        // The leaders have met, so each takes the next.
        let third = swiss(&[2.0, 2.0, 1.0, 1.0], &[Round { pairs: vec![(0, 1), (2, 3)], bye: None }]);
        assert_eq!(third.pairs, [(0, 2), (1, 3)]);
        assert_eq!(
            (swiss(&[], &[]), swiss(&[0.0], &[])),
            (Round::default(), Round { pairs: vec![], bye: Some(0) })
        );
    }

    /// The fewest rematches of any pairing, by trying all.
    fn fewest_rematches(rest: &[usize], past: &[(usize, usize)]) -> usize {
        let Some((&first, others)) = rest.split_first() else { return 0 };
        let with = |i: usize| {
            let left = [&others[..i], &others[i + 1..]].concat();
            let pair = (first.min(others[i]), first.max(others[i]));
            usize::from(past.contains(&pair)) + fewest_rematches(&left, past)
        };
        (0..others.len()).map(with).min().unwrap()
    }

    /// Whatever the results, there are no avoidable rematches, and no agent sits out twice before all have.
    #[test]
    fn rematches_are_rare() {
        let mut forced = 0;
        for agents in 2..=8 {
            for seed in 0..20 {
                let mut rng = Rng::new(seed);
                let (mut past, mut points) = (Vec::new(), vec![0.0; agents]);
                for turn in 0..agents + 2 {
                    let round = swiss(&points, &past);
                    complete(&round, agents);
                    let before = sorted(&past);
                    let again = sorted(std::slice::from_ref(&round))
                        .iter()
                        .filter(|pair| before.contains(pair))
                        .count();
                    let waits =
                        |agent: usize| past.iter().filter(|round: &&Round| round.bye == Some(agent)).count();
                    let may_wait = (0..agents).filter(|&agent| waits(agent) == turn / agents);
                    let options: Vec<Option<usize>> =
                        if agents % 2 == 1 { may_wait.map(Some).collect() } else { vec![None] };
                    assert!(options.contains(&round.bye), "{round:?}");
                    let rest =
                        |bye: Option<usize>| (0..agents).filter(|&a| Some(a) != bye).collect::<Vec<_>>();
                    let fewest =
                        options.iter().map(|&bye| fewest_rematches(&rest(bye), &before)).min().unwrap();
                    assert_eq!(again, fewest, "{agents} agents, round {turn}: {round:?}");
                    forced += again;
                    for &(a, b) in &round.pairs {
                        points[if rng.below(2) == 0 { a } else { b }] += 1.0;
                    }
                    past.push(round);
                }
            }
        }
        assert!(forced > 0, "more rounds than opponents");
    }

    /// Large fields are paired quickly, in as many rounds as a Swiss tournament has.
    #[test]
    fn large_fields() {
        let (agents, mut past, mut points) = (151, Vec::new(), vec![0.0; 151]);
        for _ in 0..9 {
            let round = swiss(&points, &past);
            complete(&round, agents);
            round.pairs.iter().for_each(|&(a, b)| points[a.min(b)] += 1.0);
            past.push(round);
        }
        let (mut all, met) = (sorted(&past), sorted(&past).len());
        all.dedup();
        assert_eq!(all.len(), met);
    }
}

/// Every way to seat all `agents` agents in `players` seats, each as a list of the agent in each seat. Empty without
/// agents, or with more agents than seats. In a one-player game each agent takes the seat in turn.
///
/// Each seating is followed by its rotations, so that seats stay balanced if a match ends before the list does: two
/// agents in two seats swap after every game.
pub(crate) fn seatings(players: usize, agents: usize) -> Vec<Vec<usize>> {
    if players == 1 {
        return (0..agents).map(|agent| vec![agent]).collect();
    }
    let mut all = Vec::new();
    fill(&mut Vec::with_capacity(players), players, agents, &mut all);
    all
}

/// Fills the next seat with each agent in turn, and adds what can be completed.
fn fill(seats: &mut Vec<usize>, players: usize, agents: usize, all: &mut Vec<Vec<usize>>) {
    let missing = (0..agents).filter(|agent| !seats.contains(agent)).count();
    if missing > players - seats.len() || agents == 0 {
        return;
    }
    if seats.len() == players {
        add_rotations(seats, all);
        return;
    }
    for agent in 0..agents {
        seats.push(agent);
        fill(seats, players, agents, all);
        seats.pop();
    }
}

/// Adds `seats` and its distinct rotations, unless another of them comes first in lexicographic order: that one adds
/// them all.
fn add_rotations(seats: &[usize], all: &mut Vec<Vec<usize>>) {
    let rotated = |by: usize| [&seats[by..], &seats[..by]].concat();
    let rotations: Vec<Vec<usize>> = (0..seats.len()).map(rotated).collect();
    if rotations.iter().any(|other| *other < rotations[0]) {
        return;
    }
    // A periodic seating equals one of its own rotations.
    let period = (1..seats.len()).find(|&by| rotations[by] == rotations[0]).unwrap_or(seats.len());
    all.extend(rotations.into_iter().take(period));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_lists() {
        assert_eq!(seatings(1, 1), [[0]]);
        assert_eq!(seatings(1, 3), [[0], [1], [2]]);
        assert_eq!(seatings(2, 1), [[0, 0]]);
        assert_eq!(seatings(2, 2), [[0, 1], [1, 0]]);
        assert_eq!(seatings(3, 2), [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 1, 0], [1, 0, 1]]);
        assert_eq!(seatings(3, 3), [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]]);
        assert!(seatings(1, 0).is_empty() && seatings(2, 0).is_empty() && seatings(2, 3).is_empty());
    }

    /// The number of surjections is agents! times a Stirling number of the second kind.
    #[test]
    fn every_seating_once() {
        for (players, agents, count) in
            [(4, 2, 14), (4, 3, 36), (4, 4, 24), (6, 2, 62), (6, 3, 540), (8, 8, 40_320)]
        {
            let mut all = seatings(players, agents);
            assert_eq!(all.len(), count);
            for agent in 0..agents {
                let held = |seat: usize| all.iter().filter(|seats| seats[seat] == agent).count();
                assert!((0..players).all(|seat| held(seat) == held(0)));
                assert!(all.iter().all(|seats| seats.contains(&agent)));
            }
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
        }
    }
}

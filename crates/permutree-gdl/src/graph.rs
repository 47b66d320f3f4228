//! Strongly connected components.

/// The strongly connected components of a graph, those that are led to before those that lead to them (Tarjan 1972, with a
/// list in place of the recursion). `edges` gives the nodes that a node leads to.
pub(crate) fn components<'a>(nodes: usize, edges: impl Fn(usize) -> &'a [u32]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let (mut found, mut count) = (Vec::new(), 0);
    let mut number = vec![NEW; nodes];
    let mut low = vec![0; nodes];
    let mut waiting = vec![false; nodes];
    let (mut stack, mut path): (Vec<u32>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    for root in 0..nodes {
        if number[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            if *edge == 0 {
                (number[node], low[node], waiting[node]) = (count, count, true);
                count += 1;
                stack.push(node as u32);
            }
            let Some(&next) = edges(node).get(*edge) else {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == number[node] {
                    let first = stack.iter().rposition(|&n| n as usize == node).unwrap_or(0);
                    let component = stack.split_off(first);
                    component.iter().for_each(|&n| waiting[n as usize] = false);
                    found.push(component);
                }
                continue;
            };
            *edge += 1;
            let next = next as usize;
            if number[next] == NEW {
                path.push((next, 0));
            } else if waiting[next] {
                low[node] = low[node].min(number[next]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_in_order() {
        // 0 leads to the circle 1, 2, 3, which leads to 4; 5 leads to itself.
        let edges: [&[u32]; 6] = [&[1], &[2], &[3, 4], &[1], &[], &[5]];
        let mut found = components(6, |node| edges[node]);
        found.iter_mut().for_each(|component| component.sort_unstable());
        assert_eq!(found, [vec![4], vec![1, 2, 3], vec![0], vec![5]]);
        // A path of a million nodes needs no deep recursion.
        let path: Vec<u32> = (1..=1_000_000).collect();
        assert_eq!(components(1_000_000, |node| &path[node..(node + 1).min(999_999)]).len(), 1_000_000);
    }
}

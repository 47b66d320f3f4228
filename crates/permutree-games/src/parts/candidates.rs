//! A set of points to draw from in a playout.

use permutree_game::Rng;

/// A set of points below `N` with random draw and removal in constant time.
///
/// A draw depends only on the last removal, which keeps the critical path of playouts short: choosing a random bit of a
/// word takes several times as long.
#[derive(Clone, Debug)]
pub struct Candidates<const N: usize> {
    /// The points in the set, then those removed from it.
    points: [u16; N],
    /// Where each point is in that list.
    place: [u16; N],
    len: usize,
}

impl<const N: usize> Candidates<N> {
    /// No points.
    pub const EMPTY: Self = Self { points: [0; N], place: [N as u16; N], len: 0 };

    /// Adds a new point. No point may have been removed yet.
    #[inline]
    pub fn push(&mut self, point: usize) {
        self.points[self.len] = point as u16;
        self.place[point] = self.len as u16;
        self.len += 1;
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A random point, uniformly; `None` from an empty set.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> Option<usize> {
        (self.len > 0).then(|| usize::from(self.points[rng.below(self.len)]))
    }

    /// Removes `point`, if it is in the set.
    #[inline]
    pub fn remove(&mut self, point: usize) {
        let place = usize::from(self.place[point]);
        if place < self.len {
            self.len -= 1;
            let last = self.points[self.len];
            self.points[place] = last;
            self.place[usize::from(last)] = place as u16;
            self.points[self.len] = point as u16;
            self.place[point] = self.len as u16;
        }
    }

    /// Puts back `point`, which must have been removed.
    #[inline]
    pub fn insert(&mut self, point: usize) {
        let (place, first) = (self.place[point], self.points[self.len]);
        self.points[usize::from(place)] = first;
        self.place[usize::from(first)] = place;
        self.points[self.len] = point as u16;
        self.place[point] = self.len as u16;
        self.len += 1;
    }

    /// Puts back the `count` points removed last.
    #[inline]
    pub fn put_back(&mut self, count: usize) {
        self.len += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_uniform_over_what_is_left() {
        let mut set = Candidates::<32>::EMPTY;
        (0..20).step_by(2).for_each(|point| set.push(point));
        for point in [3, 4, 18, 4] {
            set.remove(point);
        }
        set.put_back(1);
        for point in [0, 6, 12] {
            set.remove(point);
        }
        for point in [6, 0, 12] {
            set.insert(point);
        }
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 32];
        for _ in 0..90_000 {
            counts[set.draw(&mut rng).unwrap()] += 1;
        }
        for (point, &count) in counts.iter().enumerate() {
            let inside = point < 20 && point % 2 == 0 && point != 4;
            // Binomial with standard deviation 94.
            assert!(if inside { count.abs_diff(10_000) < 471 } else { count == 0 }, "{point}: {count}");
        }
        (0..20).for_each(|point| set.remove(point));
        assert_eq!(set.draw(&mut rng), None);
    }
}

//! The travelling salesman problem, a puzzle for one player.
//!
//! A board is generated from its number: cities are points of a square of side [`SIDE`], each in its own cell of a map of
//! [`MAP`] by [`MAP`] cells, so that the map can be shown as text. Distances are rounded to whole numbers, as in TSPLIB.
//!
//! The reward is linear in the length of the tour: 1 at a lower bound and 0 at an upper bound. A tour uses two roads of
//! every city, so half the sum of the two shortest roads of all cities is a lower bound, and half the sum of the two longest
//! an upper bound. On the default board a random tour gets about 0.44 and a good one 0.9.

use permutree_game::draw::{COLOURS, Svg};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};
use std::fmt::Write;

/// The side of the square.
pub const SIDE: usize = 1024;
/// The cells of the map per side.
pub const MAP: usize = 16;

/// A problem of at most `N` cities. `N` is a power of two, so that index checks are masks. Cities count from 0.
#[derive(Clone, Debug)]
pub struct Tsp<const N: usize = 32> {
    points: Vec<(usize, usize)>,
    /// The road from one city to another is at `from * N + to`.
    roads: Vec<u16>,
    /// A lower bound of the length of a tour.
    shortest: u32,
    /// An upper bound.
    longest: u32,
}

impl Configure for Tsp {
    const FACTS: Facts = Facts {
        name: "tsp",
        title: "Travelling salesman",
        rules: "For one player. Start in city 1, visit every other city once and return. The shorter the tour, the higher \
                the reward.",
        source: "traditional",
        params: &[
            Param::int("cities", 4, 99, "20", "cities"),
            Param::int("board", 0, i64::MAX, "1", "number of the board"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (cities, board) = (args.int("cities"), args.int("board") as u64);
        Ok(if cities <= 32 {
            visitor.visit(Tsp::<32>::new(cities, board))
        } else {
            visitor.visit(Tsp::<128>::new(cities, board))
        })
    }
}

/// The tour so far.
#[derive(Clone, Copy, Debug)]
pub struct Position<const N: usize> {
    /// The cities in the order of the tour, then the others in any order.
    order: [u8; N],
    /// Where each city is in `order`.
    places: [u8; N],
    /// How many cities have been visited.
    visited: u8,
    /// The length of the tour so far, with the way back once all cities are visited.
    length: u32,
}

/// The next city.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct City(u8);

impl<const N: usize> Tsp<N> {
    /// The problem with this number, which seeds the generator of its cities.
    ///
    /// # Panics
    /// If the cities are not in 4..=99, or more than `N`.
    #[must_use]
    pub fn new(cities: usize, board: u64) -> Self {
        assert!((4..=99).contains(&cities) && cities <= N, "{cities} cities, at most {N}");
        let mut rng = Rng::new(board);
        let mut cells: Vec<usize> = (0..MAP * MAP).collect();
        rng.shuffle(&mut cells);
        let mut within = |cell: usize| cell * (SIDE / MAP) + rng.below(SIDE / MAP);
        let points: Vec<(usize, usize)> =
            cells[..cities].iter().map(|cell| (within(cell % MAP), within(cell / MAP))).collect();
        let mut roads = vec![0; N * N];
        let (mut shortest, mut longest) = (0, 0);
        for (from, a) in points.iter().enumerate() {
            for (to, b) in points.iter().enumerate() {
                roads[from * N + to] = distance(*a, *b);
            }
            let mut sorted = roads[from * N..from * N + cities].to_vec();
            sorted.sort_unstable();
            // The first is the road from the city to itself.
            shortest += u32::from(sorted[1]) + u32::from(sorted[2]);
            longest += u32::from(sorted[cities - 1]) + u32::from(sorted[cities - 2]);
        }
        Self { points, roads, shortest: shortest.div_ceil(2), longest: longest / 2 }
    }

    fn cities(&self) -> usize {
        self.points.len()
    }

    #[inline]
    fn road(&self, from: u8, to: u8) -> u32 {
        u32::from(self.roads[usize::from(from) % N * N + usize::from(to) % N])
    }

    #[inline]
    fn is_over(&self, position: &Position<N>) -> bool {
        usize::from(position.visited) == self.cities()
    }
}

impl<const N: usize> Position<N> {
    /// The city visited last.
    #[inline]
    fn here(&self) -> u8 {
        self.order[usize::from(self.visited - 1) % N]
    }

    fn tour(&self) -> &[u8] {
        &self.order[..usize::from(self.visited)]
    }
}

impl<const N: usize> Game for Tsp<N> {
    type Position = Position<N>;
    type Move = City;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> Position<N> {
        let order = std::array::from_fn(|city| city as u8);
        Position { order, places: order, visited: 1, length: 0 }
    }

    #[inline]
    fn turn(&self, position: &Position<N>) -> Turn {
        if self.is_over(position) { Turn::Over } else { Turn::Player(Player(0)) }
    }

    fn moves(&self, position: &Position<N>, out: &mut Vec<City>) {
        let left = (0..self.cities()).filter(|&city| position.places[city] >= position.visited);
        out.extend(left.map(|city| City(city as u8)));
    }

    #[inline]
    fn play(&self, position: &mut Position<N>, City(city): City) {
        position.length += self.road(position.here(), city);
        let (place, next) = (position.places[usize::from(city) % N], position.visited);
        let other = position.order[usize::from(next) % N];
        position.order[usize::from(place) % N] = other;
        position.order[usize::from(next) % N] = city;
        position.places[usize::from(other) % N] = place;
        position.places[usize::from(city) % N] = next;
        position.visited += 1;
        if self.is_over(position) {
            position.length += self.road(city, position.order[0]);
        }
    }

    fn rewards(&self, position: &Position<N>) -> Rewards {
        let (saved, most) = (self.longest - position.length, self.longest - self.shortest);
        Rewards::from_slice(&[f64::from(saved) / f64::from(most.max(1))])
    }

    /// The order of the visited cities does not matter.
    fn hash(&self, position: &Position<N>) -> u64 {
        let mut visited = [0; 2];
        position.tour().iter().for_each(|city| visited[usize::from(city / 64)] |= 1 << (city % 64));
        let state = u64::from(position.length) << 8 | u64::from(position.here());
        Hasher::new().word(state).word(visited[0]).word(visited[1]).finish()
    }

    /// No move leads to city 1.
    fn codes(&self, _coding: usize) -> usize {
        self.cities() * (self.cities() - 1)
    }

    /// The city left and the city reached.
    #[inline]
    fn code(&self, position: &Position<N>, City(city): City, _coding: usize) -> Code {
        Code::from(position.here()) * (self.cities() as Code - 1) + Code::from(city - 1)
    }

    fn move_text(&self, _position: &Position<N>, City(city): City) -> String {
        (city + 1).to_string()
    }

    /// The map: `[7]` is the current city, `(7)` a visited one.
    fn board(&self, position: &Position<N>, _last: Option<City>) -> String {
        let mut cells = vec!["  . ".to_string(); MAP * MAP];
        for (city, (x, y)) in self.points.iter().enumerate() {
            let (before, after) = match position.places[city] {
                _ if city == usize::from(position.here()) => ('[', ']'),
                place if place < position.visited => ('(', ')'),
                _ => (' ', ' '),
            };
            cells[y / (SIDE / MAP) * MAP + x / (SIDE / MAP)] = format!("{before}{:>2}{after}", city + 1);
        }
        let mut out = String::new();
        for row in cells.chunks(MAP).rev() {
            out.push_str(row.concat().trim_end());
            out.push('\n');
        }
        out.push_str("tour");
        for city in position.tour() {
            let _ = write!(out, " {}", city + 1);
        }
        let _ = writeln!(out, "\nlength {}", position.length);
        out
    }

    fn picture(&self, position: &Position<N>, last: Option<City>) -> String {
        const SCALE: f64 = 0.5;
        let side = SIDE as f64 * SCALE + 40.0;
        let at = |city: u8| {
            let (x, y) = self.points[usize::from(city)];
            (x as f64 * SCALE + 20.0, side - 20.0 - y as f64 * SCALE)
        };
        let mut svg = Svg::new(side, side + 20.0);
        let tour = position.tour();
        for (i, road) in tour.windows(2).enumerate() {
            let newest = last.is_some() && i + 2 == tour.len();
            svg.line(at(road[0]), at(road[1]), COLOURS[usize::from(!newest)], if newest { 5.0 } else { 3.0 });
        }
        if self.is_over(position) {
            svg.line(at(position.here()), at(tour[0]), COLOURS[1], 3.0);
        }
        for city in 0..self.cities() as u8 {
            let ((x, y), visited) = (at(city), position.places[usize::from(city)] < position.visited);
            let fill = match city {
                _ if city == position.here() => COLOURS[0],
                0 => COLOURS[2],
                _ if visited => COLOURS[1],
                _ => "#fff",
            };
            svg.disc(x, y, 10.0, fill);
            svg.text(x, y, 11.0, if fill == "#fff" { "#222" } else { "#fff" }, city + 1);
            svg.place(&(city + 1).to_string(), (x, y), 12.0);
        }
        svg.text(side / 2.0, side + 4.0, 15.0, "#222", format!("length {}", position.length));
        svg.finish()
    }

    #[inline]
    fn random_move(&self, position: &Position<N>, rng: &mut Rng, _scratch: &mut Vec<City>) -> Option<City> {
        let visited = usize::from(position.visited);
        let place = visited + rng.below(self.cities() - visited);
        (!self.is_over(position)).then(|| City(position.order[place % N]))
    }
}

/// Rounded to a whole number. Square roots are exact to the last bit on every machine.
fn distance(a: (usize, usize), b: (usize, usize)) -> u16 {
    let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
    ((dx * dx + dy * dy) as f64).sqrt().round() as u16
}

//! Order and Chaos: both players place both symbols; one wants a line, the other prevents it.

use crate::parts::bits::Bits;
use crate::parts::lines::{Points, completing, longest_open_run, runs, steps};
use permutree_game::draw::{CELL, COLOURS, STONES, SquareBoard, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};

/// The rules on a board that fits in `W` words: 1 up to size 7, 2 up to 9. Player 1 is Order, player 2 is Chaos.
#[derive(Clone, Copy, Debug)]
pub struct OrderAndChaos<const W: usize = 1> {
    size: usize,
    /// Every cell of the board.
    board: Bits<W>,
}

/// Symbols as bits, `row * (size + 1) + column`. The bit right of each row stays empty and keeps rows apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<const W: usize> {
    /// The cells with each symbol.
    symbols: [Bits<W>; 2],
    player: Player,
    /// Whether five equal symbols are in a row.
    five: bool,
    /// How many cells are empty.
    empty: u8,
}

/// A symbol, 0 or 1, on the bit of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    symbol: u8,
    bit: u8,
}

const ORDER: Player = Player(0);
const CHAOS: Player = Player(1);
/// The number of symbols in a row that Order needs.
const LINE: usize = 5;

impl Configure for OrderAndChaos {
    const FACTS: Facts = Facts {
        name: "order-and-chaos",
        title: "Order and Chaos",
        rules: "Players take turns placing either symbol, x or o, on an empty cell. Player 1, Order, wins as soon as five or \
                more equal symbols are in a row, column or diagonal, no matter who completed it. Player 2, Chaos, wins \
                if the board fills up without one.",
        source: "Stephen Sniderman 1981; the paper Monte Carlo Search algorithms for Order & Chaos",
        params: &[Param::int("size", 5, 9, "6", "cells per side")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let size = args.int("size");
        Ok(if size <= 7 {
            visitor.visit(OrderAndChaos::<1>::new(size))
        } else {
            visitor.visit(OrderAndChaos::<2>::new(size))
        })
    }
}

impl<const W: usize> OrderAndChaos<W> {
    /// The game on a board of this size.
    ///
    /// # Panics
    /// If the size is not in 5..=9, or `size * (size + 1)` bits do not fit in `W` words.
    #[must_use]
    pub fn new(size: usize) -> Self {
        assert!((5..=9).contains(&size) && size * (size + 1) <= 64 * W, "size {size} in {W} words");
        let cells = (0..size * size).map(|number| number + number / size);
        Self { size, board: cells.collect() }
    }

    #[inline]
    fn stride(&self) -> usize {
        self.size + 1
    }

    #[inline]
    fn empty(&self, position: &Position<W>) -> Bits<W> {
        self.board & !(position.symbols[0] | position.symbols[1])
    }

    #[inline]
    fn has_five(&self, cells: Bits<W>) -> bool {
        steps(self.stride()).into_iter().any(|step| !runs(cells, step, LINE).is_empty())
    }

    fn column_and_row(&self, bit: u8) -> (usize, usize) {
        (usize::from(bit) % self.stride(), usize::from(bit) / self.stride())
    }

    fn symbol(position: &Position<W>, bit: usize) -> Option<usize> {
        (0..2).find(|&symbol| position.symbols[symbol].contains(bit))
    }

    #[inline]
    fn code_of(&self, player: Player, Move { symbol, bit }: Move) -> Code {
        let (column, row) = self.column_and_row(bit);
        let board = usize::from(player.0) * 2 + usize::from(symbol);
        ((board * self.size + row) * self.size + column) as Code
    }

    /// The cells that are part of five or more equal symbols in a row.
    fn lines(&self, position: &Position<W>) -> Bits<W> {
        let mut lines = Bits::EMPTY;
        for symbols in position.symbols {
            for step in steps(self.stride()) {
                let first = runs(symbols, step, LINE);
                (0..LINE).for_each(|i| lines |= first.up(i * step));
            }
        }
        lines
    }
}

impl<const W: usize> Game for OrderAndChaos<W> {
    type Position = Position<W>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<W> {
        Position {
            symbols: [Bits::EMPTY; 2],
            player: ORDER,
            five: false,
            empty: (self.size * self.size) as u8,
        }
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        if position.five || position.empty == 0 { Turn::Over } else { Turn::Player(position.player) }
    }

    #[inline]
    fn moves(&self, position: &Position<W>, out: &mut Vec<Move>) {
        if !position.five {
            let empty = self.empty(position);
            for symbol in 0..2 {
                out.extend(empty.iter().map(|bit| Move { symbol, bit: bit as u8 }));
            }
        }
    }

    #[inline]
    fn play(&self, position: &mut Position<W>, Move { symbol, bit }: Move) {
        let cells = &mut position.symbols[usize::from(symbol) & 1];
        cells.insert(bit.into());
        position.five = self.has_five(*cells);
        position.player = position.player.other();
        position.empty -= 1;
    }

    #[inline]
    fn rewards(&self, position: &Position<W>) -> Rewards {
        Rewards::win(2, if position.five { ORDER } else { CHAOS })
    }

    #[inline]
    fn hash(&self, position: &Position<W>) -> u64 {
        position.symbols.iter().flat_map(|cells| cells.0).fold(Hasher::new(), Hasher::word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        4 * self.size * self.size
    }

    #[inline]
    fn code(&self, position: &Position<W>, mv: Move, _coding: usize) -> Code {
        self.code_of(position.player, mv)
    }

    /// The symbol and the cell, such as `xb2`.
    fn move_text(&self, _position: &Position<W>, Move { symbol, bit }: Move) -> String {
        let (column, row) = self.column_and_row(bit);
        format!("{}{}", STONES[usize::from(symbol)], square(column, row))
    }

    fn board(&self, position: &Position<W>, last: Option<Move>) -> String {
        let marked = last.map(|mv| self.column_and_row(mv.bit));
        grid(self.size, self.size, 0, marked, |column, row| {
            Self::symbol(position, row * self.stride() + column).map_or('.', |symbol| STONES[symbol])
        })
    }

    fn picture(&self, position: &Position<W>, last: Option<Move>) -> String {
        let mut board = SquareBoard::new(self.size, self.size, false);
        let lines = self.lines(position);
        for bit in self.board.iter() {
            let (column, row) = self.column_and_row(bit as u8);
            if lines.contains(bit) {
                board.fill(column, row, "#f6d860");
            }
            if let Some(symbol) = Self::symbol(position, bit) {
                let centre = board.centre(column, row);
                board.svg.sign(symbol, centre, CELL * 0.26, SYMBOLS[symbol]);
            }
        }
        board.finish(last.map(|mv| self.column_and_row(mv.bit)))
    }

    /// Order has one point for each symbol of the longest line that can still become five. Chaos has five points times the
    /// share of lines that are blocked.
    fn evaluate(&self, position: &Position<W>) -> Option<Rewards> {
        let empty = self.empty(position);
        let (mut longest, mut left) = (0, 0);
        for own in position.symbols {
            longest = longest.max(longest_open_run(own, own | empty, self.stride(), LINE));
            left +=
                steps(self.stride()).map(|step| runs(own | empty, step, LINE).count()).iter().sum::<usize>();
        }
        // Two symbols in each row, column and diagonal window of an empty board.
        let windows = self.size - LINE + 1;
        let all = 2 * 2 * windows * (self.size + windows);
        let lost = 1.0 - left as f64 / all as f64;
        Some(Rewards::leaning(&[longest as f64, LINE as f64 * lost]))
    }

    /// Order completes five. Chaos blocks where Order could, with the other symbol, unless that makes five too.
    fn urgent_moves(&self, position: &Position<W>, out: &mut Vec<Move>) -> bool {
        if position.five {
            return true;
        }
        let empty = self.empty(position);
        let [crosses, noughts] = position.symbols.map(|own| completing(own, empty, self.stride(), LINE));
        let cells = if position.player == ORDER {
            [crosses, noughts]
        } else {
            [noughts & !crosses, crosses & !noughts]
        };
        for (symbol, cells) in (0..).zip(cells) {
            out.extend(cells.iter().map(|bit| Move { symbol, bit: bit as u8 }));
        }
        true
    }

    /// The lines that the symbol extends for Order; for Chaos, those of the other symbol that it blocks.
    fn pattern_scores(&self, position: &Position<W>, moves: &[Move], scores: &mut Vec<f64>) -> bool {
        let (empty, stride) = (self.empty(position), self.stride());
        let [crosses, noughts] = position.symbols;
        let near = Points::neighbours(crosses | noughts, empty, stride);
        let points = [crosses, noughts].map(|own| near.lines(own, empty, stride, LINE, 1));
        let turned = usize::from(position.player == CHAOS);
        let score = |mv: &Move| points[usize::from(mv.symbol & 1) ^ turned].of(mv.bit.into());
        scores.extend(moves.iter().map(score));
        true
    }

    #[inline]
    fn random_move(&self, position: &Position<W>, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        if position.five || position.empty == 0 {
            return None;
        }
        // Rejection: uniform over the empty cells and the symbols.
        loop {
            let draw = rng.below(2 * self.stride() * self.size);
            let (symbol, bit) = ((draw & 1) as u8, (draw >> 1) as u8);
            if self.empty(position).contains(bit.into()) {
                return Some(Move { symbol, bit });
            }
        }
    }

    /// In random play every cell gets a random symbol, and a five stays: Order wins if the full board has one. The order of
    /// the cells matters only for the record.
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<W>,
        _coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<Move>,
        recorder: &mut R,
    ) {
        if position.five || position.empty == 0 {
            return;
        }
        let empty = self.empty(position);
        let crosses = Bits(std::array::from_fn(|_| rng.bits())) & empty;
        let full = [position.symbols[0] | crosses, position.symbols[1] | (empty & !crosses)];
        let five = full.into_iter().any(|cells| self.has_five(cells));
        if R::RECORDS {
            let mut cells = [[0; 64]; W];
            let cells = &mut cells.as_flattened_mut()[..usize::from(position.empty)];
            cells.iter_mut().zip(empty.iter()).for_each(|(cell, bit)| *cell = bit as u8);
            rng.shuffle(cells);
            let plies = if five { self.first_five(&full, cells) } else { cells.len() };
            for &bit in &cells[..plies] {
                let symbol = u8::from(!crosses.contains(bit.into()));
                recorder.record(position.player, self.code_of(position.player, Move { symbol, bit }));
                position.player = position.player.other();
            }
        }
        *position = Position { symbols: full, five, empty: 0, ..*position };
    }
}

impl<const W: usize> OrderAndChaos<W> {
    /// How many of `cells`, in the order in which they filled the `full` board, it takes to have five in a row.
    fn first_five(&self, full: &[Bits<W>; 2], cells: &[u8]) -> usize {
        let (mut without, mut with) = (0, cells.len());
        while with - without > 1 {
            let middle = usize::midpoint(without, with);
            let later: Bits<W> = cells[middle..].iter().map(|&bit| usize::from(bit)).collect();
            if full.iter().any(|symbols| self.has_five(*symbols & !later)) {
                with = middle;
            } else {
                without = middle;
            }
        }
        with
    }
}

/// The colours of the symbols. They are not those of the players, since both players place both.
const SYMBOLS: [&str; 2] = [COLOURS[4], COLOURS[2]];

#[cfg(test)]
mod tests {
    use super::*;

    /// In random games: what is urgent for Order wins, and what is urgent for Chaos puts the other symbol where Order would
    /// win if it were to move.
    #[test]
    fn urgent_moves_win_and_block() {
        let game = OrderAndChaos::<1>::new(6);
        let mut rng = Rng::new(1);
        let five = |mut position: Position<1>, mv| {
            game.play(&mut position, mv);
            position.five
        };
        let mut found = [0; 2];
        for _ in 0..200 {
            let mut position = game.start();
            while let Some(mv) = game.random_move(&position, &mut rng, &mut Vec::new()) {
                let (mut urgent, mut expected) = (Vec::new(), Vec::new());
                assert!(game.urgent_moves(&position, &mut urgent));
                game.moves(&position, &mut expected);
                expected.retain(|&mv| match position.player {
                    ORDER => five(position, mv),
                    _ => five(position, Move { symbol: mv.symbol ^ 1, ..mv }) && !five(position, mv),
                });
                assert_eq!(urgent, expected);
                found[position.player.index()] += urgent.len();
                game.play(&mut position, mv);
            }
        }
        assert!(found.iter().all(|&found| found > 100), "{found:?}");
    }
}

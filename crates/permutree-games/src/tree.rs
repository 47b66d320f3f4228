//! A game tree given as text, for testing search.
//!
//! ```text
//! tree     = inner
//! inner    = [player | "?"] "(" child { " " child } ")"
//! child    = [label ":"] [weight "*"] node
//! node     = inner | leaf
//! leaf     = number | "[" number { " " number } "]"
//! ```
//!
//! - A leaf is a number in [0, 1], the reward of player 1 of two players, where player 2 gets the rest; or the rewards of
//!   all players in brackets.
//! - A digit before a parenthesis is the player to move. Without it, player 1 moves at the root, and elsewhere the player
//!   after the one of the nearest player node above.
//! - `?` is a chance node. Its children are equally likely, or as likely as their weights say: `?(3*1 0)`.
//! - Children without a label are called a, b, c and so on by position (after z: a2, b2, ...). A label consists of letters,
//!   digits and `_`, `-`, `+`. It is the text of the move, and moves of one player with the same label share a code.
//! - The number of players is that of the longest list of rewards or of the highest digit, and 2 if plain numbers are used.
//!
//! `(x:(1 0) y:2(0.5 x:0))` is a tree: player 1 chooses x or y, then player 2.

use permutree_game::draw::{COLOURS, Svg, text_picture};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Rewards, Rng, Turn, Visitor,
};
use std::fmt::Write;
use std::sync::Arc;

mod parse;
pub use parse::TreeError;

/// A tree as a game.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Arc<[Node]>,
    labels: Arc<[String]>,
    players: usize,
}

/// A node and the edge to it.
#[derive(Clone, Debug)]
struct Node {
    kind: Turn,
    /// The children are adjacent in the list of nodes.
    children: std::ops::Range<u32>,
    /// The rewards of a leaf.
    rewards: Rewards,
    parent: u32,
    /// The label of the edge from the parent.
    label: u32,
    /// The probability of that edge if the parent is a chance node.
    chance: f64,
}

impl Tree {
    fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    fn label(&self, index: u32) -> &str {
        &self.labels[self.node(index).label as usize]
    }
}

impl Configure for Tree {
    const FACTS: Facts = Facts {
        name: "tree",
        title: "Tree",
        rules: "The game is the tree in the text. Players take turns choosing a child; numbers are rewards of player 1. A \
                digit before a parenthesis is the player to move, ? is chance, [1 0 0.5] has the reward of every player.",
        source: "made for testing search",
        params: &[Param::text("tree", "((1 0) (0.5 0.75))", "the tree, such as (x:(1 0) y:?(3*1 0))")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        match Self::parse(args.text("tree")) {
            Ok(tree) => Ok(visitor.visit(tree)),
            Err(error) => Err(args.refuse("tree", error.to_string())),
        }
    }
}

/// Positions and moves are nodes, by index.
impl Game for Tree {
    type Position = u32;
    type Move = u32;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, position: &u32) -> Turn {
        self.node(*position).kind
    }

    fn moves(&self, position: &u32, out: &mut Vec<u32>) {
        out.extend(self.node(*position).children.clone());
    }

    fn play(&self, position: &mut u32, child: u32) {
        *position = child;
    }

    fn rewards(&self, position: &u32) -> Rewards {
        self.node(*position).rewards
    }

    fn hash(&self, position: &u32) -> u64 {
        Hasher::new().word(u64::from(*position)).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        self.players * self.labels.len()
    }

    fn code(&self, position: &u32, child: u32, _coding: usize) -> Code {
        let player = match self.node(*position).kind {
            Turn::Player(player) => u32::from(player.0),
            _ => 0,
        };
        player * self.labels.len() as u32 + self.node(child).label
    }

    fn move_text(&self, _position: &u32, child: u32) -> String {
        self.label(child).to_string()
    }

    fn chance(&self, _position: &u32, child: u32) -> f64 {
        self.node(child).chance
    }

    fn random_move(&self, position: &u32, rng: &mut Rng, _scratch: &mut Vec<u32>) -> Option<u32> {
        let node = self.node(*position);
        let count = node.children.len();
        if node.kind != Turn::Chance {
            return (count > 0).then(|| node.children.start + rng.below(count) as u32);
        }
        let mut left = rng.unit();
        node.children
            .clone()
            .find(|&child| {
                left -= self.node(child).chance;
                left < 0.0
                // Rounding may leave a remainder, which the last child takes.
            })
            .or(node.children.clone().next_back())
    }

    /// The path to the node and the tree below it, both truncated.
    fn board(&self, position: &u32, _last: Option<u32>) -> String {
        let mut way = Vec::new();
        let mut node = *position;
        while node != 0 && way.len() < SHOWN {
            way.push(self.label(node));
            node = self.node(node).parent;
        }
        way.push(if node == 0 { "root" } else { "..." });
        way.reverse();
        let mut out = way.join(" > ");
        out.push('\n');
        self.write(*position, SHOWN, &mut out);
        out.push('\n');
        out
    }

    fn picture(&self, position: &u32, last: Option<u32>) -> String {
        self.draw(*position).unwrap_or_else(|| text_picture(&self.board(position, last)))
    }
}

/// How many steps back and how many nodes ahead a board shows, and the most leaves of a picture.
const SHOWN: usize = 40;

impl Tree {
    /// The tree below a node as text: `budget` nodes in reading order, the rest as dots.
    fn write(&self, top: u32, budget: usize, out: &mut String) {
        let mut left = budget;
        // What is left to write: a node, or the end of one.
        let mut open = vec![Some(top)];
        while let Some(item) = open.pop() {
            let Some(index) = item else {
                out.push(')');
                continue;
            };
            let node = self.node(index);
            if index != top {
                if !out.ends_with('(') {
                    out.push(' ');
                }
                if left == 0 {
                    // The siblings that follow are omitted too.
                    out.push_str("...");
                    while open.last().is_some_and(Option::is_some) {
                        open.pop();
                    }
                    continue;
                }
                let _ = write!(out, "{}:", self.label(index));
                let parent = self.node(node.parent);
                if parent.kind == Turn::Chance && node.chance != 1.0 / parent.children.len() as f64 {
                    let _ = write!(out, "{}*", node.chance);
                }
            }
            left = left.saturating_sub(1);
            match node.kind {
                Turn::Over => out.push_str(&leaf_text(&node.rewards)),
                Turn::Chance => out.push_str("?("),
                Turn::Player(player) => {
                    let _ = write!(out, "{}(", player.0 + 1);
                }
            }
            if node.kind != Turn::Over {
                open.push(None);
                open.extend(node.children.clone().rev().map(Some));
            }
        }
    }

    /// The whole tree with the node marked; `None` if it is too large for a picture.
    fn draw(&self, marked: u32) -> Option<String> {
        let leaves: Vec<u32> = self.leaves().take(SHOWN + 1).collect();
        if leaves.len() > SHOWN || self.nodes.len() > 4 * SHOWN {
            return None;
        }
        let longest = leaves.iter().map(|&leaf| leaf_text(&self.node(leaf).rewards).len()).max();
        let step = (longest.unwrap_or(0) as f64 * 7.0 + 14.0).max(48.0);
        let mut at = vec![(0.0, 0.0); self.nodes.len()];
        for (i, &leaf) in leaves.iter().enumerate() {
            at[leaf as usize].0 = (i as f64 + 0.5) * step + 12.0;
        }
        // A node is centred above its children, which come later in the list, and below its parent, which comes before.
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if !node.children.is_empty() {
                let ends = [node.children.start, node.children.end - 1].map(|child| at[child as usize].0);
                at[index].0 = (ends[0] + ends[1]) / 2.0;
            }
        }
        let mut height = 0.0f64;
        for (index, node) in self.nodes.iter().enumerate() {
            at[index].1 = if index == 0 { 40.0 } else { at[node.parent as usize].1 + 70.0 };
            height = height.max(at[index].1);
        }
        // The nodes of the path that was played.
        let mut way = vec![marked];
        while let Some(&node) = way.last()
            && node != 0
        {
            way.push(self.node(node).parent);
        }

        let mut svg = Svg::new(leaves.len() as f64 * step + 24.0, height + 40.0);
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            let (from, to) = (at[node.parent as usize], at[index]);
            let taken = way.contains(&(index as u32));
            svg.line(from, to, if taken { "#222" } else { "#b0a592" }, if taken { 4.0 } else { 1.5 });
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let (x, y) = at[index];
            if index as u32 == marked {
                svg.disc(x, y, 20.0, "#ffe08a");
            }
            match node.kind {
                Turn::Player(player) => {
                    svg.disc(x, y, 14.0, COLOURS[player.index()]);
                    svg.text(x, y, 13.0, "#fff", player.0 + 1);
                }
                Turn::Chance => {
                    svg.polygon(
                        &[(x - 15.0, y), (x, y - 15.0), (x + 15.0, y), (x, y + 15.0)],
                        "#fff",
                        "#222",
                    );
                    svg.text(x, y, 13.0, "#222", '?');
                }
                Turn::Over => {
                    let text = leaf_text(&node.rewards);
                    let width = text.len() as f64 * 7.0 + 6.0;
                    svg.rect(x - width / 2.0, y - 9.0, width, 18.0, "#fff");
                    svg.text(x, y, 12.0, "#222", text);
                }
            }
            if index > 0 {
                let up = at[node.parent as usize];
                svg.text((x + up.0) / 2.0 + 8.0, (y + up.1) / 2.0, 11.0, "#777", self.label(index as u32));
            }
        }
        Some(svg.finish())
    }

    /// The leaves from left to right.
    fn leaves(&self) -> impl Iterator<Item = u32> + '_ {
        let mut open = vec![0];
        std::iter::from_fn(move || {
            loop {
                let index = open.pop()?;
                let children = self.node(index).children.clone();
                if children.is_empty() {
                    return Some(index);
                }
                open.extend(children.rev());
            }
        })
    }
}

/// A single number if it determines both rewards, otherwise all of them.
fn leaf_text(rewards: &Rewards) -> String {
    match rewards.as_slice() {
        [first, second] if first + second == 1.0 => first.to_string(),
        all => format!("[{}]", all.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")),
    }
}

"""Plays an agent against OpenSpiel's own search, MCTSBot, at equal CPU time, and writes docs/results/openspiel.md.

OpenSpiel's states are the referee: both are bots in its loop, and an action that its rules do not allow would end the script.
It needs the Python package (`pip install ./python[openspiel]`).

    python scripts/openspiel_match.py                     # 100 games each, about an hour on one core
    python scripts/openspiel_match.py --games 4 --page /tmp/page.md
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import pyspiel

import permutree
from permutree import openspiel

GAMES = ["hex(board_size=7)", "breakthrough", "connect_four", "othello", "gomoku(size=9)"]
PAGE = Path(__file__).resolve().parents[1] / "docs" / "results" / "openspiel.md"


class Timed:
    """CPU time and number of the moves of a player."""

    def __init__(self) -> None:
        self.seconds, self.moves, self.playouts = 0.0, 0, 0

    def add(self, seconds: float, playouts: int) -> None:
        self.seconds, self.moves, self.playouts = self.seconds + seconds, self.moves + 1, self.playouts + playouts

    @property
    def milliseconds(self) -> float:
        return 1000 * self.seconds / max(self.moves, 1)


class Theirs:
    """MCTSBot with OpenSpiel's own defaults. It counts simulations and not CPU time, so it gets as many as fit.

    How many fit is known from its last move; the first move of a game is tried out first, which costs it nothing.
    """

    def __init__(self, rules: object, seconds: float, seed: int) -> None:
        self.rules, self.limit, self.seed, self.timed = rules, seconds, seed, Timed()
        self.rate = 0.0

    def search(self, state: object, simulations: int) -> tuple[int, float]:
        self.seed += 1
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
        bot = pyspiel.MCTSBot(self.rules, evaluator, 2.0, simulations, 1000, True, self.seed, False)
        begun = time.thread_time()
        action = bot.step(state)
        return action, time.thread_time() - begun

    def step(self, state: object) -> int:
        if self.rate == 0.0:
            self.rate = 50 / self.search(state, 50)[1]
        simulations = max(2, round(self.rate * self.limit))
        action, seconds = self.search(state, simulations)
        self.timed.add(seconds, simulations)
        # A position that is solved early says nothing about the speed of a search.
        if seconds > self.limit / 2:
            self.rate = simulations / seconds
        else:
            self.rate *= 1.5
        return action


def play(rules: object, agent: str, seat: int, seconds: float, seed: int, ours: Timed, theirs: Theirs) -> float:
    """One game; our reward."""
    bot = openspiel.Bot(rules, agent, time=seconds, seed=seed)
    state = rules.new_initial_state()
    theirs.rate = 0.0
    while not state.is_terminal():
        if len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        elif state.current_player() == seat:
            bot.report = None
            action = bot.step(state)
            ours.add(bot.report.time, bot.report.playouts)
            state.apply_action(action)
        else:
            state.apply_action(theirs.step(state))
    return (state.returns()[seat] + 1) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="games of each kind")
    parser.add_argument("--milliseconds", type=float, default=20.0, help="CPU time for a move")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the table goes")
    parser.add_argument("--agent", default="mcps", help="who plays for us")
    parser.add_argument("--only", default="", help="one of the games")
    arguments = parser.parse_args()
    lines = []
    for text in [arguments.only] if arguments.only else GAMES:
        rules = pyspiel.load_game(text)
        seconds = arguments.milliseconds / 1000
        ours, theirs = Timed(), Theirs(rules, seconds, 1)
        rewards = []
        for number in range(arguments.games):
            rewards.append(play(rules, arguments.agent, number % 2, seconds, 1000 * number, ours, theirs))
            print(f"{text}: {sum(rewards):g} of {len(rewards)}", flush=True)
        score = sum(rewards) / len(rewards)
        low, high = permutree.interval(rewards)
        wins, losses = rewards.count(1.0), rewards.count(0.0)
        lines.append(
            f"| {text} | {100 * score:.1f} ({100 * low:.1f}..{100 * high:.1f}) | {wins} | "
            f"{len(rewards) - wins - losses} | {losses} | {ours.milliseconds:.1f} | {theirs.timed.milliseconds:.1f} | "
            f"{ours.playouts / ours.moves:,.0f} | {theirs.timed.playouts / theirs.timed.moves:,.0f} |"
        )
    arguments.page.write_text(PAGE_TEXT.format(agent=arguments.agent, games=arguments.games, ms=arguments.milliseconds, lines="\n".join(lines)))


PAGE_TEXT = """# Against OpenSpiel's search

`{agent}` against `pyspiel.MCTSBot` (OpenSpiel's C++ UCT with random playouts, its own default `uct_c=2` and its solver), at
{ms:g} ms of CPU time for a move, {games} games each, seats swapped from game to game. OpenSpiel's states are the referee: every
move of ours is an action that they allow, and they say who won. Made by `scripts/openspiel_match.py`.

MCTSBot counts simulations, so for each move it gets as many as fitted into the time at its last one; the columns show
what both really used.

| game | score of `{agent}` in % | wins | draws | losses | ms per move | ms of MCTSBot | playouts per move | of MCTSBot |
|---|---|---|---|---|---|---|---|---|
{lines}
"""

if __name__ == "__main__":
    main()

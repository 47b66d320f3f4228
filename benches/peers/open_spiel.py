"""Playouts per second of OpenSpiel's C++ MCTS bot on the start position of each game, and the length of its random games,
as JSON lines."""

import argparse
import importlib.metadata
import json
import random
import time

import pyspiel

# Permutree's name of the game, OpenSpiel's name.
GAMES = {
    "hex:7": "hex(board_size=7)",
    "breakthrough:8": "breakthrough",
    "connect4": "connect_four",
    "gomoku:9": "gomoku(size=9)",
    "reversi": "othello",
    "ultimate-tic-tac-toe": "ultimate_tic_tac_toe",
    "go:9": "go(board_size=9,komi=7.5)",
}

# Random games whose length is measured, in each game.
LENGTHS = 300


def playouts_per_second(name: str, playouts: int, seed: int) -> float:
    """One search from the start; the CPU time of its thread."""
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    # UCT constant 1.4, 1000 MB of tree, no solving, not verbose.
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, playouts, 1000, False, seed, False)
    state = game.new_initial_state()
    start = time.thread_time()
    bot.step(state)
    return playouts / (time.thread_time() - start)


def plies(name: str, games: int, seed: int) -> float:
    """The mean number of moves in a random game. Steps of one player in a row are one move: a board and then its cell."""
    game, rng, total = pyspiel.load_game(name), random.Random(seed), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            state.apply_action(rng.choice(state.legal_actions()))
            total += state.current_player() != player
    return total / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--playouts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    peer = "open_spiel " + importlib.metadata.version("open_spiel")
    for ours, theirs in GAMES.items():
        row = {
            "game": ours,
            "peer": peer,
            "playouts": args.playouts,
            "playouts_per_s": playouts_per_second(theirs, args.playouts, args.seed),
            "plies": plies(theirs, LENGTHS, args.seed),
        }
        print(json.dumps(row))


if __name__ == "__main__":
    main()

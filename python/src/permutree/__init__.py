"""Monte Carlo search for games, without training or tuning.

>>> import permutree
>>> position = permutree.game("hex:7").start()
>>> report = permutree.agent("mcps:ref=50").search(position, playouts=1_000)
>>> report.best in position.moves()
True

`game` and `agent` create games and agents from specs; `games` and `agents` have a documented function for each of them.
`match` plays agents against each other, and `experiment` plays whole tables of matches. To add your own game, subclass
`Game`. `permutree.openspiel`, `permutree.pettingzoo` and `permutree.ray` require those packages.
"""

from . import agents, games
from ._experiment import Cell, Experiment, ExperimentResult, experiment, merge
from ._game import LoadedGame, Position, game
from ._match import AgentResult, GameRecord, MatchResult, SeatResult, interval, match
from ._native import VERSION as __version__
from ._native import GameError, PermutreeError
from ._own import CHANCE, Game
from ._report import MoveReport, Report, Source
from ._search import Agent, Search, agent

__all__ = [
    "CHANCE",
    "Agent",
    "AgentResult",
    "Cell",
    "Experiment",
    "ExperimentResult",
    "Game",
    "GameError",
    "GameRecord",
    "LoadedGame",
    "MatchResult",
    "MoveReport",
    "PermutreeError",
    "Position",
    "Report",
    "Search",
    "SeatResult",
    "Source",
    "__version__",
    "agent",
    "agents",
    "experiment",
    "game",
    "games",
    "interval",
    "match",
    "merge",
]

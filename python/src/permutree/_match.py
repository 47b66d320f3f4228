"""Matches between agents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from . import _native
from ._game import Playable, game as make_game
from ._search import Agent, Clock, Time, agent as make_agent, limits
from ._tables import html, progress_bar, text_table

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class SeatResult:
    """How an agent did in one seat."""

    seat: int
    """The seat, from 0."""
    games: int
    score: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class AgentResult:
    """How an agent did in a match."""

    spec: str
    score: float
    """The mean reward, 0 to 1."""
    ci95: tuple[float, float]
    """The 95 % interval of the score."""
    elo: Optional[float]
    """What the score means in Elo, if two agents play a game for two. Infinite if all games were won."""
    elo_ci95: Optional[tuple[float, float]]
    wins: int
    draws: int
    losses: int
    playouts: int
    time: float
    """Seconds of search."""
    seats: list[SeatResult] = field(repr=False)


@dataclass(frozen=True)
class GameRecord:
    """One game of a match."""

    number: int
    seating: list[int]
    """The agent of each seat, by its place in the match."""
    rewards: list[float]
    """What each seat got."""
    moves: list[str]
    unfinished: bool
    """Whether the game was stopped for its length and shared by all."""
    forfeit: Optional[tuple[int, str]]
    """The agent that lost by other means than the rules, and how."""
    playouts: list[int]
    """Of each agent."""
    time: list[float]
    """Seconds of each agent."""


@dataclass(frozen=True)
class MatchResult:
    """What a match showed. In a notebook it is a table."""

    game: str
    games: int
    """Games played, by all agents together."""
    unfinished: int
    forfeits: int
    seed: int
    deterministic: bool
    """Whether the seed gives this result again: not with budgets in time."""
    agents: list[AgentResult]
    """In the order of the match."""
    records: list[GameRecord] = field(repr=False, default_factory=list)
    """The games, in order."""

    def to_pandas(self) -> pandas.DataFrame:
        """A line for each agent."""
        import pandas

        return pandas.DataFrame(self._rows())

    def games_to_pandas(self) -> pandas.DataFrame:
        """A line for each game."""
        import pandas

        return pandas.DataFrame([vars(record) for record in self.records])

    def _rows(self) -> list[dict[str, Any]]:
        def row(agent: AgentResult) -> dict[str, Any]:
            low, high = agent.ci95
            per_second = agent.playouts / agent.time if agent.time else None
            return {
                "agent": agent.spec,
                "score": agent.score,
                "low": low,
                "high": high,
                "wins": agent.wins,
                "draws": agent.draws,
                "losses": agent.losses,
                "elo": agent.elo,
                "playouts_per_s": per_second,
            }

        return [row(agent) for agent in self.agents]

    def __str__(self) -> str:
        rows = self._rows()
        return f"{self._caption()}\n\n" + text_table(list(rows[0]), rows)

    def _repr_html_(self) -> str:
        rows = self._rows()
        return html(list(rows[0]), rows, self._caption(), bars={"score": 1.0})

    def _caption(self) -> str:
        return f"{self.game}, {self.games:,} games, seed {self.seed}"


def agent_results(parts: list[_native._AgentParts]) -> list[AgentResult]:
    """The agents of a match or of a cell."""

    def one(p: _native._AgentParts) -> AgentResult:
        elo, elo_ci95 = p["elo"] if p["elo"] is not None else (None, None)
        seats = [SeatResult(seat - 1, games, score, ci95) for seat, games, score, ci95 in p["seats"]]
        counts = (p["wins"], p["draws"], p["losses"], p["playouts"], p["time_s"])
        return AgentResult(p["spec"], p["score"], p["ci95"], elo, elo_ci95, *counts, seats)

    return [one(p) for p in parts]


def match(
    game: Playable,
    *agents: Union[str, Agent],
    games: int = 100,
    playouts: Optional[int] = None,
    time: Optional[Time] = None,
    game_time: Optional[Time] = None,
    clock: Clock = "thread",
    seed: int = 1,
    threads: int = 0,
    progress: Optional[bool] = None,
) -> MatchResult:
    """Lets agents play each other: ``match("hex:7", "mcps", "grave", playouts=1000)``.

    Every seating is played equally often. A budget is playouts or time for a move, or `game_time` for all moves of a game;
    without one it is 1,000 playouts. The same seed gives the same games whatever the number of threads, which is that of
    the cores unless you say otherwise; a game written in Python is played on one thread, since Python runs one at a time.
    `progress` shows a bar of tqdm; without it there is one if tqdm is installed and the match takes longer than a second.
    Ctrl-C finishes the games under way and then ends the match.
    """
    loaded = make_game(game)
    made = [make_agent(agent) for agent in agents]
    if playouts is None and time is None and game_time is None:
        playouts = 1_000
    if games < 1 or threads < 0 or seed < 0:
        raise _native.PermutreeError("a match has at least 1 game, and no negative seed or number of threads")
    if threads == 0 and loaded._rules is not None:
        threads = 1
    total = games * (len(made) if loaded.players == 1 else 1)
    with progress_bar(progress, total, "game") as tell:
        parts, records = _native.play_match(
            loaded._inside,
            [agent._inside for agent in made],
            games,
            seed,
            threads,
            limits(playouts, time, clock, game_time),
            tell,
        )
    return MatchResult(
        parts["game"],
        parts["games"],
        parts["unfinished"],
        parts["forfeits"],
        parts["seed"],
        parts["deterministic"],
        agent_results(parts["agents"]),
        [GameRecord(*record) for record in records],
    )


def interval(rewards: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of rewards of games, as every match has it: Wilson's by the variance of the rewards.

    >>> low, high = interval([1, 1, 0.5, 1])
    >>> 0 < low < 0.875 < high <= 1
    True
    """
    games = max(len(rewards), 1)
    mean, square = sum(rewards) / games, sum(reward * reward for reward in rewards) / games
    return _native.reward_interval(len(rewards), mean, square)

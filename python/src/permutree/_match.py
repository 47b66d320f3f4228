"""Matches between agents."""

from __future__ import annotations

import json
import math
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
    """The result of an agent in one seat."""

    seat: int
    """The seat, counted from 0."""
    games: int
    score: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class AgentResult:
    """The result of an agent in a match."""

    spec: str
    score: float
    """The mean reward, 0 to 1."""
    ci95: tuple[float, float]
    """The 95 % confidence interval of the score."""
    elo: Optional[float]
    """The Elo difference that the score implies, in matches of two agents in a game for two players. Infinite if the agent
    won every game or lost every game."""
    elo_ci95: Optional[tuple[float, float]]
    """The 95 % confidence interval of the Elo difference."""
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
    """The number of the game, counted from 0."""
    seating: list[int]
    """The agent in each seat, as an index into the agents of the match."""
    rewards: list[float]
    """The reward of each seat."""
    moves: list[str]
    unfinished: bool
    """Whether the game exceeded the maximum length. All players then share the reward."""
    forfeit: Optional[tuple[int, str]]
    """The agent that lost for a reason outside the rules, such as a crash, and the reason."""
    playouts: list[int]
    """The playouts of each agent."""
    time: list[float]
    """The search time of each agent, in seconds."""


@dataclass(frozen=True)
class MatchResult:
    """The result of a match. A notebook shows it as a table."""

    game: str
    games: int
    """The number of games played."""
    unfinished: int
    """The number of games that exceeded the maximum length."""
    forfeits: int
    """The number of games that an agent lost for a reason outside the rules."""
    seed: int
    deterministic: bool
    """Whether the same seed gives the same result: False with a time budget, an external engine, or an agent for which
    `Agent.deterministic` is False."""
    agents: list[AgentResult]
    """In the order of the match."""
    records: list[GameRecord] = field(repr=False, default_factory=list)
    """The games, in order."""

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with one row per agent."""
        import pandas

        return pandas.DataFrame(self._rows())

    def games_to_pandas(self) -> pandas.DataFrame:
        """A data frame with one row per game."""
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


def agent_results(agents: list[_native._AgentResult]) -> list[AgentResult]:
    """The results of the agents of a match, from their JSON."""
    return [_agent_result(agent) for agent in agents]


def _agent_result(agent: _native._AgentResult) -> AgentResult:
    elo, elo_ci95 = _elo(agent["score"], agent["elo"])
    seats = [
        SeatResult(seat=seat["seat"] - 1, games=seat["games"], score=seat["score"], ci95=pair(seat["ci95"]))
        for seat in agent["seats"]
    ]
    return AgentResult(
        spec=agent["spec"],
        score=agent["score"],
        ci95=pair(agent["ci95"]),
        elo=elo,
        elo_ci95=elo_ci95,
        wins=agent["wins"],
        draws=agent["draws"],
        losses=agent["losses"],
        playouts=agent["playouts"],
        time=agent["time_s"],
        seats=seats,
    )


def _elo(score: float, found: Optional[_native._Elo]) -> tuple[Optional[float], Optional[tuple[float, float]]]:
    """The Elo difference and its interval, with the infinities that JSON cannot express."""
    if found is None:
        return None, None
    difference, (low, high) = found["difference"], found["ci95"]
    return (
        math.copysign(math.inf, score - 0.5) if difference is None else difference,
        (-math.inf if low is None else low, math.inf if high is None else high),
    )


def _game_record(record: _native._GameRecord) -> GameRecord:
    forfeit = record["forfeit"]
    return GameRecord(
        number=record["number"],
        seating=record["seating"],
        rewards=record["rewards"],
        moves=record["moves"],
        unfinished=record["unfinished"],
        forfeit=forfeit and (forfeit["agent"], forfeit["why"]),
        playouts=record["playouts"],
        time=record["time_s"],
    )


def pair(interval: list[float]) -> tuple[float, float]:
    """An interval, from its JSON."""
    low, high = interval
    return low, high


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
    """Plays a match between agents: ``match("hex:7", "mcps", "grave", playouts=1000)``.

    Every seating is played equally often. The budget is a number of playouts or a time per move, or a time per game
    (`game_time`) for all moves of an agent; the default is 1,000 playouts. The same seed gives the same games, whatever the
    number of threads. The default is one thread per core, or one thread for games written in Python, because Python runs
    one thread at a time. `progress` shows a tqdm progress bar; by default it appears after one second if tqdm is installed.
    Ctrl-C stops the match after the games in progress.
    """
    loaded = make_game(game)
    made = [make_agent(agent) for agent in agents]
    if playouts is None and time is None and game_time is None:
        playouts = 1_000
    if games < 1 or threads < 0 or seed < 0:
        raise _native.PermutreeError("games must be at least 1, and seed and threads at least 0")
    if threads == 0 and loaded._rules is not None:
        threads = 1
    total = games * (len(made) if loaded.players == 1 else 1)
    with progress_bar(progress, total, "game") as tell:
        result_json, records_json = _native.play_match(
            loaded._inside,
            [agent._inside for agent in made],
            games,
            seed,
            threads,
            limits(playouts, time, clock, game_time),
            tell,
        )
    result: _native._MatchResult = json.loads(result_json)
    records: list[_native._GameRecord] = json.loads(records_json)
    return MatchResult(
        game=result["game"],
        games=result["games"],
        unfinished=result["unfinished"],
        forfeits=len(result["forfeits"]),
        seed=result["seed"],
        deterministic=result["deterministic"],
        agents=agent_results(result["agents"]),
        records=[_game_record(record) for record in records],
    )


def interval(rewards: Sequence[float]) -> tuple[float, float]:
    """The 95 % confidence interval of a mean reward, as match results have it: Wilson's, by the variance of the rewards.

    >>> low, high = interval([1, 1, 0.5, 1])
    >>> 0 < low < 0.875 < high <= 1
    True
    """
    games = max(len(rewards), 1)
    mean, square = sum(rewards) / games, sum(reward * reward for reward in rewards) / games
    return _native.reward_interval(len(rewards), mean, square)

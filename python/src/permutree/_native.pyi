"""The Rust half of the package. Only this package uses it.

Reports and results arrive as JSON text; the typed dictionaries below describe its contents. JSON has no infinity, so an
infinite number is null. Only the moves of a report arrive as dictionaries, because parsing them would take too long.
"""

import os
from typing import Any, Callable, Literal, Optional, TypedDict, Union, final

from typing_extensions import NotRequired

_Path = Union[str, os.PathLike[str]]

class _Limits(TypedDict):
    playouts: Optional[int]
    time: Union[float, str, None]
    game_time: Union[float, str, None]
    wall: bool

class _Source(TypedDict):
    count: int
    mean: float

class _Move(TypedDict):
    move: str
    index: int
    visits: int
    mean: float
    amaf: Optional[_Source]
    permutation: Optional[_Source]
    weights: tuple[float, float, float]
    proven: Optional[float]

class _Report(TypedDict):
    turn: Optional[int]
    playouts: int
    time_s: float
    deterministic: bool
    nodes: int
    memory: int
    full: bool
    principal_variation: list[str]

class _Elo(TypedDict):
    difference: Optional[float]
    ci95: list[Optional[float]]

class _Seat(TypedDict):
    seat: int
    games: int
    score: float
    ci95: list[float]

class _AgentResult(TypedDict):
    spec: str
    score: float
    ci95: list[float]
    elo: Optional[_Elo]
    wins: int
    draws: int
    losses: int
    seats: list[_Seat]
    playouts: int
    time_s: float

class _ForfeitedGame(TypedDict):
    game: int
    agent: str
    why: str

class _MatchResult(TypedDict):
    game: str
    games: int
    unfinished: int
    forfeits: list[_ForfeitedGame]
    seed: int
    deterministic: bool
    agents: list[_AgentResult]

class _Forfeit(TypedDict):
    agent: int
    why: str

class _GameRecord(TypedDict):
    number: int
    seating: list[int]
    rewards: list[float]
    moves: list[str]
    unfinished: bool
    forfeit: Optional[_Forfeit]
    playouts: list[int]
    time_s: list[float]

class _Figure(TypedDict):
    score: float
    ci95: list[float]

class _Cell(_MatchResult):
    wanted: int
    plies: float
    versions: list[str]
    names: list[str]
    budget: str
    paper: Optional[_Figure]
    agrees: Optional[bool]
    p_holm: Optional[float]

class _Probe(TypedDict):
    game: str
    agent: Optional[str]
    count: int
    seed: int
    found: dict[str, float]
    paper: dict[str, float]

class _Table(TypedDict):
    title: str
    by_seat: bool
    cells: list[_Cell]
    totals: list[_Cell]
    probes: list[_Probe]

class _ExperimentReport(TypedDict):
    title: str
    source: str
    note: str
    tables: list[_Table]

class _Param(TypedDict):
    key: str
    default: str
    help: str
    formerly: NotRequired[str]
    reach: Literal["anywhere", "games", "machine"]

class _IntParam(_Param):
    kind: Literal["int"]
    min: int
    max: int

class _RealParam(_Param):
    kind: Literal["real"]
    min: float
    max: float

class _ChoiceParam(_Param):
    kind: Literal["choice"]
    choices: list[str]

class _OtherParam(_Param):
    kind: Literal["flag", "text"]

_AnyParam = Union[_IntParam, _RealParam, _ChoiceParam, _OtherParam]

class _GameListing(TypedDict):
    name: str
    title: str
    rules: str
    source: str
    params: list[_AnyParam]
    players: int
    codings: list[str]

class _AgentListing(TypedDict):
    name: str
    title: str
    about: str
    advice: str
    source: str
    searches: bool
    learns: bool
    params: list[_AnyParam]

VERSION: str
CODES: int
"""The codes that the players of a game of your own share, at most."""

class PermutreeError(ValueError): ...
class GameError(PermutreeError): ...

@final
class Game:
    @property
    def spec(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def codings(self) -> list[str]: ...
    def codes(self, coding: int) -> int: ...
    def start(self) -> Position: ...
    def presence(self, playouts: int, seed: int) -> tuple[int, float, list[tuple[str, float]]]: ...
    def soak(self, games: int, seed: int) -> tuple[float, float, list[float]]: ...

@final
class Position:
    def turn(self) -> int: ...
    def moves(self) -> list[str]: ...
    def codes(self, coding: int) -> list[int]: ...
    def find(self, text: str) -> int: ...
    def play(self, index: int) -> Position: ...
    def random(self, seed: int) -> Optional[int]: ...
    def rewards(self) -> list[float]: ...
    def hash(self) -> int: ...
    def board(self) -> str: ...
    def picture(self) -> str: ...
    def perft(self, depth: int) -> list[int]: ...
    def session(self, agent: Agent, seed: int) -> Session: ...

@final
class Agent:
    @property
    def spec(self) -> str: ...
    @property
    def needs_budget(self) -> bool: ...
    @property
    def deterministic(self) -> bool: ...
    @property
    def notes(self) -> list[str]: ...

@final
class Session:
    @property
    def forgets(self) -> bool: ...
    def advance(self, limits: _Limits) -> None: ...
    def report(self) -> tuple[str, list[_Move]]: ...
    def follow(self, moves: list[int], seed: int) -> None: ...
    def restart(self, position: Position, seed: int) -> None: ...

@final
class Experiment:
    def __new__(cls, path: _Path, text: str) -> Experiment: ...
    @property
    def title(self) -> str: ...
    def quickly(self) -> Experiment: ...
    def first_rounds(self) -> Experiment: ...
    def part(self, cells: list[int], probes: list[int]) -> Experiment: ...
    def cells(self) -> list[tuple[str, list[str], str, int]]: ...
    def probes(self) -> int: ...
    def run(
        self, store: _Path, shard: str, threads: int, progress: Optional[Callable[[int], object]]
    ) -> tuple[int, int, int]: ...
    def report(self, store: _Path) -> tuple[str, str]: ...
    def export(self, store: _Path, format: str) -> str: ...

def game(spec: str) -> Game: ...
def own_game(rules: Any, spec: str) -> Game: ...
def agent(spec: str) -> Agent: ...
def games() -> str: ...
def agents() -> str: ...
def play_match(
    game: Game,
    agents: list[Agent],
    games: int,
    seed: int,
    threads: int,
    limits: _Limits,
    progress: Optional[Callable[[int], object]],
) -> tuple[str, str]: ...
def merge(out: _Path, stores: list[_Path]) -> list[tuple[int, int, int]]: ...
def reward_interval(games: int, mean: float, mean_square: float) -> tuple[float, float]: ...

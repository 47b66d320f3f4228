"""OpenSpiel's games for Permutree's agents, and Permutree's agents as OpenSpiel bots.

>>> import permutree.openspiel
>>> clobber = permutree.openspiel.load("clobber(rows=5,columns=4)")
>>> clobber.start().search("mcps", playouts=50).best in clobber.start().moves()
True

In specs and experiment files, the game is ``openspiel:clobber``. Requires the package ``open_spiel``.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Optional, Union

import pyspiel

from . import _native
from ._game import LoadedGame, Position, game as make_game
from ._own import CHANCE, Game
from ._search import Agent, Clock, Search, Time, agent as make_agent

__all__ = ["Bot", "OpenSpielGame", "load", "native_spec"]


def load(game: Union[str, Any], *, native: bool = True) -> LoadedGame:
    """An OpenSpiel game, given as a string such as ``"clobber(rows=5,columns=6)"`` or as a `pyspiel.Game`.

    If Permutree has the game with the same rules, its own implementation is used, which is much faster; ``native=False``
    uses OpenSpiel's. Any sequential game with perfect information can be loaded, with or without chance.
    """
    loaded = _loaded(game)
    spec = native_spec(loaded) if native else None
    return make_game(spec) if spec is not None else make_game(OpenSpielGame(loaded))


def native_spec(game: Union[str, Any]) -> Optional[str]:
    """The spec of Permutree's own game with the same rules, if there is one."""
    found = _found_native(_loaded(game))
    return found and found[0]


_CHANCE = int(pyspiel.PlayerId.CHANCE)

# Games of two players who take turns to the end, whatever the parameters. OpenSpiel does not say it of a game.
_ALTERNATE = {"breakthrough", "clobber", "connect_four", "go", "gomoku", "havannah", "hex", "mnk", "nim", "othello", "pentago"}
_ALTERNATE |= {"tic_tac_toe", "y"}


class OpenSpielGame(Game[Any, int]):
    """A game with OpenSpiel's rules. Its playouts run entirely in C++."""

    def __init__(self, game: Union[str, Any]) -> None:
        self._game = _loaded(game)
        kind = self._game.get_type()
        name = kind.short_name
        if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            raise _native.PermutreeError(f"{name}: players move simultaneously; only sequential games are supported")
        if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
            raise _native.PermutreeError(f"{name}: imperfect information; only games with perfect information are supported")
        if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
            raise _native.PermutreeError(f"{name}: sampled chance; only games that list their chance outcomes are supported")
        self.players = self._game.num_players()
        low, high = self._game.min_utility(), self._game.max_utility()
        self._low, self._span = low, (high - low) or 1.0
        self._by_string = self._ids_repeat()
        actions = self._game.num_distinct_actions()
        if not self._by_string and actions <= _native.CODES // self.players:
            self.codes = actions
        self._alternate = name in _ALTERNATE and not self._by_string

    def _ids_repeat(self) -> bool:
        """Whether an action id has several meanings for a player, as in games whose turns have several steps."""
        names: dict[tuple[int, int], str] = {}
        bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(self.players)]
        for seed in range(4):
            end = self._game.new_initial_state()
            pyspiel.evaluate_bots(end, bots, seed)
            state = self._game.new_initial_state()
            for step in end.full_history()[:400]:
                if step.player >= 0:
                    # A sign such as the asterisk of a capture does not make it a different action.
                    name = re.sub(r"\W", "", state.action_to_string(step.player, step.action))
                    if names.setdefault((step.player, step.action), name) != name:
                        return True
                state.apply_action(step.action)
        return False

    def start(self) -> Any:
        return self._game.new_initial_state()

    def turn(self, state: Any) -> Optional[int]:
        player: int = state.current_player()
        return player if player >= 0 else CHANCE if player == _CHANCE else None

    def moves(self, state: Any) -> list[int]:
        legal: list[int] = state.legal_actions()
        return legal

    def play(self, state: Any, move: int) -> Any:
        return state.child(move)

    def rewards(self, state: Any) -> list[float]:
        return self._shared(state.returns())

    def _shared(self, returns: list[float]) -> list[float]:
        low, span = self._low, self._span
        return [0.0 if value <= low else min((value - low) / span, 1.0) for value in returns]

    def chance(self, state: Any, outcome: int) -> float:
        return float(dict(state.chance_outcomes())[outcome])

    def key(self, state: Any) -> list[int]:
        # The text of a state may lack something that determines the rest of the game, such as repetitions.
        return list(state.history())

    def code(self, state: Any, move: int) -> Any:
        return state.action_to_string(move) if self._by_string else move

    def move_text(self, state: Any, move: int) -> str:
        player = pyspiel.PlayerId.CHANCE if state.is_chance_node() else state.current_player()
        return str(state.action_to_string(player, move))

    def board(self, state: Any) -> str:
        return f"{state}\n"

    def playout(self, state: Any, seed: int) -> tuple[list[float], list[tuple[int, Any]]]:
        rewards, players, codes = self._playout(state, seed, True)
        if players is None:
            players = [(state.current_player() + ply) % 2 for ply in range(len(codes))]
        return rewards, [step for step in zip(players, codes) if step[0] >= 0]

    def _playout(self, state: Any, seed: int, recorded: bool) -> tuple[list[float], Optional[list[int]], list[Any]]:
        """A playout: rewards, players, codes. Players who take turns are None; one below 0 is chance, whose code says nothing.

        What is not recorded has no players and codes. To read who moved takes longer than all the rest around the C++ code.
        """
        seed %= 1 << 31
        bot, end = pyspiel.make_uniform_random_bot, state.clone()
        bots = [bot(player, (seed + player) % (1 << 31)) for player in range(self.players)]
        rewards = self._shared(pyspiel.evaluate_bots(end, bots, seed))
        if not recorded:
            return rewards, None, []
        begun = len(state.history())
        actions = end.history()[begun:]
        if self._alternate:
            return rewards, None, actions
        players = [step.player for step in end.full_history()[begun:]]
        return rewards, players, self._names(state, players, actions) if self._by_string else actions

    def _names(self, state: Any, players: list[int], actions: list[int]) -> list[Any]:
        """What the actions of a playout are called."""
        names, replayed = [], state.clone()
        for player, action in zip(players, actions):
            names.append(replayed.action_to_string(player, action) if player >= 0 else None)
            replayed.apply_action(action)
        return names

    @property
    def spec(self) -> str:
        return f"openspiel:{self._game}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (OpenSpielGame, (str(self._game),))


# What searches call in place of `playout`. A subclass with a playout of its own has none.
setattr(OpenSpielGame.playout, "brief", OpenSpielGame._playout)


def rules(text: str) -> tuple[Game[Any, Any], str]:
    """The game with the spec ``openspiel:`` and this text, and its canonical spec."""
    made = OpenSpielGame(text)
    return made, made.spec


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """An agent as an OpenSpiel bot: ``Bot(game, "mcps", time="20ms")``.

    It can play any seat. It reads the moves since its last turn from the state; an agent with ``reuse=true`` keeps the
    playouts that went through them.
    """

    def __init__(
        self,
        game: Union[str, Any],
        agent: Union[str, Agent] = "best",
        playouts: Optional[int] = None,
        time: Optional[Time] = None,
        *,
        clock: Clock = "thread",
        seed: int = 1,
        native: bool = True,
    ) -> None:
        pyspiel.Bot.__init__(self)
        self._rules = _loaded(game)
        self._agent = make_agent(agent)
        self._limits: dict[str, Any] = {"playouts": playouts, "time": time, "clock": clock}
        if playouts is None and time is None:
            self._limits["playouts"] = 1_000
        self._seed = seed
        found = _found_native(self._rules) if native else None
        self._name: Optional[Name] = found and found[1]
        self._start = load(self._rules, native=native).start()
        self.report: Any = None
        """The report of the last search."""
        self.restart()

    def restart(self) -> None:
        """Starts a new game."""
        self._state = self._rules.new_initial_state()
        self._position: Position = self._start
        self._search: Optional[Search] = None

    def restart_at(self, state: Any) -> None:
        """Starts from a state."""
        self.restart()
        self._follow(state)

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Does nothing: the next step reads the moves of the others from the state."""

    def step(self, state: Any) -> int:
        """The action to take."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return int(legal[0])
        self._follow(state)
        if self._search is None:
            self._seed += 1
            self._search = self._agent.begin(self._position, seed=self._seed)
        self.report = self._search.advance(**self._limits)
        best = self.report.moves[0]
        if self._name is None:
            return int(legal[best.index])
        named = {self._name(state, action): action for action in legal}
        return int(named[best.move])

    def provides_policy(self) -> bool:
        """False: the bot has no policy."""
        return False

    def _follow(self, state: Any) -> None:
        """Moves the position on to a state, from the current position if the state follows from it, or else from the start."""
        history = list(state.history())
        known = len(self._state.history())
        if history[:known] != list(self._state.history()):
            self.restart()
            known = 0
        indices = []
        for action in history[known:]:
            if self._name is not None:
                index = self._position._inside.find(self._name(self._state, action))
            else:
                index = list(self._state.legal_actions()).index(action)
            indices.append(index)
            self._position = self._position._after(index)
            self._state.apply_action(action)
        if self._search is not None:
            self._search._follow(indices, self._position)


# The text of the move, in Permutree's game, that an action is at a state.
Name = Callable[[Any, int], str]


def _loaded(game: Union[str, Any]) -> Any:
    if not isinstance(game, str):
        return game
    try:
        return pyspiel.load_game(game)
    except (pyspiel.SpielError, ValueError, RuntimeError) as error:
        lines = str(error).strip().splitlines() or ["cannot be loaded"]
        raise _native.PermutreeError(f"openspiel:{game}: {lines[0]}") from error


def _square(column: int, row: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


def _string(state: Any, action: int) -> str:
    return str(state.action_to_string(state.current_player(), action))


def _found_native(game: Any) -> Optional[tuple[str, Name]]:
    """The spec of Permutree's own game with the same rules, and its names for actions."""
    given = game.get_parameters()
    make = _NATIVE.get(game.get_type().short_name)
    return make(given) if make is not None else None


def _hex(given: dict[str, Any]) -> Optional[tuple[str, Name]]:
    size = given["num_rows"]
    if given["num_cols"] != size or given["swap"] or not 3 <= size <= 19:
        return None
    return f"hex:{size}", lambda state, action: _square(action % size, action // size)


def _breakthrough(given: dict[str, Any]) -> Optional[tuple[str, Name]]:
    rows, columns = given["rows"], given["columns"]
    if not (4 <= rows <= 9 and 4 <= columns <= 9):
        return None

    def name(state: Any, action: int) -> str:
        # In OpenSpiel the first player starts at the top, and an asterisk marks a capture.
        a, b, c, d, *star = list(_string(state, action))
        return f"{a}{rows + 1 - int(b)}{'x' if star else ''}{c}{rows + 1 - int(d)}"

    same = f"breakthrough:{rows}" if rows == columns else f"breakthrough:rows={rows},columns={columns}"
    return make_game(same).spec, name


def _if_supported(spec: str, name: Name) -> Optional[tuple[str, Name]]:
    """The game with this spec, unless Permutree does not support its size."""
    try:
        return make_game(spec).spec, name
    except _native.PermutreeError:
        return None


def _connect_four(given: dict[str, Any]) -> Optional[tuple[str, Name]]:
    spec = f"connect4:columns={given['columns']},rows={given['rows']},connect={given['x_in_row']}"
    return _if_supported(spec, lambda state, action: chr(ord("a") + action))


def _othello(given: dict[str, Any]) -> Optional[tuple[str, Name]]:
    return "reversi", _string


def _gomoku(given: dict[str, Any]) -> Optional[tuple[str, Name]]:
    size = given["size"]
    plain = given["connect"] == 5 and given["dims"] == 2 and not given["wrap"] and not given["anti"]
    if not plain or not 5 <= size <= 19:
        return None
    return f"gomoku:{size}", lambda state, action: _square(action % size, action // size)


def _tic_tac_toe(given: dict[str, Any]) -> Optional[tuple[str, Name]]:
    return "tic-tac-toe", lambda state, action: _square(action % 3, action // 3)


def _nim(given: dict[str, Any]) -> Optional[tuple[str, Name]]:
    spec = f"nim:{given['pile_sizes'].replace(';', '-')},misere={str(given['is_misere']).lower()}"

    def name(state: Any, action: int) -> str:
        pile, taken = map(int, re.findall(r"\d+", _string(state, action)))
        return f"{chr(ord('a') + pile - 1)}{taken}"

    return _if_supported(spec, name)


_NATIVE: dict[str, Callable[[dict[str, Any]], Optional[tuple[str, Name]]]] = {
    "breakthrough": _breakthrough,
    "connect_four": _connect_four,
    "gomoku": _gomoku,
    "hex": _hex,
    "nim": _nim,
    "othello": _othello,
    "tic_tac_toe": _tic_tac_toe,
}

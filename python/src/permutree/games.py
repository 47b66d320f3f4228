"""A function for every built-in game: ``permutree.games.hex(7, opening="b2")`` is ``permutree.game("hex:7,opening=b2")``.

``help(permutree.games.hex)`` shows the rules, the source and the parameters with their ranges.
"""

from ._game import game as _game
from ._registry import described as _described
from ._registry import function_name as _function_name
from ._registry import game_docs as _game_docs

__all__ = []
for _name, (_doc, _params) in _game_docs().items():
    globals()[_function_name(_name)] = _described(_name, _game, _params, _doc)
    __all__.append(_function_name(_name))

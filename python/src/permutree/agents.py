"""A function for every built-in agent: ``permutree.agents.mcps(ref=100)`` is ``permutree.agent("mcps:ref=100")``.

``help(permutree.agents.mcps)`` shows what it does, when to use it, its source and its parameters.
"""

from ._registry import agent_docs as _agent_docs
from ._registry import described as _described
from ._registry import function_name as _function_name
from ._search import agent as _agent

__all__ = []
for _name, (_doc, _params) in _agent_docs().items():
    globals()[_function_name(_name)] = _described(_name, _agent, _params, _doc)
    __all__.append(_function_name(_name))

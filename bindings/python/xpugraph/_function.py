# SPDX-License-Identifier: Apache-2.0
"""What the raw layer says about a C function, and how it becomes one that can be called."""
import ctypes
from typing import Any, Callable, List, NamedTuple, Optional


class Param(NamedTuple):
    """A parameter: its ctypes type, which way it goes, and what bounds an array."""
    name: str
    ctype: Any
    direction: str = "in"
    length: str = ""
    nullable: bool = False


class Function(NamedTuple):
    """A function of the library."""
    name: str
    restype: Any
    params: List[Param]

    def bound(self, library: ctypes.CDLL,
              errcheck: Optional[Callable[[int, Any, Any], int]] = None) -> Any:
        """The function of `library`, ready to be called; `errcheck` sees each result.

        Each call gives a new object, so that the raw and the checked layer do not share settings.
        """
        function: Any = library[self.name]
        function.restype = self.restype
        function.argtypes = [param.ctype for param in self.params]
        if errcheck is not None:
            function.errcheck = errcheck
        return function

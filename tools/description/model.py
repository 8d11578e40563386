# SPDX-License-Identifier: Apache-2.0
"""What the public headers declare, as plain values: what every emitter of a binding reads."""
from dataclasses import dataclass, field
from typing import List, Optional


@dataclass(frozen=True)
class Type:
    """A C type. `kind` says which of the other members count.

    void, or a number (int8 … uint64, size, float, double, char); pointer and array (`of`, and
    `count` of an array); handle, struct, enum and callback (`name`).
    """
    kind: str
    name: str = ""
    of: Optional["Type"] = None
    count: int = 0
    const: bool = False


@dataclass
class Doc:
    """A comment, taken apart. `text` and `errors` are prose without line breaks."""
    text: str = ""
    errors: str = ""
    returns: str = ""
    since: str = ""


@dataclass
class Param:
    name: str
    type: Type
    direction: str = "in"  # in, out, in,out
    length: str = ""       # of an array: "numDependencies", "*numNodes", "2"; "" for one value
    nullable: bool = False
    doc: str = ""
    spelling: str = ""     # of the type, in C


@dataclass
class Function:
    name: str
    returns: Type
    params: List[Param]
    doc: Doc


@dataclass
class Member:
    name: str
    type: Type
    offset: int  # bytes
    doc: str = ""


@dataclass
class Struct:
    name: str
    members: List[Member]
    size: int  # bytes
    doc: Doc
    union: bool = False
    anonymous: List[str] = field(default_factory=list)  # members whose members count as its own

    @property
    def grows(self):
        """May it grow, and so begins with its size?"""
        return bool(self.members) and self.members[0].name == "struct_size"


@dataclass
class Value:
    name: str
    value: int
    doc: str = ""


@dataclass
class Enum:
    name: str      # as in `enum xpuError`
    type: str      # as in `xpuError_t`; often the same
    values: List[Value]
    doc: Doc


@dataclass
class Handle:
    name: str
    doc: Doc


@dataclass
class Callback:
    name: str
    returns: Type
    params: List[Type]
    doc: Doc


@dataclass
class Header:
    """One header: what it is for, and what it declares, in its order."""
    name: str  # "stream" for xpugraph/stream.h
    purpose: str
    includes: List[str] = field(default_factory=list)
    constants: List[Value] = field(default_factory=list)
    enums: List[Enum] = field(default_factory=list)
    handles: List[Handle] = field(default_factory=list)
    callbacks: List[Callback] = field(default_factory=list)
    structs: List[Struct] = field(default_factory=list)
    functions: List[Function] = field(default_factory=list)

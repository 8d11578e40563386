# SPDX-License-Identifier: Apache-2.0
"""xpugraph/user_object.h for ctypes. Written by tools/gen: edit the header instead.

User objects: something of the program that must live as long as graphs may use it.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.graph import xpuGraph_t
from xpugraph._raw.stream import xpuHostFn_t


class xpuUserObject_t(c.c_void_p):
    """A handle: a word that the library gives and checks."""


class xpuUserObjectFlags(IntEnum):
    """Flags of a user object."""
    xpuUserObjectNoDestructorSync = 1  # no call waits for the function; must be given


class xpuUserObjectRetainFlags(IntEnum):
    """Flags of xpuGraphRetainUserObject()."""
    xpuGraphUserObjectMove = 1  # the graph's references are taken from those of the program


# Makes a user object.
# object_out [out]: its handle, dead once the last reference is gone.
# ptr [in]: passed to `destroy`; may be NULL.
# destroy [in]: called with `ptr` after the last reference is gone; it must not call this library,
# and nothing waits for it, so a program that ends may end before it.
# initialRefcount [in]: references of the program, 1 to INT_MAX.
# flags [in]: xpuUserObjectNoDestructorSync.
# Errors: xpuErrorInvalidValue; `destroy` is not called then.
# Since 0.1.
xpuUserObjectCreate = Function("xpuUserObjectCreate", c.c_int, [
    Param("object_out", c.POINTER(xpuUserObject_t), "out"),
    Param("ptr", c.c_void_p, nullable=True),
    Param("destroy", xpuHostFn_t),
    Param("initialRefcount", c.c_uint32),
    Param("flags", c.c_uint32),
])

# Gives the program more references.
# count [in]: 1 to INT_MAX.
# Errors: xpuErrorInvalidValue for an object that is gone.
# Since 0.1.
xpuUserObjectRetain = Function("xpuUserObjectRetain", c.c_int, [
    Param("object", xpuUserObject_t),
    Param("count", c.c_uint32),
])

# Gives references of the program back.
# count [in]: 1 to INT_MAX.
# Errors: xpuErrorInvalidValue for more than the program has, and for an object that is gone.
# Since 0.1.
xpuUserObjectRelease = Function("xpuUserObjectRelease", c.c_int, [
    Param("object", xpuUserObject_t),
    Param("count", c.c_uint32),
])

# Gives a graph references. Executables made before do not get them.
# count [in]: 1 to INT_MAX.
# flags [in]: 0, or xpuGraphUserObjectMove.
# Errors: xpuErrorInvalidValue for an object that is gone, and for moving more references than the
# program has.
# Since 0.1.
xpuGraphRetainUserObject = Function("xpuGraphRetainUserObject", c.c_int, [
    Param("graph", xpuGraph_t),
    Param("object", xpuUserObject_t),
    Param("count", c.c_uint32),
    Param("flags", c.c_uint32),
])

# Takes references from a graph. Executables and copies made of it keep theirs.
# count [in]: 1 to INT_MAX.
# Errors: xpuErrorInvalidValue for more than the graph has, and for an object that is gone.
# Since 0.1.
xpuGraphReleaseUserObject = Function("xpuGraphReleaseUserObject", c.c_int, [
    Param("graph", xpuGraph_t),
    Param("object", xpuUserObject_t),
    Param("count", c.c_uint32),
])

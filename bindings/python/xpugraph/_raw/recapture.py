# SPDX-License-Identifier: Apache-2.0
"""xpugraph/recapture.h for ctypes. Written by tools/gen: edit the header instead.

Recapture: capturing once more into a graph that was captured before, so that its nodes stay and
only what they do is set anew.
"""

import ctypes as c

from xpugraph._function import Function, Param
from xpugraph._raw.any_node import xpuGraphNodeParams
from xpugraph._raw.graph import xpuGraphNode_t, xpuGraph_t
from xpugraph._raw.stream import xpuStream_t


# Asked about each node that would do something else than before, in the thread and during the call
# that is captured. It must not call the library, but for questions about errors: calls are refused
# with xpuErrorNotPermitted. No lock of the library is held.
xpuGraphRecaptureCallback_t = c.CFUNCTYPE(c.c_int, c.c_void_p, xpuGraphNode_t, c.POINTER(xpuGraphNodeParams), c.POINTER(xpuGraphNodeParams))


class xpuGraphRecaptureCallbackData(c.Structure):
    """Whom a recapture asks."""

    _fields_ = [
        ("callbackFunc", xpuGraphRecaptureCallback_t),  # NULL: every change is allowed
        ("userData", c.c_void_p),  # given to it
    ]


LAYOUT = {
    "xpuGraphRecaptureCallbackData": (16, [0, 8]),
}


# Begins to capture a stream into a graph that has its nodes already. The graph gives up its
# references to user objects first; new ones may be given to it at any time. Until
# xpuStreamEndCapture() the graph, and the child graphs in it, can be looked at, but not changed,
# copied, instantiated or used for an update (xpuErrorIllegalState). A captured call that is not
# what made the next node, or that the program's function does not allow, fails with
# xpuErrorGraphRecaptureFailure; so does the end if nodes are missing. A recapture that fails so,
# or in another way, or is given up, leaves the graph undefined: xpuGraphDestroy() is all that is
# allowed then, everything else is refused with xpuErrorIllegalState, for its nodes and for graphs
# inside of it, too. Executables made of it are as before.
# graph [in]: may be the body of a conditional node or a child graph.
# callbackData [in]: copied; NULL allows every change. The function may be called until the end of
# the capture, in every thread that captures.
# Errors: as for xpuStreamBeginCapture(); xpuErrorIllegalState if the graph, or one inside of it,
# is being captured into. The graph is as before then.
# Since 0.1.
xpuStreamBeginRecaptureToGraph = Function("xpuStreamBeginRecaptureToGraph", c.c_int, [
    Param("stream", xpuStream_t),
    Param("mode", c.c_int),
    Param("graph", xpuGraph_t),
    Param("callbackData", c.POINTER(xpuGraphRecaptureCallbackData)),
])

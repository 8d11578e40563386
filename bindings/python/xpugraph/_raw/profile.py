# SPDX-License-Identifier: Apache-2.0
"""xpugraph/profile.h for ctypes. Written by tools/gen: edit the header instead.

Profiles: when each node of an executable ran, and for how long.
"""

import ctypes as c

from xpugraph._function import Function, Param
from xpugraph._raw.exec import xpuGraphExec_t
from xpugraph._raw.stream import xpuStream_t


XPU_PROFILE_NONE = 0xffffffff  # Values of xpuGraphNodeProfile that mean none. Since 0.1.


class xpuGraphNodeProfile(c.Structure):
    """One node in a profile."""

    _fields_ = [
        # sizeof(xpuGraphNodeProfile); of the first entry, for all of the array
        ("struct_size", c.c_uint32),
        ("type", c.c_int),  # what the node does
        # The node's number in its own graph, as pictures and error sentences have it.
        ("localId", c.c_uint32),
        # Where in the array the child graph node is in whose graph this node is; XPU_PROFILE_NONE:
        # the graph itself.
        ("parent", c.c_uint32),
        # The lane it ran on: nodes of one lane share a queue of a device. XPU_PROFILE_NONE: it has
        # nothing to run itself.
        ("lane", c.c_uint32),
        # 1: the device's clock was read. 0: nothing ran (empty nodes, memory nodes, nodes that are
        # switched off), or the driver does not tell; the start is then where the nodes before it
        # end, and the duration 0.
        ("timed", c.c_uint32),
        # The kernel's name, or in a word what another node does. The library's; valid until the
        # executable is updated or destroyed.
        ("name", c.c_char_p),
        ("startNs", c.c_uint64),  # nanoseconds since the run began
        # of a child graph node: from its first node's start to the end
        ("durationNs", c.c_uint64),
    ]


LAYOUT = {
    "xpuGraphNodeProfile": (48, [0, 4, 8, 12, 16, 20, 24, 32, 40]),
}


# Runs an executable once, waits for the end of the run, and tells when each node ran. The run is
# ordered as that of xpuGraphLaunch() and computes the same; a launch of this executable by another
# thread waits until the profile is done. Only the clock of the device is read, and its resolution
# is that of the device: on Intel's GPUs some 50 ns. Times of nodes on several devices are brought
# to one clock by the host's, to about a microsecond. The stream is of the device that the
# executable was made for. An event wait node takes as long as it waits, a host node from when the
# device reaches it until it goes on.
# nodes [out]: len = *numNodes; may be NULL. A row for each node, those of child graphs behind
# their node, and each behind the nodes that it depends on.
# numNodes [in,out]: in: room in `nodes`, not read if that is NULL; out: the number of rows. May be
# NULL if `nodes` is.
# tracePath [in]: a file to write the profile to, in Chrome's trace event format (JSON; Perfetto
# and chrome://tracing open it): a thread for each lane, and more where nodes of a lane overlap. It
# is replaced after the run. May be NULL. If `nodes` is NULL, too, only the number of rows is told
# and nothing runs.
# Errors: as for xpuGraphLaunch(); xpuErrorInvalidValue for too little room, if all three are NULL
# and for a struct_size that no library has had; xpuErrorStreamCaptureUnsupported while the stream
# is captured, which is invalidated; xpuErrorOperatingSystem if the file cannot be written. Where
# the file cannot be opened, nothing has run. An error of the run itself comes from this call.
# Since 0.1.
xpuGraphExecProfile = Function("xpuGraphExecProfile", c.c_int, [
    Param("graphExec", xpuGraphExec_t),
    Param("stream", xpuStream_t),
    Param("nodes", c.POINTER(xpuGraphNodeProfile), "out", length="*numNodes", nullable=True),
    Param("numNodes", c.POINTER(c.c_size_t), "in,out", nullable=True),
    Param("tracePath", c.c_char_p, nullable=True),
])

# SPDX-License-Identifier: Apache-2.0
"""The C library as it is: exact names, no judgement. Written by tools/gen."""
from xpugraph._raw import (
    any_node, capture, conditional, device, error, event, exec, external_semaphore, graph, interop,
    launch, memop, memory, mempool, module, node, profile, recapture, stream, symbol, user_object)
from xpugraph._raw.any_node import *  # noqa: F401,F403
from xpugraph._raw.capture import *  # noqa: F401,F403
from xpugraph._raw.conditional import *  # noqa: F401,F403
from xpugraph._raw.device import *  # noqa: F401,F403
from xpugraph._raw.error import *  # noqa: F401,F403
from xpugraph._raw.event import *  # noqa: F401,F403
from xpugraph._raw.exec import *  # noqa: F401,F403
from xpugraph._raw.external_semaphore import *  # noqa: F401,F403
from xpugraph._raw.graph import *  # noqa: F401,F403
from xpugraph._raw.interop import *  # noqa: F401,F403
from xpugraph._raw.launch import *  # noqa: F401,F403
from xpugraph._raw.memop import *  # noqa: F401,F403
from xpugraph._raw.memory import *  # noqa: F401,F403
from xpugraph._raw.mempool import *  # noqa: F401,F403
from xpugraph._raw.module import *  # noqa: F401,F403
from xpugraph._raw.node import *  # noqa: F401,F403
from xpugraph._raw.profile import *  # noqa: F401,F403
from xpugraph._raw.recapture import *  # noqa: F401,F403
from xpugraph._raw.stream import *  # noqa: F401,F403
from xpugraph._raw.symbol import *  # noqa: F401,F403
from xpugraph._raw.user_object import *  # noqa: F401,F403

HEADERS = (
    error, device, stream, event, memory, mempool, module, graph, launch, node, user_object, exec,
    conditional, profile, external_semaphore, memop, symbol, any_node, capture, recapture, interop)

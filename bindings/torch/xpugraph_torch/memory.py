# SPDX-License-Identifier: Apache-2.0
"""Statistics of device memory, and giving it back."""
from torch.accelerator.memory import (  # noqa: F401
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    memory_allocated,
    memory_reserved,
    memory_stats,
    reset_accumulated_memory_stats,
    reset_peak_memory_stats,
)
from torch.accelerator.memory import get_memory_info as mem_get_info  # noqa: F401

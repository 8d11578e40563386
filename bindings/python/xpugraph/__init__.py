# SPDX-License-Identifier: Apache-2.0
"""CUDA Graphs for Intel GPUs and the CPU, as PyTorch users know them."""

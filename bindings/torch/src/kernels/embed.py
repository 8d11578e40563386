#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a C++ header with the contents of SPIR-V modules.

usage: embed.py OUTPUT.h MODULE.spv...
"""
import sys
from pathlib import Path


def main():
    output, *modules = map(Path, sys.argv[1:])
    with output.open("w") as header:
        print("// Made by kernels/embed.py.\n#pragma once\n#include <cstddef>\n#include <cstdint>\n", file=header)
        print("namespace xpugraph_torch {\nstruct KernelImage {\n  const char* name;\n  const void* begin;\n  size_t size;\n};",
              file=header)
        for module in modules:
            data = module.read_bytes()
            words = (f"0x{int.from_bytes(data[at:at + 4], 'little'):x}u" for at in range(0, len(data), 4))
            print(f"inline const uint32_t image_{module.stem}[] = {{{','.join(words)}}};", file=header)
        print("inline const KernelImage kernel_images[] = {", file=header)
        for module in modules:
            print(f'  {{"{module.stem}", image_{module.stem}, sizeof image_{module.stem}}},', file=header)
        print("};\n}  // namespace xpugraph_torch", file=header)


if __name__ == "__main__":
    main()

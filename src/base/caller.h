// SPDX-License-Identifier: Apache-2.0
// Which call of the program the library is in, and where in the program it was made: for sentences
// that must lead back there later. It walks the stack; not for paths that matter.
#pragma once

#include <string>

namespace xpu {

// "by xpuFree, called from prog+0x11f3 (main+0x2a) in thread 4711". What is not known is left out:
// programs show the names of the functions they export, which -rdynamic makes all of them.
std::string describe_caller();

}  // namespace xpu

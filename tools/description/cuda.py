# SPDX-License-Identifier: Apache-2.0
"""Writes the headers under which host code that was written for CUDA graphs compiles."""
import re
import textwrap

FOLDER = "include/xpugraph/compat"

# What CUDA's runtime does not have, by the beginning of its name.
OURS = re.compile(
    r"xpu(Dim3|Symbol_t|Kernel(?!NodeParams|NodeAttr)|Module|Native|InitFromNative|GraphPool|GraphMemoryReport|\w*Profile|"
    r"StreamCaptureParams|StreamBeginCaptureWithParams|StreamAbortCapture|GetLastErrorInfo|ErrorInfo|"
    r"\w+GetNative|\w+FromNative|GraphInstantiateFlagAutoFreeOnDestroy)")

# How many of the last parameters CUDA's C++ header gives the value 0.
DEFAULTS = {
    "xpuEventRecord": 1, "xpuEventRecordWithFlags": 2, "xpuGraphInstantiate": 1,
    "xpuGraphInstantiateWithFlags": 1, "xpuLaunchKernel": 2, "xpuLaunchCooperativeKernel": 2,
    "xpuMallocManaged": 1, "xpuMemcpy2DAsync": 1, "xpuMemcpy3DAsync": 1, "xpuMemcpyAsync": 1,
    "xpuMemset2DAsync": 1, "xpuMemsetAsync": 1, "xpuStreamGetCaptureInfo": 5,
    "xpuStreamUpdateCaptureDependencies": 1, "xpuStreamWaitEvent": 1,
}
# They take a pointer to a pointer of any type in C++.
TYPED = {"xpuMalloc": "size_t size", "xpuMallocHost": "size_t size",
         "xpuMallocAsync": "size_t size, cudaStream_t stream"}

HEAD = """// SPDX-License-Identifier: Apache-2.0
// CUDA's names for this library: host code that was written for CUDA graphs compiles with this header
// in place of <cuda_runtime.h>. Kernels still come from modules (see docs/porting-from-cuda.md).
// Structs need no `struct_size` here: the calls set it. Written by tools/gen.
#pragma once

#include <xpugraph/compat/cuda_calls.h>
#include <xpugraph/compat/cuda_types.h>
#include <xpugraph/xpugraph.h>

#ifdef __cplusplus
#define XPU_COMPAT_OR_0 = {}
// As an xpuDim3, but what is not given is 1.
struct dim3 : xpuDim3 {
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : xpuDim3{vx, vy, vz} {}
  constexpr dim3(const xpuDim3& other) : xpuDim3(other) {}
};
#else
#define XPU_COMPAT_OR_0
typedef xpuDim3 dim3;
#endif

#define cudaGraphConditionalHandle xpuGraphConditionalHandle

static inline xpuExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  xpuExtent extent;
  extent.width = width;
  extent.height = height;
  extent.depth = depth;
  return extent;
}

static inline xpuPos make_cudaPos(size_t x, size_t y, size_t z) {
  xpuPos pos;
  pos.x = x;
  pos.y = y;
  pos.z = z;
  return pos;
}

static inline xpuPitchedPtr make_cudaPitchedPtr(void* ptr, size_t pitch, size_t xsize,
                                                size_t ysize) {
  xpuPitchedPtr pitched;
  pitched.ptr = ptr;
  pitched.pitch = pitch;
  pitched.xsize = xsize;
  pitched.ysize = ysize;
  return pitched;
}
"""

RENAMED = """// SPDX-License-Identifier: Apache-2.0
// CUDA's names for {}. Written by tools/gen; a program includes
// cuda_runtime_graphs.h.
#pragma once
"""


def cuda(name):
    return "cuda" + name.removeprefix("xpu")


def theirs(name):
    return name.startswith("xpu") and not OURS.match(name)


def rename(name):
    return f"#define {cuda(name)} {name}"


def types_and_constants(header):
    """The names of a header that are no functions."""
    names = [c.name for c in header.constants] + [h.name for h in header.handles]
    names += [c.name for c in header.callbacks] + [s.name for s in header.structs]
    for enum in header.enums:
        names += dict.fromkeys([enum.name, enum.type])
        names += [value.name for value in enum.values]
    return [name for name in dict.fromkeys(names) if theirs(name)]


def sized(param, structs):
    """The struct that a parameter points to, if that begins with its size."""
    below = param.type.of if param.type.kind == "pointer" else None
    struct = structs.get(below.name) if below is not None and below.kind == "struct" else None
    return struct if struct is not None and struct.grows else None


def sizes(struct, at, structs):
    """The statements that set the size of what `at` stands before, and of the structs in it."""
    lines = [f"{at}struct_size = (uint32_t)sizeof({struct.name});"]
    for member in struct.members:
        inner = structs.get(member.type.name) if member.type.kind == "struct" else None
        if inner is not None and inner.grows and not struct.union and member.name not in struct.anonymous:
            lines += sizes(inner, f"{at}{member.name}.", structs)
    return lines


def spelled(param):
    text = param.spelling.replace("xpuDim3", "dim3")
    return f"{text}{param.name}" if text.endswith("*") else f"{text} {param.name}"


def wrapped(line):
    """Breaks a line after commas only."""
    glued = re.sub(r"(?<!,) ", "\0", line)
    return textwrap.fill(glued, 99, subsequent_indent="    ", break_on_hyphens=False,
                         break_long_words=False).replace("\0", " ")


def wrapper(function, structs):
    """A function of CUDA's name that sets sizes and has CUDA's default values."""
    defaults, count = DEFAULTS.get(function.name, 0), len(function.params)
    params, body, arguments = [], [], []
    for number, param in enumerate(function.params):
        params.append(spelled(param) + (" XPU_COMPAT_OR_0" if number >= count - defaults else ""))
        struct = sized(param, structs)
        if struct is None:
            arguments.append(param.name)
        elif param.spelling.startswith("const "):  # the model loses it with newer libclang
            own = f"sized_{param.name}"
            body += [f"{struct.name} {own};", f"if ({param.name}) {{", f"  {own} = *{param.name};",
                     *(f"  {line}" for line in sizes(struct, own + ".", structs)), "}"]
            arguments.append(f"{param.name} ? &{own} : {param.name}")
        else:
            lines = sizes(struct, param.name + "->", structs)
            body += [f"if ({param.name}) {{", *(f"  {line}" for line in lines), "}"]
            arguments.append(param.name)
    return "\n".join([wrapped(f"static inline xpuError_t {cuda(function.name)}({', '.join(params)}) {{"),
                      *(f"  {line}" for line in body),
                      wrapped(f"  return {function.name}({', '.join(arguments)});"), "}"])


def typed(name, rest):
    given = ", ".join(part.split()[-1] for part in rest.split(", "))
    return (f"template <class T>\ninline xpuError_t {name}(T** pointer, {rest}) {{\n"
            f"  return {name}((void**)pointer, {given});\n}}")


def renamed(what, names_of_headers):
    parts = [f"// {name}.h\n" + "\n".join(map(rename, names)) + "\n" for name, names in names_of_headers if names]
    return "\n".join([RENAMED.format(what), *parts])


GRAPHS = """// SPDX-License-Identifier: Apache-2.0
// The calls about graphs that take structs or have default arguments in CUDA. Written by tools/gen;
// a program includes cuda_runtime_graphs.h, which includes this.
#pragma once

"""
# The headers whose calls are there.
OF_GRAPHS = {"graph", "node", "any_node", "exec", "launch", "capture", "user_object", "external_semaphore"}


# What only CUDA's driver API has, by names of its own.
NOT_THE_RUNTIMES = {"memop"}


def files(headers):
    headers = [header for header in headers if header.name not in NOT_THE_RUNTIMES]
    structs = {s.name: s for header in headers for s in header.structs}
    calls, wrappers = {}, {True: [], False: []}
    for header in headers:
        mine = [f for f in header.functions if theirs(f.name)]
        more = [f for f in mine if f.name in DEFAULTS or any(sized(p, structs) for p in f.params)]
        wrappers[header.name in OF_GRAPHS] += [wrapper(function, structs) for function in more]
        calls[header.name] = [f.name for f in mine if f not in more]
    templates = "#ifdef __cplusplus\n" + "\n\n".join(typed(*item) for item in TYPED.items()) + "\n#endif\n"
    return {
        f"{FOLDER}/cuda_types.h": renamed("types and constants", [(h.name, types_and_constants(h)) for h in headers]),
        f"{FOLDER}/cuda_calls.h": renamed("calls that are the same here", calls.items()),
        f"{FOLDER}/cuda_graph_calls.h": GRAPHS + "\n\n".join(wrappers[True]) + "\n",
        f"{FOLDER}/cuda_runtime_graphs.h":
            "\n".join([HEAD, "\n\n".join(wrappers[False]) + "\n", templates,
                       "#include <xpugraph/compat/cuda_graph_calls.h>\n", "#undef XPU_COMPAT_OR_0\n"]),
    }

# SPDX-License-Identifier: Apache-2.0
"""xpugraph/symbol.h for ctypes. Written by tools/gen: edit the header instead.

Symbols: the variables of program scope that a module has, and copies to and from them.
"""

import ctypes as c

from xpugraph._function import Function, Param
from xpugraph._raw.exec import xpuGraphExec_t
from xpugraph._raw.graph import xpuGraphNode_t, xpuGraph_t
from xpugraph._raw.module import xpuModule_t
from xpugraph._raw.stream import xpuStream_t


class xpuSymbol_t(c.c_void_p):
    """A variable of a module; checked like every handle, and dead with the module."""


# Finds a variable by name. The same name gives the same handle each time.
# pSymbol [out]: the symbol; it lives as long as the module and is not destroyed by itself.
# Errors: xpuErrorSymbolNotFound if the module has no such variable; xpuErrorNotSupported if the
# driver cannot tell where the module's variables are.
# Since 0.1.
xpuModuleGetSymbol = Function("xpuModuleGetSymbol", c.c_int, [
    Param("pSymbol", c.POINTER(xpuSymbol_t), "out"),
    Param("module", xpuModule_t),
    Param("name", c.c_char_p),
])

# Tells where a variable is, as cuModuleGetGlobal() does.
# dptr [out]: its address on the module's device, valid as long as the module. May be NULL.
# bytes [out]: its size. May be NULL.
# Errors: as for xpuModuleGetSymbol(); xpuErrorInvalidValue if both outputs are NULL.
# Since 0.1.
xpuModuleGetGlobal = Function("xpuModuleGetGlobal", c.c_int, [
    Param("dptr", c.POINTER(c.c_void_p), "out", nullable=True),
    Param("bytes", c.POINTER(c.c_size_t), "out", nullable=True),
    Param("module", xpuModule_t),
    Param("name", c.c_char_p),
])

# devPtr [out]: where the variable is.
# Errors: xpuErrorInvalidSymbol for NULL or a dead symbol.
# Since 0.1.
xpuGetSymbolAddress = Function("xpuGetSymbolAddress", c.c_int, [
    Param("devPtr", c.POINTER(c.c_void_p), "out"),
    Param("symbol", xpuSymbol_t),
])

# size [out]: bytes of the variable.
# Errors: xpuErrorInvalidSymbol for NULL or a dead symbol.
# Since 0.1.
xpuGetSymbolSize = Function("xpuGetSymbolSize", c.c_int, [
    Param("size", c.POINTER(c.c_size_t), "out"),
    Param("symbol", xpuSymbol_t),
])

# Copies to a part of a variable and waits for it, as xpuMemcpy() does.
# count [in]: bytes.
# offset [in]: bytes from the variable's beginning.
# kind [in]: xpuMemcpyHostToDevice, xpuMemcpyDeviceToDevice or xpuMemcpyDefault.
# Errors: xpuErrorInvalidSymbol for NULL or a dead symbol; xpuErrorInvalidValue for a part that is
# not inside the variable; xpuErrorInvalidMemcpyDirection for another kind; those of xpuMemcpy().
# Since 0.1.
xpuMemcpyToSymbol = Function("xpuMemcpyToSymbol", c.c_int, [
    Param("symbol", xpuSymbol_t),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
])

# Copies from a part of a variable and waits for it.
# dst [out]: len = count; what the part has.
# count [in]: bytes.
# offset [in]: bytes from the variable's beginning.
# kind [in]: xpuMemcpyDeviceToHost, xpuMemcpyDeviceToDevice or xpuMemcpyDefault.
# Errors: as for xpuMemcpyToSymbol().
# Since 0.1.
xpuMemcpyFromSymbol = Function("xpuMemcpyFromSymbol", c.c_int, [
    Param("dst", c.c_void_p, "out", length="count"),
    Param("symbol", xpuSymbol_t),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
])

# As xpuMemcpyToSymbol(), in the order of a stream; captured it becomes a copy node.
# Errors: as for xpuMemcpyToSymbol(); those of xpuMemcpyAsync().
# Since 0.1.
xpuMemcpyToSymbolAsync = Function("xpuMemcpyToSymbolAsync", c.c_int, [
    Param("symbol", xpuSymbol_t),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
    Param("stream", xpuStream_t),
])

# As xpuMemcpyFromSymbol(), in the order of a stream; captured it becomes a copy node.
# dst [out]: len = count; written when the stream comes to it.
# Errors: as for xpuMemcpyToSymbol(); those of xpuMemcpyAsync().
# Since 0.1.
xpuMemcpyFromSymbolAsync = Function("xpuMemcpyFromSymbolAsync", c.c_int, [
    Param("dst", c.c_void_p, "out", length="count"),
    Param("symbol", xpuSymbol_t),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
    Param("stream", xpuStream_t),
])

# Adds a copy node to a part of a variable: a 1-D copy like any other, which
# xpuGraphMemcpyNodeGetParams() shows with the variable's address. The module must be there as long
# as executables with the node are launched.
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# count [in]: bytes, not 0.
# Errors: as for xpuMemcpyToSymbol(); those of xpuGraphAddMemcpyNode1D().
# Since 0.1.
xpuGraphAddMemcpyNodeToSymbol = Function("xpuGraphAddMemcpyNodeToSymbol", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("symbol", xpuSymbol_t),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
])

# Adds a copy node from a part of a variable; see xpuGraphAddMemcpyNodeToSymbol().
# pGraphNode [out]: the node; it lives as long as the graph.
# pDependencies [in]: len = numDependencies; may be NULL if that is 0.
# dst [in]: len = count; written by each launch.
# count [in]: bytes, not 0.
# Errors: as for xpuMemcpyToSymbol(); those of xpuGraphAddMemcpyNode1D().
# Since 0.1.
xpuGraphAddMemcpyNodeFromSymbol = Function("xpuGraphAddMemcpyNodeFromSymbol", c.c_int, [
    Param("pGraphNode", c.POINTER(xpuGraphNode_t), "out"),
    Param("graph", xpuGraph_t),
    Param("pDependencies", c.POINTER(xpuGraphNode_t), length="numDependencies", nullable=True),
    Param("numDependencies", c.c_size_t),
    Param("dst", c.c_void_p, length="count"),
    Param("symbol", xpuSymbol_t),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
])

# Makes a copy node one to a part of a variable.
# Errors: as for xpuGraphAddMemcpyNodeToSymbol(); xpuErrorInvalidValue for no copy node.
# Since 0.1.
xpuGraphMemcpyNodeSetParamsToSymbol = Function("xpuGraphMemcpyNodeSetParamsToSymbol", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("symbol", xpuSymbol_t),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
])

# Makes a copy node one from a part of a variable.
# dst [in]: len = count; written by each launch.
# Errors: as for xpuGraphMemcpyNodeSetParamsToSymbol().
# Since 0.1.
xpuGraphMemcpyNodeSetParamsFromSymbol = Function("xpuGraphMemcpyNodeSetParamsFromSymbol", c.c_int, [
    Param("node", xpuGraphNode_t),
    Param("dst", c.c_void_p, length="count"),
    Param("symbol", xpuSymbol_t),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
])

# Makes a copy node of an executable one to a part of a variable, from the next launch on.
# node [in]: of the graph that the executable was made of; it must have been there then.
# Errors: as for xpuGraphAddMemcpyNodeToSymbol(); those of xpuGraphExecMemcpyNodeSetParams1D().
# Since 0.1.
xpuGraphExecMemcpyNodeSetParamsToSymbol = Function("xpuGraphExecMemcpyNodeSetParamsToSymbol", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("node", xpuGraphNode_t),
    Param("symbol", xpuSymbol_t),
    Param("src", c.c_void_p),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
])

# Makes a copy node of an executable one from a part of a variable, from the next launch on.
# node [in]: of the graph that the executable was made of; it must have been there then.
# dst [in]: len = count; written by each launch.
# Errors: as for xpuGraphExecMemcpyNodeSetParamsToSymbol().
# Since 0.1.
xpuGraphExecMemcpyNodeSetParamsFromSymbol = Function("xpuGraphExecMemcpyNodeSetParamsFromSymbol", c.c_int, [
    Param("hGraphExec", xpuGraphExec_t),
    Param("node", xpuGraphNode_t),
    Param("dst", c.c_void_p, length="count"),
    Param("symbol", xpuSymbol_t),
    Param("count", c.c_size_t),
    Param("offset", c.c_size_t),
    Param("kind", c.c_int),
])

# SPDX-License-Identifier: Apache-2.0
"""Exceptions: one class for each kind of failure that a program treats differently."""
from __future__ import annotations

from xpugraph._raw import xpuError_t


class XPUError(RuntimeError):
    """A call of the C library failed.

    Attributes
    ----------
    code : xpugraph.ErrorCode
        The number that the C call answered.
    function : str
        The C function, e.g. ``"xpuGraphLaunch"``; of the Python method where C was not reached.
    argument : str
        The parameter at fault as the header spells it, ``""`` if none.
    native_result : int
        The ``ze_result_t`` behind it, 0 if Level Zero had no part in it.
    """

    #: Codes that become this class; a class without any is for those that no other one has.
    codes: frozenset[int] = frozenset()

    def __init__(self, code: int, sentence: str, function: str = "", argument: str = "",
                 native_result: int = 0) -> None:
        self.code = xpuError_t(code)
        self.sentence = sentence
        self.function = function
        self.argument = argument
        self.native_result = native_result
        where = f" in {function}" if function else ""
        what = f", argument {argument}" if argument else ""
        native = f", Level Zero result {native_result:#x}" if native_result else ""
        super().__init__(f"{sentence} ({self.code.name}{where}{what}{native})")

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return (type(self), (int(self.code), self.sentence, self.function, self.argument,
                             self.native_result))


class OutOfMemory(XPUError, MemoryError):
    """There is not enough memory of the kind that was asked for."""

    codes = frozenset({xpuError_t.xpuErrorMemoryAllocation})


class InvalidValue(XPUError, ValueError):
    """An argument, a size or a combination of them cannot be right."""

    codes = frozenset({
        xpuError_t.xpuErrorInvalidValue, xpuError_t.xpuErrorInvalidConfiguration,
        xpuError_t.xpuErrorInvalidPitchValue, xpuError_t.xpuErrorInvalidDevicePointer,
        xpuError_t.xpuErrorInvalidHostPointer, xpuError_t.xpuErrorInvalidMemcpyDirection,
        xpuError_t.xpuErrorInvalidDevice, xpuError_t.xpuErrorInvalidDeviceFunction})


class UpdateRefused(XPUError):
    """A graph has another form than an executable, or changes what an executable has to keep.

    The executable is as it was.

    Attributes
    ----------
    result : str
        Which of the nine kinds of reasons it was, e.g. ``"TopologyChanged"``.
    node : int
        The `xpuGraphNode_t` of the graph at fault, 0 if no single one is.
    """

    codes = frozenset({xpuError_t.xpuErrorGraphExecUpdateFailure})
    result = "Error"
    node = 0


class InvalidHandle(XPUError):
    """A handle is dead, of another type, or of another device."""

    codes = frozenset({xpuError_t.xpuErrorInvalidResourceHandle})


class NotSupported(XPUError):
    """The device, its driver or this version of the library does not do that."""

    codes = frozenset({
        xpuError_t.xpuErrorNotSupported, xpuError_t.xpuErrorNotYetImplemented,
        xpuError_t.xpuErrorCallRequiresNewerDriver, xpuError_t.xpuErrorPeerAccessUnsupported})


class NotReady(XPUError):
    """Work is not finished yet."""

    codes = frozenset({xpuError_t.xpuErrorNotReady})


class NoDevice(XPUError):
    """There is no device, or no driver for one."""

    codes = frozenset({
        xpuError_t.xpuErrorNoDevice, xpuError_t.xpuErrorInsufficientDriver,
        xpuError_t.xpuErrorDevicesUnavailable, xpuError_t.xpuErrorInitializationError})


class CaptureError(XPUError):
    """A call is not allowed during a capture, or a capture cannot begin, go on or end."""

    codes = frozenset({code for code in xpuError_t if 900 <= code <= 908}
                      | {xpuError_t.xpuErrorGraphRecaptureFailure})


class IllegalState(XPUError):
    """The object is not in a state for that call."""

    codes = frozenset({xpuError_t.xpuErrorIllegalState})


class BuildError(XPUError):
    """An image is malformed or does not build.

    Attributes
    ----------
    log : str
        What the compiler said.
    """

    log = ""
    codes = frozenset({
        xpuError_t.xpuErrorInvalidKernelImage, xpuError_t.xpuErrorNoKernelImageForDevice,
        xpuError_t.xpuErrorInvalidSource, xpuError_t.xpuErrorJitCompilerNotFound})


class SymbolNotFound(XPUError, KeyError):
    """A module has no kernel of that name."""

    codes = frozenset({xpuError_t.xpuErrorSymbolNotFound})

    def __str__(self) -> str:  # KeyError shows its argument quoted
        return RuntimeError.__str__(self)


class LaunchFailure(XPUError):
    """Work failed while it ran; reported by the call that waited for it."""

    codes = frozenset({
        xpuError_t.xpuErrorLaunchFailure, xpuError_t.xpuErrorIllegalAddress,
        xpuError_t.xpuErrorLaunchTimeout, xpuError_t.xpuErrorPriorLaunchFailure,
        xpuError_t.xpuErrorLaunchOutOfResources, xpuError_t.xpuErrorAssert})


_CLASSES = {int(code): kind for kind in XPUError.__subclasses__() for code in kind.codes}
_KNOWN = {int(code) for code in xpuError_t}


def error_of(code: int, sentence: str, function: str = "", argument: str = "",
             native_result: int = 0) -> XPUError:
    """The exception for a code of the C library; a code of a newer library is unknown to us."""
    kind = _CLASSES.get(code, XPUError)
    if code not in _KNOWN:
        sentence, code = f"{sentence} (code {code})", xpuError_t.xpuErrorUnknown
    return kind(code, sentence, function, argument, native_result)

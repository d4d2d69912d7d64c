"""Buffers as pointers, without copies, and the statuses of the C library as exceptions."""

import sys
from typing import Any, NoReturn

from kernport import errors
from kernport._cffi import ffi, lib
from kernport.types import Buffer


def readable(value: Buffer, name: str, number: int | None = None) -> Any:
    """The bytes of a contiguous buffer as a C array, valid while the result lives.

    An error names the argument, and which of several it is.
    """
    try:
        return ffi.from_buffer("uint8_t[]", value)
    except (TypeError, ValueError, BufferError) as error:
        if sys.implementation.name != "cpython" and _contiguous(value):
            # PyPy gives no address for some, such as that of a BytesIO's content.
            return ffi.from_buffer("uint8_t[]", bytes(value))
        label = name if number is None else f"{name}[{number}]"
        raise _explain(value, label, "a contiguous bytes-like object", error) from None


def writable(value: Buffer, name: str) -> Any:
    """The bytes of a contiguous, writable buffer as a C array, valid while the result lives."""
    try:
        return ffi.from_buffer("uint8_t[]", value, require_writable=True)
    except (TypeError, ValueError, BufferError) as error:
        remedy = "write to a bytearray and copy from there"
        raise _explain(
            value, name, "a contiguous, writable buffer such as bytearray", error, remedy
        ) from None


# Not cleared, for all of it is written before it is read.
_new = ffi.new_allocator(should_clear_after_alloc=False)


def room(length: int) -> Any:
    """A C array of so many bytes to be written; of what it ends as, `content` makes bytes."""
    return _new("uint8_t[]", length)


def content(array: Any) -> bytes:
    """The bytes of a C array."""
    result: bytes = ffi.buffer(array)[:]
    return result


def _contiguous(value: Buffer) -> bool:
    try:
        return memoryview(value).c_contiguous
    except TypeError:
        return False


def _explain(
    value: object, name: str, wanted: str, error: Exception, remedy: str = "copy it by bytes()"
) -> Exception:
    try:
        view = memoryview(value)  # type: ignore[arg-type]
    except TypeError:
        return TypeError(f"{name} must be {wanted}, not {type(value).__name__}")
    if not view.c_contiguous:
        return BufferError(f"{name} must be {wanted}: this {type(value).__name__} has gaps; {remedy}")
    if view.readonly:
        return TypeError(f"{name} must be {wanted}: this {type(value).__name__} is read-only")
    return TypeError(f"{name} must be {wanted}: {error}")


def checked(status: int) -> None:
    """Return for KP_OK; else raise what the status stands for."""
    if status != 0:
        _raise(status)


def _raise(status: int) -> NoReturn:
    text = ffi.string(lib.kp_status_text(status)).decode()
    if status == lib.KP_INVALID_TAG:
        raise errors.InvalidTag(text)
    if status == lib.KP_NO_MEMORY:
        raise MemoryError(text)
    if status in (lib.KP_UNKNOWN_KERNEL, lib.KP_UNAVAILABLE_KERNEL):
        raise errors.UnavailableKernel(text)
    if status == lib.KP_NO_KERNEL:
        raise errors.NoKernel(text)
    if status == lib.KP_TOO_LONG:
        raise OverflowError(text)
    raise ValueError(text)


def kernel_name(kernel: str | None) -> Any:
    """A kernel's name as a C string, or NULL for the dispatcher's choice."""
    if kernel is not None and not isinstance(kernel, str):
        raise TypeError("kernel must be a kernel's name or None")
    return ffi.NULL if kernel is None else kernel.encode()

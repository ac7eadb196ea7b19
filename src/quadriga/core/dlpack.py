"""DLPack: arrays handed to PyTorch, JAX and CuPy without a copy.

The structures are those of DLPack's C header, version 0, which all of these libraries read.
"""

import ctypes
from typing import Any

import numpy as np

CPU, CUDA = 1, 2
"""DLPack's numbers of devices."""
NAME = b"dltensor"
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}


class _Device(ctypes.Structure):
    _fields_ = (("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))

_LENT: dict[int, tuple[Any, ...]] = {}
"""What others still use, by the address of its structure: kept alive until they are done."""


def _release(managed: Any) -> None:
    _LENT.pop(ctypes.addressof(managed.contents), None)


_give_back = _Deleter(_release)

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


def capsule(owner: Any, address: int, shape: tuple[int, ...], dtype: np.dtype[Any], device: tuple[int, int]) -> Any:
    """A DLPack capsule of contiguous memory; `owner` lives as long as somebody uses it.

    A capsule that nobody takes over keeps its owner for good: exchange protocols take over at once.
    """
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    kind = _DataType(_CODES[dtype.kind], dtype.itemsize * 8, 1)
    tensor = _Tensor(address, _Device(*device), len(shape), kind, sizes, None, 0)
    managed = _Managed(tensor, None, _give_back)
    _LENT[ctypes.addressof(managed)] = (managed, sizes, owner)
    return _new_capsule(ctypes.addressof(managed), NAME, None)

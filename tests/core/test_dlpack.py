"""Arrays handed over by DLPack."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from quadriga.core.dlpack import CPU, capsule


class Lent:
    """Memory of this machine, handed over as a GPU's would be."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU, 0

    def __dlpack__(self, **_: Any) -> Any:
        return capsule(self, self.array.ctypes.data, self.array.shape, self.array.dtype, self.__dlpack_device__())


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8, np.bool_, np.uint32])
def test_the_taker_sees_the_same_memory(dtype: Any) -> None:
    array = np.arange(12).astype(dtype).reshape(3, 4)
    taken = np.from_dlpack(Lent(array))
    assert (taken.shape, taken.dtype) == (array.shape, array.dtype)
    array[1, 2] = 0
    assert (taken == array).all()


def test_memory_is_kept_until_the_taker_is_done() -> None:
    lent = Lent(np.ones(3, np.float32))
    alive, taken = weakref.ref(lent), np.from_dlpack(lent)
    del lent
    gc.collect()
    assert alive() is not None
    assert taken.sum() == 3
    del taken
    gc.collect()
    assert alive() is None

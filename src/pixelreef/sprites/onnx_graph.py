"""An ONNX graph put together node by node: names are handed out, weights that float16 can hold are stored in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef import __version__
from pixelreef.sprites.dense import EPSILON

OPSET, IR = 17, 8  # of 2022: runtimes that games embed lag behind
Side = int | str
"""Of a shape: a number, or the name of one that may change."""


class Graph:
    """A graph on its way. What a method returns is the name of a value."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: dict[bytes, tuple[str, Any]] = {}
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def takes(self, name: str, kind: type[np.generic], *shape: Side) -> str:
        """An input."""
        self._inputs.append(_value(name, kind, shape))
        return name

    def gives(self, name: str, value: str, *shape: Side) -> None:
        """An output."""
        from onnx import helper

        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(_value(name, np.float32, shape))

    def do(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """One node of one output."""
        from onnx import helper

        name = f"v{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def whole(self, value: NDArray[Any]) -> str:
        """A constant of whole numbers."""
        return self._constant(value.astype(np.int64))

    def table(self, value: NDArray[np.float32]) -> str:
        """A constant of real numbers, exactly."""
        with np.errstate(over="ignore"):
            half = value.astype(np.float16)
        if value.size > 1 and (half == value).all():
            from onnx import TensorProto

            return self.do("Cast", self._constant(half), to=TensorProto.FLOAT)
        return self._constant(value.astype(np.float32))

    def shaped(self, value: str, *shape: int) -> str:
        """The same in another shape; 0: as it was, −1: what is left."""
        return self.do("Reshape", value, self.whole(np.array(shape)))

    def times(self, value: str, matrix: NDArray[np.float32]) -> str:
        """(…, in) times (in, out)."""
        return self.do("MatMul", value, self.table(matrix))

    def norm(self, value: str, gain: NDArray[np.float32]) -> str:
        """Rows divided by the root of their mean square, times a gain."""
        mean = self.do("ReduceMean", self.do("Mul", value, value), axes=[-1], keepdims=1)
        root = self.do("Sqrt", self.do("Add", mean, self.table(np.array(EPSILON, np.float32))))
        return self.do("Mul", self.do("Div", value, root), self.table(gain))

    def padded(self, maps: str, by: int, code: int) -> str:
        """(rows, height, width) with a border of one code."""
        return self.do("Pad", maps, self.whole(np.array([0, by, by, 0, by, by])), self.whole(np.array(code)))

    def made(self, name: str) -> bytes:
        """The finished graph, checked."""
        from onnx import checker, helper

        constants = [tensor for _, tensor in self._constants.values()]
        graph = helper.make_graph(self._nodes, name, self._inputs, self._outputs, constants)
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR,
            producer_name="pixelreef",
            producer_version=__version__,
        )
        checker.check_model(model, full_check=True)
        data: bytes = model.SerializeToString(deterministic=True)
        return data

    def _constant(self, value: NDArray[Any]) -> str:
        """Each value once."""
        from onnx import numpy_helper

        ready = np.ascontiguousarray(value).reshape(value.shape)
        key = f"{ready.dtype.str}{ready.shape}".encode() + ready.tobytes()
        if key not in self._constants:
            name = f"c{len(self._constants)}"
            self._constants[key] = name, numpy_helper.from_array(ready, name)
        return self._constants[key][0]


def _value(name: str, kind: type[np.generic], shape: tuple[Side, ...]) -> Any:
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(
        name, TensorProto.INT64 if kind is np.int64 else TensorProto.FLOAT, list(shape)
    )

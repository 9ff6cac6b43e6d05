from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.core.strict_json import MAX_DEPTH, depth, json_from_bytes, json_from_text
from pixelreef.errors import DocumentError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_whatever_json_writes_is_read_back(value: object) -> None:
    assert json_from_text(json.dumps(value)) == value


@given(VALUES)
def test_depth_is_that_of_the_value(value: object) -> None:
    def nested(value: object) -> int:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return 0 if inner is None else 1 + max((nested(one) for one in inner), default=0)

    assert depth(json.dumps(value)) == nested(value)


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "be JSON"),
        (b'{"a": 1,}', "be JSON"),
        (b'{"a": 1, "a": 2}', "name each key once, got 'a'"),
        (b"[NaN]", "finite"),
        (b"[-Infinity]", "finite"),
        (b"[1e999]", "finite"),
        (b"[" + b"9" * 5000 + b"]", "ordinary length"),
        (b"[" * 100_000, f"at most {MAX_DEPTH} deep"),
        (b'{"a":' * 100_000, "deep"),
        (b"\xff\xfe{\0}\0", "UTF-8"),
        (b'"\xed\xa0\x80"', "UTF-8"),
        (b" " * (17 * 2**20), "bytes"),
        (b'"' + b"\\" * 1_000_001, "be JSON"),
    ],
)
def test_faults_are_named_in_one_line(data: bytes, rule: str) -> None:
    with pytest.raises(DocumentError) as caught:
        json_from_bytes(data)
    assert rule in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_and_windows_line_ends_are_fine() -> None:
    assert json_from_bytes(b'\xef\xbb\xbf{\r\n"a": 1\r\n}') == {"a": 1}

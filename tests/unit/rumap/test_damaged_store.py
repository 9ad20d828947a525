"""Lines of a store of evaluations that no program of ours wrote are left out, and what they stood for is computed again."""

import json

import pytest

from confide.rumap.general.folder_store import FILE, FolderStore

LINES = {
    "nested without end": "[" * 100_000,
    "not finite": '{"key": "a", "figures": {"value": NaN}}',
    "a text": '{"key": "a", "figures": {"value": "0.5"}}',
    "no figure": '{"key": "a", "figures": {}}',
    "figures of nothing": '{"key": "a", "figures": null}',
    "a list": "[1, 2]",
    "a name that is a number": '{"key": 1, "figures": {"value": 1}}',
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_that_is_no_evaluation_is_left_out(tmp_path, name):
    store = FolderStore(tmp_path)
    store.put("good", {"value": 0.25})
    with (tmp_path / FILE).open("a", encoding="utf-8") as file:
        file.write(LINES[name] + "\n")
        file.write(json.dumps({"key": "late", "figures": {"value": None}}) + "\n")
    again = FolderStore(tmp_path)
    assert again.get("good") == {"value": 0.25}
    assert again.get("a") is None
    assert len(again) in (1, 2)
